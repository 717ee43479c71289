"""Cold start of inference, by its parts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.api.wording import translated
from plimsoll_service.engine.workload import Query, Workload

LLAMA = Workload("inference", model="llama-3-8b", requests_per_second=1.0)
BOX = Box("h100", accelerator="H100-SXM", vcpus=26, memory_gib=400, local_disk_gb=6400, boot_seconds=60)


def cold(workload: Workload, box: Box = BOX) -> float:
    return ask(Query(workload), made_up(box)).recommendations[0].estimate.serving.cold_start_seconds


def test_a_language_model_takes_minutes_to_start() -> None:
    """Boot, container, 16 GB over the network and into the process, and vLLM's own start."""
    fetched, loaded = 16.06e9 / (10e9 / 8), 16.06e9 / 0.31e9

    assert 60 + 270 + fetched + loaded + 200 == pytest.approx(cold(LLAMA), rel=0.01)


@pytest.mark.parametrize("framework", ["llama.cpp", "transformers", "pytorch"])
def test_what_runs_a_model_as_it_is_compiles_nothing(framework: str) -> None:
    """It answers as soon as it has read its files."""
    engine = Workload("inference", model="llama-3-8b", framework=framework, requests_per_second=1.0)

    assert cold(LLAMA) - cold(engine) == pytest.approx(200, abs=5)


def test_the_reason_names_the_parts() -> None:
    """The reason names each part with its time."""
    found = ask(Query(LLAMA), made_up(BOX)).recommendations[0]
    text = next(note.text for note in found.reasons if note.rule == "cold-start")

    assert "MiB/s" not in text
    assert [
        word for word in ("boot", "container", "weights fetched", "weights loaded", "engine") if word not in text
    ] == []


def test_an_assumed_speed_of_the_disk_is_said() -> None:
    """Weights are fetched to a volume of which nobody states the speed: the answer says what it takes."""
    box = replace(BOX, cloud="lambda", local_disk_gb=0)
    note = next(note.text for note in ask(Query(LLAMA), made_up(box)).recommendations[0].reasons
                if note.rule == "cold-start")  # fmt: skip

    assert "nobody states how fast its disk is, so 125 MiB/s is assumed" in note
    assert translated(note, "vi").endswith("nên giả định 125 MiB/s")


def test_xla_compiles_for_minutes_before_a_tpu_answers() -> None:
    """DeepSeek under vLLM took 630 s (vllm-project/tpu-inference pull request 2415, 2026-04-27)."""
    tpu = Box("v6e", cloud="gcp", accelerator="TPU-v6e", vcpus=44, memory_gib=176, local_disk_gb=6400, boot_seconds=60)

    assert cold(LLAMA, tpu) - cold(LLAMA) > 500
