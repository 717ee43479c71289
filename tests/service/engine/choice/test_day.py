"""A day's load: machines by hour, spare ones, and what a month costs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.service.engine.catalogs import ask, bundled_market
from tests.service.engine.choosing import selected
from tests.service.fitted import job_of

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.choice.estimating import day_of
from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload

NIGHT_AND_DAY = (1.0,) * 8 + (20.0,) * 12 + (5.0,) * 3 + (0.0,)
LLAMA = Workload("inference", model="llama-3-8b", input_tokens=1000, output_tokens=300)
MODELS = {
    "tokens": LLAMA,
    "samples": Workload("inference", model="bert-large", latency_ms=400.0),
    "table": Workload("inference", model="xgboost"),
}
DAYS = [replace(one, requests_per_second_by_hour=tuple(50 * rate for rate in NIGHT_AND_DAY)) for one in MODELS.values()]


def recommended(workload: Workload, **asked: object):
    return ask(Query(workload, Constraints(**asked), "cost"), bundled_market()).recommendations


@pytest.mark.parametrize("workload", DAYS, ids=MODELS)
def test_every_hour_has_the_machines_that_its_own_rate_takes(workload: Workload) -> None:
    """The same as where that rate is asked alone, on the same machine; none where nothing is asked."""
    day = recommended(workload)[0]
    on = Hardware(cloud=day.cloud, instance_type=day.instance_type)
    for hour in day.estimate.serving.schedule:
        rate = workload.requests_per_second_by_hour[hour.hour]
        if rate == 0:
            assert (hour.replicas, hour.node_count) == (0, 0)
            continue
        asked = replace(workload, requests_per_second_by_hour=None, requests_per_second=rate)
        alone = recommended(asked, instance_types=(on.instance_type,), clouds=(on.cloud,))[0]
        assert hour.node_count == alone.node_count


@pytest.mark.parametrize("workload", DAYS, ids=MODELS)
def test_the_peak_is_served_by_all_machines(workload: Workload) -> None:
    """The recommendation has as many machines as the fullest hour, and meets its rate."""
    for one in recommended(workload):
        hours = one.estimate.serving.schedule
        assert [hour.hour for hour in hours] == list(range(24))
        assert max(hour.node_count for hour in hours) == one.node_count
        assert one.meets.rate


@pytest.mark.parametrize("workload", DAYS, ids=MODELS)
def test_the_month_is_paid_by_machine_hours(workload: Workload) -> None:
    """Scheduled hours and early starts at the price; the cost per hour is that month over 730 hours."""
    day = recommended(workload)[0]
    serving, hours = day.estimate.serving, [hour.node_count for hour in day.estimate.serving.schedule]
    started = sum(max(now - before, 0) for before, now in zip((hours[-1], *hours), hours, strict=False))
    paid = sum(hours) + started * serving.cold_start_seconds / 3600
    month = serving.usd_per_month

    assert month.scheduled / month.peak_all_day == pytest.approx(paid / (24 * day.node_count), rel=1e-3)
    assert month.scheduled < month.peak_all_day
    assert day.estimate.usd_per_hour.value * 730 == pytest.approx(month.scheduled, rel=1e-3)
    assert month.peak_all_day >= day.price.usd_per_hour * day.node_count * 730 * (1 - 1e-4)


@pytest.mark.parametrize("workload", DAYS, ids=MODELS)
def test_every_price_of_a_day_is_that_of_its_mean_hour(workload: Workload) -> None:
    """An alternative that is listed as another question's choice has the same price there."""
    for one in recommended(workload):
        for other in one.alternatives:
            asked = {"instance_types": (other.instance_type,), "clouds": (one.cloud,)}
            found = [each for each in recommended(workload, **asked) if each.node_count == other.node_count]
            assert not found or found[0].estimate.usd_per_hour.value == other.usd_per_hour


def test_a_day_without_change_costs_what_its_rate_costs() -> None:
    """Nothing is switched, so both months are the same."""
    flat = recommended(replace(LLAMA, requests_per_second_by_hour=(20.0,) * 24))
    steady = recommended(replace(LLAMA, requests_per_second=20.0))

    assert [(one.instance_type, one.node_count) for one in flat] == [
        (one.instance_type, one.node_count) for one in steady
    ]
    for day, rate in zip(flat, steady, strict=True):
        assert day.estimate.usd_per_hour == rate.estimate.usd_per_hour
        assert day.estimate.serving.usd_per_month.scheduled == day.estimate.serving.usd_per_month.peak_all_day


@pytest.mark.parametrize("workload", DAYS, ids=MODELS)
def test_spare_replicas_stay_on(workload: Workload) -> None:
    """They are in every hour and in the number of machines."""
    plain = recommended(workload)[0]
    types = {"instance_types": (plain.instance_type,), "clouds": (plain.cloud,), "max_nodes": 99}
    spare = recommended(replace(workload, spare_replicas=1), **types)[0]
    before = [hour.node_count for hour in plain.estimate.serving.schedule]

    assert spare.node_count == plain.node_count + 1
    assert [hour.node_count for hour in spare.estimate.serving.schedule] == [count + 1 for count in before]
    assert spare.estimate.capacity == plain.estimate.capacity


def test_several_replicas_of_one_machine_are_spared_together() -> None:
    """A machine with four replicas spares four for one that is asked."""
    asked = replace(LLAMA, requests_per_second=20.0)
    types = {"instance_types": ("g6e.12xlarge",)}
    plain, spare = recommended(asked, **types)[0], recommended(replace(asked, spare_replicas=1), **types)[0]
    each = plain.estimate.serving.replicas / plain.node_count

    assert spare.node_count == plain.node_count + 1
    assert spare.estimate.serving.replicas == plain.estimate.serving.replicas + each


def test_given_machines_hold_their_spare_ones() -> None:
    """As many machines as are recommended meet the rate with a spare one; one fewer does not."""
    asked = replace(LLAMA, requests_per_second=20.0, spare_replicas=1)
    found = recommended(asked, instance_types=("g6.2xlarge",), max_nodes=99)[0]
    query, market = Query(asked), bundled_market()

    def meets(nodes: int) -> bool | None:
        on = Hardware(cloud="aws", instance_type="g6.2xlarge", node_count=nodes)
        return evaluate(job_of(query), market, on, selected(query)).meets.rate

    assert meets(found.node_count)
    assert not meets(found.node_count - 1)


@pytest.mark.parametrize(
    ("stated", "at", "text"),
    [
        ({"requests_per_second": 5.0}, "/workload/requests_per_second_by_hour", "not both"),
        ({"concurrency": 5}, "/workload/requests_per_second_by_hour", "not both"),
        ({"requests": 1e6}, "/workload/requests", "State one of them"),
    ],
)
def test_a_day_stands_alone(stated: dict[str, object], at: str, text: str) -> None:
    """Another load or an amount beside it is refused."""
    asked = replace(LLAMA, requests_per_second_by_hour=NIGHT_AND_DAY, **stated)
    found = {fault.pointer: fault.detail for fault in faults_of(Query(asked), bundled_market())}

    assert text in found[at]


def test_a_day_tells_its_paid_starts() -> None:
    """As many as machines are switched on from hour to hour, each paid for its cold start."""
    day = recommended(DAYS[0])[0]
    hours = [hour.node_count for hour in day.estimate.serving.schedule]
    starts = sum(max(now - before, 0) for before, now in zip((hours[-1], *hours), hours, strict=False))
    [told] = [note.text for note in day.reasons if note.rule == "day-load"]

    assert f"; {starts} starts a day: each is paid " in told
    assert told.endswith(" before it serves; usd_per_hour is the mean of the day")


@np.errstate(all="raise")
def test_a_day_that_no_number_of_machines_serves_has_no_share_of_its_peak() -> None:
    """Some machines are too slow at any rate: an infinite number of them starts at dawn, and none after."""
    job = job_of(Query(replace(LLAMA, requests_per_second_by_hour=(0.0,) * 12 + (5.0,) * 12)))
    nodes, cold = np.array([2.0, np.inf]), SimpleNamespace(seconds=np.full(2, 1800.0))
    outcome = SimpleNamespace(cold_start=cold)
    day = day_of(job, nodes, np.zeros(2), outcome, lambda _: (outcome, nodes))
    expected = [(12 * 2 + 2 * 0.5) / (24 * 2), 1.0]

    assert day is not None
    assert expected == day.share.tolist()
