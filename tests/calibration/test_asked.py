"""Every measurement becomes a question that the API accepts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from calibration.asked import AMPLE_VCPUS, asked
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import measurements

ROWS = measurements()
SOURCES = sorted({row.source for row in ROWS})
# What was measured outside what the engine takes: sequences over a model's context, training in 4 bits.
REFUSED = ("/workload/sequence_length", "/workload/input_tokens", "/workload/precision")


def row(**columns: object) -> Measurement:
    """A plain measurement, with the given columns changed."""
    plain = next(one for one in ROWS if one.source == "jcjohnson")
    return replace(plain, **columns)


@pytest.mark.parametrize("source", SOURCES)
def test_every_undoubted_row_can_be_asked(source: str) -> None:
    """A question is refused only for limits of the engine that the row exceeds."""
    found = {
        f"{one.id} {fault.pointer}: {fault.detail}"
        for one in ROWS
        if one.source == source and not one.doubt
        for question, machine in [asked(one)]
        for fault in faults_of(Query(question), bundled_market(), (machine,))
        if fault.pointer not in REFUSED
    }

    assert found == set()


def test_refusals_for_limits_stay_few() -> None:
    """The number of rows that exceed the engine's limits stays small."""
    undoubted = [one for one in ROWS if not one.doubt]
    refused = [one for one in undoubted if faults_of(Query(asked(one)[0]), bundled_market(), (asked(one)[1],))]

    assert len(refused) <= 0.02 * len(undoubted)


def test_tokens_are_asked_where_they_were_measured() -> None:
    """Tokens are asked where the rate is in tokens, and samples otherwise."""
    tokens, _ = asked(row(task="training", metric="tokens/s", model="llama-3-8b"))
    samples, _ = asked(row(task="training", metric="samples/s"))

    assert tokens.tokens is not None
    assert samples.tokens is None


def test_a_machine_that_is_not_stated_does_not_limit() -> None:
    """A machine that is not stated has ample processors and memory, and the samples are in memory."""
    question, machine = asked(row(task="training", vcpus=None, memory_gib=None))

    assert machine.vcpus == AMPLE_VCPUS
    assert question.dataset.format == "memory"


def test_devices_are_counted_by_machine() -> None:
    """Sixteen devices on two machines are eight each."""
    _, machine = asked(row(device_count=16, node_count=2))

    assert (machine.count, machine.node_count) == (8, 2)


def test_requests_at_once_are_whole() -> None:
    """A mean of 12.6 requests is asked as 13, and requests that came all at once as the most that fit."""
    served = row(task="inference", metric="tpot_ms", input_tokens=128, output_tokens=64, load="rate", concurrency=12.6)

    assert asked(served)[0].concurrency == 13
    assert asked(replace(served, load="offline"))[0].concurrency is None


def test_a_rented_machine_is_asked_by_its_name() -> None:
    """A row is asked by its machine's name if all devices of the machine worked, otherwise by device and number."""
    rented = row(
        task="inference", metric="tpot_ms", input_tokens=8, output_tokens=8, load="single", concurrency=1.0,
        cloud="aws", instance_type="p3.8xlarge", cpu="Intel Xeon E5-2686 v4", vcpus=32, accelerator="V100-16GB",
        device_count=4, tensor_parallel=4,
    )  # fmt: skip

    assert asked(rented)[1].instance_type == "p3.8xlarge"
    assert (
        asked(replace(rented, tensor_parallel=1))[1].accelerator,
        asked(replace(rented, tensor_parallel=1))[1].count,
    ) == ("V100-16GB", 1)


def test_a_table_is_asked_with_its_size() -> None:
    """A table is asked with rows, features, trees and depth."""
    fit = row(
        task="training", framework="xgboost", model="xgboost", metric="seconds", rows=1000, features=8, trees=10,
        depth=6, accelerator=None, cpu="Skylake", vcpus=8,
    )  # fmt: skip
    question, machine = asked(fit)

    assert (question.dataset.samples, question.features, question.trees, question.depth) == (1000, 8, 10, 6)
    assert machine.cpu == "Skylake"


@pytest.mark.parametrize(
    ("framework", "printed", "date", "version"),
    [
        ("tensorflow", "1.x (hash b1e174e), CUDA 8.0 cuDNN 5.1", "2017", "2017"),
        ("tensorflow", "Intel Extension for TensorFlow 1.2.0", "2023-06", "23.06"),
        ("pytorch", "YOLOv5 7.0", "2022-11", "22.11"),
        ("torch7", "cuDNN 5.1.05", "2017", "2017"),
        ("tensorrt", "10.2.0", "2024-08", "24.08"),
        ("pytorch", "1.13.0a0+d0d6b1f", "2022", "1.13.0a0+d0d6b1f"),
        ("pytorch", "NGC 22.10", "2022-10", "NGC 22.10"),
        ("keras", "mid-2017 (version not in logs)", "2017-07", "mid-2017 (version not in logs)"),
        ("pytorch", None, "", None),
    ],
)
def test_software_is_as_old_as_its_run(framework: str, printed: str | None, date: str, version: str | None) -> None:
    """The number of a library or script is no version of the framework: the date of the run counts instead."""
    run = row(framework=framework, framework_version=printed, date=date)

    assert asked(run)[0].framework_version == version
