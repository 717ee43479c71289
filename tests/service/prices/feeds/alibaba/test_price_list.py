"""The public price list of Alibaba Cloud: its offers, its address, and the faults that refuse a refresh."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.service.prices.feeds.alibaba.answers import (
    CLOUD,
    EDITION,
    FEED,
    LARGE,
    LAST_KNOWN,
    MAINLAND_PAGE,
    PAGE,
    REGION,
    SMALL,
    entry,
    key,
    machines_at,
    price_list,
    request,
    serve_list,
)
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import priced, unpriced

from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds.feed import FeedError, OfferQuote


def test_is_found_by_its_name():
    """``--cloud alibaba`` uses this feed, which quotes both purchase options."""
    assert {"on_demand", "spot"} == feeds_by_name()["alibaba"].quotes


def test_hourly_prices_of_linux_in_a_vpc_are_offers(provider: Provider):
    """The price of a type is that for Linux in a VPC, I/O optimized."""
    others = {key(rest=rest): entry("9") for rest in ("vpc::windows::optimized", "classic::linux::optimized")}
    none = key(rest="vpc::linux::none")
    serve_list(provider, {none: entry("8"), key(): entry("0.079"), **others, key(LARGE): entry("1.42")})

    found = FEED.fetch(request(provider))

    assert (
        OfferQuote(CLOUD, SMALL, REGION, "on_demand", 0.079, source="Alibaba Cloud price list"),
        OfferQuote(CLOUD, LARGE, REGION, "on_demand", 1.42, source="Alibaba Cloud price list"),
    ) == found.offers
    assert {(CLOUD, REGION, "on_demand")} == found.covered


def test_an_optimized_price_stands_whatever_comes_after_it(provider: Provider):
    """The order of the list does not decide which price of a type counts."""
    serve_list(provider, {key(): entry("0.079"), key(rest="vpc::linux::none"): entry("8")})

    assert [0.079] == [offer.usd_per_hour for offer in FEED.fetch(request(provider)).offers]


def test_without_an_access_key_spot_is_said_to_be_missing(provider: Provider):
    """The list alone has no spot prices: they are not covered, and a note names the missing key."""
    serve_list(provider, {key(): entry()})

    found = FEED.fetch(request(provider))

    assert {"on_demand"} == {purchase for _, _, purchase in found.covered}
    assert any("ALIBABA_CLOUD_ACCESS_KEY_ID" in note and "spot prices are missing" in note for note in found.notes)
    assert any(f"ecs-price-info-intl {EDITION} in USD" in note for note in found.notes)


def test_the_newest_edition_that_the_page_links_is_read(provider: Provider):
    """Editions are compared as numbers, and the mainland's are not taken for international ones."""
    provider.serve(
        PAGE,
        "//g.alicdn.com/aliyun/ecs-price-info-intl/2.0.99/a.js //g.alicdn.com/aliyun/ecs-price-info-intl/2.0.500/b.js "
        "//g.alicdn.com/aliyun/ecs-price-info/2.0.900/c.js",
    )
    provider.serve(machines_at(), price_list({key(): entry()}))

    assert 1 == len(FEED.fetch(request(provider)).offers)


def test_without_a_page_the_last_known_edition_is_read_and_its_date_is_the_prices(provider: Provider):
    """An old list has its publication date in the price and its source, and a note says that it is old."""
    provider.serve(machines_at(LAST_KNOWN), price_list({key(): entry()}))

    found = FEED.fetch(request(provider))

    assert "2026-06-30T07:00:04Z" == found.offers[0].as_of
    assert f"Alibaba Cloud price list {LAST_KNOWN} of 2026-06-30T07:00:04Z" == found.offers[0].source
    assert any(f"{LAST_KNOWN} is the last one known" in note for note in found.notes)


def test_the_mainlands_list_stands_in_and_is_converted(provider: Provider):
    """Without an international list, the mainland's is read at 7.25 CNY per USD, and a note says so."""
    provider.serve(MAINLAND_PAGE, f"//g.alicdn.com/aliyun/ecs-price-info/{EDITION}/x.js")
    provider.serve(machines_at(package="ecs-price-info"), price_list({key(): entry("0.58")}, currency="CNY"))

    [offer] = FEED.fetch(request(provider)).offers

    assert 0.58 / 7.25 == pytest.approx(offer.usd_per_hour)
    assert ("derived", "Alibaba Cloud price list (CNY at 7.25 a USD)") == (offer.confidence, offer.source)


def test_a_stated_rate_is_used(provider: Provider):
    """The operator's rate takes precedence over the default one."""
    serve_list(provider, {key(): entry("0.7")}, currency="CNY")

    [offer] = FEED.fetch(request(provider, units_per_usd={"CNY": 7.0})).offers

    assert pytest.approx(0.1) == offer.usd_per_hour


def test_another_currency_is_refused_by_the_option_that_would_help(provider: Provider):
    """Prices in euros are never shown as USD."""
    serve_list(provider, {key(): entry()}, currency="EUR")

    with pytest.raises(FeedError, match="--exchange-rate EUR="):
        FEED.fetch(request(provider))


def test_types_sold_by_the_month_are_counted_and_left_out(provider: Provider):
    """A type without an hourly price is not sold by the hour, and does not count as lost."""
    monthly = {"months": [{"period": "1", "price": "33.2"}]}
    serve_list(provider, {key(): entry(), key(LARGE): monthly})

    found = FEED.fetch(request(provider))

    assert [SMALL] == [offer.instance_type for offer in found.offers]
    assert frozenset() == unpriced(found)
    assert any("1 offers are sold by the month only" in note for note in found.notes)


@pytest.mark.parametrize("price", ["0", 0, "0.0", "-1", "", "free", None, "NaN", "1e999", True, {"usd": 1}])
def test_a_price_that_is_no_amount_is_unusable(provider: Provider, price: object):
    """A type with a price of 0 keeps its last good price; the others are published."""
    serve_list(provider, {key(): entry(), key(LARGE): entry(price)})

    found = FEED.fetch(request(provider))

    assert [SMALL] == [name for _, name, *_ in priced(found)]
    assert {(CLOUD, LARGE, REGION, "on_demand")} == unpriced(found)
    assert any("1 types have no usable price: listed at no amount above 0" in note for note in found.notes)


def test_regions_that_the_catalog_lacks_are_left_out(provider: Provider):
    """New regions are left out; the refresh counts new types."""
    serve_list(provider, {key(): entry(), key("ecs.new.large"): entry(), key(region="mars-1"): entry()})

    found = FEED.fetch(request(provider))

    assert ["ecs.g6.large", "ecs.new.large"] == sorted(offer.instance_type for offer in found.offers)
    assert {REGION} == {offer.region for offer in found.offers}


def test_known_regions_that_are_not_listed_stay_as_they_are(provider: Provider):
    """A region without an entry is not covered, and a note says so; requested by name, it is an error."""
    serve_list(provider, {key(): entry()})

    found = FEED.fetch(request(provider, regions=None))

    assert {(CLOUD, REGION, "on_demand")} == found.covered
    assert any("not in the list: cn-hangzhou" in note for note in found.notes)
    with pytest.raises(FeedError, match="no hourly price in cn-hangzhou"):
        FEED.fetch(request(provider, regions=("cn-hangzhou",)))


def test_a_region_that_nobody_knows_is_named(provider: Provider):
    """A misspelt ``--region`` causes no request to the provider."""
    with pytest.raises(FeedError, match="no region us-west-9"):
        FEED.fetch(request(provider, regions=("us-west-9",)))

    assert [] == provider.asked


def _whole() -> bytes:
    return json.dumps(price_list({key(): entry(), key(LARGE): entry()})).encode()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not whole JSON"),
        (b"<html>busy</html>", "not whole JSON"),
        (_whole()[:-40], "not whole JSON"),
        (_whole() + b"]", "not whole JSON"),
        (b"\xff\xfe\x00" + _whole(), "not whole JSON"),
        (b"[]", "states no currency"),
        (b'{"currency": "USD", "pricingInfo": {}}', "nothing in pricingInfo"),
        (b'{"currency": "USD", "prices": {"a": 1}}', "nothing in pricingInfo"),
        (b'{"currency": "USD", "pricingInfo": [1]}', "nothing in pricingInfo"),
    ],
    ids=["empty", "page", "cut", "more", "bytes", "array", "bare", "renamed", "list"],
)
def test_a_broken_list_is_refused_by_name(provider: Provider, body: bytes, said: str):
    """A list that is cut off, garbled or of another shape raises an error that names the address."""
    serve_list(provider, {})
    provider.serve(machines_at(), body)

    with pytest.raises(FeedError, match=said) as raised:
        FEED.fetch(request(provider))

    assert "instancePrice.json" in str(raised.value)


@pytest.mark.parametrize(
    "entries",
    [
        {key(): {"hourly": [{"period": "1", "price": "0.079"}]}},
        {key(): {"hours": [{"period": "1", "cost": "0.079"}]}},
        {"us-west-1/ecs.g6.large/vpc/linux/optimized": entry()},
        {key(): entry("0"), key(LARGE): entry("0")},
    ],
    ids=["terms", "price", "key", "zero"],
)
def test_a_list_without_one_usable_price_is_refused(provider: Provider, entries: dict[str, Any]):
    """A list with renamed fields does not make an empty snapshot."""
    serve_list(provider, entries)

    with pytest.raises(FeedError, match="no hourly price of Linux"):
        FEED.fetch(request(provider))


def test_a_connection_that_breaks_in_the_middle_is_tried_again(provider: Provider):
    """A partial list is never read; the refresh continues when a complete one arrives."""
    serve_list(provider, {key(): entry()})
    provider.serve(machines_at(), Reply(_whole(), cut=60), Reply(b"", 503), Reply(b"", 429), Reply(_whole()))

    assert 2 == len(FEED.fetch(request(provider)).offers)


def test_a_list_that_always_breaks_is_an_error(provider: Provider):
    """After six attempts, the error names the fault and suggests an access key."""
    serve_list(provider, {key(): entry()})
    provider.serve(machines_at(), Reply(_whole(), cut=60))

    with pytest.raises(FeedError, match=r"6 attempts.*no Alibaba Cloud access key"):
        FEED.fetch(request(provider))


def test_its_header_may_come_last(provider: Provider):
    """The order of the list's fields does not matter."""
    body = {"pricingInfo": {key(): entry("0.58")}, "currency": "CNY"}
    serve_list(provider, {})
    provider.serve(machines_at(), body)

    [offer] = FEED.fetch(request(provider)).offers

    assert "derived" == offer.confidence
