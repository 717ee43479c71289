"""Better figures are never slower: bandwidth, peak, cores, network, batch."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine, scored, throughput, with_figures

from plimsoll_service.engine.estimate.job_time import IMAGE_PULL_SECONDS
from plimsoll_service.engine.workload import Dataset, Disk, Workload

FED = Dataset(size_bytes=1e9, samples=1e6, format="memory")
TRAIN = Workload("training", model="resnet-50", dataset=FED, batch_size=64, precision="mixed")
LORA = Workload("training", model="llama-3-8b", method="lora", tokens=1e8, sequence_length=1024)
SERVE = Workload("inference", model="llama-3-8b", input_tokens=500, output_tokens=200, precision="bf16")
INFER = Workload("inference", model="resnet-50", batch_size=16)
HPC = Workload("hpc", precision="fp64", flops=1e18)
TREES = Workload("training", model="xgboost", dataset=Dataset(size_bytes=2e9, samples=1e7, format="csv"), features=50)
H100 = {"accelerator": "H100-SXM", "vcpus": 64, "memory_gib": 500}
FACTORS = (0.5, 1.0, 2.0, 4.0)


@pytest.mark.parametrize("workload", [TRAIN, LORA, SERVE, INFER, HPC], ids=lambda one: f"{one.task}-{one.model}")
@pytest.mark.parametrize("figure", ["bandwidth_gb_s", "peak_tflops"])
def test_a_faster_device_is_never_slower(workload: Workload, figure: str) -> None:
    """More memory bandwidth and a higher peak never slow a device down."""
    base = machine(**H100)
    rates = [throughput(workload, replace(base, **{figure: getattr(base, figure) * factor})) for factor in FACTORS]
    assert rates == sorted(rates)
    assert rates[-1] > rates[0] or figure == "bandwidth_gb_s"


@pytest.mark.parametrize("workload", [replace(TRAIN, precision="fp32"), INFER, HPC, TREES, Workload("preprocessing")],
                         ids=lambda one: f"{one.task}-{one.model}")  # fmt: skip
@pytest.mark.parametrize("vcpus", [(2, 4), (4, 16), (16, 96)])
def test_more_vcpus_are_never_slower(workload: Workload, vcpus: tuple[float, float]) -> None:
    """On processors extra vCPUs help or stay idle."""
    few, many = (throughput(workload, machine(accelerator=None, vcpus=count, memory_gib=256)) for count in vcpus)
    assert many >= few


def test_a_larger_batch_fills_the_device_better() -> None:
    """Samples a second rise with the batch, and so does the memory; a step hardly ever gets shorter."""
    runs = [scored(replace(TRAIN, batch_size=batch), machine(**H100)).outcome for batch in (1, 8, 64, 256)]
    rates = [float(run.throughput[0]) for run in runs]
    assert rates == sorted(rates)
    steps = [batch / rate for batch, rate in zip((1, 8, 64, 256), rates, strict=True)]
    assert all(later > 0.99 * earlier for earlier, later in pairwise(steps))
    needs = [float(run.device.required[0]) for run in runs]
    assert needs == sorted(needs)


def test_epochs_multiply_the_work_and_not_the_rate() -> None:
    """Twice the epochs are twice the hours without the start, at the same samples a second."""
    once, twice = (scored(replace(TRAIN, epochs=epochs), machine(**H100, boot_seconds=0)).outcome for epochs in (5, 10))
    assert float(twice.hours[0]) == pytest.approx(2 * float(once.hours[0]))
    assert float(twice.throughput[0]) == float(once.throughput[0])


def test_hours_are_samples_over_rate() -> None:
    """Without a start or checkpoints, hours × 3600 × samples/s is what there was to do."""
    work = replace(TRAIN, epochs=3, checkpoint_gib=0.0)
    run = scored(work, machine(**H100, boot_seconds=0)).outcome
    assert float(run.hours[0] * 3600 * run.throughput[0]) == pytest.approx(3e6)


def test_tokens_a_second_are_sequences_times_their_length() -> None:
    """A token job of N tokens at R tokens/s takes N ÷ R seconds after its start."""
    run = scored(replace(LORA, checkpoint_gib=0.0), machine(**H100, boot_seconds=0)).outcome
    assert run.start_seconds is not None
    seconds = run.hours[0] * 3600 - run.start_seconds[0]
    assert float(seconds * run.throughput[0]) == pytest.approx(1e8)


def test_checkpoints_and_start_take_their_time() -> None:
    """A larger checkpoint, a shorter interval and a slower start each lengthen the run."""
    base = replace(TRAIN, epochs=5, checkpoint_gib=10.0, checkpoint_interval_minutes=30.0)
    plain = float(scored(base, machine(**H100, boot_seconds=0)).outcome.hours[0])
    assert float(scored(replace(base, checkpoint_gib=2000.0), machine(**H100, boot_seconds=0)).outcome.hours[0]) > plain
    often = replace(base, checkpoint_interval_minutes=5.0)
    assert float(scored(often, machine(**H100, boot_seconds=0)).outcome.hours[0]) > plain
    soon, late = (float(scored(base, machine(**H100, boot_seconds=boot)).outcome.hours[0]) for boot in (60, 420))
    assert late == pytest.approx(soon + 0.1)


def test_a_rented_machine_pulls_its_container() -> None:
    """Training on devices waits for it; a machine that is not ordered has it, and processors need a small one."""
    waits = [
        float(scored(work, machine(**hardware, boot_seconds=boot)).outcome.start_seconds[0])
        for work, hardware, boot in (
            (TRAIN, H100, 60),
            (TRAIN, H100, 0),
            (TRAIN, {"accelerator": None, "vcpus": 64}, 60),
            (replace(LORA, method="full"), H100, 60),
        )
    ]
    assert [60 + IMAGE_PULL_SECONDS, 0, 60, 60 + IMAGE_PULL_SECONDS] == waits


def test_experiments_side_by_side_need_no_exchange() -> None:
    """Eight runs on eight devices take as long as one run on one device."""
    one = scored(replace(TRAIN, experiments=1), machine(accelerator="T4", vcpus=96, memory_gib=500)).outcome
    eight = scored(replace(TRAIN, experiments=8), machine(accelerator="T4", count=8, vcpus=96, memory_gib=500)).outcome
    assert float(eight.hours[0]) == pytest.approx(float(one.hours[0]), rel=0.02)
    assert float(eight.throughput[0]) == pytest.approx(8 * float(one.throughput[0]), rel=0.02)


def test_experiments_in_rounds() -> None:
    """Nine runs on eight devices take two rounds."""
    eight, nine = (
        scored(
            replace(TRAIN, experiments=count),
            machine(accelerator="T4", count=8, vcpus=96, memory_gib=500, boot_seconds=0),
        )
        for count in (8, 9)
    )
    assert float(nine.outcome.hours[0]) == pytest.approx(2 * float(eight.outcome.hours[0]), rel=0.02)


def test_too_few_cores_hold_up_the_device() -> None:
    """JPEG decoding on two vCPUs binds before an H100 does, and the answer says so."""
    jpeg = replace(TRAIN, dataset=Dataset(name="imagenet-1k", format="jpeg"))
    few = scored(jpeg, machine(accelerator="H100-SXM", vcpus=2, memory_gib=500)).outcome
    many = scored(jpeg, machine(accelerator="H100-SXM", vcpus=192, memory_gib=500)).outcome
    assert float(few.throughput[0]) < float(many.throughput[0])
    assert 5 == int(few.bottleneck[0])
    assert float(few.vcpus_required[0]) > 2


def test_data_that_stay_in_memory_do_not_wait_for_the_disk() -> None:
    """With memory for the whole set a slow disk costs only the first pass."""
    slow = replace(TRAIN, dataset=Dataset(name="imagenet-1k", format="lmdb"), epochs=20, disk=Disk("hdd"))
    cached, read = (
        throughput(slow, machine(accelerator="H100-SXM", vcpus=96, memory_gib=memory)) for memory in (900, 60)
    )
    assert cached > 2 * read


def test_too_little_memory_is_an_obstacle() -> None:
    """Device memory, host memory and local disk each have their own."""
    big = replace(TRAIN, batch_size=4096)
    assert 2 == int(scored(big, machine(accelerator="T4", vcpus=8)).outcome.obstacle[0])
    assert 3 == int(scored(TRAIN, machine(memory_gib=0.5)).outcome.obstacle[0])
    assert 5 == int(scored(replace(TRAIN, disk=Disk("nvme")), machine()).outcome.obstacle[0])
    assert 1 == int(scored(replace(TRAIN, precision="fp8"), machine()).outcome.obstacle[0])


def test_an_unknown_network_is_an_obstacle_to_sharing_a_run() -> None:
    """Independent experiments need no network; one run over two machines does."""
    lone = machine(network_gbps=float("nan"))
    assert 4 == int(scored(TRAIN, lone, nodes=2).outcome.obstacle[0])
    assert 0 == int(scored(replace(TRAIN, experiments=2), lone, nodes=2).outcome.obstacle[0])


def test_hpc_is_the_roofline() -> None:
    """Without bytes 0.7 of the peak; with few operations a byte 0.85 of the bandwidth."""
    on = machine(**H100, boot_seconds=0)
    assert throughput(HPC, on) == pytest.approx(0.7 * float(np.nanmax(on.peak_tflops[0, :2])) * 1e3)
    bound = replace(HPC, bytes=1e19)
    assert throughput(bound, on) == pytest.approx(0.85 * float(on.bandwidth_gb_s[0]) * 0.1)


def test_trees_and_depth_multiply_the_passes() -> None:
    """Twice the trees take up to twice as long, and never less."""
    base = machine(accelerator=None, vcpus=16, memory_gib=256, boot_seconds=0)
    once, twice = (1 / throughput(replace(TREES, trees=trees, depth=6), base) for trees in (400, 800))
    assert 1.5 < twice / once <= 2.0
    assert throughput(replace(TREES, depth=12, trees=400), base) < 1 / once


def test_dense_fp64_on_devices_has_the_range_of_hpl() -> None:
    """From 36 of 67 TFLOP/s on an H100 to 15 of 19.5 on an A100, over 0.7 of the peak."""
    run = scored(HPC, with_figures(machine(**H100), boot_seconds=0)).outcome
    ends = (run.throughput_low[0] / run.throughput[0], run.throughput_high[0] / run.throughput[0])
    assert ends == pytest.approx((36 / 67 / 0.7, 15 / 19.5 / 0.7))


def test_range_of_nothing_measured() -> None:
    """A factor of 2.9 either way where no study stands behind the estimate, but nothing exceeds its peak."""
    cores = machine(accelerator=None, vcpus=16, memory_gib=256, boot_seconds=0)
    in_fp32 = replace(HPC, precision="fp32")  # dense FP64 on devices has the range of HPL
    for work, on in ((in_fp32, with_figures(machine(**H100), boot_seconds=0)), (HPC, cores)):
        run = scored(work, on).outcome
        assert float(run.throughput_high[0] / run.throughput[0]) == pytest.approx(1 / 0.7)
        assert float(run.hours_high[0] / run.hours[0]) == pytest.approx(2.9)
