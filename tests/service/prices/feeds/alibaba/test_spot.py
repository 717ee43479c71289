"""Alibaba Cloud's spot price history: the point that is the price, its pages, and its faults."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.alibaba.answers import (
    CLOUD,
    FEED,
    KEYS,
    REGION,
    SMALL,
    history,
    point,
    request,
    serve_api,
)
from tests.service.prices.feeds.loopback import Provider, Reply

from plimsoll_service.prices.feeds.feed import FeedError, OfferQuote


def test_the_cheapest_zones_latest_point_is_the_spot_price(provider: Provider):
    """Older points of a zone and other networks do not count; the point's time is the price's."""
    serve_api(
        provider,
        DescribeSpotPriceHistory=history(
            point(0.001, "us-west-1a", "2026-11-21T05:00:00Z"),
            point(0.030, "us-west-1a", "2026-11-21T07:00:00Z"),
            point(0.002, "us-west-1a", "2026-11-21T06:00:00Z"),
            point(0.020, "us-west-1b", "2026-11-21T06:00:00Z"),
            point(0.001, "us-west-1c", "2026-11-21T07:00:00Z", NetworkType="classic"),
            point(0.001, "us-west-1c", "2026-11-21T07:00:00Z", IoOptimized="none"),
            point(0.001, "us-west-1d", "yesterday"),
        ),
    )

    quote = FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "spot")

    assert (
        OfferQuote(CLOUD, SMALL, REGION, "spot", 0.02, source="Alibaba Cloud ECS", as_of="2026-11-21T06:00:00Z")
        == quote
    )


def test_a_history_is_read_to_its_last_page(provider: Provider):
    """NextOffset leads to the next page, and a page without points is the last one."""
    serve_api(
        provider,
        DescribeSpotPriceHistory=[
            history(point(0.03), NextOffset=1),
            history(point(0.02, "us-west-1b"), NextOffset=2),
            history(NextOffset=2),
        ],
    )

    quote = FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "spot")

    assert quote is not None
    assert 0.02 == quote.usd_per_hour
    assert ["0", "1", "2"] == [asked.query["Offset"] for asked in provider.asked]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (history(point(0.03), NextOffset=0.5), "does not go on"),
        (history(point(0.03), NextOffset="next"), "does not go on"),
        (
            [history(point(0.03), NextOffset=7), history(point(0.03), NextOffset=7)],
            "NextOffset 7 does not go on from 7",
        ),
        ({"Currency": "USD", "SpotPrices": []}, "no SpotPrices.SpotPriceType"),
        ({"Currency": "USD", "Prices": {"SpotPriceType": []}}, "no SpotPrices.SpotPriceType"),
        (history(point(0.03), Currency=None), "states no Currency"),
        (history({**point(None), "Price": 0.03}), "SpotPrice above 0"),
        (history(point(0.03), Currency="EUR"), "--exchange-rate EUR="),
        ([], "not a JSON object"),
        ("busy", "not a JSON object"),
        (Reply('{"Currency": "USD", "SpotPr'), "is not JSON"),
        (Reply(b"\xff\xfe"), "is not JSON"),
    ],
)
def test_a_broken_history_is_refused_by_name(provider: Provider, answer: Any, said: str):
    """A loop, a renamed field, another currency or a partial answer is never a price."""
    serve_api(provider, DescribeSpotPriceHistory=[answer] if answer == [] else answer)

    with pytest.raises(FeedError, match=said):
        FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "spot")


def test_pages_without_end_are_refused(provider: Provider):
    """A history that always has another page ends in an error."""
    provider.routes["/"] = lambda asked: Reply(history(point(0.03), NextOffset=int(asked.query["Offset"]) + 1))

    with pytest.raises(FeedError, match="more than 100 pages"):
        FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "spot")
