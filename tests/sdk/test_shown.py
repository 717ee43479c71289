"""Printed answers: a few words as text, tables in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from plimsoll import Answer, Client, Constraints, HardwareEstimate
from plimsoll._json import decode
from plimsoll._words import number

TRAINING = {"task": "training", "model": "resnet50"}
V100 = {"cloud": "aws", "instance_type": "p3.2xlarge"}
VOID = {"br", "img", "input", "link", "meta"}


class Tags(HTMLParser):
    """Reads HTML and fails if a tag is not closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Open a tag."""
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last open tag."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Read a text."""
        self.words.append(data)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (0.52645, "0.526"), (39.42, "39.4"), (812.4, "812"), (12345.6, "12,346")]
)
def test_numbers_have_three_digits_and_no_exponent(value: float, text: str) -> None:
    """Numbers have three digits and no exponent; large ones are whole."""
    assert text == number(value)


def test_an_answer_prints_its_best_machine(client: Client) -> None:
    """The text of an answer is one line with machine, place, time and cost."""
    answer = client.recommend(TRAINING, limit=3)
    best = answer.best
    assert best is not None

    text = str(answer)

    assert text.startswith(f"{best.node_count} × {best.instance_type} ({best.cloud}, {best.region}, on_demand): ")
    assert text == f"{best}; 2 more"
    assert " h, " in text
    assert " USD" in text
    assert "\n" not in text


def test_serving_prints_rates_instead_of_time(client: Client) -> None:
    """An answer about serving has rates in place of time and cost."""
    text = str(client.recommend(task="inference", model="llama-3-8b").best)

    assert "tokens/s" in text
    assert "USD/h" in text


def test_an_empty_answer_prints_why(client: Client) -> None:
    """The text of an empty answer counts the rejected candidates and names the limits to relax."""
    answer = client.recommend(TRAINING, constraints=Constraints(max_usd_per_hour=0.0001))

    assert str(answer).startswith("no machine meets the constraints; rejected: ")
    assert all(relax.constraint in str(answer) for relax in answer.relax)
    assert "no machine meets the constraints" in answer._repr_html_()


def test_limits_that_only_do_together_are_named_together(client: Client) -> None:
    """Limits that help only together are printed in one line, each with its value."""
    answer = client.recommend(TRAINING, epochs=10, deadline="1m", budget_usd=0.01)
    (way,) = answer.relax

    assert f"relax deadline to {way.to} and budget to {way.together['budget']} (" in str(answer)


def test_constraints_to_drop_stand_before_limits_to_relax(client: Client) -> None:
    """A dropped constraint has no value to print."""
    work = {"task": "training", "model": "llama-3.3-70b", "method": "full", "framework": "fsdp", "tokens": 6e8}
    limits = {"accelerators": ["A10G"], "max_nodes": 1}
    answer = client.recommend(work, deadline="12h", budget_usd=50, constraints=limits)
    (way,) = answer.relax

    assert f"leave out accelerators, and relax deadline to {way.together['deadline']} and budget to" in str(answer)
    assert " None" not in str(answer)


def test_hardware_prints_what_it_makes_of_the_work_or_what_is_short(client: Client) -> None:
    """Hardware prints its figures if the work fits, otherwise the resource with both amounts."""
    large = {"task": "inference", "model": "llama-3-70b", "precision": "bf16"}

    assert "samples/s" in str(client.estimate(TRAINING, V100))
    assert str(client.estimate(large, V100)).startswith("does not fit: accelerator_memory_gib (required ")


def test_a_comparison_prints_a_line_a_machine(client: Client) -> None:
    """Each line is the machine's own text and begins with its label."""
    comparison = client.compare(TRAINING, [V100 | {"label": "a"}, V100 | {"label": "b"}])
    lines = str(comparison).splitlines()

    assert [line[:3] for line in lines] == ["a: ", "b: "]
    assert lines == [str(machine) for machine in comparison.machines]


def test_notebooks_get_tables(client: Client) -> None:
    """Every answer is well-formed HTML with a table, and names its machine."""
    answer = client.recommend(TRAINING, limit=2)
    comparison = client.compare(TRAINING, [V100 | {"label": "a"}, V100 | {"label": "b"}])
    shown = [answer, answer.best, client.estimate(TRAINING, V100), comparison, *comparison.machines]

    for result in shown:
        assert "table" in Tags(result._repr_html_()).seen
    assert answer.best is not None
    assert any(str(answer.best.instance_type) in words for words in Tags(answer._repr_html_()).words)


def test_words_from_outside_are_escaped() -> None:
    """A label, a text or a name cannot add tags to a notebook."""
    hostile = "<script>alert(1)</script>"
    estimate = {
        "basis": hostile,
        "bottleneck": hostile,
        "throughput": {"value": 1, "low": 1, "high": 1, "unit": hostile},
    }
    note = {"rule": hostile, "text": hostile}
    best = {"rank": 1, "cloud": hostile, "instance_type": hostile, "node_count": 1, "region": hostile}
    best |= {"purchase": hostile, "estimate": estimate, "accelerator": {"name": hostile, "count": 1}}
    best |= {"reasons": [note], "warnings": [note]}
    answer = decode(
        Answer,
        {
            "catalog": {"version": hostile, "prices_as_of": hostile},
            "workload": {},
            "recommendations": [best],
            "assumptions": [{"field": hostile, "value": hostile, "why": hostile}],
        },
    )
    hardware = {"fits": False, "short": [{"resource": hostile}], "why_not": [note], "reasons": [note]}

    for result in (answer, answer.best, decode(HardwareEstimate, hardware)):
        assert result is not None
        tags = Tags(result._repr_html_())
        assert "script" not in tags.seen
        assert any(hostile in words for words in tags.words)


def test_a_machine_of_ones_own_prints_its_label() -> None:
    """Own machines have no instance type."""
    estimate = {
        "basis": "modelled",
        "bottleneck": "network",
        "throughput": {"value": 8, "low": 7, "high": 9, "unit": "x"},
    }
    own = {"rank": 1, "cloud": "own", "instance_type": None, "label": "box", "node_count": 2, "estimate": estimate}
    answer = decode(Answer, {"catalog": {"version": "v"}, "workload": {}, "recommendations": [own]})

    assert str(answer) == "2 × box (own): 8 x"
