"""The bundled coefficients are as written, each in its place, with the engine's defaults for the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.support import NO, Support
from plimsoll_service.evidence import coefficients, statements
from plimsoll_service.evidence.measurement import EvidenceError


def read(name: str) -> dict[str, Any]:
    """Content of the file."""
    found: dict[str, Any] = json.loads((coefficients.folder() / f"{name}.json").read_text(encoding="utf-8"))
    return found


def test_every_figure_of_every_file_is_a_field_of_its_form() -> None:
    """Every figure is a field of its form, digit for digit, and every form is a part of the coefficients."""
    wrong = []
    for name in coefficients.FORMS:
        for form, fields in read(name)["coefficients"].items():
            held = getattr(coefficients.load(), form)
            parts = {form: (held, fields)} if form != "serving" else {
                part: (getattr(held, part), figures) for part, figures in fields.items()
            }  # fmt: skip
            wrong += [
                (name, part, field)
                for part, (values, figures) in parts.items()
                for field, figure in figures.items()
                if getattr(values, field) != figure["value"]
            ]

    assert [] == wrong


def test_a_field_that_no_fit_sets_keeps_its_default() -> None:
    """A field that no fit sets keeps its default, such as the threads of a multiprocessor."""
    assert Coefficients().roofline.threads_per_sm == coefficients.load().roofline.threads_per_sm


def test_ranges_of_runs_in_clouds_replace_those_of_the_bundled_measurements() -> None:
    """Ranges of runs in clouds are also based on the bundled measurements."""
    expected = read("spreads_cloud")["spreads"]["tpot"]["known_model"]
    spread = coefficients.load().spreads.of("tpot")[0]

    assert expected == [spread.low, spread.high]


def test_runs_in_clouds_add_to_what_is_known() -> None:
    """Software that either table has is known."""
    files = [read(name)["known"]["serving"]["software"] for name in coefficients.KNOWN]

    assert set().union(*files) == coefficients.load().known["serving"].software


def test_every_file_is_read() -> None:
    """Every file in the folder is read."""
    others = ("agreed", "anchors", "checks", "effects", "measured", "queue")
    named = {*coefficients.FORMS, *coefficients.KNOWN, *coefficients.SPREADS, *others}

    assert named == {path.stem for path in coefficients.folder().glob("*.json")}


STATEMENT = dict.fromkeys(Support._fields, "") | {"program": "a", "status": "no", "on": "x|all", "source": "s, 2026"}


def test_a_statement_names_the_members_of_a_group() -> None:
    """A group is written out; other words stay as they are."""
    actual = statements.statement_of(2, STATEMENT, {"all": ("y", "z")})

    assert actual == Support("a", NO, ("x", "y", "z"), "s, 2026")


@pytest.mark.parametrize("fault", [{"status": "maybe"}, {"source": ""}, {"on": ""}, {"surplus": "x"}])
def test_a_faulty_statement_is_refused_with_its_line(fault: dict[str, str]) -> None:
    """Program, hardware, status and source are needed, and no cell beyond the header's."""
    with pytest.raises(EvidenceError, match=r"support\.csv, line 7"):
        statements.statement_of(7, STATEMENT | fault, {})
