"""The file feed: the operator's own prices as CSV or JSON, taken as a whole or refused with every fault."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import unpriced

from plimsoll_service.catalog import layout, snapshot
from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds.feed import (
    CloudFacts,
    FeedError,
    FeedRequest,
    Fetched,
    OfferQuote,
    TypeFacts,
    VolumeQuote,
)
from plimsoll_service.prices.feeds.file import FEED, OFFER, VOLUME
from plimsoll_service.prices.refreshing.facts import cloud_facts

DOCUMENT = Path(__file__).parents[5] / "docs" / "price-file.md"
FACTS = TypeFacts(8, 61, "V100-16GB", 1, 0, False, frozenset())
CLOUDS = {
    "aws": CloudFacts(
        frozenset(("us-east-1", "eu-west-1")), {"p3.2xlarge": FACTS, "c5.large": FACTS}, frozenset(("gp3",))
    ),
    "azure": CloudFacts(frozenset(("westeurope",)), {"Standard_NC6s_v3": FACTS}, frozenset(("premium-ssd-v2",))),
}
HEADER = "cloud,instance_type,region,usd_per_hour,source"
ROW = "aws,p3.2xlarge,us-east-1,3.06,ours"
EAST = ("aws", "p3.2xlarge", "us-east-1", "on_demand")


def _request(address: Any, **more: Any) -> FeedRequest:
    return replace(FeedRequest("file", clouds=CLOUDS, base_url=str(address)), **more)


def _fetch(tmp_path: Path, text: str | bytes, name: str = "ours.csv", **more: Any) -> Fetched:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return FEED.fetch(_request(path, **more))


def _csv(*rows: str, header: str = HEADER) -> str:
    return "\n".join((header, *rows))


def _json(*offers: dict[str, Any], **document: Any) -> str:
    return json.dumps({"offers": list(offers), **document})


def _offer(**more: Any) -> dict[str, Any]:
    offer = {
        "cloud": "aws",
        "instance_type": "p3.2xlarge",
        "region": "us-east-1",
        "usd_per_hour": 3.06,
        "source": "ours",
    }
    return {**offer, **more}


def _example(kind: str) -> str:
    found = re.search(rf"```{kind}\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_is_found_by_its_name():
    """``--cloud file`` uses this feed."""
    assert feeds_by_name()["file"] is FEED


@pytest.fixture(scope="module")
def bundled() -> dict[str, CloudFacts]:
    """Facts of the bundled catalog."""
    return cloud_facts(snapshot.load())


def test_the_documented_csv_is_understood(tmp_path: Path, bundled: dict[str, CloudFacts]):
    """The example of the documentation gives the prices that it says, all of them known to the bundled catalog."""
    found = _fetch(tmp_path, _example("csv"), clouds=bundled)

    assert (
        OfferQuote(*EAST, 2.45, source="our contract", as_of="2026-11-20"),
        OfferQuote(*EAST[:3], "spot", 0.92, source="our contract", as_of="2026-11-20", interruptions_per_hour=0.01),
    ) == found.offers
    assert (VolumeQuote("aws", "gp3", "us-east-1", 0.07, source="our contract"),) == found.volumes
    assert ("file", frozenset(), ()) == (found.source, unpriced(found), found.notes)


def test_the_documented_json_is_understood(tmp_path: Path, bundled: dict[str, CloudFacts]):
    """The example in euros is converted into a derived price; the volume in USD stays a list price."""
    found = _fetch(tmp_path, _example("json"), units_per_usd={"EUR": 0.8}, clouds=bundled)

    source = "our contract (EUR at 0.8 a USD)"
    west = ("azure", "Standard_NC6s_v3", "westeurope", "on_demand")
    assert (OfferQuote(*west, 3.625, confidence="derived", source=source),) == found.offers
    assert (VolumeQuote("azure", "premium-ssd-v2", "westeurope", 0.08, source="our contract"),) == found.volumes
    assert () == found.notes


def test_the_documentation_names_every_column():
    """The documentation lists exactly the columns that exist."""
    tables = DOCUMENT.read_text(encoding="utf-8").split("## Offers")[1].split("## Examples")[0]
    cells = [line.split("|")[1] for line in tables.splitlines() if line.startswith("| `")]

    assert set(OFFER.fields) | set(VOLUME.fields) == {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_takes_the_columns_of_the_catalogs_offers():
    """An offers.csv of the catalog is a price file, with the same required columns."""
    columns = {column.name: column.required for column in layout.OFFERS}

    assert columns == {name: OFFER.fields[name].required for name in columns}


def test_speaks_for_all_regions_of_the_clouds_and_purchase_options_that_it_names(tmp_path: Path):
    """The file does not change a cloud's other purchase option, or clouds that it does not name."""
    assert {("aws", "us-east-1", "on_demand"), ("aws", "eu-west-1", "on_demand")} == _fetch(tmp_path, _csv(ROW)).covered


def test_regions_asked_for_limit_what_it_speaks_for(tmp_path: Path):
    """Prices of other regions are left out, and stay as they were."""
    found = _fetch(tmp_path, _csv(ROW, "aws,p3.2xlarge,eu-west-1,3.3,ours"), regions=("eu-west-1",))

    assert [("eu-west-1", 3.3)] == [(offer.region, offer.usd_per_hour) for offer in found.offers]
    assert {("aws", "eu-west-1", "on_demand")} == found.covered
    assert ("left out, region not asked for: 1 (aws p3.2xlarge us-east-1 on_demand)",) == found.notes


def test_a_region_of_no_cloud_in_the_file_is_refused(tmp_path: Path):
    """A misspelt region is named."""
    with pytest.raises(FeedError, match="no cloud of the file has a region us-esat-1"):
        _fetch(tmp_path, _csv(ROW), regions=("us-esat-1",))


def test_what_has_ended_is_left_out_and_counted(tmp_path: Path):
    """Ended offers are left out, and do not refuse a file; neither do names that the catalog lacks."""
    found = _fetch(
        tmp_path,
        _csv(
            ROW + ",,,",
            "aws,x1.huge,us-east-1,9,ours,,,",
            "aws,c5.large,us-east-1,0.1,ours,false,,",
            "aws,,us-east-1,,ours,,gp9,0.1",
            header=HEADER + ",current,product,usd_per_gib_month",
        ),
    )

    assert [EAST, ("aws", "x1.huge", "us-east-1", "on_demand")] == [
        (o.cloud, o.instance_type, o.region, o.purchase) for o in found.offers
    ]
    assert ["gp9"] == [volume.product for volume in found.volumes]
    assert ("left out, no longer sold: 1 (aws c5.large us-east-1 on_demand)",) == found.notes


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("text", [_csv(ROW), "\ufeff" + _csv(ROW) + "\r\n", _json(_offer())])
def test_is_fetched_from_an_address_plain_or_packed(provider: Provider, text: str, packed: bool):
    """The content decides the format, whatever the address and the media type are."""
    content = gzip.compress(text.encode()) if packed else text.encode()
    provider.serve("/prices", Reply(status=503), Reply(content, headers={"Content-Type": "application/octet-stream"}))

    (offer,) = FEED.fetch(_request(f"{provider.url}/prices?key=secret")).offers

    assert OfferQuote(*EAST, 3.06, source="ours") == offer


def test_a_packed_file_on_disk_is_read(tmp_path: Path):
    """A path works like an address."""
    assert 1 == len(_fetch(tmp_path, gzip.compress(_csv(ROW).encode()), "ours.csv.gz").offers)


def test_says_how_many_prices_it_read(tmp_path: Path):
    """Progress is one line."""
    lines: list[str] = []
    _fetch(tmp_path, _csv(ROW), report=lines.append)

    assert ["ours.csv: prices: 1"] == lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "ours.csv: holds no prices"),
        (_csv(), "ours.csv: holds no prices"),
        (b"\xff\xfe\x00", "ours.csv: is not UTF-8 text"),
        (gzip.compress(_csv(ROW).encode(), mtime=0)[:-9], "ours.csv: cannot be read: Compressed file ended"),
        (b"\x1f\x8b garbage", "ours.csv: cannot be read"),
        ("<html><body>Sign in</body></html>", "ours.csv:1: unknown column '<html>"),
        (_csv(ROW, header=HEADER.replace("usd_per_hour", "usd_per_hours")), "did you mean 'usd_per_hour'?"),
        (_csv(ROW + ",1", header=HEADER + ",cloud"), "ours.csv:1: the column 'cloud' stands twice"),
        (_csv(ROW + ",1"), "ours.csv:2: has 6 cells where the header has 5"),
        (_csv('"aws'), "ours.csv:2: is not CSV"),
        ("[]", "ours.csv: must be an object with offers and volumes"),
        ("{}", "ours.csv: holds no prices"),
        ('{"offers": [', "ours.csv: is not JSON"),
        ("[" * 100_000, "ours.csv: is not JSON"),
        (_json(prices=[]), "ours.csv: unknown field 'prices'"),
        (_json(volumes={}), "ours.csv: volumes is not a list"),
        ('{"offers": [7]}', r"ours.csv: offers\[0\]: is not an object"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused_by_name(tmp_path: Path, text: str | bytes, said: str):
    """Any fault of the whole file is a sentence that begins with the file's name."""
    with pytest.raises(FeedError, match=said) as refused:
        _fetch(tmp_path, text)
    assert str(refused.value).startswith("ours.csv:")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("usd_per_hour", 0, "usd_per_hour is 0.0, not from 1e-05 to 50000.0"),
        ("usd_per_hour", -1, "usd_per_hour is -1.0, not from 1e-05"),
        ("usd_per_hour", 60_000, "usd_per_hour is 60000.0, not from 1e-05 to 50000.0"),
        ("usd_per_hour", "free", "usd_per_hour is not a number"),
        ("usd_per_hour", "nan", "usd_per_hour is not a number"),
        ("usd_per_hour", "1e999", "usd_per_hour is not a number"),
        ("usd_per_hour", "1_0", "usd_per_hour is not a number"),
        ("usd_per_hour", "\uff11", "usd_per_hour is not a number"),
        ("usd_per_hour", "1e-320", "usd_per_hour is 1e-320, not from 1e-05"),
        ("cloud", "awz", "unknown cloud 'awz'; did you mean 'aws'?"),
        ("instance_type", "p3\x0bx", "instance_type holds a control character"),
        ("purchase", "reserved", "purchase is 'reserved', not one of on_demand, spot"),
        ("confidence", "sure", "confidence is 'sure', not one of list, derived, estimated, undated"),
        ("currency", "eur", "currency is 'eur', not three capital letters"),
        ("as_of", "20.11.2026", "as_of is '20.11.2026', neither a date"),
        ("as_of", "2999-01-01", "as_of is 2999-01-01, which is yet to come"),
        ("current", "maybe", "current is not true or false"),
        ("interruptions_per_hour", 0.1, "interruptions_per_hour has no place in an offer that is not on spot"),
        ("interruptions_per_hour", -0.1, "interruptions_per_hour is -0.1, below 0"),
        ("usd_per_gib_month", 0.1, "usd_per_gib_month has no place in the row of an offer"),
    ],
)
def test_a_faulty_row_is_named_with_its_place(tmp_path: Path, field: str, value: Any, said: str):
    """The same fault is found in CSV, with its line, and in JSON, with its index."""
    offer = _offer(**{field: value})
    as_csv = _csv(",".join(map(str, offer.values())), header=",".join(offer))

    with pytest.raises(FeedError) as in_csv:
        _fetch(tmp_path, as_csv)
    with pytest.raises(FeedError) as in_json:
        _fetch(tmp_path, _json(_offer(region="eu-west-1"), offer))

    assert str(in_csv.value).startswith(f"ours.csv:2: {said}")
    assert str(in_json.value).startswith(f"ours.csv: offers[1]: {said}")


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        (_offer(cloud=7), "cloud is not a text"),
        (_offer(region=" "), "region is empty"),
        (_offer(usd_per_hour=True), "usd_per_hour is not a number"),
        (_offer(usd_per_hour=[1]), "usd_per_hour is not a number"),
        (_offer(usd_per_hour=None), "usd_per_hour is missing"),
        (_offer(usd_per_hour=10**400), "usd_per_hour is too large"),
        (_offer(as_of=20261120), "as_of is not a text"),
        (_offer(current=2), "current is not true or false"),
        (_offer(price=1), "unknown field 'price'"),
    ],
)
def test_a_value_of_another_kind_is_named(tmp_path: Path, offer: dict[str, Any], said: str):
    """A JSON value of a wrong type is named."""
    with pytest.raises(FeedError, match=re.escape(f"offers[0]: {said}")):
        _fetch(tmp_path, _json(offer))


def test_what_stands_twice_is_named(tmp_path: Path):
    """Two prices of one offer or volume refuse the file, and both lines are named."""
    volume = "aws,,us-east-1,,ours,gp3,0.1"

    with pytest.raises(FeedError) as refused:
        _fetch(tmp_path, _csv(ROW + ",,", volume, ROW + ",,", volume, header=HEADER + ",product,usd_per_gib_month"))
    assert [
        "ours.csv:4: is the same offer as ours.csv:2",
        "ours.csv:5: is the same volume as ours.csv:3",
    ] == str(refused.value).splitlines()


def test_of_many_faults_twenty_are_named(tmp_path: Path):
    """The other faults are counted, and a row with several faults names all of them."""
    bad = "awz,,us-east-1,0,ours"

    with pytest.raises(FeedError) as refused:
        _fetch(tmp_path, _csv(*[bad] * 24, "short"))
    lines = str(refused.value).splitlines()

    assert (21, "and 5 more") == (len(lines), lines[-1])
    assert "ours.csv:26: has 1 cells where the header has 5" == lines[0]
    assert "ours.csv:2: " == lines[1][:12]
    assert {"usd_per_hour is 0.0, not from 1e-05 to 50000.0", "instance_type is missing"} == set(
        lines[1][12:].split("; ")
    )


def test_another_currency_needs_a_rate(tmp_path: Path):
    """Without a rate, the file is refused; a converted estimate stays an estimate."""
    text = _json(_offer(currency="CNY", usd_per_hour=21.0, confidence="estimated"))

    with pytest.raises(FeedError, match="--exchange-rate CNY="):
        _fetch(tmp_path, text)
    (offer,) = _fetch(tmp_path, text, units_per_usd={"CNY": 7.0}).offers
    assert (3.0, "estimated", "ours (CNY at 7 a USD)") == (
        pytest.approx(offer.usd_per_hour),
        offer.confidence,
        offer.source,
    )


@pytest.mark.parametrize("address", ["", "/nowhere/ours.csv", "/", "http://[bad/a.csv", "http://127.0.0.1:bad/a.csv"])
def test_an_address_without_a_file_is_refused(address: str):
    """A missing address, a missing file, a directory and an invalid address each have a sentence."""
    with pytest.raises(FeedError, match=r"needs --url|No such file|Is a directory|no address|cannot be read"):
        FEED.fetch(_request(address))


@pytest.mark.parametrize("reply", [Reply(status=404), Reply(status=403), Reply(_csv(ROW), cut=20)])
def test_nothing_secret_of_an_address_is_told(provider: Provider, reply: Reply):
    """No error contains the password or the key of an address."""
    provider.serve("/ours.csv", reply)

    with pytest.raises(FeedError) as refused:
        FEED.fetch(_request(provider.url.replace("//", "//me:hidden@") + "/ours.csv?key=secret"))
    assert "/ours.csv" in str(refused.value)
    assert not re.search("hidden|secret", str(refused.value))


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A small compressed file with a very large content is not unpacked to its end."""
    monkeypatch.setattr("plimsoll_service.prices.feeds.file.LARGEST_BYTES", 1 << 20)

    with pytest.raises(FeedError, match=r"ours\.csv\.gz: is larger than 1 MiB"):
        _fetch(tmp_path, gzip.compress(b" " * (3 << 20)), "ours.csv.gz")


def test_every_field_of_an_offer_can_be_stated():
    """Every field of an offer's quote can be stated in a file."""
    assert {field.name for field in fields(OfferQuote)} <= set(OFFER.fields)
