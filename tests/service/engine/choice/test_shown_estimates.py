"""Facts of a run on spot in an answer: source of the rate, cost on demand, and disks at their region's price."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, Sale, ask, catalog_of
from tests.service.fitted import market_of

from plimsoll_service.engine.answer import Answer, Recommendation
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.estimate.spot import INTERRUPTIONS_PER_HOUR, Interruptions
from plimsoll_service.engine.prices import bundled
from plimsoll_service.engine.workload import Constraints, Query, Workload

WORK = Workload("training", model="resnet-50", epochs=90)
SPOT = Constraints(purchase=("spot",), max_nodes=1)
CATALOG = catalog_of(
    Box("p3.2xlarge", (Sale(3.0), Sale(1.0, purchase="spot"), Sale(1.1, "eu-west-1", "spot"))),
    Box("p3.alone", (Sale(2.0, purchase="spot"),)),
)


def market(rate: float = np.nan, factor: float = 1.0) -> Market:
    """The market at a feed's rate, with dearer volumes in us-east-1."""
    prices = bundled(CATALOG)
    regional = prices.region_factor.copy()
    regional[:, CATALOG.regions.name.index("us-east-1")] = factor
    rates = np.full(len(CATALOG.offers), rate)
    return market_of(CATALOG, replace(prices, interruptions_per_hour=rates, region_factor=regional))


def answered(found: Answer, name: str) -> Recommendation:
    return next(one for one in found.recommendations if one.instance_type == name)


def on_spot(workload: Workload = WORK, rate: float = np.nan, name: str = "p3.2xlarge") -> Recommendation:
    return answered(ask(Query(workload, SPOT, group="none"), market(rate)), name)


@pytest.mark.parametrize(
    ("stated", "feed", "expected", "source"),
    [
        (0.3, 0.02, 0.3, "stated"),
        (None, 0.02, 0.02, "feed"),
        (None, np.nan, INTERRUPTIONS_PER_HOUR, "assumed"),
        (0.0, np.nan, 0.0, "stated"),
    ],
)
def test_the_nearest_word_on_the_rate_counts(stated: float | None, feed: float, expected: float, source: str) -> None:
    """The request's own rate, else the feed's, else the assumed one; the answer says which."""
    spot = on_spot(replace(WORK, interruptions_per_hour=stated), feed).estimate.spot
    assert spot is not None
    assert (expected, source) == (spot.interruptions_per_hour, spot.interruptions_source)


@pytest.mark.parametrize(("rate", "expected"), [(np.nan, [INTERRUPTIONS_PER_HOUR]), (0.02, [])])
def test_an_assumed_rate_is_among_the_assumptions(rate: float, expected: list[float]) -> None:
    """It is listed where some price has no rate of its own, and spot is asked for."""
    found = ask(Query(WORK, SPOT), market(rate)).assumptions
    assert expected == [one.value for one in found if one.field == "interruptions_per_hour"]
    plain = ask(Query(WORK), market(rate)).assumptions
    assert "interruptions_per_hour" not in {one.field for one in plain}


def test_a_reader_can_redo_the_figures() -> None:
    """Time, restarts and survival follow from work, writing, start, restart, interval and rate."""
    found = on_spot(replace(WORK, interruptions_per_hour=0.2, checkpoint_gib=40.0, deadline_hours=400.0))
    spot = found.estimate.spot
    assert spot is not None
    hours = [spot.work_hours, spot.checkpoint_write_minutes / 60, spot.restart_minutes / 60, 0.2]
    start = spot.start_minutes / 60
    work, *conditions = (np.array([value]) for value in hours)
    run = Interruptions(*conditions, spot.checkpoint_interval_minutes / 60, np.array([start])).over(work)
    assert found.estimate.time_hours is not None
    assert found.estimate.time_hours.value == pytest.approx(float(run.hours[0]), rel=1e-3)
    assert spot.expected_restarts == pytest.approx(float(run.restarts[0]), rel=1e-3)
    undisturbed = hours[0] + spot.segments * hours[1]
    assert spot.survival_probability == pytest.approx(np.exp(-0.2 * undisturbed), rel=1e-3)
    assert spot.survival_probability_until_deadline == pytest.approx(np.exp(-0.2 * (400 - start)), rel=1e-3)
    assert 0.99 < spot.finish_probability <= 1


def test_saving_and_break_even_are_against_the_same_machine_on_demand() -> None:
    """The cost on demand is that of the on-demand answer in that region; spot saves the rest."""
    spot, found = on_spot().estimate.spot, on_spot()
    regular = answered(ask(Query(WORK, Constraints(max_nodes=1, regions=("us-east-1",))), market()), "p3.2xlarge")
    assert spot is not None
    assert regular.estimate.cost_usd is not None
    assert found.estimate.cost_usd is not None
    assert spot.on_demand_cost_usd == pytest.approx(regular.estimate.cost_usd.value, rel=1e-4)
    saving = 100 * (1 - found.estimate.cost_usd.value / regular.estimate.cost_usd.value)
    assert spot.saving_percent == pytest.approx(saving, abs=0.02)
    even = on_spot(replace(WORK, interruptions_per_hour=spot.break_even_interruptions_per_hour)).estimate.cost_usd
    assert even is not None
    assert even.value == pytest.approx(regular.estimate.cost_usd.value, rel=2e-3)


def test_what_is_not_sold_on_demand_has_nothing_to_be_compared_with() -> None:
    """Cost on demand, saving and break-even are null; the rest is not."""
    spot = on_spot(name="p3.alone").estimate.spot
    assert spot is not None
    assert (None, None, None) == (spot.on_demand_cost_usd, spot.saving_percent, spot.break_even_interruptions_per_hour)
    assert 0 < spot.survival_probability < 1


@pytest.mark.parametrize("task", [Workload("inference", model="resnet-50"), Workload("hpc", precision="fp64")])
def test_only_a_job_of_known_length_has_a_run(task: Workload) -> None:
    """A service, or work without an end, has no figures of interruptions."""
    assert on_spot(task).estimate.spot is None


def test_disks_cost_what_they_cost_in_the_region() -> None:
    """A volume of twice the price adds its price again, in cost and sizing, in that region alone."""
    here, there = Constraints(max_nodes=1, regions=("us-east-1",)), Constraints(("aws",), ("eu-west-1",), ("spot",))
    work = replace(WORK, interruptions_per_hour=0.1)
    plain, dearer = (answered(ask(Query(WORK, here), market(factor=times)), "p3.2xlarge") for times in (1.0, 2.0))
    assert plain.sizing.disk.usd_per_month is not None
    assert dearer.sizing.disk.usd_per_month == pytest.approx(2 * plain.sizing.disk.usd_per_month)
    hours, disk = plain.estimate.time_hours, plain.sizing.disk.usd_per_month / 730
    assert hours is not None
    assert plain.estimate.cost_usd is not None
    assert dearer.estimate.cost_usd is not None
    assert plain.estimate.cost_usd.value == pytest.approx(hours.value * (3.0 + disk), rel=1e-4)
    assert dearer.estimate.cost_usd.value == pytest.approx(hours.value * (3.0 + 2 * disk), rel=1e-4)
    elsewhere = [ask(Query(work, replace(there, max_nodes=1)), market(factor=times)) for times in (1.0, 2.0)]
    assert elsewhere[0] == elsewhere[1]
