"""The gcp feed as a whole: the prices that it finds, its pages, its retries, and its refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.prices.feeds.gcp.price_list import (
    AMERICAS,
    BELGIUM,
    FEED,
    IOWA,
    N1_CORE,
    N1_RAM,
    PATH,
    facts,
    n1,
    paged,
    request,
    sku,
)
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import priced, unpriced

from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds.feed import FeedError, OfferQuote
from plimsoll_service.prices.feeds.gcp import MOST_PAGES

SPOT_N1 = [
    sku(f"Spot Preemptible {N1_CORE}", 0.01115, usage="Preemptible"),
    sku(f"Spot Preemptible {N1_RAM}", 0.001494, usage="Preemptible"),
]
SUM = "GCP Cloud Billing Catalog: sum of core and memory"


def test_is_found_by_its_name():
    """``--cloud gcp`` uses this feed."""
    assert FEED is feeds_by_name()["gcp"]


def test_sums_a_machine_from_its_parts(provider: Provider):
    """A price is cores and GiB times their prices, on demand and on spot, and says that it is a sum."""
    paged(provider, [*n1(regions=(IOWA,)), *SPOT_N1])

    found = FEED.fetch(request(provider))

    on_demand, spot = 4 * 0.031611 + 15 * 0.004237, 4 * 0.01115 + 15 * 0.001494
    assert (
        OfferQuote("gcp", "n1-standard-4", IOWA, "on_demand", pytest.approx(on_demand), "derived", SUM),
        OfferQuote("gcp", "n1-standard-4", IOWA, "spot", pytest.approx(spot), "derived", SUM),
    ) == found.offers
    assert {("gcp", IOWA, "on_demand"), ("gcp", IOWA, "spot")} == found.covered
    assert (frozenset(), ()) == (unpriced(found), found.notes)


def test_asks_for_full_pages_in_usd(provider: Provider):
    """The first page is requested without a token, the next ones with the token of the page before."""
    paged(provider, n1()[:1], n1()[1:])

    FEED.fetch(request(provider))

    first, second = (asked.query for asked in provider.asked)
    assert {"pageSize": "5000", "currencyCode": "USD"} == first
    assert {**first, "pageToken": "page-1"} == second


def test_sums_parts_of_different_pages(provider: Provider):
    """A family whose core and memory are on different pages has a price."""
    paged(provider, n1()[:1], n1()[1:])

    assert 0.189999 == pytest.approx(FEED.fetch(request(provider)).offers[0].usd_per_hour)


def test_reports_its_progress(provider: Provider):
    """Each page is reported, so that an operator sees the progress."""
    paged(provider, n1()[:1], n1()[1:])
    said: list[str] = []

    FEED.fetch(replace(request(provider), report=said.append))

    assert ["GCP Cloud Billing Catalog: page 1, 1 SKUs", "GCP Cloud Billing Catalog: page 2, 2 SKUs"] == said


def test_waits_while_throttled(provider: Provider):
    """A 429 and a 503 are retried."""
    provider.serve(PATH, Reply(status=429, headers={"Retry-After": "0"}), Reply(status=503), {"skus": n1()})

    assert 1 == len(FEED.fetch(request(provider)).offers)


def test_gives_up_on_a_provider_that_stays_throttled(provider: Provider):
    """Permanent throttling is an error without the address's query."""
    provider.serve(PATH, Reply(status=429))

    with pytest.raises(FeedError, match=r"skus: throttled \(429\)"):
        FEED.fetch(request(provider))


def test_refuses_an_answer_that_breaks_off(provider: Provider):
    """A truncated page is refused after all attempts."""
    provider.serve(PATH, Reply({"skus": n1()}, cut=200))

    with pytest.raises(FeedError, match="RemoteProtocolError"):
        FEED.fetch(request(provider))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<html>maintenance</html>", "is not JSON"),
        ("", "is not JSON"),
        ([], "page 1 has no list of SKUs"),
        ({}, "page 1 has no list of SKUs"),
        ({"skus": []}, "page 1 has no list of SKUs"),
        ({"items": n1()}, "page 1 has no list of SKUs"),
        ({"skus": ["N1"]}, "page 1 has no list of SKUs"),
        ({"skus": n1(), "nextPageToken": 7}, "names a page that was read before"),
    ],
)
def test_refuses_what_is_no_page(provider: Provider, body, said):
    """Garbage, an empty list and a renamed one are refused by name."""
    provider.serve(PATH, Reply(body))

    with pytest.raises(FeedError, match=said):
        FEED.fetch(request(provider))


def test_refuses_an_empty_page_that_names_another(provider: Provider):
    """An empty page in the middle is refused, because the families after it would be lost."""
    paged(provider, n1(), [], n1())

    with pytest.raises(FeedError, match="page 2 has no list of SKUs"):
        FEED.fetch(request(provider))


def test_refuses_pages_that_name_each_other(provider: Provider):
    """A repeated token is an error, not an endless loop."""
    provider.serve(PATH, {"skus": n1(), "nextPageToken": "again"})

    with pytest.raises(FeedError, match="page 2 names a page that was read before"):
        FEED.fetch(request(provider))
    assert 2 == len(provider.asked)


def test_refuses_pages_without_an_end(provider: Provider):
    """Endless new tokens end in an error."""
    paged(provider, *[n1()] * (MOST_PAGES + 1))

    with pytest.raises(FeedError, match=f"more than {MOST_PAGES} pages"):
        FEED.fetch(request(provider))


@pytest.mark.parametrize("field", ["description", "category", "serviceRegions"])
def test_refuses_a_list_whose_fields_were_renamed(provider: Provider, field):
    """A list with renamed fields for parts and regions has no recognised part, and the error says so."""
    paged(provider, [{key: value for key, value in found.items() if key != field} for found in n1()])

    with pytest.raises(FeedError, match="none of 2 SKUs is a known part"):
        FEED.fetch(request(provider))


def test_a_list_without_prices_has_no_price(provider: Provider):
    """A list in which all recognised parts lack a price lists every type without one, which the refresh refuses."""
    paged(provider, [{**found, "pricingInfo": []} for found in n1()])

    found = FEED.fetch(request(provider))

    assert {} == priced(found)
    assert {("gcp", "n1-standard-4", IOWA, "on_demand")} == unpriced(found)


def test_a_price_of_0_keeps_the_last_good_one(provider: Provider):
    """A type with a part at 0 is unusable, neither free nor gone, and a note names its family."""
    types = {"n1-standard-4": facts(), "e2-standard-4": facts(4, 16)}
    paged(provider, [*n1(ram=0.0), sku("E2 Instance Core", 0.0218), sku("E2 Instance Ram", 0.0029)])

    found = FEED.fetch(request(provider, types))

    assert ["e2-standard-4"] == [name for _, name, *_ in priced(found)]
    assert {("gcp", "n1-standard-4", IOWA, "on_demand")} == unpriced(found)
    (note,) = found.notes
    assert note.startswith("listed at 0, garbled or in an unknown unit, so that the last good prices stay")
    assert note.endswith(": n1 on_demand (1)")


def test_a_family_that_the_list_does_not_name_stays(provider: Provider):
    """A family with renamed SKUs keeps its last good prices if the catalog sells it."""
    types = {"n1-standard-4": facts(), "c9-standard-4": facts(regions=(IOWA, BELGIUM))}
    paged(provider, [*n1(), sku("Quick Machine Core", 0.1), sku("Quick Machine Ram", 0.1)])

    found = FEED.fetch(request(provider, types))

    assert {("gcp", "c9-standard-4", IOWA, "on_demand")} == unpriced(found)
    assert any("parts that the list does not name in any region" in note and "c9" in note for note in found.notes)


def test_a_family_with_memory_and_no_core_here_is_not_sold_here(provider: Provider):
    """A type is not sold here if its core is listed in another region but not here."""
    types = {"n1-standard-4": facts(regions=(IOWA, BELGIUM))}
    paged(provider, [sku(N1_CORE, 0.03), sku(N1_RAM, 0.004, (IOWA, BELGIUM))])

    found = FEED.fetch(request(provider, types))

    assert {IOWA} == {offer.region for offer in found.offers}
    assert ("gcp", BELGIUM, "on_demand") in found.covered
    assert frozenset() == unpriced(found)


def test_tpus_keep_their_prices(provider: Provider):
    """Types of Cloud TPU, which has another price list, keep their prices."""
    types = {"n1-standard-4": facts(), "v5litepod-1": facts(24, 48, "TPU-v5e", 1)}
    paged(provider, n1())

    found = FEED.fetch(request(provider, types))

    assert {("gcp", "v5litepod-1", IOWA, "on_demand")} == unpriced(found)
    assert any("Cloud TPU" in note for note in found.notes)


def test_retired_types_are_left_alone(provider: Provider):
    """A retired type is neither priced nor unusable, although its parts are still listed."""
    paged(provider, n1())

    found = FEED.fetch(request(provider, {"n1-standard-4": facts(), "n1-standard-8": facts(8, 30, retired=True)}))

    assert ["n1-standard-4"] == [offer.instance_type for offer in found.offers]
    assert frozenset() == unpriced(found)


def test_types_are_priced_where_the_catalog_knows_them_to_be_sold(provider: Provider):
    """A type is priced where the catalog sells it; one that is sold nowhere is priced as listed."""
    types = {"n1-standard-4": facts(), "n1-standard-8": facts(8, 30, regions=())}
    paged(provider, n1())

    found = FEED.fetch(request(provider, types)).offers

    assert [IOWA] == [offer.region for offer in found if offer.instance_type == "n1-standard-4"]
    assert sorted(AMERICAS) == [offer.region for offer in found if offer.instance_type == "n1-standard-8"]


def test_only_the_regions_asked_for_are_covered(provider: Provider):
    """``--region`` narrows what is covered and priced; regions that the catalog lacks are named in a note."""
    everywhere = (*AMERICAS, BELGIUM, "mars-north1")
    paged(provider, n1(regions=everywhere))

    found = FEED.fetch(request(provider, {"n1-standard-4": facts(regions=everywhere)}, regions=(BELGIUM,)))

    assert {("gcp", BELGIUM, "on_demand")} == found.covered
    assert {BELGIUM} == {offer.region for offer in found.offers}
    assert ("regions that the catalog lacks: mars-north1",) == found.notes


def test_regions_of_which_nothing_is_listed_are_an_error(provider: Provider):
    """A list without any price in the requested region is an error."""
    paged(provider, n1())

    with pytest.raises(FeedError, match="no SKU is for a region asked for"):
        FEED.fetch(request(provider, regions=(BELGIUM,)))


def test_new_families_are_named(provider: Provider):
    """A family without a type in the catalog is named, because a newer catalog could price it."""
    paged(provider, [*n1(), sku("H4D Instance Core", 0.03), sku("H4D Instance Ram", 0.003)])

    notes = FEED.fetch(request(provider)).notes

    assert ("families of which the catalog has no type: h4d",) == notes


def test_prices_in_another_currency_are_converted_at_the_answers_rate(provider: Provider):
    """The answer's own exchange rate makes USD of euros, and the source says so."""
    euros = n1(0.0295, 0.0039)
    for found in euros:
        info = found["pricingInfo"][0]
        info["currencyConversionRate"] = 0.92
        info["pricingExpression"]["tieredRates"][0]["unitPrice"]["currencyCode"] = "EUR"
    paged(provider, euros)

    found = FEED.fetch(request(provider))

    assert (4 * 0.0295 + 15 * 0.0039) / 0.92 == pytest.approx(found.offers[0].usd_per_hour, abs=1e-8)
    assert f"{SUM} (EUR at 0.92 a USD)" == found.offers[0].source
    assert ("prices were converted (EUR at 0.92 a USD)",) == found.notes


def test_prices_in_another_currency_are_converted_at_the_operators_rate(provider: Provider):
    """An answer without a rate, or with 1 for another currency, takes the operator's rate."""
    paged(provider, [sku(N1_CORE, 0.0295, currency="EUR"), sku(N1_RAM, 0.0039, currency="EUR")])

    found = FEED.fetch(request(provider, rates={"EUR": 0.5}))

    assert (4 * 0.0295 + 15 * 0.0039) * 2 == pytest.approx(found.offers[0].usd_per_hour)


def test_prices_in_another_currency_without_a_rate_are_refused(provider: Provider):
    """Euros are never taken for dollars."""
    paged(provider, [sku(N1_CORE, 0.0295, currency="EUR"), sku(N1_RAM, 0.0039, currency="EUR")])

    with pytest.raises(FeedError, match="prices are in EUR: state its rate"):
        FEED.fetch(request(provider))
