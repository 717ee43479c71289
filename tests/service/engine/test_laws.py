"""Laws for every workload: more work is never faster, and a wider question never loses an option."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.service.engine.catalogs import Box, Sale, ask, made_up
from tests.service.engine.choosing import best, keys, law, least_score, selected, with_constraints, with_workload
from tests.service.engine.workloads import jobs, queries, services
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.requests import with_assumed_target
from plimsoll_service.engine.quantities import Estimate
from plimsoll_service.engine.workload import Query, Workload

LARGER_VOLUME = 1e-3  # more data lie on a larger volume, which writes checkpoints faster: by less than that
growth = st.sampled_from((1.001, 1.5, 2.0, 10.0))


def times(workload: Workload, factor: float) -> Workload:
    """A multiple of the same work."""
    if workload.flops is not None:
        traffic = None if workload.bytes is None else workload.bytes * factor
        return replace(workload, flops=workload.flops * factor, bytes=traffic)
    if workload.tokens is not None:
        return replace(workload, tokens=workload.tokens * factor)
    if workload.requests is not None:
        return replace(workload, requests=workload.requests * factor)
    data = workload.dataset
    grown = replace(data, samples=data.samples * factor, size_bytes=data.size_bytes * factor)
    return replace(workload, dataset=grown)


def hours_of_those_that_fit(query: Query, chosen: Selection) -> dict[tuple[int, int, int], float]:
    """By key, of the options whose machines can run the work; of others nobody is told hours."""
    rows = np.flatnonzero(chosen.options.each(chosen.possible))
    return dict(zip(keys(query, chosen, rows), chosen.options.hours[rows].tolist(), strict=True))


@law
@given(queries(jobs), growth)
def test_more_data_is_never_faster_and_never_cheaper(query: Query, factor: float) -> None:
    """The same machines take at least as long for more data, and more data never make one fit that did not.

    The cheapest machine for more data costs at least as much.
    """
    query = replace(query, objective="cost")
    more = replace(query, workload=times(query.workload, factor))
    few, many = selected(query), selected(more)
    hours, later = hours_of_those_that_fit(query, few), hours_of_those_that_fit(more, many)
    assert set(later) <= set(hours)
    faster = {key: (hours[key], now) for key, now in later.items() if now < hours[key] * (1 - LARGER_VOLUME)}
    assert {} == faster
    cheapest, dearer = best(query, few), best(more, many)
    assert dearer is None or (cheapest is not None and dearer[1] >= cheapest[1] * (1 - LARGER_VOLUME))


def bounds_of(query: Query) -> tuple[float, float] | None:
    """Hours and USD of the middle of what could be recommended: limits that bind."""
    chosen = selected(query)
    if not len(chosen.feasible):
        return None
    options, rows = chosen.options, chosen.feasible
    return float(np.median(options.hours_high[rows])), float(np.median(options.cost_high[rows]))


@law
@given(queries(jobs), growth)
def test_a_later_deadline_is_never_dearer_and_a_larger_budget_never_worse(query: Query, factor: float) -> None:
    """With more time the cheapest option is expected to cost at most as much, and there still is one.

    With more money the best score by any objective is at least as good. An option that is put first for another reason,
    such as fewer machines, has no score of its own to compare.
    """
    bounds = bounds_of(query)
    assume(bounds is not None)
    hours, usd = bounds
    cheapest = replace(query, objective="cost")
    soon, late = (least_score(with_workload(cheapest, deadline_hours=each)) for each in (hours, hours * factor))
    assert late <= soon
    tight, wide = (least_score(with_workload(query, budget_usd=each)) for each in (usd, usd * factor))
    assert wide <= tight


CONSTRAINTS = (
    {"clouds": ("aws", "gcp")},
    {"regions": ("us-east-1", "us-central1")},
    {"architectures": ("x86_64",)},
    {"cpu_vendors": ("AMD",)},
    {"instance_families": ("g5", "m7i", "c7g")},
    {"instance_types": ("g5.xlarge", "m7i.8xlarge", "g2-standard-4")},
    {"exclude": ("g5", "g6.xlarge")},
    {"accelerators": ("A100", "L4", "H100")},
    {"min_accelerators": 2},
    {"max_accelerators": 0},
    {"min_vcpus": 32},
    {"min_memory_gib": 128},
    {"min_accelerator_memory_gib": 40},
    {"interconnect": "nvlink"},
    {"max_nodes": 1},
    {"max_usd_per_hour": 3.0},
)


@law
@given(queries(), st.lists(st.sampled_from(CONSTRAINTS), min_size=1, max_size=3, unique_by=tuple), st.data())
def test_without_a_constraint_the_old_best_stays_feasible(
    query: Query, stated: list[dict[str, object]], data: st.DataObject
) -> None:
    """Dropping any one constraint only ever adds options."""
    query = with_constraints(query, **{name: value for one in stated for name, value in one.items()})
    dropped = data.draw(st.sampled_from([name for one in stated for name in one]))
    before = best(query, selected(query))
    assume(before is not None)
    wider = with_constraints(query, **{dropped: None})
    chosen = selected(wider)
    assert before[0] in keys(wider, chosen, chosen.feasible)


@law
@given(queries(services), st.sampled_from(("latency_ms", "requests_per_second")))
def test_without_a_target_the_old_best_can_still_serve(query: Query, dropped: str) -> None:
    """Dropping a latency target or a rate keeps the machine that met it; no other target is assumed instead."""
    assume(getattr(query.workload, dropped) is not None)
    query = with_assumed_target(query, job_of(query))
    before = best(query, selected(query))
    assume(before is not None)
    wider = with_workload(query, **{dropped: None})
    chosen = selected(wider)
    assert before[0] in keys(wider, chosen, chosen.feasible)


@law
@given(queries(jobs), st.sampled_from((1, 2, 4, 8)), st.sampled_from((2, 3, 16, 64)))
def test_more_machines_allowed_keep_the_old_best(query: Query, few: int, factor: int) -> None:
    """A wider ``max_nodes`` keeps what a narrower one recommended."""
    query = with_constraints(query, max_nodes=few)
    before = best(query, selected(query))
    assume(before is not None)
    wider = with_constraints(query, max_nodes=few * factor)
    chosen = selected(wider)
    assert before[0] in keys(wider, chosen, chosen.feasible)


def larger(box: Box, data: st.DataObject) -> Box:
    """The same accelerator and processor with more of some resources, and less of none."""
    factor = st.sampled_from((1, 1, 2, 8))
    devices = data.draw(factor) if box.accelerator else 1
    wired = box.interconnect or ("nvlink" if devices > 1 and data.draw(st.booleans()) else None)
    return replace(
        box,
        name="large",
        vcpus=box.vcpus * max(devices, data.draw(factor)),  # each device has a process of its own
        memory_gib=box.memory_gib * max(devices, data.draw(factor)),
        count=box.count * devices,
        network_gbps=box.network_gbps * data.draw(factor),
        local_disk_gb=max(box.local_disk_gb, data.draw(st.sampled_from((0, 0, 500, 8000)))),
        interconnect=wired,
        interconnect_gb_s=300.0 if wired else box.interconnect_gb_s,
    )


boxes = st.builds(
    Box,
    name=st.just("small"),
    boot_seconds=st.just(0.0),  # faster volumes cost more an hour, also while the machine starts
    sales=st.just((Sale(2.0), Sale(0.8, purchase="spot"))),
    vcpus=st.sampled_from((2, 8, 48)),
    memory_gib=st.sampled_from((8, 61, 512)),
    accelerator=st.sampled_from((None, "V100-16GB", "T4", "H100-SXM")),
    count=st.sampled_from((1, 1, 4)),
    network_gbps=st.sampled_from((5, 100)),
    local_disk_gb=st.sampled_from((0, 0, 600)),
    processor=st.sampled_from(("Intel Xeon E5-2686 v4", "AMD EPYC 7R13")),
).filter(lambda box: box.vcpus >= box.count)  # no cloud sells fewer vCPUs than devices: each has a process of its own


WIDER = 1.01  # several devices have a wider range, and so a larger mean, also where the disk limits them


def ranked_figure(query: Query, estimate: Estimate) -> float:
    """Expected cost of a job, or of an hour of a service; under ``time`` the hours, or the latency."""
    if query.objective == "time":
        figure = estimate.time_hours or estimate.latency_ms
        return 0.0 if figure is None else figure.value
    return estimate.expected_cost_usd or estimate.expected_usd_per_hour or 0.0


SECONDS_PER_HOUR, BILLED_SECONDS = 3600.0, 60.0  # the least that AWS bills for a start


@settings(law, max_examples=100)
@given(queries(), boxes, st.data())
def test_more_of_everything_is_never_ranked_below(query: Query, box: Box, data: st.DataObject) -> None:
    """At the same price a machine with more of the same is at least as good, but for a hundredth of its mean figure."""
    more = larger(box, data)
    # More devices multiply a stated batch, which rule global-batch refuses beyond the largest sensible one.
    assume(query.workload.batch_size is None or more.count == box.count)
    market = made_up(box, more)
    query = replace(query, limit=1000, group="none")
    answer = ask(query, market)
    times = [one.estimate.time_hours for one in answer.recommendations]
    # Within the minute that is billed anyway, a faster machine pays longer for its faster volume.
    assume(all(time is None or time.low * SECONDS_PER_HOUR > BILLED_SECONDS for time in times))
    ranks = {"small": [], "large": []}
    for one in answer.recommendations:
        ranks[one.instance_type].append(one.rank)
    assert bool(ranks["large"]) or not ranks["small"]
    if ranks["large"] and ranks["small"] and ranks["small"][0] < ranks["large"][0]:
        small, large = (answer.recommendations[ranks[name][0] - 1].estimate for name in ("small", "large"))
        assert ranked_figure(query, large) <= WIDER * ranked_figure(query, small)
