"""Azure's meters that are the hour of a Linux machine, and the price of each that is in force."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.azure.lists import D4S, FEED, PATH, REGION, V100, machine, page, request, serve, spot
from tests.service.prices.feeds.loopback import Provider
from tests.service.prices.tables import priced, unpriced

from plimsoll_service.prices.feeds.feed import Fetched

ENDED = {"effectiveStartDate": "2023-01-01T00:00:00Z", "effectiveEndDate": "2026-10-31T23:59:00Z"}


def _fetched(provider: Provider, *meters: dict[str, Any]) -> Fetched:
    serve(provider, *meters)
    return FEED.fetch(request(provider))


def _prices(found: Fetched) -> dict[tuple[str, str], float]:
    return {(name, purchase): usd for (_, name, _, purchase), usd in priced(found).items()}


@pytest.mark.parametrize(
    "other",
    [
        machine(0.424, productName="Virtual Machines DSv3 Series Windows"),
        machine(0.25, productName="DSv3 Series Cloud Services"),
        machine(0.25, productName="DSv3 Series CloudServices"),
        machine(5.0, productName="DSv3 Series Dedicated Host"),
        machine(5.0, productName="Ddsv5 Series DedicatedHost"),
        machine(0.04, skuName="D4s v3 Low Priority", meterName="D4 v3/D4s v3 Low Priority"),
        machine(0.04, meterName="D4 v3/D4s v3 Low Priority"),
        machine(11043.0, type="Reservation", reservationTerm="10 Years"),
        machine(0.2, type="DevTestConsumption"),
        machine(0.02, armSkuName=""),
        machine(0.0, effectiveStartDate="2026-11-01T00:00:00Z", effectiveEndDate="2026-10-31T23:59:00Z"),
        machine(0.01, effectiveStartDate="2026-11-01T00:00:00Z", effectiveEndDate="2026-10-31T00:00:00Z"),
        machine(1.28, **ENDED),
        machine(0.99, effectiveStartDate="2026-12-01T00:00:00Z"),
        machine(0.0, meterId="not-yet-sold"),
        machine(0.77, meterId="another", isPrimaryMeterRegion=False),
    ],
    ids=lambda other: ",".join(f"{name}={other[name]}" for name in sorted(other) if other[name] != machine().get(name)),
)
def test_meters_of_something_else_are_left_out(provider: Provider, other: dict[str, Any]):
    """Windows, other services, low priority, term totals, and ended, future and placeholder prices are no offers."""
    meters = [{**other, "meterId": other["meterId"] + "/other"}, machine(0.24), spot(0.05)]

    found = _fetched(provider, *meters)
    reversed_found = _fetched(provider, *meters[::-1])

    assert {(D4S, "on_demand"): 0.24, (D4S, "spot"): 0.05} == _prices(found) == _prices(reversed_found)


def test_what_was_not_asked_for_is_left_out(provider: Provider):
    """Results beyond the filter are ignored."""
    others = [machine(0.1, armRegionName="eastus"), machine(0.2, serviceName="Virtual Machines Licenses")]
    provider.serve(PATH, page([*others, machine(0.24)]))

    found = FEED.fetch(request(provider))

    assert {(D4S, "on_demand"): 0.24} == _prices(found)
    assert {REGION} == {offer.region for offer in found.offers}


def test_spot_shows_in_the_meters_name_alone_or_in_the_skus(provider: Provider):
    """Spot in either name makes a spot price."""
    found = _fetched(
        provider, machine(0.05, meterName="D4s v3 Spot"), machine(0.6, armSkuName=V100, skuName="NC6s v3 Spot")
    )

    assert {(D4S, "spot"): 0.05, (V100, "spot"): 0.6} == _prices(found)


def test_a_meter_off_its_primary_region_counts(provider: Provider):
    """A type's only valid price may be marked as outside the primary region."""
    assert {(D4S, "on_demand"): 0.29} == _prices(_fetched(provider, machine(0.29, isPrimaryMeterRegion=False)))


@pytest.mark.parametrize(
    ("end", "start", "expected"),
    [
        ("2026-11-30T23:59:00Z", "2026-12-01T00:00:00Z", 1.28),
        ("2026-11-21T07:29:00Z", "2026-11-21T07:30:00Z", 13.306),
        ("2026-11-21T07:30:00Z", "2026-11-21T07:31:00Z", 1.28),
        (None, "2026-11-01T00:00:00Z", 13.306),
    ],
)
def test_at_a_months_turn_the_price_in_force_counts(provider: Provider, end: str | None, start: str, expected: float):
    """Exactly one of an ending and a beginning price is in force at the time of the fetch."""
    ending = machine(1.28, effectiveEndDate=end) if end else machine(1.28)

    found = _fetched(provider, ending, machine(13.306, effectiveStartDate=start))

    assert {(D4S, "on_demand"): expected} == _prices(found)


def test_a_type_whose_price_has_ended_is_no_longer_sold(provider: Provider):
    """A type with only an ended price is neither an offer nor unusable."""
    found = _fetched(provider, machine(**ENDED), machine(3.06, armSkuName=V100, meterId="v100"))

    assert {(V100, "on_demand"): 3.06} == _prices(found)
    assert frozenset() == unpriced(found)


@pytest.mark.parametrize(
    "meters",
    [
        [machine(0)],
        [machine(0.0, meterId="a"), machine(0, meterId="b")],
        [machine(-1)],
        [machine(None)],
        [machine("0.24")],
        [machine(True)],
        [machine(24.0, unitOfMeasure="100 Hours")],
    ],
)
def test_an_offer_without_a_price_to_believe_is_listed_without_one(provider: Provider, meters: list[dict[str, Any]]):
    """An offer without a believable price keeps its last good one."""
    found = _fetched(provider, *meters, spot(0.05))

    assert {(D4S, "spot"): 0.05} == _prices(found)
    assert {("azure", D4S, REGION, "on_demand")} == unpriced(found)
    assert ("azure", REGION, "on_demand") in found.covered


@pytest.mark.parametrize("other", [machine(0.25), machine(0.05, meterId="spot under another name")])
def test_an_offer_at_two_prices_is_listed_at_both(provider: Provider, other: dict[str, Any]):
    """The refresh sees both prices of an offer, and keeps its last good one."""
    found = _fetched(provider, machine(0.24), other)

    assert {0.24, other["retailPrice"]} == {offer.usd_per_hour for offer in found.offers}


def test_the_spelling_of_a_types_name_is_the_catalogs(provider: Provider):
    """The catalog's spelling is used, although the list writes some names differently."""
    assert {(D4S, "on_demand"): 0.24} == _prices(_fetched(provider, machine(0.24, armSkuName="standard_d4S_V3")))
