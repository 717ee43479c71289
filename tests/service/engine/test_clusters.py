"""Independent experiments: each has what it would have alone, wherever they run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.service.engine.choosing import law
from tests.service.engine.estimate.machines import machine, scored
from tests.service.engine.workloads import sample_training, sequence_training, tabular_training, token_training

from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.clusters import machines_working, side_by_side
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.workload import Dataset, Disk, Workload

trainings = st.one_of(sample_training, sequence_training, token_training, tabular_training)
boxes = st.builds(
    machine,
    accelerator=st.sampled_from(("T4", "V100-16GB", "H100-SXM")),
    count=st.sampled_from((1, 4, 8)),
    vcpus=st.sampled_from((4, 32, 192)),
    memory_gib=st.sampled_from((32, 200, 2000)),
    interconnect=st.sampled_from((None, "nvlink")),
    local_disk_gb=st.sampled_from((0, 600)),
)

DECODED = Workload("training", model="resnet-50", dataset=Dataset(name="imagenet-1k", format="jpeg"), epochs=2)
EXCHANGED = Workload("training", model="alexnet", batch_size=8, epochs=2)
TOKENS = Workload("training", model="gpt2", batch_size=1, tokens=1e8, sequence_length=256)
EIGHT_FAST = machine(accelerator="H100-SXM", count=8, vcpus=192, memory_gib=2000, interconnect="nvlink")
FOUR_ON_A_BUS = machine(accelerator="V100-16GB", count=4, vcpus=192, memory_gib=2000)
ONE_SLOWLY_FED = machine(accelerator="H100-SXM", vcpus=4, memory_gib=200)


@pytest.mark.parametrize(
    ("experiments", "devices", "nodes", "at_once", "together", "machines", "inside", "working"),
    [
        (1, 8, 4, 1, 1, 4, 8, 4),  # one run has all
        (2, 8, 4, 2, 1, 2, 8, 4),
        (3, 8, 4, 3, 1, 1, 8, 3),  # the fourth machine has nothing to do
        (4, 8, 4, 4, 1, 1, 8, 4),
        (5, 8, 4, 5, 2, 1, 4, 2.5),  # one machine has two, at whose pace all go
        (12, 8, 4, 12, 3, 1, 2, 4),
        (99, 8, 4, 32, 8, 1, 1, 4),  # the rest wait
        (3, 0, 2, 2, 1, 1, 1, 2),  # processors take one after another
    ],
)
def test_experiments_share_machines_or_machines_an_experiment(
    experiments: int, devices: int, nodes: int, at_once: int, together: int, machines: int, inside: int, working: float
) -> None:
    """Numbers of experiments at once, of those on one machine, and of the machines and devices of each."""
    columns = np.array([float(devices)]), np.array([float(nodes)])
    shares = side_by_side(experiments, *columns)
    found = [shares.at_once, shares.together, shares.machines, shares.devices, machines_working(experiments, *columns)]
    assert [at_once, together, machines, inside, working] == [float(column[0]) for column in found]


def runs(workload: Workload, experiments: int, on: Machines, nodes: int) -> Estimates:
    return scored(replace(workload, experiments=experiments), on, nodes)


def of_one_machine(one: Estimates) -> list[float]:
    """Needs of each machine, the cost of its disk, and the hours for which it is rented."""
    made = one.outcome
    columns = (
        made.vcpus_required, made.host.required, made.device.required, made.disk.size_gib,
        made.disk.iops, made.disk.throughput_mib_s, made.hours, made.hours_low, made.hours_high,
    )  # fmt: skip
    return [*(float(column[:][0]) for column in columns), float(one.disk_usd_per_hour[0])]


@law
@given(trainings, boxes, st.integers(2, 5), st.integers(1, 3), st.integers(0, 4))
@example(DECODED, EIGHT_FAST, 3, 1, 1)
@example(replace(EXCHANGED, batch_size=None, global_batch_size=4), FOUR_ON_A_BUS, 4, 1, 0)
def test_each_experiment_needs_what_one_alone_needs(
    workload: Workload, on: Machines, many: int, machines: int, idle: int
) -> None:
    """Many runs on many times the machines take as long as one run, whose machines each need the same."""
    nodes = many * machines + min(idle, many - 1)  # too few for each to have one more
    one, all_of_them = runs(workload, 1, on, machines), runs(workload, many, on, nodes)
    assert of_one_machine(one) == pytest.approx(of_one_machine(all_of_them), nan_ok=True)
    assert many * one.outcome.throughput == pytest.approx(all_of_them.outcome.throughput, nan_ok=True)


@law
@given(trainings, boxes, st.integers(1, 5), st.integers(1, 40))
@example(DECODED, ONE_SLOWLY_FED, 4, 1)
@example(DECODED, EIGHT_FAST, 4, 1)
@example(EXCHANGED, FOUR_ON_A_BUS, 2, 1)
@example(TOKENS, FOUR_ON_A_BUS, 4, 1)
def test_the_machine_with_the_most_experiments_decides(workload: Workload, on: Machines, nodes: int, more: int) -> None:
    """All take as long as it would alone with its experiments, and each machine needs as much."""
    experiments = nodes + more
    one, several = runs(workload, -(-experiments // nodes), on, 1), runs(workload, experiments, on, nodes)
    assert of_one_machine(one) == pytest.approx(of_one_machine(several), nan_ok=True)


@law
@given(trainings, boxes, st.integers(1, 3), st.integers(0, 20), st.integers(1, 20))
def test_more_experiments_never_take_less(workload: Workload, on: Machines, nodes: int, some: int, more: int) -> None:
    """Neither time nor disk, where no run has devices that wait for each other and no volume is faster by its size."""
    workload = replace(workload, disk=Disk("ssd"))
    least = nodes * int(max(on.devices[0], 1)) + some
    few, many = (runs(workload, count, on, nodes) for count in (least, least + more))
    assert not few.outcome.hours[0] > many.outcome.hours[0] * (1 + 1e-9)
    assert few.outcome.disk.size_gib.item(0) <= many.outcome.disk.size_gib.item(0)
    assert not few.disk_usd_per_hour[0] > many.disk_usd_per_hour[0] * (1 + 1e-9)


def test_a_global_batch_is_of_each_run() -> None:
    """Four runs on four machines split it over one machine's devices, as one run does."""
    workload, on = Workload("training", model="resnet50", global_batch_size=512), machine(count=4)
    assert 128.0 == float(runs(workload, 1, on, 1).outcome.batch_used[0])
    assert 128.0 == float(runs(workload, 4, on, 4).outcome.batch_used[0])
    assert 32.0 == float(runs(workload, 1, on, 4).outcome.batch_used[0])
