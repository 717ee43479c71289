"""Loads beyond those that were measured: what is called measured, and how the range grows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.choice.anchoring import anchored_job_of
from plimsoll_service.engine.choice.evaluate import Evaluated, evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.estimate.serving.loads import higher, lower
from plimsoll_service.engine.workload import Hardware, OwnMeasurement, Query, Workload

# SGLang was measured with DeepSeek-R1 and up to 64 users on 8 H200 (aic-silicon in /v1/evidence).
R1 = Workload("inference", model="deepseek-r1", framework="sglang", input_tokens=1000, output_tokens=1000)
EIGHT = Hardware(accelerator="H200", count=8, vcpus=192, memory_gib=2000)


def on(hardware: Hardware, workload: Workload) -> Evaluated:
    """That workload on that hardware."""
    market, query = bundled_market(), Query(workload)
    job = anchored_job_of(query, market)
    return evaluate(job, market, hardware, select(job, market, own_machines((), market)))


def width(found: Evaluated) -> float:
    """High over low end of the throughput."""
    assert found.estimate is not None
    return found.estimate.throughput.high / found.estimate.throughput.low


@pytest.mark.parametrize(("users", "basis"), [(16, "measured"), (100, "measured"), (400, "calibrated")])
def test_measured_is_said_near_the_measured_load(users: int, basis: str) -> None:
    found = on(EIGHT, replace(R1, concurrency=users, tpot_ms="none"))
    noted = [note.text for note in found.warnings if note.rule == "measured-load"]

    assert found.estimate is not None
    assert basis == found.estimate.basis
    assert bool(noted) == (basis != "measured")
    for text in noted:
        assert text == "a replica runs 400 requests at once; runs with up to 64 were measured"


def test_the_most_that_a_machine_serves_is_not_called_measured() -> None:
    found = on(EIGHT, R1)

    assert found.estimate is not None
    assert "calibrated" == found.estimate.basis


def test_the_range_grows_with_the_load_beyond_the_measured_one() -> None:
    at = [width(on(EIGHT, replace(R1, concurrency=users, tpot_ms="none"))) for users in (16, 64, 256, 1024)]

    assert at[0] == pytest.approx(at[1], rel=1e-3)
    assert at[1] < at[2] < at[3]


def test_loads_of_runs_without_an_end_are_never_beyond() -> None:
    """TensorRT-LLM was measured with all requests at once."""
    tuned = Workload("inference", model="llama-3.1-70b", framework="tensorrt-llm", precision="fp8")
    found = on(replace(EIGHT, count=2), tuned)

    assert found.estimate is not None
    assert "measured" == found.estimate.basis


def test_the_users_own_measurement_is_no_load_of_others() -> None:
    """With it, the range is what is left of it, whatever the load."""
    measured = OwnMeasurement(on=EIGHT, throughput=6000.0, concurrency=400)
    found = on(EIGHT, replace(R1, concurrency=400, tpot_ms="none", measurements=(measured,)))

    assert [] == [note.text for note in found.warnings if note.rule == "measured-load"]


def test_errors_are_added_in_quadrature() -> None:
    ends, error = np.array([0.8, 1.0]), np.array([0.0, 0.3])

    assert lower(ends, error) == pytest.approx([0.8, np.exp(-0.3)])
    assert higher(1 / ends, error) == pytest.approx(1 / lower(ends, error))
