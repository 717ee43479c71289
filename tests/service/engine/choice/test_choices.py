"""Recommendations: expected values, one choice for each kind of hardware, and no more machines than needed."""

from __future__ import annotations

import re
from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up
from tests.service.engine.choosing import selected
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Recommendation
from plimsoll_service.engine.choice import ranking, scores
from plimsoll_service.engine.choice.comparing import Standing, rank_note
from plimsoll_service.engine.obstacles import bottleneck
from plimsoll_service.engine.spreads import BASES
from plimsoll_service.engine.workload import OBJECTIVES, Constraints, Dataset, Disk, Query, Workload

WORK = Workload("training", model="resnet-50", dataset=Dataset(name="imagenet-1k"), epochs=90)
SERVE = Workload("inference", model="llama-3-8b", requests_per_second=5)
LONG = Workload("training", model="llama-3-70b", method="full", tokens=1e12)
WORKLOADS = [WORK, SERVE, Workload("preprocessing", dataset=Dataset(size_bytes=1e11, samples=1e6))]


def hardware(one: Recommendation) -> tuple[object, ...]:
    """Cloud, accelerator and number of accelerators in each machine."""
    chip = one.accelerator
    return (one.cloud, chip and chip.name, chip and chip.count)


def test_the_mean_of_a_log_normal_figure() -> None:
    """Low and high are its 10th and 90th percentiles; nothing that costs nothing has a mean of nothing."""
    drawn = np.random.default_rng(1).lognormal(0.0, 0.6, 2_000_000)
    low, high = np.percentile(drawn, (10, 90))

    assert scores.mean_factor(low, high) == pytest.approx(drawn.mean(), rel=0.01)
    with np.errstate(divide="ignore", invalid="ignore"):
        assert [1.0] == scores.mean_factor(np.zeros(1), np.zeros(1)).tolist()


@pytest.mark.parametrize("workload", [WORK, replace(WORK, deadline_hours=8)])
def test_the_expected_cost_is_the_mean_of_its_range_and_of_its_price(workload: Workload) -> None:
    """On every recommendation and point of the frontier, by the formula that the contract states."""
    answer = ask(Query(workload, Constraints(purchase=("on_demand", "spot")), limit=50), bundled_market())
    for one in (*answer.recommendations, *answer.frontier):
        cost, price = one.estimate.cost_usd, one.price
        assert cost is not None
        variance = log(cost.high / cost.low) ** 2
        if price.low is not None and price.high is not None:
            variance += log(price.high / price.low) ** 2
        assert one.estimate.expected_cost_usd == pytest.approx(cost.value * exp(variance / 2.563**2 / 2), rel=2e-3)


def test_a_service_has_an_expected_price() -> None:
    """USD per hour of all machines; of a listed price it is that price."""
    for one in ask(Query(SERVE), bundled_market()).recommendations:
        rate = one.estimate.usd_per_hour
        assert rate is not None
        assert one.estimate.expected_usd_per_hour is not None
        assert one.estimate.expected_usd_per_hour >= rate.value


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_no_measurement_supports_counts_a_quarter_more(objective: str) -> None:
    """Under every objective, also the pace of a disk whose speed is assumed; few vCPUs count besides."""
    query = Query(WORK, objective=objective)
    job, chosen = job_of(query), selected(query)
    found = ranking.scored(job, chosen, objective)
    candidates = chosen.options.candidate[found.rows]
    machines, needed = chosen.estimates.machines, chosen.estimates.outcome.vcpus_required[candidates]
    kept = 1 - chosen.estimates.outcome.lost_share[candidates]
    few = np.fmax(needed / 2 / machines.vcpus[candidates] * kept, 1.0)
    modelled = np.array([name == "modelled" for name in BASES])[machines.basis[candidates]]
    outcome = chosen.estimates.outcome
    waiting = np.isin(outcome.bottleneck[candidates], (bottleneck("disk_throughput"), bottleneck("disk_iops")))
    assumed = (chosen.estimates.product[candidates] < 0) & ~outcome.local_disk[candidates] & waiting
    bare = replace(found.expected, premium=np.ones(len(found.rows)), starved=np.ones(len(found.rows)))
    counted, plain = (
        scores.score(job, chosen.estimates, chosen.options, objective, found.rows, means)
        for means in (found.expected, bare)
    )

    assert (few > 1).any()
    assert modelled.any()
    assert (assumed & ~modelled).any()
    assert not modelled.all()
    assert np.allclose(counted / plain, np.where(modelled | assumed, 1.25, 1.0) * few)


def test_an_unknown_disk_that_sets_the_pace_is_said() -> None:
    """The estimate of the device is calibrated, and counts as unproven nevertheless."""
    data = Dataset(samples=4.2e9, size_bytes=6e11, format="parquet")
    work = Workload("training", "pytorch", model="dlrm-v2", dataset=data, epochs=1)
    query = Query(work, Constraints(clouds=("verda",), accelerators=("H200",), max_nodes=1))
    [first, *_] = ask(query, bundled_market()).recommendations
    reasons = [note.text for note in first.reasons if note.rule == "unproven"]

    assert ("calibrated", "disk_throughput") == (first.estimate.basis, first.estimate.bottleneck)
    assert ["it waits for its disk, whose speed is assumed; ranked at 1.25 times its expected value"] == reasons


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("workload", WORKLOADS)
def test_each_kind_of_hardware_is_listed_once(workload: Workload, objective: str) -> None:
    """Its other machines are alternatives, none of which is the choice itself."""
    answer = ask(Query(workload, objective=objective, limit=40), bundled_market())
    with_devices = [hardware(one) for one in answer.recommendations if one.accelerator is not None]

    assert len(with_devices) == len(set(with_devices))
    assert any(one.alternatives for one in answer.recommendations)
    for one in answer.recommendations:
        mine = (one.instance_type, one.node_count, one.region, one.purchase)
        others = [(each.instance_type, each.node_count, each.region, each.purchase) for each in one.alternatives]
        assert mine not in others
        assert len(others) == len(set(others)) <= 5


def test_ungrouped_every_option_is_listed() -> None:
    """As many as the limit allows, the same hardware several times, without alternatives."""
    every = ask(Query(WORK, group="none", limit=60), bundled_market()).recommendations

    assert len({hardware(one) for one in every}) < len(every) == 60
    assert not any(one.alternatives for one in every)


@pytest.mark.parametrize("group", ["hardware", "none"])
def test_the_first_choice_is_the_same_in_both_lists(group: str) -> None:
    """One machine each: the group only leaves out what is alike."""
    query = Query(WORK, Constraints(max_nodes=1), "cost")
    first = ask(query, bundled_market()).recommendations[0]
    assert first.instance_type == ask(replace(query, group=group), bundled_market()).recommendations[0].instance_type


@pytest.mark.parametrize("objective", ["cost", "balanced", "performance_per_cost"])
def test_one_machine_unless_a_limit_needs_more(objective: str) -> None:
    """Work that one machine can do in time is recommended on one machine."""
    for one in ask(Query(WORK, objective=objective, limit=20), bundled_market()).recommendations:
        alone = one.node_count == 1
        assert alone or objective == "balanced"
        assert alone or "nodes-needed" in {note.rule for note in one.reasons}


def test_a_deadline_that_needs_several_machines_is_the_reason() -> None:
    """The text names the number that may miss it, with its figures as its middle is in time."""
    box = Box("box", (Sale(30.0),), accelerator="H100-SXM", count=8, vcpus=96, network_gbps=400, interconnect="nvlink")
    alone = ask(Query(WORK), made_up(box)).recommendations[0]
    assert alone.estimate.time_hours is not None
    tight = replace(WORK, deadline_hours=alone.estimate.time_hours.high * 0.8)

    found = ask(Query(tight), made_up(box)).recommendations[0]

    assert (1, 2) == (alone.node_count, found.node_count)
    reasons = [note.text for note in found.reasons if note.rule == "nodes-needed"]
    assert re.fullmatch(r"1 machine may miss the deadline: [\d.]+ h, at most [\d.]+ h", reasons[0])


def test_a_fleet_that_is_slower_and_dearer_is_not_first() -> None:
    """Under ``time``: a type is listed with as many machines as save time, which another type's may beat on both."""
    requests = Workload(
        "inference", framework="sglang", model="qwen2.5-7b", requests=12e6, input_tokens=600, output_tokens=450,
        deadline_hours=24, budget_usd=1200,
    )  # fmt: skip
    limits = Constraints(clouds=("aws", "lambda"), purchase=("on_demand",))
    first, *others = ask(Query(requests, limits, "time", limit=5), bundled_market()).recommendations
    hours, cost = first.estimate.time_hours, first.estimate.expected_cost_usd
    assert hours is not None
    assert cost is not None

    for one in others:
        slower = (one.estimate.time_hours or hours).value >= hours.value
        assert slower or (one.estimate.expected_cost_usd or 0.0) > cost or one.node_count > first.node_count


def test_what_takes_several_machines_takes_twice_as_many_that_cost_less_in_half_the_time() -> None:
    """Tokens whose weights leave four machines a smaller batch than eight; the reason gives both figures."""
    tokens = Workload(
        "training", framework="nemo", model="llama-3.3-70b", precision="bf16", sequence_length=8192, tokens=15e9,
        deadline_hours=240, global_batch_size=512, checkpoint_interval_minutes=60,
    )  # fmt: skip
    limits = Constraints(instance_types=("p5.48xlarge",), max_nodes=32)
    found = ask(Query(tokens, limits, "cost"), bundled_market()).recommendations[0]
    needed = [note.text for note in found.reasons if note.rule == "nodes-needed"]

    assert 8 == found.node_count
    assert re.match(r"4 machines would cost \d% more and take 2.\d* times as long", needed[0])


def test_balanced_takes_more_machines_for_what_one_does_not_finish_within_a_week() -> None:
    """The reason says so."""
    found = ask(Query(LONG, objective="balanced"), bundled_market()).recommendations[0]

    assert found.node_count > 1
    assert any("longer than a week" in note.text for note in found.reasons if note.rule == "nodes-needed")


def test_independent_runs_are_spread_over_as_many_machines_as_gain() -> None:
    """Twelve runs take a twelfth of the time on twelve machines, for the same money."""
    work = replace(WORK, epochs=30, experiments=12)
    found = ask(Query(work, Constraints(max_nodes=12), "balanced"), made_up(Box("box"))).recommendations[0]

    assert found.node_count == 12
    assert any("side by side: 12 machines" in note.text for note in found.reasons if note.rule == "nodes-needed")


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_first_reason_says_why_this_rank(workload: Workload) -> None:
    """Rank 1 is ahead of the next choice; every other one is behind the first."""
    answer = ask(Query(workload, limit=4), bundled_market()).recommendations

    for one in answer:
        first, other = one.reasons[0], answer[1 if one.rank == 1 else 0]
        assert "why-this-rank" == first.rule
        assert first.text.startswith("ahead of" if one.rank == 1 else "behind")
        assert f"{other.node_count} × {other.cloud} {other.instance_type}" in first.text


def test_the_next_choice_is_known_where_one_is_listed() -> None:
    """``limit`` 1 does not make a choice the only one."""
    one, several = (ask(Query(WORK, limit=limit), bundled_market()).recommendations for limit in (1, 3))
    assert one == several[:1]


def test_an_only_choice_says_so() -> None:
    """A single choice says that there is no other."""
    found = ask(Query(WORK), made_up(Box("only"))).recommendations[0]
    assert "the only kind of hardware" in found.reasons[0].text


@pytest.mark.parametrize("basis", [("measured",), ("measured", "calibrated"), ("modelled",)])
def test_the_basis_can_be_asked_for(basis: tuple[str, ...]) -> None:
    """Estimates with another basis are rejected under the constraint ``basis``."""
    answer = ask(Query(WORK, Constraints(basis=basis), limit=50), bundled_market())

    assert {one.estimate.basis for one in answer.recommendations} <= set(basis)
    assert answer.rejected["basis"] > 0


def test_all_accelerators_together_can_be_limited() -> None:
    """The limit counts accelerators of all machines of a recommendation."""
    answer = ask(Query(LONG, Constraints(max_total_accelerators=32), "time", limit=50), bundled_market())

    assert answer.rejected["max_total_accelerators"] > 0
    for one in answer.recommendations:
        assert one.accelerator is not None
        assert one.node_count * one.accelerator.count <= 32


@pytest.mark.parametrize("purchase", ["on_demand", "spot"])
def test_checkpoints_are_written_to_a_volume_at_the_speed_that_is_ordered(purchase: str) -> None:
    """In a minute where the volume can; never to local NVMe, however fast it is."""
    work = replace(WORK, checkpoint_gib=30.0)
    families = ("p4d", "g5", "p5")
    # Smaller machines reach no volume that fast.
    constraints = Constraints(clouds=("aws",), purchase=(purchase,), instance_families=families, min_vcpus=16)
    answer = ask(Query(work, constraints, group="none", limit=20), bundled_market())

    for one in answer.recommendations:
        throughput, spot = one.sizing.disk.throughput_mib_s, one.estimate.spot
        assert throughput is not None
        assert throughput >= 30 * 1024 / 60 * 0.99
        if spot is not None:
            assert spot.checkpoint_write_minutes == pytest.approx(1.0, rel=0.01)
    assert (purchase == "on_demand") == any(one.sizing.disk.type == "nvme" for one in answer.recommendations)


def test_shorter_than_an_hour_is_worth_no_money() -> None:
    """Eight devices for minutes cost more than one for half an hour, and ``balanced`` does not take them."""
    work = Workload("training", model="mistral-7b", tokens=1e7, method="lora")
    boxes = [
        Box(name="one", accelerator="H100-SXM", count=1, vcpus=24, memory_gib=200, sales=(Sale(7.0),)),
        Box(name="eight", accelerator="H100-SXM", count=8, vcpus=192, memory_gib=1600, sales=(Sale(60.0),)),
    ]
    short, long = (
        ask(Query(replace(work, tokens=tokens), Constraints(max_nodes=1), objective="balanced"), made_up(*boxes))
        for tokens in (1e7, 1e10)
    )
    assert "one" == short.recommendations[0].instance_type
    assert "eight" == long.recommendations[0].instance_type


def test_a_model_split_over_devices_without_links_is_modelled() -> None:
    """Every measured run of several devices had links; a model that one device holds is not split."""
    boxes = [
        Box(name="pcie", accelerator="A100-80GB", count=8, vcpus=64, memory_gib=900),
        Box(
            name="linked",
            accelerator="A100-80GB",
            count=8,
            vcpus=64,
            memory_gib=900,
            interconnect="nvlink",
            interconnect_gb_s=300.0,
        ),
    ]
    basis = {
        (one.instance_type, model): one.estimate.basis
        for model in ("llama-3.1-70b", "mistral-7b")
        for one in ask(
            Query(Workload("training", model=model, method="lora", tokens=1e7), Constraints(max_nodes=1), group="none"),
            made_up(*boxes),
        ).recommendations
    }
    assert basis["pcie", "llama-3.1-70b"] == "modelled"
    assert "modelled" not in (basis["linked", "llama-3.1-70b"], basis["pcie", "mistral-7b"])


def test_a_wide_range_does_not_win_over_a_narrow_one_nearly_as_good() -> None:
    """A processor's range is nine times wide; a device whose expected cost is a little higher comes first, and why."""
    work = Query(
        Workload("training", model="resnet-50", dataset=Dataset(name="imagenet-1k"), epochs=5), objective="cost"
    )
    wide = Box(name="wide", accelerator=None, processor="Intel Xeon E5-2686 v4", vcpus=64, memory_gib=256)
    narrow = Box(name="narrow", accelerator="L4", vcpus=16, memory_gib=64)
    cost = {
        box.name: ask(work, made_up(replace(box, sales=(Sale(1.0),)))).recommendations[0].estimate.expected_cost_usd
        for box in (wide, narrow)
    }
    boxes = (
        replace(wide, sales=(Sale(1.0),)),
        replace(narrow, sales=(Sale(1.28 * cost["wide"] / cost["narrow"]),)),
    )
    found = ask(work, made_up(*boxes)).recommendations

    assert ["narrow", "wide"] == [one.instance_type for one in found]
    assert {"sure-first", "as-good-first"} & {note.rule for note in found[0].reasons}
    assert "sure-first" not in {note.rule for one in found[1:] for note in one.reasons}


def test_a_number_of_machines_that_costs_a_fifth_less_is_the_choice() -> None:
    """An inference job whose disks cost by the hour: the frontier's first is among the choices, with the reason."""
    clips = Workload(
        "inference",
        model="videomae-large",
        dataset=Dataset(samples=30_000_000),
        disk=Disk(type="auto"),
        deadline_hours=36,
        budget_usd=400,
    )
    limits = Constraints(purchase=("spot", "on_demand"), clouds=("aws", "gcp", "azure"))
    answer = ask(Query(clips, limits), bundled_market())
    first, cheapest = answer.recommendations[0], answer.frontier[0]

    assert (first.instance_type, first.node_count) == (cheapest.instance_type, cheapest.node_count)
    assert any("% more" in note.text for note in first.reasons if note.rule == "nodes-needed")


def two_or_one(several: float, one: float) -> list[Recommendation]:
    """Choices for a deadline that only two machines of the first type meet, at prices for these expected costs."""
    work = replace(WORK, epochs=30, deadline_hours=16)
    few = Box(name="few", accelerator="V100-16GB", vcpus=16, memory_gib=120, network_gbps=25.0)
    single = Box(name="single", accelerator="A100-40GB", vcpus=16, memory_gib=120)
    cost = {
        box.name: ask(Query(work, objective="cost"), made_up(box)).recommendations[0].estimate.expected_cost_usd or 0.0
        for box in (few, single)
    }
    boxes = [
        replace(box, sales=(Sale(box.sales[0].usd_per_hour * wanted / cost[box.name]),))
        for box, wanted in ((few, several), (single, one))
    ]
    return list(ask(Query(work, objective="cost"), made_up(*boxes)).recommendations)


def test_one_machine_comes_before_several_that_save_little() -> None:
    """Two machines a quarter cheaper are not worth their network; at less than two thirds of the cost they are."""
    near, far = two_or_one(10.0, 12.5), two_or_one(10.0, 16.0)

    assert ["single", "few"] == [one.instance_type for one in near]
    assert near[1].node_count > 1
    assert "simpler-first" in {note.rule for note in near[0].reasons}
    assert "few" == far[0].instance_type
    assert "simpler-first" not in {note.rule for one in far for note in one.reasons}


def test_half_the_devices_come_first_where_they_cost_about_the_same() -> None:
    """Two devices that cost a few hundredths less than one are a process more to start."""
    work = Query(replace(WORK, epochs=30), objective="cost")
    one = Box(name="one", accelerator="H100-SXM", vcpus=20, memory_gib=120)
    two = Box(name="two", accelerator="V100-16GB", count=2, vcpus=32, memory_gib=240)
    cost = {
        box.name: ask(work, made_up(box)).recommendations[0].estimate.expected_cost_usd or 0.0 for box in (one, two)
    }
    dearer = replace(one, sales=(Sale(one.sales[0].usd_per_hour * 1.05 * cost["two"] / cost["one"]),))

    assert ["one", "two"] == [found.instance_type for found in ask(work, made_up(dearer, two)).recommendations]


def test_the_cheapest_names_what_a_faster_choice_costs() -> None:
    """A job without a deadline for the least money: the reason has both times and both costs."""
    slow = Box("slow", (Sale(0.1),), accelerator="T4", vcpus=8, memory_gib=60)
    fast = Box("fast", (Sale(4.0),), accelerator="H100-SXM", vcpus=32, memory_gib=240)
    work = replace(WORK, budget_usd=10_000)
    [first, *_] = ask(Query(work), made_up(slow, fast)).recommendations
    told = [note.text for note in first.reasons if note.rule == "faster-choice"]

    assert "slow" == first.instance_type
    assert len(told) == 1
    assert "fast" in told[0]
    assert "instead of" in told[0]


@pytest.mark.parametrize(("usd", "first"), [(4.2, "large"), (4.6, "small")])
def test_one_machine_does_what_several_would_do_for_little_less(usd: float, first: str) -> None:
    """A job within a deadline: the single machine may cost up to a tenth more, and says why it is first."""
    table = Workload("inference", model="xgboost", requests=3e9, trees=50_000, deadline_hours=120.0)
    boxes = (
        Box("small", (Sale(1.0),), accelerator=None, vcpus=32),
        Box("large", (Sale(usd),), accelerator=None, vcpus=128),
    )
    best = ask(Query(table), made_up(*boxes)).recommendations[0]

    assert first == best.instance_type
    assert (best.node_count == 1) == (first == "large")
    assert ("simpler-first" in {note.rule for note in best.reasons}) == (first == "large")


def test_nobody_starts_several_machines_to_save_cents() -> None:
    """However much cheaper they are by share, a short job stays on one."""
    table = Workload("inference", model="xgboost", requests=1e9)
    boxes = (
        Box("small", (Sale(0.05),), accelerator=None, vcpus=2),
        Box("large", (Sale(2.0),), accelerator=None, vcpus=16),
    )
    best = ask(Query(replace(table, deadline_hours=1.0)), made_up(*boxes)).recommendations[0]

    assert ("large", 1) == (best.instance_type, best.node_count)


def test_independent_runs_end_sooner_on_more_of_the_same_machines() -> None:
    """Twelve runs one after another on one machine: twelve machines cost as much, and the reason says so."""
    work = replace(WORK, experiments=12, epochs=20, deadline_hours=2000.0)
    box = Box("one", (Sale(1.0),), accelerator="V100-16GB", vcpus=16, memory_gib=240)
    first = ask(Query(work, Constraints(max_nodes=16)), made_up(box)).recommendations[0]
    told = [note.text for note in first.reasons if note.rule == "faster-choice"]

    assert first.node_count == 1
    assert len(told) == 1
    assert told[0].startswith("12 × V100-16GB (12 × ")


def test_more_of_the_same_machines_are_no_alternative_where_they_only_cost() -> None:
    """Two machines whose network keeps a large model waiting take longer than one: nobody is shown them."""
    work = Workload("training", model="sdxl", method="full", dataset=Dataset(samples=20_000, size_bytes=3e10), epochs=5)
    answer = ask(Query(work, Constraints(clouds=("gcp",)), objective="cost"), bundled_market())
    first = answer.recommendations[0]
    hours, cost = first.estimate.time_hours, first.estimate.cost_usd
    more = [one for one in first.alternatives if one.instance_type == first.instance_type]

    assert hours is not None
    assert cost is not None
    assert all((one.time_hours or 0) < hours.value or (one.cost_usd or 0) <= cost.value for one in more)


def test_clauses_on_two_disks_are_two_sentences() -> None:
    """Each says whose disk it is, and is translated by itself."""
    mine, other = Standing("a", 1.0, 2.0, 1.0, 1.0, 1.32, 1.0, 1.0), Standing("b", 2.0, 2.0, 1.0, 1.0, 1.19, 1.0, 1.0)
    why = rank_note(job_of(Query(WORK)), 1, [mine, other], "cost").text

    assert why == (
        "ahead of b: it is expected to cost 50% less and takes the same time; "
        "this choice counts 32% more for its disk, whose price is unknown; "
        "the other counts 19% more for its disk, whose price is unknown"
    )


@pytest.mark.parametrize("objective", ["cost", "balanced", "time"])
@pytest.mark.parametrize(
    "work",
    [
        Workload(
            "preprocessing", tuning="tuned", deadline_hours=12, image_size=(256,), output_format="webdataset",
            dataset=Dataset(size_bytes=12e12, samples=1.2e8, format="jpeg"),
        ),
        Workload("preprocessing", dataset=Dataset(size_bytes=8e11, samples=4e9, format="csv")),
        replace(WORK, deadline_hours=10),
    ],
)  # fmt: skip
def test_no_option_of_a_kind_of_hardware_beats_the_one_that_stands_for_it(work: Workload, objective: str) -> None:
    """None is as soon, for no more money, in no more machines, and better by the objective."""
    query = Query(work, Constraints(purchase=("on_demand", "spot")), objective=objective, limit=20)
    job, market, chosen = job_of(query), bundled_market(), selected(query)
    found = ranking.scored(job, chosen, objective)
    candidates = chosen.options.candidate[found.rows]
    hardware, nodes = chosen.estimates.machines.group[candidates], chosen.estimates.nodes[candidates]
    for one in ranking.choices(job, market, chosen, found, 20, grouped=True):
        place = one.place
        beats = (hardware == hardware[place]) & (nodes <= nodes[place])
        beats &= scores.with_equals(found.scores) < found.scores[place]
        for figure in (found.expected.time, found.expected.counted_cost, found.expected.premium):
            beats &= figure <= figure[place]
        beats &= chosen.estimates.grounds.untested[candidates] <= chosen.estimates.grounds.untested[candidates][place]
        assert [] == np.flatnonzero(beats).tolist()
