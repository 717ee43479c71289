"""On-demand and volume prices from the AWS Price List's offer files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.service.prices.feeds.aws.documents import (
    ADVISOR_PATH,
    CHINA_REGION,
    INDEX_PATH,
    METAL,
    OTHER_REGION,
    REGION,
    Listed,
    advisor,
    gp3,
    machine,
    offer_json,
    request_to,
    serve,
    volume,
    without_credentials,
)
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import priced, unpriced

from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds.aws import FEED
from plimsoll_service.prices.feeds.feed import FeedError, Fetched

CHINA_RATE = {"CNY": 7.25}


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove credentials, because these tests are not about spot."""
    without_credentials(monkeypatch)


def fetch(provider: Provider, body: Any, **request: Any) -> Fetched:
    """The prices of us-east-1 from one offer file."""
    serve(provider, REGION, body)
    return FEED.fetch(request_to(provider, regions=(REGION,), **request))


def prices(found: Fetched) -> dict[str, float]:
    """On-demand prices by instance type."""
    return {name: usd for (_, name, _, purchase), usd in priced(found).items() if purchase == "on_demand"}


def test_the_feed_is_found_by_its_name() -> None:
    """``--cloud aws`` uses this feed."""
    assert feeds_by_name()["aws"] is FEED


def test_an_offer_file_gives_machines_and_volumes(provider: Provider) -> None:
    """Machines and volumes have their prices, source and confidence."""
    listed = (machine(), machine("METAL", "4.608", family=METAL, instanceType="m5.metal"), *gp3())
    found = fetch(provider, offer_json(listed))
    assert prices(found) == {"m5.xlarge": 0.192, "m5.metal": 4.608}
    assert {(offer.cloud, offer.region, offer.confidence, offer.source) for offer in found.offers} == {
        ("aws", REGION, "list", "AWS Price List")
    }
    (disk,) = found.volumes
    assert (disk.product, disk.usd_per_gib_month, disk.usd_per_iops_month) == ("gp3", 0.08, 0.005)
    assert disk.usd_per_mib_s_month == pytest.approx(0.04)
    assert found.covered == {("aws", REGION, "on_demand")}


def test_every_region_is_fetched_and_reported(provider: Provider) -> None:
    """Regions follow one another, each with a line of progress."""
    lines: list[str] = []
    serve(provider, REGION, offer_json([machine()]))
    serve(provider, OTHER_REGION, offer_json([machine(price="0.214", regionCode=OTHER_REGION)]))
    found = FEED.fetch(request_to(provider, report=lines.append))
    assert {(offer.region, offer.usd_per_hour) for offer in found.offers} == {(REGION, 0.192), (OTHER_REGION, 0.214)}
    assert [line.split(":")[1].strip() for line in lines] == ["eu-west-1 (1 of 2)", "us-east-1 (2 of 2)"]


OTHERS = {
    "Windows": {"operatingSystem": "Windows"},
    "a licence of one's own": {"licenseModel": "Bring your own license"},
    "dedicated": {"tenancy": "Dedicated"},
    "SQL installed": {"preInstalledSw": "SQL Web"},
    "an unused reservation": {"capacitystatus": "UnusedCapacityReservation"},
    "a capacity block": {"marketoption": "CapacityBlock"},
    "a local zone": {"locationType": "AWS Local Zone", "regionCode": "us-east-1-bos-1"},
    "another region": {"regionCode": "us-west-2"},
    "a dedicated host": {"family": "Dedicated Host", "instanceType": "m5", "tenancy": "Host"},
    "a host among the machines": {"instanceType": "m5"},
    "the free tier": {"instanceType": None, "regionCode": None, "price": "0.0000000000"},
    "paid by the second": {"unit": "Seconds"},
}


@pytest.mark.parametrize("other", OTHERS)
def test_products_beside_the_one_wanted_are_left_out(provider: Provider, other: str) -> None:
    """Other systems, licences, tenancies, places and reservations do not change the price of a machine."""
    beside = machine("OTHER", **{"price": "0.0110000000", **OTHERS[other]})
    found = fetch(provider, offer_json([beside, machine()]))
    assert (prices(found), unpriced(found)) == ({"m5.xlarge": 0.192}, frozenset())


def test_a_product_without_terms_is_no_offer(provider: Provider) -> None:
    """A product without an on-demand price is not sold, which is no fault."""
    found = fetch(provider, offer_json([machine(), machine("P5", None, instanceType="p5.48xlarge")]))
    assert (prices(found), unpriced(found)) == ({"m5.xlarge": 0.192}, frozenset())


def test_files_without_the_market_option_are_read_by_the_capacity_status(provider: Provider) -> None:
    """Older files without ``marketoption`` and ``regionCode`` are read by the capacity status."""
    old = {"marketoption": None, "regionCode": None}
    reserved = machine("R", "0.0", capacitystatus="AllocatedCapacityReservation", **old)
    assert prices(fetch(provider, offer_json([machine(**old), reserved]))) == {"m5.xlarge": 0.192}


def test_a_type_at_two_prices_is_listed_at_both(provider: Provider) -> None:
    """Capacity blocks in a file without ``marketoption`` do not make a machine free: the refresh sees both prices."""
    block = [machine("P", "55.04", instanceType="p5.48xlarge"), machine("B", "0.0", instanceType="p5.48xlarge")]
    found = fetch(provider, offer_json([machine(), *block]))
    stated = [str(offer.usd_per_hour) for offer in found.offers if offer.instance_type == "p5.48xlarge"]
    assert sorted(stated) == ["55.04", "nan"]


@pytest.mark.parametrize("price", ["0", "0.0000000000", "", "free", "-1", "NaN", "inf", "1e999"])
def test_a_price_that_cannot_be_believed_is_unusable(provider: Provider, price: str) -> None:
    """A price of 0, or one that is no number, is unusable and named."""
    found = fetch(provider, offer_json([machine(), machine("P5", price, instanceType="p5.48xlarge")]))
    assert (prices(found), unpriced(found)) == (
        {"m5.xlarge": 0.192},
        {("aws", "p5.48xlarge", REGION, "on_demand")},
    )


def test_types_that_the_catalog_lacks_are_listed(provider: Provider) -> None:
    """Types that the catalog lacks are in the answer; the refresh counts them."""
    found = fetch(provider, offer_json([machine(), machine("NEW", "1.0", instanceType="m99.large")]))
    assert prices(found) == {"m5.xlarge": 0.192, "m99.large": 1.0}


def renamed(old: str, new: str) -> str:
    """An offer file in which a field has another name."""
    return json.dumps(offer_json([machine(), *gp3()])).replace(f'"{old}"', f'"{new}"')


@pytest.mark.parametrize(
    ("old", "named"),
    [
        ("operatingSystem", "'operatingSystem'"),
        ("tenancy", "'tenancy'"),
        ("preInstalledSw", "'preInstalledSw'"),
        ("capacitystatus", "'capacitystatus'"),
        ("instanceType", "'instanceType'"),
        ("attributes", "'attributes'"),
        ("productFamily", "'Compute Instance'"),
        ("products", "'Compute Instance'"),
        ("OnDemand", "marketoption 'OnDemand'"),
        ("terms", "on-demand price with the unit 'Hrs'"),
        ("Hrs", "on-demand price with the unit 'Hrs'"),
        ("priceDimensions", "'priceDimensions'"),
        ("pricePerUnit", "0 or unreadable"),
        ("Linux", "operatingSystem 'Linux'"),
    ],
)
def test_a_renamed_field_refuses_the_file_by_name(provider: Provider, old: str, named: str) -> None:
    """A file with a renamed field is refused, not read as a list without machines."""
    with pytest.raises(FeedError, match=named) as error:
        fetch(provider, renamed(old, "somethingElse"))
    assert REGION in str(error.value)


def test_products_that_lack_a_field_of_others_are_counted(provider: Provider) -> None:
    """Products that cannot be told apart are left out with a note."""
    odd = machine("ODD", "9.0", instanceType="p5.48xlarge", tenancy=None)
    found = fetch(provider, offer_json([machine(), odd]))
    assert prices(found) == {"m5.xlarge": 0.192}
    assert f"{REGION}: 1 products lack 'tenancy'" in found.notes


def cut(text: str, share: float) -> str:
    """The start of a document."""
    return text[: int(len(text) * share)]


BROKEN = {
    "empty": "",
    "a page of HTML": "<html><body>Service Unavailable</body></html>",
    "JSON cut among products": cut(json.dumps(offer_json([machine()])), 0.3),
    "JSON cut among terms": cut(json.dumps(offer_json([machine()])), 0.9),
    "JSON garbled": json.dumps(offer_json([machine()])).replace(":", ";", 30),
    "JSON with text behind": json.dumps(offer_json([machine()])) + "}}",
    "products a list": '{"products": [1, 2], "terms": {}}',
    "products of text": '{"products": {"A": "text"}, "terms": {}}',
    "no products": json.dumps(offer_json([])),
    "bytes that are no text": b'"SKU"\n\xff\xfe\xfa',
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_offer_file_is_refused(provider: Provider, body: Any) -> None:
    """Truncated, garbled and empty files are errors with region and file."""
    with pytest.raises(FeedError, match=f"aws: {REGION}: http.*index.json"):
        fetch(provider, body)


def test_a_transfer_that_breaks_is_tried_again(provider: Provider) -> None:
    """Throttling, server errors and broken transfers are retried."""
    whole, path = json.dumps(offer_json([machine()])), "/offers/us-east-1.json"
    index = {"regions": {REGION: {"currentVersionUrl": path}}}
    provider.serve(INDEX_PATH, Reply(status=429), Reply(index))
    provider.serve(
        path, Reply(status=429, headers={"Retry-After": "1"}), Reply(status=503), Reply(whole, cut=100), Reply(whole)
    )
    found = FEED.fetch(request_to(provider, regions=(REGION,)))
    assert prices(found) == {"m5.xlarge": 0.192}
    assert [asked.path for asked in provider.asked].count(path) == 4


def test_a_transfer_that_stays_cut_is_refused(provider: Provider) -> None:
    """A file that stays incomplete is refused."""
    serve(provider, REGION, "", reply=Reply(json.dumps(offer_json([machine()])), cut=200))
    with pytest.raises(FeedError, match=r"index\.json.*6 attempts"):
        FEED.fetch(request_to(provider, regions=(REGION,)))


@pytest.mark.parametrize(
    ("index", "named"),
    [
        ({}, "'regions'"),
        ({"regions": {}}, "'regions'"),
        ({"zones": {REGION: {}}}, "'regions'"),
        ([], "'regions'"),
        ({"regions": {REGION: {"url": "/x"}}}, f"'currentVersionUrl'.*{REGION}"),
        ({"regions": {REGION: {"currentVersionUrl": "https://elsewhere.example/x"}}}, f"'currentVersionUrl'.*{REGION}"),
        ("<html>", "is not JSON"),
    ],
)
def test_an_index_in_another_form_is_refused(provider: Provider, index: Any, named: str) -> None:
    """An index in another form is refused by name."""
    provider.serve(INDEX_PATH, Reply(index))
    with pytest.raises(FeedError, match=named):
        FEED.fetch(request_to(provider))


def test_a_region_that_the_index_lacks_is_noted(provider: Provider) -> None:
    """A region that the index lacks is not covered, so that its prices stay."""
    serve(provider, REGION, offer_json([machine()]))
    found = FEED.fetch(request_to(provider))
    assert found.covered == {("aws", REGION, "on_demand")}
    assert f"not in the region index: {OTHER_REGION}" in found.notes


def test_a_region_asked_for_that_the_index_lacks_is_an_error(provider: Provider) -> None:
    """A requested region that the index lacks is an error that names it."""
    serve(provider, REGION, offer_json([machine()]))
    with pytest.raises(FeedError, match=f"lists no {OTHER_REGION}"):
        FEED.fetch(request_to(provider, regions=(REGION, OTHER_REGION)))


def test_a_region_that_the_catalog_lacks_is_an_error(provider: Provider) -> None:
    """A misspelt region is an error."""
    with pytest.raises(FeedError, match="no region us-esat-1"):
        FEED.fetch(request_to(provider, regions=("us-esat-1",)))


def test_china_is_converted_at_the_stated_rate(provider: Provider) -> None:
    """Prices in CNY from the other host's path become USD, derived, with the rate beside the source."""
    serve(provider, CHINA_REGION, offer_json([machine(price="1.45", currency="CNY", regionCode=CHINA_REGION)]))
    found = FEED.fetch(request_to(provider, known=frozenset({CHINA_REGION}), units_per_usd=CHINA_RATE))
    (offer,) = found.offers
    assert (offer.usd_per_hour, offer.confidence) == (pytest.approx(0.2), "derived")
    assert offer.source == "AWS Price List (CNY at 7.25 a USD)"


def test_china_without_a_rate_is_left_out_of_all_regions(provider: Provider) -> None:
    """The other regions need no exchange rate, and a note names the option."""
    serve(provider, REGION, offer_json([machine()]))
    found = FEED.fetch(request_to(provider, known=frozenset({REGION, CHINA_REGION})))
    assert found.covered == {("aws", REGION, "on_demand")}
    assert any(CHINA_REGION in note and "--exchange-rate CNY=" in note for note in found.notes)


def test_china_asked_for_without_a_rate_is_an_error(provider: Provider) -> None:
    """Before anything is downloaded, the option is named."""
    with pytest.raises(FeedError, match="--exchange-rate CNY="):
        FEED.fetch(request_to(provider, regions=(CHINA_REGION,), known=frozenset({CHINA_REGION})))
    assert not provider.asked


def test_another_currency_without_a_rate_is_refused(provider: Provider) -> None:
    """A price in EUR is never shown as USD."""
    with pytest.raises(FeedError, match="--exchange-rate EUR="):
        fetch(provider, offer_json([machine(currency="EUR")]))


def test_a_file_of_several_currencies_is_refused(provider: Provider) -> None:
    """A file with several currencies is refused."""
    mixed = [machine(), machine("P5", "55.04", instanceType="p5.48xlarge", currency="CNY")]
    with pytest.raises(FeedError, match="mixes the currencies CNY, USD"):
        fetch(provider, offer_json(mixed), units_per_usd=CHINA_RATE)


def disks(provider: Provider, *listed: Listed) -> Fetched:
    """Result of a refresh from an offer file with these volumes."""
    return fetch(provider, offer_json([machine(), *listed]))


def test_io2_is_priced_at_its_first_tier(provider: Provider) -> None:
    """Its size is per "GB-month", and the tiers of many IOPS are no second price."""
    found = disks(
        provider,
        volume("A", "Storage", "io2", "0.125", "GB-month"),
        volume("B", "System Operation", "io2", "0.065", "IOPS-Mo", group="EBS IOPS"),
        volume("C", "System Operation", "io2", "0.0455", "IOPS-Mo", group="EBS IOPS Tier 2"),
    )
    (disk,) = found.volumes
    assert (disk.product, disk.usd_per_gib_month, disk.usd_per_iops_month) == ("io2", 0.125, 0.065)
    assert disk.usd_per_mib_s_month is None


def test_volumes_of_local_zones_are_left_out(provider: Provider) -> None:
    """A local zone's volumes are in the file of its region, and are left out."""
    local = volume("L", "Storage", "gp3", "0.1", "GB-Mo", locationType="AWS Local Zone", regionCode="us-east-1-bos-1")
    (disk,) = disks(provider, *gp3(), local).volumes
    assert disk.usd_per_gib_month == 0.08


def test_a_volume_without_one_price_is_named(provider: Provider) -> None:
    """A volume at 0, at several prices or per another unit has no quote, and a note names it."""
    found = disks(
        provider,
        volume("A", "Storage", "gp2", "0.0", "GB-Mo"),
        volume("B", "Storage", "gp3", "0.08", "GB-Mo"),
        volume("C", "Storage", "gp3", "0.09", "GB-Mo"),
        volume("D", "Storage", "io2", "0.125", "TB-Mo"),
    )
    assert found.volumes == ()
    assert f"{REGION}: volumes without one price: gp2, gp3, io2" in found.notes


def test_advice_alone_sells_nothing(provider: Provider) -> None:
    """The Spot Advisor adds spot only for types that the list sells."""
    provider.serve(ADVISOR_PATH, advisor({REGION: {"p5.48xlarge": (50, 0)}}))
    assert {offer.instance_type for offer in fetch(provider, offer_json([machine()])).offers} == {"m5.xlarge"}
