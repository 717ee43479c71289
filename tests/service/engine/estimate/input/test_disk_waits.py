"""Cost of waiting for a disk: hidden until the disk is nearly busy, spread over passes, named if it counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.engine.estimate.machines import hours, machine

from plimsoll_service.engine.estimate.input import pipeline
from plimsoll_service.engine.obstacles import BOTTLENECKS
from plimsoll_service.engine.workload import Dataset, Disk, Workload

SECONDS = st.floats(1e-6, 10.0)
STEP = np.array([1.0])


def reading(step: float, read: float) -> float:
    return float(pipeline.reading(np.array([step]), np.array([read]))[0])


@given(SECONDS, SECONDS)
def test_reading_takes_the_longer_of_both_and_at_most_an_eighth_more(step: float, read: float) -> None:
    """Neither can be hidden altogether; where both take as long, the wait is largest."""
    longest = max(step, read)
    assert longest <= reading(step, read) <= longest * 1.135


def test_a_disk_seven_tenths_used_costs_one_per_cent() -> None:
    """The measured loss that the exponent stands for."""
    assert reading(1.0, 0.7) == pytest.approx(1.01, abs=0.002)


def test_nothing_to_read_costs_nothing() -> None:
    """Data in the memory of the process cause no wait."""
    assert 1.0 == reading(1.0, 0.0)


@pytest.mark.parametrize(("cached", "seconds"), [(True, 1.5), (False, 3.0)])
def test_only_the_first_of_four_passes_reads_what_stays_in_memory(cached: bool, seconds: float) -> None:
    """Later passes take a step's own time where the data stay, else each reads again."""
    assert seconds == float(pipeline.over_passes(3 * STEP, STEP, np.array([cached]), 4.0)[0])


@pytest.mark.parametrize(("sharded", "held"), [(False, False), (True, True)])
def test_several_machines_hold_data_in_memory_where_they_are_split(sharded: bool, held: bool) -> None:
    """Each pass shuffles 600 GB over four machines of 244 GiB anew, unless each keeps to its own part."""
    data = Dataset(size_bytes=600e9, samples=5e6, format="jpeg", sharded=sharded)
    job = Workload("training", "pytorch", model="resnet18", epochs=30, dataset=data, disk=Disk(type="hdd"))
    box = machine(vcpus=48, memory_gib=244, network_gbps=50)

    assert held == (hours(job, box, 4) < hours(job, box, 1) / 8)


def test_a_service_reads_a_share_of_what_could_stay_in_memory() -> None:
    """Without an end there is no first pass: a share is read, all of it where memory is too small."""
    kept, lost = (float(pipeline.without_end(2 * STEP, STEP, np.array([flag]))[0]) for flag in (True, False))
    assert kept == pytest.approx(1 + pipeline.COLD_SHARE)
    assert 2.0 == lost


def test_a_disk_is_what_limits_from_a_tenth_of_the_time() -> None:
    """A disk that costs less than a tenth of the time is no reason to order a faster one."""
    assert [False, True] == pipeline.disk_bound(np.array([1.05, 1.2]), np.ones(2)).tolist()


def test_the_bottleneck_says_what_of_the_disk_limits() -> None:
    """The bottleneck is either the disk's throughput or its IOPS."""
    codes = pipeline.named(np.array([True, False]))
    assert ["disk_throughput", "disk_iops"] == [BOTTLENECKS[code] for code in codes]
