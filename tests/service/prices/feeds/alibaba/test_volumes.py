"""Prices of Alibaba Cloud's volumes, by the public list and by the API."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.alibaba.answers import (
    FEED,
    KEYS,
    REGION,
    calls,
    described,
    entry,
    key,
    refusal,
    request,
    serve_api,
    serve_list,
)
from tests.service.prices.feeds.loopback import Provider

from plimsoll_service.prices.feeds.alibaba.volumes import PRODUCTS
from plimsoll_service.prices.feeds.feed import FeedError, VolumeQuote

SSD = frozenset(("cloud_ssd",))


def disk(*prices: tuple[str, str]) -> dict[str, Any]:
    """The terms of a volume: (GiB, price of an hour) pairs."""
    return {"hours": [{"period": "1", "price": price, "unit": "GB", "value": gib} for gib, price in prices]}


def answer(price: object, currency: str = "USD") -> dict[str, Any]:
    """DescribePrice of a volume."""
    return {"PriceInfo": {"Price": {"Currency": currency, "OriginalPrice": price, "TradePrice": price}}}


def test_a_gib_of_the_list_costs_its_hour_for_a_month(provider: Provider):
    """Hourly prices are per GiB; prices of system disks do not count."""
    serve_list(
        provider,
        {key(): entry()},
        disks={
            f"{REGION}::cloud_ssd::data": disk(("1", "0.0002")),
            f"{REGION}::cloud_ssd::system": disk(("40", "0.05"), ("1", "0.0009")),
            f"{REGION}::cloud_efficiency::system": disk(("40", "0.005"), ("1", "0.0001")),
            f"{REGION}::cloud_essd": disk(("1", "0.0003")),
            f"{REGION}::ephemeral_ssd::data": disk(("1", "0.0001")),
            "cn-hangzhou::cloud_ssd::data": disk(("1", "0.0001")),
        },
    )

    found = FEED.fetch(request(provider, products=frozenset(PRODUCTS)))

    assert {"cloud_efficiency": 0.073, "cloud_essd_pl1": 0.219, "cloud_ssd": 0.146} == pytest.approx(
        {volume.product: volume.usd_per_gib_month for volume in found.volumes}
    )
    assert {("derived", "Alibaba Cloud price list")} == {(volume.confidence, volume.source) for volume in found.volumes}
    assert any("volumes: cloud, cloud_auto, cloud_essd_pl0" in note for note in found.notes)


@pytest.mark.parametrize("price", ["0", "free", ""])
def test_a_volume_at_nothing_has_no_price(provider: Provider, price: str):
    """A volume without a price above 0 is left out: its known price stays, and a note says so."""
    serve_list(provider, {key(): entry()}, disks={f"{REGION}::cloud_ssd::data": disk(("1", price))})

    found = FEED.fetch(request(provider, products=SSD))

    assert () == found.volumes
    assert "volumes: cloud_ssd have no price in some regions: what is known of them stays" in found.notes


def test_without_a_list_of_volumes_the_machines_are_published(provider: Provider):
    """Without a list of volumes, the machines are published."""
    serve_list(provider, {key(): entry()})

    found = FEED.fetch(request(provider, products=SSD))

    assert 1 == len(found.offers)
    assert any("volumes: no public price list" in note and "404" in note for note in found.notes)


@pytest.mark.parametrize("body", ["{", [], {"pricingInfo": {}}, {"currency": "USD", "prices": {}}])
def test_a_broken_list_of_volumes_is_refused_by_name(provider: Provider, body: Any):
    """A partial list is not a list without volumes."""
    serve_list(provider, {key(): entry()})
    provider.serve("/aliyun/ecs-price-info-intl/2.0.500/price/download/diskPrice.json", body)

    with pytest.raises(FeedError, match=r"diskPrice\.json: (is not whole JSON|has no pricingInfo)"):
        FEED.fetch(request(provider, products=SSD))


def test_the_api_prices_a_probe_of_every_product(provider: Provider):
    """Each product is asked for by its category and level; the price of 2,000 GiB and an hour gives that of one."""
    serve_api(provider, DescribePrice=answer(0.4), DescribePrice__ecs_g6_large=described())

    found = FEED.fetch(request(provider, environment=KEYS, products=frozenset(PRODUCTS), types=_one_type(provider)))

    assert sorted(PRODUCTS) == [volume.product for volume in found.volumes]
    assert {0.146} == {round(volume.usd_per_gib_month, 9) for volume in found.volumes}
    asked = [call.query for call in calls(provider, "DescribePrice") if call.query["ResourceType"] == "disk"]
    assert {("cloud_essd", "PL3", "2000"), ("cloud_auto", None, "2000")} <= {
        (query["DataDisk.1.Category"], query.get("DataDisk.1.PerformanceLevel"), query["DataDisk.1.Size"])
        for query in asked
    }


def test_the_api_completes_the_list(provider: Provider):
    """Only products that the list lacks are requested, and CNY is converted."""
    serve_list(provider, {key(): entry()}, disks={f"{REGION}::cloud_ssd::data": disk(("1", "0.0002"))})
    serve_api(provider, DescribePrice=answer(2.9, "CNY"))

    found = FEED.fetch(request(provider, environment=KEYS, products=SSD | {"cloud"}))

    assert ["cloud"] == [call.query["DataDisk.1.Category"] for call in calls(provider, "DescribePrice")]
    assert "Alibaba Cloud ECS, by the hour (CNY at 7.25 a USD)" == found.volumes[0].source
    assert [0.146, 0.146] == [pytest.approx(volume.usd_per_gib_month) for volume in found.volumes]


@pytest.mark.parametrize("reply", [refusal("InvalidDataDiskCategory.ValueNotSupported"), answer(0), answer("x")])
def test_a_volume_without_a_price_is_left_out(provider: Provider, reply: Any):
    """A category that a region does not sell, or a price of 0, is no quote."""
    serve_api(provider, DescribePrice=reply, DescribePrice__ecs_g6_large=described())

    found = FEED.fetch(request(provider, environment=KEYS, products=SSD, types=_one_type(provider)))

    assert () == found.volumes


def test_a_volumes_quote_is_placed_by_cloud_and_region(provider: Provider):
    """A quote carries all that a snapshot needs."""
    serve_list(provider, {key(): entry()}, disks={f"{REGION}::cloud_ssd::data": disk(("1", "0.0002"))})

    [volume] = FEED.fetch(request(provider, products=SSD)).volumes

    assert VolumeQuote(
        "alibaba", "cloud_ssd", REGION, pytest.approx(0.146), confidence="derived", source="Alibaba Cloud price list"
    ) == (volume)


def _one_type(provider: Provider) -> dict[str, Any]:
    return dict(list(request(provider).types.items())[:1])
