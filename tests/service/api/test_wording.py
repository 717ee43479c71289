"""The sentences of answers in Chinese and Vietnamese."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient

from plimsoll_service import api
from plimsoll_service.api.wording import translated
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.json"))
QUESTION = "/v1/recommendations?task=training&model=qwen2.5-7b&method=lora&tokens=50000000&purchase=on_demand,spot"
OTHERS = ("zh", "vi")
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
ENGLISH = re.compile(r"\b(?:the|and|is|it|with|where|else|which)\b")
OF_A_PRICE = ("the price is ", "the prices are ")  # names a source in the source's own words


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The whole application, with a cache of answers."""
    return create_app(Settings(log_level="critical")).test_client()


def figures(text: str) -> list[str]:
    """Figures of a text, in any order, with either decimal sign."""
    return sorted(FIGURE.findall(text.replace(",", ".")))


def sentences(value: Any) -> Iterator[str]:
    """Texts of notes, assumptions and reasons, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from sentences(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in ("text", "why") and isinstance(item, str):
                yield item
            else:
                yield from sentences(item)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_sentence_is_said_in_each_language(client: FlaskClient, example: Path) -> None:
    """No sentence stays English, not even in part, and each keeps its figures."""
    asked = json.loads(example.read_text())
    said = set(sentences(client.post("/v1/recommendations", json=asked | {"limit": 20}).json))
    machine = {"cloud": "aws", "instance_type": "g5.xlarge"}
    body = {name: asked[name] for name in ("workload", "constraints") if name in asked}
    said |= set(sentences(client.post("/v1/estimates", json=body | {"on": machine}).json))

    for language in OTHERS:
        other = {text: translated(text, language) for text in said}
        assert [text for text, told in other.items() if told == text] == []
        ours = {text: told for text, told in other.items() if not text.startswith(OF_A_PRICE)}
        assert [told for told in ours.values() if ENGLISH.search(told)] == []
        assert [text for text, told in other.items() if figures(text) != figures(told)] == []
    assert said


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("words", ["USD per hour, in", "USD per hour, expected"])
def test_the_machines_of_a_way_out_are_said_in_each_language(client: FlaskClient, language: str, words: str) -> None:
    """A relaxation names its first choice, of a job with its time, of a service with its expected latency."""
    job = {"task": "training", "model": "resnet-50", "epochs": 90, "deadline": "2m"}
    service = {"task": "inference", "model": "resnet-50", "requests_per_second": 100, "latency_ms": 0.1}
    body = {"workload": job if words.endswith("in") else service}
    english, other = (
        client.post("/v1/recommendations", json=body, headers={"Accept-Language": one}).json["relax"]
        for one in ("en", language)
    )
    assert words in english[0]["choice"]
    assert words not in other[0]["choice"]
    assert figures(english[0]["choice"]) == figures(other[0]["choice"])


def test_figures_are_written_as_in_the_language() -> None:
    """Vietnamese has a decimal comma, but not in the number of a release."""
    assert "6,06" in translated("a restart takes 6.06 min", "vi")
    assert "6.06" in translated("a restart takes 6.06 min", "zh")
    assert "2.11" in translated("release 2.11 or older", "vi")


@pytest.mark.parametrize("unit", ["tokens", "samples"])
def test_a_price_per_million_says_of_what(unit: str) -> None:
    """Each language has the unit."""
    text = f"it is simpler: 4 devices instead of 8, for 0.82 USD per million {unit} more"
    words = {"tokens": ("token", "token"), "samples": ("样本", "mẫu")}[unit]

    assert [True, True] == [word in translated(text, one) for one, word in zip(OTHERS, words, strict=True)]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("'H100' names several variants; this is the usual one; to allow others, name them: H100-PCIe, H100-NVL",
         "H100-PCIe, H100-NVL"),
        ("1 group of machines with a network of unknown speed left out; "
         "if you know the speed of one, ask /v1/estimates for it with node_count and network_gbps", "/v1/estimates"),
        ("the training process prepares the samples itself: the device waits 77 ms for each; "
         "with loader workers (dataloader_num_workers) it need not wait: state tuning: tuned", "tuning: tuned"),
    ],
)  # fmt: skip
def test_what_to_state_stays_as_it_is_written(text: str, kept: str, language: str) -> None:
    """Names and fields are the same in each language, the sentences around them are not."""
    told = translated(text, language)

    assert kept in told
    assert not ENGLISH.search(told)


def test_phrases_have_the_same_gaps_in_each_language() -> None:
    """A translation has every gap of its phrase, so that no figure is lost."""
    phrases = yaml.load(files(api).joinpath("phrases.yaml").read_text("utf-8"), yaml.CSafeLoader)

    def gaps(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text)) - {"s"}

    assert [english for english, others in phrases.items() for one in others if gaps(one) != gaps(english)] == []


@pytest.mark.parametrize(
    ("header", "language"), [("zh-CN,zh;q=0.9", "zh"), ("vi", "vi"), ("fr, vi;q=0.5", "vi"), ("fr", "en"), ("?", "en")]
)
def test_answer_is_in_the_preferred_language(client: FlaskClient, header: str, language: str) -> None:
    """The answer is in the first available language of the caller, and names it, also from the cache."""
    for _ in range(2):
        answer = client.get(QUESTION, headers={"Accept-Language": header})
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
        assert answer.json["assumptions"][0]["why"] == translated("the usual choice for this task and model", language)


def test_formats_for_programs_stay_as_they_are(client: FlaskClient) -> None:
    """CSV is the same in any language, and JSON differs only in its sentences."""
    csv = [client.get(f"{QUESTION}&format=csv", headers={"Accept-Language": one}).text for one in ("en", "zh")]
    english, chinese = (client.get(QUESTION, headers={"Accept-Language": one}).json for one in ("en", "zh"))

    assert csv[0] == csv[1]
    assert [one["estimate"] for one in english["recommendations"]] == [
        one["estimate"] for one in chinese["recommendations"]
    ]
    assert len(list(sentences(english))) == len(list(sentences(chinese)))


def test_batch_is_worded_too(client: FlaskClient) -> None:
    """Each result of a batch is translated."""
    body = {"requests": [{"workload": {"task": "hpc"}, "limit": 1}]}
    answer = client.post("/v1/recommendations/batch", json=body, headers={"Accept-Language": "zh"})

    assert any("受" in text for text in sentences(answer.json))
