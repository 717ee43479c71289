"""Engines made for a kind of model, named where the request leaves the framework open."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, made_up

from plimsoll_service.engine.workload import Constraints, Query, Workload
from plimsoll_service.evidence.statements import frameworks

MARKET = made_up(Box("box", accelerator="H100-SXM", vcpus=16, memory_gib=128, sales=(Sale(1.0),)))
TRANSLATION = Workload("inference", model="nllb-200-3.3b", requests_per_second=20.0, latency_ms=1000.0)
RULE = "engine-made-for-it"


def named(workload: Workload, constraints: Constraints | None = None) -> list[str]:
    """What the first choice says of other engines."""
    found = ask(Query(workload, constraints or Constraints(max_nodes=64)), MARKET).recommendations
    return [note.text for note in found[0].reasons if note.rule == RULE]


@pytest.mark.parametrize(
    ("family", "model", "expected"),
    [
        ("speech", "whisper-small", ("vllm", "faster-whisper", "whisper.cpp")),
        ("speech", "wav2vec2-base", ()),
        ("encoder_decoder", "nllb-200-3.3b", ("ctranslate2",)),
        ("encoder", "bge-m3", ("text-embeddings-inference", "infinity")),
        ("cnn", "resnet50", ()),
        ("decoder", "llama-3-8b", ()),
    ],
)
def test_engines_are_those_of_few_kinds_of_models(family: str, model: str, expected: tuple[str, ...]) -> None:
    """Runtimes of every network are a decision of their own, and language models have an engine already."""
    assert expected == frameworks().engines_for(family, model)


def test_a_much_cheaper_engine_is_named_with_its_machines() -> None:
    """Translation within a second takes several times the machines in a script of one's own."""
    [text] = named(TRANSLATION)
    assert text.startswith("with framework CTranslate2, ")
    assert " USD per hour; it answers in " in text


def test_speech_names_an_engine_too() -> None:
    """Many hours of audio take less with the engine whose host works less on each segment."""
    [text] = named(Workload("inference", model="whisper-small", hours_of_audio=20_000.0))
    assert text.startswith("with framework vLLM, ")
    assert " USD" in text


def test_a_cheaper_engine_does_not_let_users_wait() -> None:
    """Without a stated latency, what is named answers about as soon as the first choice does."""
    slow = Box("slow", accelerator=None, vcpus=2, memory_gib=16, sales=(Sale(0.02),))
    asked = Query(Workload("inference", model="whisper-medium", concurrency=20))
    first = ask(asked, made_up(Box("fast", accelerator="T4", vcpus=4, memory_gib=32, sales=(Sale(0.5),)), slow))
    texts = [note.text for note in first.recommendations[0].reasons if note.rule == RULE]
    assert "fast" == first.recommendations[0].instance_type
    assert [] == [text for text in texts if "slow" in text]


def test_a_stated_framework_is_the_users_decision() -> None:
    """Nothing is said of others."""
    assert [] == named(replace(TRANSLATION, framework="pytorch"))


def test_an_engine_that_saves_little_is_not_named() -> None:
    """Where one machine does with either, the engine costs as much."""
    assert [] == named(replace(TRANSLATION, requests_per_second=0.01, latency_ms=20_000.0))


def test_an_engine_that_serves_within_the_limits_may_be_taken_instead() -> None:
    """Without any option, the engine is among what may be loosened."""
    few = Query(TRANSLATION, Constraints(max_nodes=4))
    answer = ask(few, MARKET)
    assert () == answer.recommendations
    found = [one for one in answer.relax if one.constraint == "framework"]
    assert ["ctranslate2"] == [one.to for one in found]
    assert "USD per hour" in found[0].choice
    assert ask(replace(few, workload=replace(TRANSLATION, framework="ctranslate2")), MARKET).recommendations


@pytest.mark.parametrize("model", ["sam-vit-h", "dinov2-large", "timesfm", "florence-2-large", "gnmt"])
def test_engines_of_texts_are_not_named_for_other_models(model: str) -> None:
    """Images and series are no texts, and recurrent networks no transformers."""
    assert [] == named(Workload("inference", model=model, requests_per_second=50.0))
