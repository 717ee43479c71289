"""The user's own measurements: estimates near them approach them, and the ranges are narrower."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.engine.field_changes import BASES, CORES

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.anchors import Anchoring
from plimsoll_service.engine.choice.anchoring import anchored_job_of
from plimsoll_service.engine.choice.evaluate import Evaluated, evaluate
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.measured_runs import WHY_UNUSED, measured_machines
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.machines import COLUMNS, NUMBERED
from plimsoll_service.engine.quantities import Rate
from plimsoll_service.engine.workload import Dataset, Hardware, OwnMeasurement, Query, Workload

T4, L4, A100 = (Hardware(accelerator=name) for name in ("T4", "L4", "A100-80GB"))
RESNET = Workload("training", model="resnet-50", framework="pytorch", precision="mixed", batch_size=64)
CHAT = Workload("inference", model="llama-3-8b", framework="vllm", concurrency=16, input_tokens=500, output_tokens=200)
# Hardware that is measured, and other hardware of its kind.
WHERE = {
    kind.SAMPLE_TRAINING: (T4, L4),
    kind.TOKEN_TRAINING: (A100, L4),
    kind.TABULAR_TRAINING: (CORES, replace(CORES, vcpus=8.0)),
    kind.SERVING: (A100, L4),
    kind.INFERENCE: (T4, A100),
    kind.TABULAR_INFERENCE: (CORES, Hardware(cpu="Ice Lake", vcpus=16.0, memory_gib=128.0)),
    kind.PREPROCESSING: (CORES, Hardware(cpu="Ice Lake", vcpus=16.0, memory_gib=128.0)),
    kind.HPC: (CORES, Hardware(cpu="Ice Lake", vcpus=16.0, memory_gib=128.0)),
}


def on(hardware: Hardware, workload: Workload, *measurements: OwnMeasurement) -> Evaluated:
    """The workload on that hardware, given the measurements."""
    market, query = bundled_market(), Query(replace(workload, measurements=measurements or None))
    assert faults_of(query, market, (hardware,)) == ()
    job = anchored_job_of(query, market)
    return evaluate(job, market, hardware, select(job, market, own_machines((), market)))


def rate(found: Evaluated) -> Rate:
    assert found.estimate is not None
    assert found.estimate.throughput is not None
    return found.estimate.throughput


def width(found: Rate) -> float:
    return float(np.log(found.high / found.low))


@pytest.mark.parametrize("what", BASES)
@pytest.mark.parametrize("factor", [0.6, 1.4])
def test_an_exact_anchor_on_a_device_draws_its_estimate_there(what: str, factor: float) -> None:
    """The estimate comes within a tenth of the way to the measurement."""
    here, _ = WHERE[what]
    before = rate(on(here, BASES[what])).value
    after = rate(on(here, BASES[what], OwnMeasurement(here, before * factor))).value

    assert np.log(factor) == pytest.approx(np.log(after / before), rel=0.1)


@pytest.mark.parametrize("what", BASES)
def test_a_neutral_anchor_changes_nothing_but_the_range(what: str) -> None:
    """A measurement that equals the estimate confirms it, there and elsewhere."""
    here, there = WHERE[what]
    before = [rate(on(one, BASES[what])) for one in (here, there)]
    after = [rate(on(one, BASES[what], OwnMeasurement(here, before[0].value))) for one in (here, there)]

    assert [one.value for one in before] == pytest.approx([one.value for one in after], rel=1e-4)
    assert all(width(new) <= width(old) + 1e-4 for old, new in zip(before, after, strict=True))
    assert width(after[0]) < 2 / 3 * width(before[0]) or what == kind.SERVING


@pytest.mark.parametrize("what", BASES)
def test_a_higher_anchor_never_lowers_a_throughput(what: str) -> None:
    """A higher measurement never lowers a throughput, anywhere and beside other measurements."""
    here, there = WHERE[what]
    first = rate(on(here, BASES[what])).value
    beside = OwnMeasurement(there, rate(on(there, BASES[what])).value * 0.9)
    found = [
        [rate(on(one, BASES[what], OwnMeasurement(here, first * factor), beside)).value for one in (here, there)]
        for factor in (0.5, 0.8, 1.0, 1.2, 1.5)
    ]

    assert np.all(np.diff(np.array(found), axis=0) >= -1e-9)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_small_effects_multiply(factor: float) -> None:
    """Measurements that are all so many times as high change the estimate by a power of it, and no range."""
    rates = {one: rate(on(one, RESNET)).value for one in (T4, A100, L4)}

    def anchored(times: float) -> Rate:
        return rate(on(L4, RESNET, *(OwnMeasurement(one, rates[one] * times) for one in (T4, A100))))

    once, twice = anchored(factor), anchored(factor**2)

    assert np.log(twice.value / rates[L4]) == pytest.approx(2 * np.log(once.value / rates[L4]), rel=1e-3)
    assert width(once) == pytest.approx(width(twice), rel=1e-3)


def test_the_unit_of_the_machines_does_not_count() -> None:
    """A catalog's machine and its description anchor alike."""
    bare = Hardware(accelerator="T4", vcpus=8.0, memory_gib=32.0)
    rented = Hardware(cloud="aws", instance_type="g4dn.2xlarge")
    first, second = (rate(on(L4, RESNET, OwnMeasurement(one, 150.0))).value for one in (bare, rented))

    assert first == pytest.approx(second, rel=0.02)


def test_the_basis_says_whose_measurement_it_is() -> None:
    """Measured on the device itself, anchored where one is near, and as before on hardware of another kind."""
    anchor = OwnMeasurement(T4, 150.0)
    found = [on(one, RESNET, anchor).estimate for one in (T4, L4, CORES)]
    plain = on(CORES, RESNET).estimate

    assert plain is not None
    assert ["measured", "anchored", plain.basis] == [one.basis for one in found if one is not None]


@pytest.mark.parametrize(
    ("what", "name", "extra"),
    [
        (kind.SAMPLE_TRAINING, "batch_size", {}),
        (kind.TOKEN_TRAINING, "batch_size", {}),
        (kind.INFERENCE, "batch_size", {}),
        (kind.INFERENCE, "batch_size", {"concurrency": 32}),
        (kind.SERVING, "batch_size", {}),
        (kind.SERVING, "concurrency", {"concurrency": 16}),
    ],
)
def test_runs_at_several_batches_are_estimated_as_each_alone(what: str, name: str, extra: dict[str, Any]) -> None:
    """Several runs are estimated as each alone, also beside one without a batch."""
    workload, market = replace(BASES[what], **extra), bundled_market()
    sizes: tuple[dict[str, Any], ...] = ({}, {name: 1}, {name: 6}, {name: 6}, {name: 48})
    every = [OwnMeasurement(one, 90.0, **size) for size in sizes for one in (A100, L4)]

    def estimated(*measurements: OwnMeasurement) -> list[float | None]:
        anchoring = anchored_job_of(Query(replace(workload, measurements=measurements)), market).anchoring
        assert anchoring is not None
        return [one.estimated_without for one in anchoring.anchors]

    assert [estimated(one)[0] for one in every] == estimated(*every)


def test_the_reasons_say_what_the_anchor_did() -> None:
    """The reasons name the measurement and the factor by which it changes the estimate."""
    found = on(L4, RESNET, OwnMeasurement(T4, 150.0))
    [note] = [one for one in found.reasons if one.rule == "basis-anchored"]

    assert note.text.startswith("by your measurement on T4 the speed is 0.")


def test_times_of_serving_are_anchored_apart() -> None:
    """A slow first token slows prompts, not the tokens after it; the throughput stays as measured."""
    plain = on(A100, CHAT)
    assert plain.estimate is not None
    assert plain.estimate.serving is not None
    first, each, tokens = plain.estimate.serving.ttft_ms, plain.estimate.serving.tpot_ms, rate(plain).value
    slow = OwnMeasurement(A100, tokens, ttft_ms=2 * first.value, tpot_ms=each.value)
    found = on(A100, CHAT, slow).estimate
    assert found is not None
    assert found.serving is not None

    assert found.serving.ttft_ms.value == pytest.approx(2 * first.value, rel=0.1)
    assert found.serving.tpot_ms.value == pytest.approx(each.value, rel=0.05)
    assert found.throughput.value == pytest.approx(tokens, rel=0.05)


def test_a_measured_memory_corrects_the_need() -> None:
    """A measured memory corrects the need on every device, and the largest batch follows."""
    before, after = on(L4, RESNET), on(L4, RESNET, OwnMeasurement(T4, accelerator_memory_gib=8.0))
    memory = [one.sizing.accelerator_memory_gib for one in (before, after)]
    batch = [one.sizing.batch_size for one in (before, after)]
    need = [one.required for one in memory if one is not None]
    largest = [one.largest for one in batch if one is not None]

    assert need[1] == pytest.approx(8.0, rel=0.1)
    assert need[1] > need[0]
    assert largest[1] < largest[0]


def test_what_ran_fits() -> None:
    """A run for which the formula asks too much memory lowers the need to what was there."""
    large = replace(RESNET, batch_size=420, activation_recomputation="none")
    assert not on(T4, large).fits

    assert on(T4, large, OwnMeasurement(T4, 150.0)).fits


def test_the_memory_of_a_server_says_nothing() -> None:
    """A server's memory says nothing, because it is reserved at the start."""
    market = bundled_market()
    query = Query(replace(CHAT, measurements=(OwnMeasurement(A100, accelerator_memory_gib=70.0),)))
    anchoring = anchored_job_of(query, market).anchoring
    assert anchoring is not None
    [said] = anchoring.anchors

    assert (said.used, said.figure) == (False, "accelerator_memory_gib")


def test_anchors_that_disagree_are_told_and_widen_the_range() -> None:
    """Two runs on the same device that differ by more than equal machines cause a warning and a wider range."""
    agreeing = on(L4, RESNET, OwnMeasurement(T4, 200.0), OwnMeasurement(T4, 202.0))
    apart = on(L4, RESNET, OwnMeasurement(T4, 140.0), OwnMeasurement(T4, 280.0))

    [told] = [one.text for one in apart.warnings if one.rule == "anchors-disagree"]
    assert told.endswith("T4 (throughput 140) and T4 (throughput 280)")
    assert [] == [one for one in agreeing.warnings if one.rule == "anchors-disagree"]
    assert width(rate(agreeing)) < width(rate(apart))


def test_more_anchors_narrow_the_range() -> None:
    """Each further measurement narrows the range."""
    rates = {one: rate(on(one, RESNET)).value * 0.9 for one in (T4, A100)}
    one, both = ([OwnMeasurement(where, rates[where]) for where in some] for some in ((T4,), (T4, A100)))

    assert width(rate(on(L4, RESNET, *both))) <= width(rate(on(L4, RESNET, *one)))


def test_a_nearer_condition_counts_more() -> None:
    """A run in the precision that is asked for says more than one in another."""
    before = rate(on(L4, RESNET)).value
    in_fp32 = rate(on(T4, replace(RESNET, precision="fp32"))).value
    in_half = rate(on(T4, RESNET)).value
    same = rate(on(L4, RESNET, OwnMeasurement(T4, in_half * 0.8))).value
    other = rate(on(L4, RESNET, OwnMeasurement(T4, in_fp32 * 0.8, precision="fp32"))).value

    assert same < other < before


@pytest.mark.parametrize(
    ("workload", "measured", "pointer"),
    [
        (RESNET, OwnMeasurement(T4, 1e6), "throughput"),
        (RESNET, OwnMeasurement(T4, accelerator_memory_gib=17.0), "accelerator_memory_gib"),
        (CHAT, OwnMeasurement(A100, 1e6), "throughput"),
        (CHAT, OwnMeasurement(A100, tpot_ms=0.5), "tpot_ms"),
        (CHAT, OwnMeasurement(A100, ttft_ms=0.5), "ttft_ms"),
    ],
)
def test_what_no_hardware_reaches_is_refused(workload: Workload, measured: OwnMeasurement, pointer: str) -> None:
    """Above the peak rate, the memory or the bandwidth, a measurement has another unit or another machine."""
    query = Query(replace(workload, measurements=(OwnMeasurement(T4 if workload is RESNET else A100, 90.0), measured)))
    with pytest.raises(Refused) as refused:
        anchored_job_of(query, bundled_market())

    assert [f"/workload/measurements/1/{pointer}"] == [fault.pointer for fault in refused.value.faults]


def anchored(kept: Kept, workload: Workload, *measurements: OwnMeasurement) -> Anchoring:
    anchoring = anchored_job_of(Query(replace(workload, measurements=measurements)), bundled_market(), kept).anchoring
    assert anchoring is not None
    return anchoring


@pytest.mark.parametrize(
    ("workload", "amounts"),
    [
        (RESNET, {"deadline_hours": 9.0}),
        (RESNET, {"epochs": 30.0}),
        (RESNET, {"dataset": Dataset(name="imagenet-1k", samples=1_900_000.0)}),
        (BASES[kind.TOKEN_TRAINING], {"tokens": 1.06e9}),
        (BASES[kind.INFERENCE], {"requests": 5e6}),
        (CHAT, {"concurrency": None, "requests_per_second": 9.0}),
    ],
)
def test_a_question_that_is_asked_again_keeps_its_anchors(workload: Workload, amounts: dict[str, Any]) -> None:
    """Another amount of the work is the same kind of work under the same measurements."""
    kept, run = Kept(), OwnMeasurement(A100, 90.0)
    first = {name: value for name, value in BEFORE.items() if name in amounts}

    assert anchored(kept, replace(workload, **first), run) is anchored(kept, replace(workload, **amounts), run)


BEFORE: dict[str, Any] = {
    "epochs": 90.0,
    "dataset": Dataset(name="imagenet-1k", samples=1_200_000.0),
    "tokens": 1e9,
    "requests": 2e6,
    "concurrency": None,
    "requests_per_second": 3.0,
}


def test_the_passes_that_are_asked_for_leave_the_estimate_of_a_run() -> None:
    """How often the data are to be read says nothing of a run that was measured."""
    run = OwnMeasurement(T4, 150.0)
    few, many = (anchored(Kept(), replace(RESNET, epochs=epochs), run).anchors for epochs in (2.0, 90.0))

    assert few == many


def test_machines_are_measured_together_as_each_alone() -> None:
    """Rows of the catalog, described machines and stated networks keep their order and their figures."""
    market = bundled_market()
    rented = Hardware(cloud="aws", instance_type="g4dn.2xlarge")
    each = [T4, rented, CORES, replace(rented, network_gbps=7.0), replace(A100, count=4.0, node_count=2), rented]
    together = measured_machines(each, market)

    for row, one in enumerate(each):
        alone = measured_machines([one], market)
        for name in COLUMNS - set(NUMBERED):
            np.testing.assert_array_equal(getattr(together, name)[[row]], getattr(alone, name), err_msg=name)


def test_a_run_with_less_memory_than_estimated_keeps_its_speed() -> None:
    """Where the measured memory leaves room to run without recomputation, the rate is still the measured one.

    So the estimates of the run and of the answer are of one layout.
    """
    tuned = replace(
        BASES[kind.TOKEN_TRAINING], model="llama-3-8b", framework="huggingface", method="lora", sequence_length=2048,
        batch_size=4,
    )  # fmt: skip
    found = on(A100, tuned, OwnMeasurement(A100, 3000.0, accelerator_memory_gib=30.0))

    assert rate(found).value == pytest.approx(3000.0, rel=0.05)


@pytest.mark.parametrize(("name", "measured"), [("p4d.24xlarge", 6500.0), ("g4dn.xlarge", 210.0)])
def test_a_run_that_hardly_waits_for_its_input_counts(name: str, measured: float) -> None:
    """Images are decoded nearly fast enough on these machines: a slower run is of slower devices."""
    machine = Hardware(cloud="aws", instance_type=name)
    photos = replace(RESNET, dataset=Dataset(name="imagenet-1k", format="jpeg"), epochs=10.0)

    assert rate(on(machine, photos)).value > 1.2 * measured
    assert rate(on(machine, photos, OwnMeasurement(machine, measured))).value == pytest.approx(measured, rel=0.06)


def test_a_run_that_waits_for_its_input_is_said_to_tell_nothing() -> None:
    """Four vCPUs decode images for a quarter less than an A10G takes; a slower run may be one of slower processors."""
    machine = Hardware(cloud="aws", instance_type="g5.xlarge")
    photos = replace(RESNET, dataset=Dataset(name="imagenet-1k", format="jpeg"), epochs=10.0)
    [said] = anchored(Kept(), photos, OwnMeasurement(machine, 300.0)).anchors

    assert (said.used, said.why) == (False, WHY_UNUSED["throughput"])


def test_what_is_changed_is_told_where_no_anchor_is_near() -> None:
    """The effect on hardware that is not near is told as well, and the basis stays."""
    lake, zen = (Hardware(cpu=name, vcpus=16.0, memory_gib=256.0) for name in ("Ice Lake", "Zen 4"))
    boosted = BASES[kind.TABULAR_TRAINING]
    slow = rate(on(lake, boosted)).value / 2
    before, after = (on(zen, boosted, *some) for some in ((), (OwnMeasurement(lake, slow),)))
    [told] = [one.text for one in after.reasons if one.rule == "basis-anchored"]

    assert rate(before).value != rate(after).value
    assert before.estimate is not None
    assert after.estimate is not None
    assert before.estimate.basis == after.estimate.basis
    assert "times the estimate without" in told
    assert "range" not in told


def test_a_first_token_alone_is_told() -> None:
    """A time to the first token, measured alone, changes just that, and the answer says so."""
    found = on(A100, CHAT, OwnMeasurement(A100, ttft_ms=400.0))
    [told] = [one.text for one in found.reasons if one.rule == "basis-anchored"]

    assert told.startswith("by your measurement on A100-80GB the speed of first tokens is 0.")
    assert "after the first" not in told


def test_measurements_of_processors_are_not_said_to_change_devices() -> None:
    """The reasons name the runs that count for that hardware."""
    run = OwnMeasurement(CORES, 20.0)
    found = on(L4, RESNET, OwnMeasurement(T4, 150.0), run, OwnMeasurement(A100, accelerator_memory_gib=6.0))
    [told] = [one.text for one in found.reasons if one.rule == "basis-anchored"]

    assert told.startswith("by your measurement on T4 the speed is")


@pytest.mark.parametrize("what", [kind.SAMPLE_TRAINING, kind.TABULAR_TRAINING])
def test_a_little_more_data_leaves_what_measurements_say(what: str) -> None:
    """Earlier questions change the time of an answer, but never its content."""
    market, kept, run = bundled_market(), Kept(), OwnMeasurement(WHERE[what][0], throughput=90.0)
    base = BASES[what]
    queries = [
        Query(replace(base, dataset=replace(base.dataset, samples=samples), measurements=(run,)))
        for samples in (1_200_000, 1_200_007)
    ]
    first, again = (anchored_job_of(query, market, kept).anchoring for query in queries)
    alone = [anchored_job_of(query, market).anchoring for query in queries]
    assert again is first
    assert first is not None
    assert [one and one.anchors for one in alone] == [first.anchors] * 2
