"""Tabular learners: boosting on cores and on a GPU, forests and linear models."""

from __future__ import annotations

from dataclasses import replace
from statistics import geometric_mean, median

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine, scored
from tests.service.fitted import job_of

from plimsoll_service.engine.estimate.non_neural.table_memory import FRAME_BYTES, NODE_BYTES, forest_gib
from plimsoll_service.engine.models.families import OTHER_EPOCHS
from plimsoll_service.engine.obstacles import BOTTLENECKS
from plimsoll_service.engine.units import GIB, MIB
from plimsoll_service.engine.workload import CustomModel, Dataset, Query, Workload
from plimsoll_service.evidence import published
from plimsoll_service.evidence.measurement import Measurement


def boosting(rows: float, model: str = "xgboost", trees: int = 100, depth: int = 8) -> Workload:
    return Workload(
        task="training",
        model=model,
        trees=trees,
        depth=depth,
        features=28,
        dataset=Dataset(samples=rows, format="memory"),
    )


def seconds(workload: Workload, **facts: object) -> float:
    """Seconds of the whole training, without start-up."""
    outcome = scored(workload, machine(**{"accelerator": None, "count": 0, "memory_gib": 512, **facts})).outcome
    assert workload.dataset.samples is not None
    return float(workload.dataset.samples / outcome.throughput[0])


@pytest.mark.parametrize("model", ["xgboost", "lightgbm", "random-forest"])
def test_more_rows_trees_and_depth_take_longer(model: str) -> None:
    """Every value is read once a level of each tree."""
    base = seconds(boosting(1e6, model), vcpus=8)
    assert base < seconds(boosting(4e6, model), vcpus=8)
    assert seconds(boosting(1e6, model, trees=300), vcpus=8) == pytest.approx(3 * base, rel=0.1)
    assert base < seconds(boosting(1e6, model, depth=9), vcpus=8)


@pytest.mark.parametrize("model", ["xgboost", "lightgbm"])
def test_cores_help_large_tables_less_than_they_cost(model: str) -> None:
    """Eight times the cores are faster, but not eight times: leaves are gathered one after another."""
    few, many = (seconds(boosting(1e7, model), vcpus=vcpus) for vcpus in (4, 32))
    assert 1.5 < few / many < 8


@pytest.mark.parametrize("learner", ["lightgbm", "xgboost"])
def test_cores_that_would_wait_for_each_other_stay_idle(learner: str) -> None:
    """Of a small table a leaf has few rows, of which each core adds more waiting than it takes over."""
    few, many = (seconds(boosting(1e3, learner), vcpus=vcpus) for vcpus in (48, 96))
    assert 0.9 * few < many <= few
    assert seconds(boosting(1e7, learner), vcpus=96) < seconds(boosting(1e7, learner), vcpus=48)


@pytest.mark.parametrize("learner", ["lightgbm", "xgboost", "random-forest"])
def test_a_second_socket_gains_nothing(learner: str) -> None:
    """192 vCPUs of two sockets are no faster than 96 of one, and those that work are on one."""
    sockets = {"processor": "Intel Xeon Platinum 8488C"}
    one, two = (seconds(boosting(1e7, learner), vcpus=vcpus, **sockets) for vcpus in (96, 192))
    assert one == pytest.approx(two, rel=1e-3)  # all cores copy the table
    outcome = scored(boosting(1e7, learner), machine(accelerator=None, count=0, memory_gib=512, vcpus=192, **sockets))
    assert outcome.outcome.vcpus_required[0] <= 96


@pytest.mark.parametrize(
    ("rows", "depth", "nodes"),
    [(5e4, 8, 470), (5e4, 12, 3500), (5e4, 40, 11500), (2e5, 12, 5600), (2e5, 16, 22000), (2e5, 20, 37000)],
)
def test_a_forest_grows_as_many_nodes_as_measured(rows: float, depth: int, nodes: float) -> None:
    """Two classes, of which 5 and 15% of the labels are wrong: the mean of what scikit-learn grew."""
    job = job_of(Query(replace(boosting(rows, "random-forest", trees=1, depth=depth), framework="scikit-learn")))
    assert forest_gib(job, rows) * GIB / NODE_BYTES == pytest.approx(nodes, rel=0.25)


def test_threads_that_grow_trees_take_memory_and_find_no_more_than_there_is() -> None:
    """66 bytes a row and thread; a machine of little memory grows fewer trees at once, and takes longer."""
    forest = replace(boosting(1e7, "random-forest"), framework="scikit-learn")
    outcomes = [
        scored(forest, machine(accelerator=None, count=0, vcpus=vcpus, memory_gib=gib)).outcome
        for vcpus, gib in ((8, 512), (16, 512), (16, 10))
    ]
    few, many, held = (outcome.host.required[0] for outcome in outcomes)
    assert many - few == pytest.approx(8 * 1e7 * 66 / GIB, rel=0.01)
    assert held < 10
    assert outcomes[2].vcpus_required[0] < outcomes[1].vcpus_required[0]
    assert outcomes[2].throughput[0] < outcomes[1].throughput[0]


@pytest.mark.parametrize(("learner", "held"), [("xgboost", 8.0), ("catboost", 9.0)])
def test_several_gpus_of_xgboost_hold_the_table_once(learner: str, held: float) -> None:
    """Each process reads its part; CatBoost's one process holds the table and its copy."""
    work = replace(boosting(1e8, learner), dataset=Dataset(samples=1e8, format="memory"))
    gpus = machine(accelerator="A100-80GB", count=4, vcpus=48, memory_gib=512)
    values = 1e8 * 28 / GIB
    assert scored(work, gpus).outcome.host.required[0] == pytest.approx(held * values, rel=0.15)


@pytest.mark.parametrize(("learner", "times"), [("lightgbm", 2.27), ("xgboost", 1.28)])
def test_the_loss_across_sockets_is_that_of_the_measured_runs(learner: str, times: float) -> None:
    """The factor is the median over the runs of 192 vCPUs, each over the runs of 96 on the same table."""
    runs = [row for row in published.measurements() if row.source == "gbm-perf" and row.framework == learner]
    ratios = [
        two.value / geometric_mean(one.value for one in runs if _same_table(one, two) and one.vcpus == 96)
        for two in runs
        if two.vcpus == 192
    ]
    assert times == pytest.approx(median(ratios), rel=0.01)


def _same_table(one: Measurement, two: Measurement) -> bool:
    return (one.cpu, one.rows) == (two.cpu, two.rows)


def test_catboost_is_slower_than_xgboost_on_the_same_core() -> None:
    """It takes 1.4 times as long for each value, by an own measurement on one core."""
    ratio = seconds(boosting(1e7, "catboost"), vcpus=2) / seconds(boosting(1e7), vcpus=2)
    assert 1.1 < ratio < 1.5


E5 = {"accelerator": None, "count": 0, "processor": "Intel Xeon E5-2670 v2", "vcpus": 32, "memory_gib": 256}
DEVICE = {"count": 1, "vcpus": 16, "memory_gib": 128}


@pytest.mark.parametrize(
    ("on", "published", "near"),
    [(DEVICE | {"accelerator": "V100-16GB"}, 77, 1.05), (DEVICE | {"accelerator": "P100"}, 127, 1.6), (E5, 713, 1.3)],
    ids=["V100", "P100", "two processors"],
)
def test_catboost_takes_as_long_as_published(on: dict[str, object], published: float, near: float) -> None:
    """CatBoost's own table: Epsilon in 128 bins, with the default number of trees and depth."""
    data = Dataset(samples=4e5, format="memory")
    epsilon = Workload(task="training", model="catboost", trees=1000, depth=6, features=2000, dataset=data)
    assert published / near < seconds(epsilon, **on) < published * near


def test_xgboost_takes_the_gpu_where_it_is_faster() -> None:
    """A large table runs on the device, a small one on the cores; the others stay on the cores."""
    gpu = {"accelerator": "A100-40GB", "count": 1, "vcpus": 12, "memory_gib": 85}
    large = scored(boosting(1e7), machine(**gpu)).outcome
    assert "accelerator_memory_bandwidth" == BOTTLENECKS[int(large.bottleneck[0])]
    assert seconds(boosting(1e7), **gpu) < seconds(boosting(1e7), vcpus=12) / 2
    forest = scored(boosting(1e7, "random-forest"), machine(**gpu)).outcome
    assert BOTTLENECKS[int(forest.bottleneck[0])] in ("cpu_compute", "memory_bandwidth")


def test_a_table_that_the_device_cannot_hold_stays_on_the_cores_of_catboost() -> None:
    """400 million rows of 28 features exceed 16 GiB."""
    outcome = scored(boosting(4e8, "catboost"), machine(accelerator="T4", count=1, vcpus=64, memory_gib=1024)).outcome
    assert BOTTLENECKS[int(outcome.bottleneck[0])] in ("cpu_compute", "memory_bandwidth")
    assert np.isnan(outcome.device.required[0])


def test_xgboost_keeps_on_the_host_what_the_device_cannot_hold() -> None:
    """A byte for each value crosses the bus at each level, so it takes longer than on a device with room."""
    small, large = ({"accelerator": name, "count": 1, "vcpus": 8, "memory_gib": 1024} for name in ("T4", "A100-80GB"))
    beyond, within = 2.4e9, 3e7
    assert seconds(boosting(beyond), **small) > 80 * seconds(boosting(within), **small)
    outcome = scored(boosting(beyond), machine(**small)).outcome
    assert outcome.device.required[0] <= outcome.device.usable[0]
    assert outcome.throughput_high[0] / outcome.throughput_low[0] == pytest.approx(2.9**2)
    assert seconds(boosting(beyond), **large) < seconds(boosting(beyond), **small)


def test_a_host_that_cannot_hold_the_table_holds_its_bins() -> None:
    """Of 800 GiB, 13 bytes a value, one byte fits into 128 GiB; without a device there is no such way."""
    device = machine(accelerator="A10G", count=1, vcpus=16, memory_gib=128)
    none = machine(accelerator=None, count=0, vcpus=16, memory_gib=128)
    needs = [scored(boosting(2.4e9), one).outcome.host.required[0] for one in (device, none)]
    assert needs[0] < 128 < needs[1]


def test_a_table_that_machines_hold_is_held() -> None:
    """External memory is experimental: a table of 135 GiB goes to a machine with as much memory."""
    assert scored(boosting(4e8), machine(accelerator="A10G", count=1, memory_gib=64)).outcome.host.required[0] > 135


@pytest.mark.parametrize("learner", ["xgboost", "catboost"])
def test_several_gpus_share_the_rows_and_are_never_as_many_times_as_fast(learner: str) -> None:
    """They add up the histograms of each level, and each level's kernels take their time on all."""
    one, eight = (
        seconds(boosting(1e8, learner, trees=1000), accelerator="A100-80GB", count=count, vcpus=96, memory_gib=1024)
        for count in (1, 8)
    )
    assert one / 8 < eight < one / 2


@pytest.mark.parametrize(("family", "learner"), [("tree", "xgboost"), ("linear", "logistic-regression")])
def test_a_described_learner_takes_as_long_as_its_familys_usual_one(family: str, learner: str) -> None:
    """A name that no figure stands under is no reason to have no answer."""
    data = Dataset(samples=1e6, format="memory")
    described = Workload(task="training", model=CustomModel(family=family), features=28, dataset=data)
    known = Workload(task="training", model=learner, features=28, dataset=data)
    assert seconds(described) == pytest.approx(seconds(known))


def test_passes_of_a_linear_model_that_are_left_out_are_several() -> None:
    """It is fitted in more than one pass, and the time is that of those which the answer lists."""
    data = Dataset(samples=1e7, format="memory")
    left_out, several, one = (
        seconds(Workload(task="training", model="logistic-regression", features=28, dataset=data, epochs=epochs))
        for epochs in (None, OTHER_EPOCHS, 1.0)
    )
    assert one < left_out == several


def test_reading_a_parquet_table_takes_several_times_its_columns() -> None:
    """pandas 3.1.1: 3.3 times columns of 8 bytes; columns of fewer bytes keep their types (own measurement)."""
    box = machine(accelerator=None, count=0, memory_gib=512)

    def gib(size_bytes: float) -> float:
        data = Dataset(size_bytes=size_bytes, samples=1e7, format="parquet")
        work = Workload("training", model="lightgbm", features=200, dataset=data)
        return float(scored(work, box).outcome.host.required[0])

    assert 49 < gib(16e9) < 53
    assert gib(32e9) == gib(16e9)
    assert gib(4e9) < 0.6 * gib(16e9)


@pytest.mark.parametrize(
    ("form", "features", "bytes_a_row"),
    [("parquet", 13, 485), ("parquet", 39, 1460), ("csv", 13, 401), ("csv", 39, 1076), ("memory", 39, 969)],
)
def test_a_linear_models_fit_holds_copies_of_its_table(form: str, features: int, bytes_a_row: float) -> None:
    """scikit-learn 1.9.1 with pandas 3.1.1, the larger of logistic regression and least squares (own measurement)."""
    box = machine(accelerator=None, count=0, memory_gib=2048)

    def gib(rows: float) -> float:
        data = Dataset(samples=rows, format=form)
        work = Workload(task="training", model="logistic-regression", features=features, dataset=data)
        return float(scored(work, box).outcome.host.required[0])

    assert (gib(2e8) - gib(1e8)) * GIB / 1e8 == pytest.approx(bytes_a_row, rel=0.13)


def test_a_narrow_table_still_has_the_arrays_of_its_rows() -> None:
    """A figure a row for the loss, the gradient and the label is most of a table of two columns."""
    data = Dataset(samples=1e8, format="parquet")
    work = Workload(task="training", model="logistic-regression", features=2, dataset=data)
    required = scored(work, machine(accelerator=None, count=0, memory_gib=512)).outcome.host.required[0]
    assert required * GIB / 1e8 > 180


def test_a_forest_tries_the_square_root_of_its_features() -> None:
    """Four times the features are twice as many tries at each split, as scikit-learn's classifier has them."""
    few, many = (replace(boosting(1e6, "random-forest"), features=features) for features in (25, 100))
    assert 1.9 < seconds(many, vcpus=8) / seconds(few, vcpus=8) < 2.1


def test_experiments_run_side_by_side_where_that_is_sooner() -> None:
    """Threads of one run wait for each other; of a large machine each run gets a part, where memory holds them all."""
    several = replace(boosting(2e6, "lightgbm"), experiments=64)
    large = {"accelerator": None, "count": 0, "vcpus": 64}
    room, tight = (scored(several, machine(memory_gib=gib, **large)).outcome for gib in (512, 2))
    runs = [one.runs[0] for one in (room, tight) if one.runs is not None]
    assert runs[0] > 1
    assert [1.0] == runs[1:]
    assert room.throughput[0] > 1.2 * tight.throughput[0]
    assert room.host.required[0] <= 512
    alone = scored(boosting(2e6, "lightgbm"), machine(memory_gib=512, **large)).outcome
    assert alone.throughput[0] == pytest.approx(tight.throughput[0])


def test_experiments_have_a_gpu_each_as_far_as_memory_holds_their_tables() -> None:
    """Four GPUs do four runs at once, and one where the host holds one table."""
    on = {"accelerator": "A10G", "count": 4, "vcpus": 48}
    table = replace(boosting(5e7), experiments=4)
    one = scored(table, machine(**{**on, "memory_gib": 32})).outcome
    all_four = scored(table, machine(**{**on, "memory_gib": 192})).outcome
    assert one.runs is not None
    assert all_four.runs is not None
    assert (one.runs[0], all_four.runs[0]) == (1, 4)
    assert all_four.throughput[0] == pytest.approx(4 * one.throughput[0], rel=0.01)
    assert all_four.host.required[0] == pytest.approx(4 * one.host.required[0], rel=0.1)


def test_two_experiments_are_no_more_than_two_runs() -> None:
    """No more run side by side than there are, and each round of them takes as long as one."""
    two, four = (replace(boosting(2e6, "lightgbm"), experiments=count) for count in (2, 4))
    box = machine(accelerator=None, count=0, vcpus=64, memory_gib=512)
    found = [scored(work, box).outcome for work in (two, four)]
    runs = [float(one.runs[0]) for one in found if one.runs is not None]
    assert runs[0] <= 2
    assert runs[1] <= 4
    assert found[0].hours[0] < found[1].hours[0]


@pytest.mark.parametrize(("trees", "share"), [(500, 0.03), (20, 0.15)])
def test_a_table_is_read_as_fast_as_its_volume_is_ordered(trees: int, share: float) -> None:
    """The time that reading adds and the ordered throughput make the table's bytes: of long work a small part."""
    table = Dataset(samples=4e8, size_bytes=1.6e11, format="parquet")
    work = Workload("training", model="lightgbm", trees=trees, depth=8, features=200, dataset=table)
    box = machine(accelerator=None, count=0, memory_gib=2048, vcpus=96)
    read, held = (
        scored(replace(work, dataset=replace(table, format=form)), box).outcome for form in ("parquet", "memory")
    )
    reading = 4e8 * (1 / read.throughput[0] - 1 / held.throughput[0])
    ordered = float(read.disk.throughput_mib_s[np.array([0])][0])

    assert 0.9 * 1.6e11 < reading * ordered * MIB < 1.3 * 1.6e11
    assert reading < share * 4e8 / read.throughput[0]


@pytest.mark.parametrize("learner", ["xgboost", "catboost"])
def test_a_share_of_a_gpu_has_its_part_of_the_speed(learner: str) -> None:
    """An eighth of an L4, as AWS rents one (G6f), takes eight times as long, but for starts of kernels."""
    whole, eighth = (
        [seconds(boosting(2e7, learner, trees=trees), accelerator="L4", count=count, vcpus=2) for trees in (500, 1000)]
        for count in (1, 0.125)
    )

    assert 7 < (eighth[1] - eighth[0]) / (whole[1] - whole[0]) <= 8


def test_the_context_of_a_gpu_takes_memory_beside_the_table() -> None:
    """The driver and the libraries hold theirs on each device, as beside a network."""
    work = boosting(5e6)
    device = scored(work, machine(accelerator="L4", vcpus=4, memory_gib=64)).outcome.device
    context, table = (device.parts[name][0:1].item() for name in ("framework", "working_set"))

    assert context == pytest.approx(1.29, abs=0.3)
    assert device.required[0:1].item() == pytest.approx(context + table)
    assert table > 5e6 * 28 / GIB


def test_pandas_parses_text_on_six_threads_at_most() -> None:
    """More cores read no sooner; tuned readers take every core (pandas 3.1.1, io/parsers/readers.py, 2026-11-28)."""
    table = Workload(
        "training", model="logistic-regression", features=100, dataset=Dataset(samples=1e7, format="csv"), epochs=1
    )
    one, six, many = (seconds(table, vcpus=vcpus, disk_mib_s=1e6) for vcpus in (2, 12, 96))
    tuned = seconds(replace(table, tuning="tuned"), vcpus=96, disk_mib_s=1e6)

    assert one / six == pytest.approx(6, rel=0.3)
    assert many > 0.8 * six
    assert tuned < 0.8 * many


def test_an_unstated_format_is_read_as_parquet_and_says_so() -> None:
    """Its frame takes 18 bytes a value at the peak, beside the stored bytes (own measurement, 2026-11-28)."""
    table = Workload("training", model="catboost", features=300, dataset=Dataset(samples=5e6))
    job, host = job_of(Query(table)), scored(table, machine(memory_gib=512)).outcome.host
    [said] = [one.value for one in job.assumptions if one.field == "dataset.format"]

    assert said == "parquet"
    assert host.parts["working_set"][0:1].item() == pytest.approx((18.1 + 3.2) * 1.5e9 / GIB, rel=0.01)


@pytest.mark.parametrize(("stored", "peak"), [(8.37, 26.6), (1.67, 19.7), (0.88, 19.0)])
def test_a_table_of_parquet_takes_its_frame_columns_and_stored_bytes(stored: float, peak: float) -> None:
    """Peaks of pandas.read_parquet in bytes a value of 8 bytes, which repeat more or less (2026-11-28)."""
    assert FRAME_BYTES + stored == pytest.approx(peak, rel=0.02)
