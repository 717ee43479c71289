"""Parts of a feed's answer that are used."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from math import inf, nan

import pytest
from tests.service.prices.tables import CATALOG, NOW, NOW_TEXT, fetched, quotes, scope

from plimsoll_service.prices.feeds.feed import FeedError, OfferQuote, VolumeQuote
from plimsoll_service.prices.refreshing.fetched import answer_of

DAY = timedelta(hours=24)
P3 = ("aws", "p3.2xlarge", "us-east-1", "on_demand")
G5 = ("aws", "g5.xlarge", "us-east-1", "on_demand")
SPOT = ("aws", "g5.xlarge", "us-east-1", "spot")


def answered(answer):
    """The current form of the answer."""
    return answer_of(answer, CATALOG, NOW, DAY)


def test_prices_are_dated_by_the_fetch_unless_the_provider_dates_them():
    """A quote's own date stays; none is later than the request."""
    quoted = (
        OfferQuote(*P3, 3.06),
        OfferQuote(*SPOT, 0.4, as_of="2026-11-20T23:00:00Z", source="spot history", interruptions_per_hour=0.01),
        OfferQuote(*G5, 1.0, as_of="2031-01-01T00:00:00Z"),
    )
    taken = answered(fetched({}, offers=quoted, covered=scope([P3, SPOT, G5])))
    offers = taken.offers
    rows = [(offers.instance_type[row], offers.purchase[row], offers.as_of[row]) for row in range(3)]

    assert [
        ("g5.xlarge", "on_demand", NOW_TEXT),
        ("g5.xlarge", "spot", "2026-11-20T23:00:00Z"),
        ("p3.2xlarge", "on_demand", NOW_TEXT),
    ] == rows
    assert ["test list", "spot history", "test list"] == [offers.source[row] for row in range(3)]
    assert 0.01 == offers.interruptions_per_hour[1]
    assert (NOW_TEXT, "2026-11-22T07:30:00Z") == (taken.coverage.fetched_at[0], taken.coverage.fresh_until[0])


def test_what_cannot_be_placed_is_counted():
    """Types and regions that the catalog lacks, and offers outside the covered places, are left out and counted."""
    others = {
        P3: 3.06,
        ("aws", "p99.large", "us-east-1", "on_demand"): 9.0,
        ("aws", "p3.2xlarge", "moon-1", "on_demand"): 9.0,
        ("gcp", "p3.2xlarge", "us-east-1", "on_demand"): 9.0,
        ("aws", "p3.2xlarge", "us-east-1", "reserved"): 9.0,
    }
    answer = fetched(others, notes=("no spot without credentials",))
    outside = (*answer.offers, OfferQuote("aws", "p3.2xlarge", "us-west-2", "on_demand", 3.06))

    taken = answered(fetched({}, offers=outside, covered=answer.covered, notes=answer.notes))

    assert 1 == len(taken.offers)
    assert (
        "no spot without credentials",
        "4 offers of types or regions that the catalog lacks (moon-1, p99.large, reserved, us-east-1) left out",
        "1 offers outside of the places that the list covers left out",
    ) == taken.notes


@pytest.mark.parametrize("usd", [0.0, -1.0, 1e-320, 9e-6, nan, inf, 1e7])
def test_a_price_that_cannot_be_believed_is_no_price(usd):
    """A price that is 0, negative, no number or in a wrong unit counts as listed without a usable price."""
    taken = answered(fetched({P3: usd, G5: 1.0}))

    assert 1 == len(taken.offers)
    assert frozenset({P3}) == taken.unusable
    assert (f"1 offers without a price that can be believed ({' '.join(P3)}) left out",) == taken.notes


@pytest.mark.parametrize("prices", [{}, {P3: 0.0}, {("aws", "p99.large", "us-east-1", "on_demand"): 1.0}])
def test_an_answer_without_any_usable_price_is_an_error(prices):
    """An empty list, or one without a usable price, never replaces anything."""
    with pytest.raises(FeedError, match="test list lists no usable price"):
        answered(fetched(prices))


def test_an_offer_at_two_prices_is_left_out():
    """An offer at two prices keeps its last price; a repeated equal price is no fault."""
    answer = fetched({P3: 3.06, G5: 1.0, (*G5[:3], "spot"): 0.4})
    taken = answered(replace(answer, offers=answer.offers + quotes({P3: 3.07, G5: 1.0})))

    assert 2 == len(taken.offers)
    assert frozenset({P3}) == taken.unusable
    assert ("1 offers at two prices, kept at the last price: aws p3.2xlarge us-east-1 on_demand",) == taken.missing


def test_a_list_of_nothing_but_offers_at_two_prices_is_an_error():
    """A list with only such offers has nothing to publish."""
    answer = fetched({}, offers=quotes({P3: 3.06}) + quotes({P3: 3.07}), covered=scope([P3]))
    with pytest.raises(FeedError, match=r"lists 1 offers at two prices: aws p3\.2xlarge us-east-1 on_demand"):
        answered(answer)


def test_volumes_without_a_sound_price_are_counted():
    """Products that the catalog lacks and impossible prices are left out."""
    volumes = (
        VolumeQuote("aws", "gp3", "us-east-1", 0.08, 0.005, 0.04),
        VolumeQuote("aws", "gp9", "us-east-1", 0.08),
        VolumeQuote("aws", "gp2", "us-east-1", 0.0),
        VolumeQuote("aws", "io2", "us-east-1", 0.125, -0.1),
    )
    taken = answered(fetched({P3: 3.06}, volumes=volumes))

    assert ["gp3"] == list(taken.volumes.product.words)
    assert ("3 volume prices of unknown products or without a sound price left out",) == taken.notes
