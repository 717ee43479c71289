"""Alibaba Cloud's ECS API: prices on demand and on spot, beside the public list or in its place."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.alibaba.answers import (
    CLOUD,
    FACTS,
    FEED,
    KEY_SECRET,
    KEYS,
    LARGE,
    REGION,
    SMALL,
    TOKEN,
    calls,
    described,
    entry,
    history,
    key,
    point,
    refusal,
    request,
    serve_api,
    serve_list,
)
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import priced, unpriced

from plimsoll_service.prices.feeds.alibaba.api import signature
from plimsoll_service.prices.feeds.feed import FeedError, OfferQuote

ONE_TYPE = {SMALL: FACTS}


def test_the_list_answers_for_on_demand_and_the_api_for_spot(provider: Provider):
    """With a key, one file gives all prices on demand, and the API is asked only for spot."""
    serve_list(provider, {key(): entry("0.079")})
    serve_api(provider, DescribePrice=described(9.9), DescribeSpotPriceHistory=history(point(0.012)))

    found = FEED.fetch(request(provider, environment=KEYS, types=ONE_TYPE))

    assert (
        OfferQuote(CLOUD, SMALL, REGION, "on_demand", 0.079, source="Alibaba Cloud price list"),
        OfferQuote(CLOUD, SMALL, REGION, "spot", 0.012, source="Alibaba Cloud ECS", as_of="2026-11-21T07:00:00Z"),
    ) == found.offers
    assert {(CLOUD, REGION, "on_demand"), (CLOUD, REGION, "spot")} == found.covered
    assert [] == calls(provider, "DescribePrice")


def test_without_a_list_the_api_answers_for_on_demand_too(provider: Provider):
    """The price is the machine's, without its system disk; a note names the source."""
    serve_api(provider, DescribePrice=described(0.079), DescribeSpotPriceHistory=history(point(0.012)))

    found = FEED.fetch(request(provider, environment=KEYS))

    assert {
        (SMALL, "on_demand", 0.079),
        (LARGE, "on_demand", 0.079),
        (SMALL, "spot", 0.012),
        (LARGE, "spot", 0.012),
    } == {(offer.instance_type, offer.purchase, offer.usd_per_hour) for offer in found.offers}
    assert any("by DescribePrice, since there is no public price list" in note for note in found.notes)


def test_a_list_that_cannot_be_had_gives_way_to_the_api(provider: Provider):
    """With a key, a broken download counts as a missing list."""
    serve_list(provider, {key(): entry()})
    provider.serve("/aliyun/ecs-price-info-intl/2.0.500/price/download/instancePrice.json", Reply(b"x" * 99, cut=10))
    serve_api(provider, DescribePrice=described(0.08))

    found = FEED.fetch(request(provider, environment=KEYS))

    assert {0.08} == {offer.usd_per_hour for offer in found.offers}


def test_a_mirror_of_the_list_alone_is_no_error(provider: Provider):
    """At an address without the API, a note says that spot prices are missing, and nothing else fails."""
    serve_list(provider, {key(): entry()}, disks={})

    found = FEED.fetch(request(provider, environment=KEYS, products=frozenset(("cloud_ssd",))))

    assert {(CLOUD, REGION, "on_demand")} == found.covered
    assert any("no API at this address, spot prices are missing" in note for note in found.notes)


def test_asks_in_the_documented_words_and_signed(provider: Provider):
    """Every call has its action, version and region, the token, and a signature of its query."""
    serve_api(provider, DescribePrice=described(), DescribeSpotPriceHistory=history(point(0.012)))

    FEED.fetch(request(provider, environment=KEYS, types=ONE_TYPE))

    [price], [spot] = calls(provider, "DescribePrice"), calls(provider, "DescribeSpotPriceHistory")
    for asked in (price, spot):
        query = dict(asked.query)
        assert query.pop("Signature") == signature("GET", query, KEY_SECRET)
        assert ("2014-05-26", REGION, SMALL, TOKEN) == tuple(
            query[name] for name in ("Version", "RegionId", "InstanceType", "SecurityToken")
        )
    assert ("instance", "Hour", "cloud_essd") == tuple(
        price.query[name] for name in ("ResourceType", "PriceUnit", "SystemDisk.Category")
    )
    assert ("vpc", "linux", "0", "2026-11-20T07:30:00Z") == tuple(
        spot.query[name] for name in ("NetworkType", "OSType", "Offset", "StartTime")
    )


def test_a_type_without_essd_is_asked_for_with_an_older_disk(provider: Provider):
    """A type that takes only an older system disk is priced with it; the machine's price does not depend on it."""
    unfit = refusal("InvalidSystemDiskCategory.ValueNotSupported", 403)
    serve_api(provider, DescribePrice=[unfit, described(0.05)])

    quote = FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "on_demand")

    assert quote is not None
    assert 0.05 == quote.usd_per_hour
    assert ["cloud_essd", "cloud_efficiency"] == [asked.query["SystemDisk.Category"] for asked in provider.asked]


def test_a_type_that_takes_no_known_disk_is_unusable(provider: Provider):
    """A type that takes no known disk keeps its last good price."""
    unfit = refusal("InvalidSystemDiskCategory.ValueNotSupported", 403)
    serve_api(provider, DescribePrice=described(), DescribePrice__ecs_g6_large=unfit)

    found = FEED.fetch(request(provider, environment=KEYS))

    assert {(CLOUD, SMALL, REGION, "on_demand")} == unpriced(found)


def test_the_lists_price_counts_and_a_discount_is_told(provider: Provider):
    """A discount of this account is not a list price: it belongs in the operator's pricing agreements."""
    serve_api(provider, DescribePrice=described(0.08, trade=0.06))

    found = FEED.fetch(request(provider, environment=KEYS, types=ONE_TYPE))

    assert [0.08] == [offer.usd_per_hour for offer in found.offers]
    assert any("1 prices of this account differ from the list's" in note for note in found.notes)


@pytest.mark.parametrize("price", [0, "0", None, "much", -1])
def test_a_price_of_nothing_is_unusable(provider: Provider, price: Any):
    """A type at 0 keeps its last good price, on demand and on spot."""
    serve_api(
        provider,
        DescribePrice=described(0.08),
        DescribePrice__ecs_g6_large=described(price),
        DescribeSpotPriceHistory=history(point(0.01)),
        DescribeSpotPriceHistory__ecs_g6_large=history(point(price)),
    )

    found = FEED.fetch(request(provider, environment=KEYS))

    assert {LARGE} == {name for _, name, *_ in priced(found)}
    assert {(CLOUD, SMALL, REGION, "on_demand"), (CLOUD, SMALL, REGION, "spot")} == unpriced(found)


def test_types_that_are_not_sold_are_dropped(provider: Provider):
    """A refusal that names the type, or an empty history, means that it is not sold here."""
    serve_api(
        provider,
        DescribePrice__ecs_gn7i_c8g1_2xlarge=described(1.4),
        DescribeSpotPriceHistory__ecs_g6_large=history(),
        DescribeSpotPriceHistory__ecs_gn7i_c8g1_2xlarge=history(point(0.4)),
    )

    found = FEED.fetch(request(provider, environment=KEYS))

    assert {(LARGE, "on_demand"), (LARGE, "spot")} == {(offer.instance_type, offer.purchase) for offer in found.offers}
    assert frozenset() == unpriced(found)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"Price": {}}, "no PriceInfo.Price"),
        ({"PriceInfo": {"Price": {"Currency": "USD", "OriginalPrice": 0.11}}}, "no OriginalPrice of the resource"),
        ({"PriceInfo": {"Price": {"DetailInfos": {"DetailInfo": [{"Resource": "instanceType"}]}}}}, "no OriginalPrice"),
        (described(currency="EUR"), "--exchange-rate EUR="),
    ],
)
def test_a_broken_price_is_refused_by_name(provider: Provider, answer: Any, said: str):
    """Without the machine's own detail, the total is not used as its price."""
    serve_api(provider, DescribePrice=answer)

    with pytest.raises(FeedError, match=said):
        FEED.fetch(request(provider, environment=KEYS))


def test_an_account_in_cny_is_converted(provider: Provider):
    """The currency is that of the account's site, whatever the region."""
    serve_api(provider, DescribePrice=described(0.58, currency="CNY"))

    quote = FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "on_demand")

    assert quote is not None
    assert 0.58 / 7.25 == pytest.approx(quote.usd_per_hour)
    assert ("derived", "Alibaba Cloud ECS (CNY at 7.25 a USD)") == (quote.confidence, quote.source)


@pytest.mark.parametrize("purchase", ["on_demand", "spot"])
def test_a_single_price_of_what_is_not_sold_is_none(provider: Provider, purchase: str):
    """Unknown types and regions are not requested; a known one needs one call."""
    serve_api(provider)
    asked = request(provider, environment=KEYS)

    assert FEED.quote(asked, "ecs.nothing.large", REGION, purchase) is None
    assert FEED.quote(asked, SMALL, "mars-1", purchase) is None
    assert [] == provider.asked
    assert FEED.quote(asked, SMALL, REGION, purchase) is None
