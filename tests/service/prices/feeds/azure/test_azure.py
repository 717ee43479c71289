"""The azure feed as a whole: the prices that it finds, its pages, its retries, and its refusals."""

from __future__ import annotations

import gzip
import json
from math import isnan
from typing import Any

import pytest
from tests.service.prices.feeds.azure.lists import (
    D4S,
    FEED,
    PATH,
    REGION,
    V100,
    answering,
    disk,
    machine,
    page,
    request,
    serve,
    spot,
)
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import unpriced

from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds.feed import FeedError, OfferQuote


def test_is_found_by_its_name():
    """``--cloud azure`` uses this feed, which quotes both purchase options."""
    assert {"on_demand", "spot"} == feeds_by_name()["azure"].quotes


def test_finds_machines_on_demand_and_on_spot(provider: Provider):
    """Both purchase options of a region are quoted in USD, at list price, and covered."""
    serve(provider, machine(0.24), spot(0.05))

    found = FEED.fetch(request(provider))

    assert (
        OfferQuote("azure", D4S, REGION, "on_demand", 0.24),
        OfferQuote("azure", D4S, REGION, "spot", 0.05),
    ) == found.offers
    assert {("azure", REGION, "on_demand"), ("azure", REGION, "spot")} == found.covered
    assert frozenset() == unpriced(found)


def test_asks_for_what_it_needs_in_the_documented_words(provider: Provider):
    """The filter names service, price type and region with the provider's spelling, and asks for USD."""
    serve(provider, machine())

    FEED.fetch(request(provider))

    assert ["'USD'", "'USD'"] == [asked.query["currencyCode"] for asked in provider.asked]
    machines, storage = (asked.query["$filter"] for asked in provider.asked)
    assert (
        f"serviceName eq 'Virtual Machines' and priceType eq 'Consumption' and armRegionName eq '{REGION}'" == machines
    )
    assert storage.startswith("serviceName eq 'Storage' and ")
    assert "productName eq 'Premium SSD Managed Disks' or productName eq" in storage


def test_all_known_regions_are_asked_for_and_each_is_reported(provider: Provider):
    """Without ``--region`` every region that the catalog knows is fetched, each with a line of progress."""
    serve(provider, machine(0.24), machine(0.2, armRegionName="eastus"))
    lines: list[str] = []

    found = FEED.fetch(request(provider, regions=None, report=lines.append))

    assert {(REGION, 0.24), ("eastus", 0.2)} == {(offer.region, offer.usd_per_hour) for offer in found.offers}
    assert [f"azure: {region}: prices of machines: 1, of volumes: 0" for region in ("eastus", REGION)] == lines


def test_follows_the_links_of_all_pages_at_the_host_that_it_was_given(provider: Provider):
    """Offers on later pages are found, although their links name the provider's real host."""
    others = [machine(0.1, armSkuName=f"Standard_X{n}", meterId=str(n)) for n in range(7)]
    serve(provider, *others, machine(0.24), spot(0.05), per_page=2)

    found = FEED.fetch(request(provider))

    assert sorted([0.05, 0.24, *[0.1] * 7]) == sorted(offer.usd_per_hour for offer in found.offers)


@pytest.mark.parametrize("end", [None, ""])
def test_the_last_link_may_be_null_or_empty(provider: Provider, end: str | None):
    """A link that is null or empty ends the list."""
    provider.serve(PATH, page([machine()], end), page([], end))

    assert 1 == len(FEED.fetch(request(provider)).offers)


def test_a_purchase_option_of_which_nothing_is_listed_is_not_covered(provider: Provider):
    """A region without a spot meter keeps its spot prices, and a note says so."""
    serve(provider, machine())

    found = FEED.fetch(request(provider))

    assert {("azure", REGION, "on_demand")} == found.covered
    assert f"nothing is listed, and what was known stays, in {REGION} (spot)" in found.notes


def test_an_empty_list_of_a_region_that_sells_is_refused_by_name(provider: Provider):
    """An empty first page does not mean that nothing is sold any more."""
    serve(provider)

    with pytest.raises(FeedError, match=f"azure: {REGION}: the list of machines is empty"):
        FEED.fetch(request(provider))


def test_an_empty_list_of_a_region_without_known_offers_covers_nothing(provider: Provider):
    """A region that the catalog knows by name only may well have an empty list."""
    serve(provider)

    assert frozenset() == FEED.fetch(request(provider, regions=("eastus",))).covered


def test_a_region_that_nobody_knows_is_refused_by_name(provider: Provider):
    """A misspelt region is named before any request."""
    with pytest.raises(FeedError, match=r"no region westeurop$"):
        FEED.fetch(request(provider, regions=("westeurop",)))
    assert [] == provider.asked


def test_throttling_is_waited_out(provider: Provider):
    """A 429 with Retry-After and a 503 do not end a refresh."""
    answer, troubles = answering([machine()], 100), [Reply(status=429, headers={"Retry-After": "1"}), Reply(status=503)]
    provider.routes[PATH] = lambda asked: troubles.pop() if troubles else answer(asked)

    assert 1 == len(FEED.fetch(request(provider)).offers)


def test_a_compressed_answer_is_read(provider: Provider):
    """The provider may answer with gzip."""
    answer = answering([machine()], 100)
    provider.routes[PATH] = lambda asked: Reply(
        gzip.compress(answer(asked).content), headers={"Content-Encoding": "gzip"}
    )

    assert 1 == len(FEED.fetch(request(provider)).offers)


def _without(field: str, **more: Any) -> dict[str, Any]:
    return page([{name: value for name, value in machine(**more).items() if name != field}])


LINK_TO_ITSELF = "https://prices.azure.com:443/api/retail/prices?$skip=100"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(status=429), "throttled"),
        (Reply(status=500), "answers 500"),
        (Reply(status=400), "answers 400"),
        (Reply(page([machine()]), cut=200), "6 attempts"),
        (json.dumps(page([machine()]))[:300], "is not JSON"),
        (b"\xff\xfe\x00garbage", "is not JSON"),
        ([], "has no list 'Items'"),
        ({"items": [], "nextPageLink": None}, "has no list 'Items'"),
        ({"Items": [machine()]}, "has no 'NextPageLink'"),
        ({"Items": ["x"], "NextPageLink": None}, "a meter without armRegionName"),
        (_without("retailPrice"), "a meter without retailPrice: the schema has changed"),
        (_without("armSkuName", arm_sku_name=D4S), "a meter without armSkuName"),
        (page([machine(effectiveStartDate="soon")]), "effectiveStartDate of the meter 'D4 v3/D4s v3' is 'soon'"),
        ({**page([machine()]), "Count": 100}, "has 1 meters where it states 100"),
        (page([], LINK_TO_ITSELF), "page 1 is empty in the middle"),
        (page([machine()], LINK_TO_ITSELF), "page 2 links back"),
        (page([machine(type="consumption")]), "the list of machines is empty"),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused_by_name(provider: Provider, reply: Any, said: str):
    """Any fault of the whole list fails the refresh, with the region and the reason."""
    provider.serve(PATH, reply)

    with pytest.raises(FeedError, match=said) as refused:
        FEED.fetch(request(provider))
    assert str(refused.value).startswith(f"azure: {REGION}: ")


def test_a_list_without_an_end_is_refused_by_name(provider: Provider, monkeypatch: pytest.MonkeyPatch):
    """Endless new links end the refresh with an error."""
    monkeypatch.setattr("plimsoll_service.prices.feeds.azure.meters.MOST_PAGES", 5)
    provider.routes[PATH] = lambda _: Reply(page([machine()], f"{LINK_TO_ITSELF}&n={len(provider.asked)}"))

    with pytest.raises(FeedError, match="does not end after 5 pages"):
        FEED.fetch(request(provider))


def test_prices_in_another_currency_need_a_rate(provider: Provider):
    """Without a rate, the refresh is refused and names the option; with one, the price is converted and says so."""
    serve(provider, machine(0.23, currencyCode="EUR"), disk("Premium SSD Managed Disks", "P30 LRS Disk", 94.208))

    with pytest.raises(FeedError, match="--exchange-rate EUR="):
        FEED.fetch(request(provider))
    (offer,) = FEED.fetch(request(provider, units_per_usd={"EUR": 0.92})).offers
    assert (pytest.approx(0.25), "derived", "Azure Retail Prices (EUR at 0.92 a USD)") == (
        offer.usd_per_hour,
        offer.confidence,
        offer.source,
    )


@pytest.mark.parametrize(("purchase", "price"), [("on_demand", 0.24), ("spot", 0.05)])
def test_quotes_one_offer(provider: Provider, purchase: str, price: float):
    """A single offer is asked for by its type and region alone."""
    serve(provider, machine(0.24), spot(0.05), machine(3.06, armSkuName=V100))

    assert OfferQuote("azure", D4S, REGION, purchase, price) == FEED.quote(request(provider), D4S, REGION, purchase)
    assert [f"armSkuName eq '{D4S}'"] == [a.query["$filter"].split(" and (")[1].rstrip(")") for a in provider.asked]


def test_quotes_nothing_where_nothing_is_sold(provider: Provider):
    """A missing meter, an unknown region and an unknown type have no quote."""
    serve(provider, machine(0.24))

    assert FEED.quote(request(provider), D4S, REGION, "spot") is None
    assert FEED.quote(request(provider), V100, REGION, "on_demand") is None
    assert FEED.quote(request(provider), "Standard_X' or 1 eq 1", REGION, "on_demand") is None
    assert FEED.quote(request(provider), D4S, "nowhere", "on_demand") is None


def test_a_quote_of_zero_is_no_price(provider: Provider):
    """A listed offer without a price is not taken for one that is not sold."""
    serve(provider, machine(0))

    quoted = FEED.quote(request(provider), D4S, REGION, "on_demand")

    assert quoted is not None
    assert isnan(quoted.usd_per_hour)


def test_a_quote_at_two_prices_is_an_error(provider: Provider):
    """No price is picked where an offer has several."""
    serve(provider, machine(0.24), machine(0.25, meterId="other"))

    with pytest.raises(FeedError, match=r"westeurope: Standard_D4s_v3 \(on_demand\) is listed at 2 prices at once"):
        FEED.quote(request(provider), D4S, REGION, "on_demand")
