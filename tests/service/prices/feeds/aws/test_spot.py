"""Spot prices of AWS: the price history with credentials, the Spot Advisor's estimate without."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.service.prices.feeds.aws.documents import (
    ADVISOR_PATH,
    CHINA_REGION,
    CREDENTIALS,
    OTHER_REGION,
    REGION,
    SpotPoint,
    advisor,
    form,
    history,
    machine,
    offer_json,
    refusal,
    request_to,
    serve,
    without_credentials,
)
from tests.service.prices.feeds.loopback import Asked, Provider, Reply
from tests.service.prices.tables import unpriced

from plimsoll_service.prices.feeds.aws import FEED
from plimsoll_service.prices.feeds.aws.spot import rate_per_hour
from plimsoll_service.prices.feeds.feed import FeedError, Fetched, OfferQuote

EC2 = "/"
SECRET = CREDENTIALS["AWS_SECRET_ACCESS_KEY"]


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials are only in a request's environment."""
    without_credentials(monkeypatch)


@pytest.fixture
def sold(provider: Provider) -> Provider:
    """A provider that sells m5.xlarge on demand in us-east-1."""
    serve(provider, REGION, offer_json([machine()]))
    return provider


def fetch(provider: Provider, **request: Any) -> Fetched:
    """The prices of us-east-1, spot by the history."""
    return FEED.fetch(request_to(provider, **{"regions": (REGION,), "environment": CREDENTIALS, **request}))


def spot(found: Fetched) -> dict[str, OfferQuote]:
    """Spot offers by instance type."""
    return {offer.instance_type: offer for offer in found.offers if offer.purchase == "spot" and offer.usd_per_hour > 0}


def test_the_cheapest_zone_at_its_latest_point_counts(sold: Provider) -> None:
    """Old points of a zone do not count; the date is that of the point."""
    points = (
        SpotPoint("0.020000", at="2026-11-19T04:00:00.000Z"),
        SpotPoint("0.080000", at="2026-11-20T04:00:00.000Z"),
        SpotPoint("0.070000", zone="us-east-1b", at="2026-11-20T09:30:00.000Z", system="Linux/UNIX (Amazon VPC)"),
        SpotPoint("0.090000", zone="us-east-1b", at="2026-11-20T08:00:00.000Z"),
        SpotPoint("0.010000", zone="us-east-1-bos-1a"),
    )
    sold.serve(EC2, history(points))
    found = fetch(sold)
    offer = spot(found)["m5.xlarge"]
    assert (offer.usd_per_hour, offer.as_of) == (0.07, "2026-11-20T09:30:00Z")
    assert (offer.confidence, offer.source) == ("list", "EC2 spot price history")
    assert found.covered == {("aws", REGION, "on_demand"), ("aws", REGION, "spot")}


def test_all_pages_are_read(sold: Provider) -> None:
    """Pages follow ``NextToken``; Linux alone is asked for."""
    pages = {"": history([SpotPoint("0.08")], "more"), "more": history([SpotPoint("0.06", zone="us-east-1b")])}
    sold.routes[EC2] = lambda asked: Reply(pages[form(asked).get("NextToken", "")])
    assert spot(fetch(sold))["m5.xlarge"].usd_per_hour == 0.06
    asked = [form(asked) for asked in sold.asked if asked.path == EC2]
    assert [page["ProductDescription.1"] for page in asked] == ["Linux/UNIX"] * 2
    assert "EndTime" not in asked[0]


def test_pages_that_repeat_are_refused(sold: Provider) -> None:
    """A repeated page link ends the refresh."""
    pages = {"": "a", "a": "b", "b": "a"}
    sold.routes[EC2] = lambda asked: Reply(history([SpotPoint("0.08")], pages[form(asked).get("NextToken", "")]))
    with pytest.raises(FeedError, match=f"aws: {REGION}: the pages .* repeat"):
        fetch(sold)


@pytest.mark.parametrize(
    "trouble",
    [
        refusal(503, "RequestLimitExceeded"),
        refusal(400, "Throttling"),
        Reply(status=500),
        Reply(history([SpotPoint("0.01")]), cut=60),
    ],
)
def test_throttling_and_broken_transfers_are_waited_out(sold: Provider, trouble: Reply) -> None:
    """The history is retried after throttling and broken transfers."""
    sold.serve(EC2, trouble, trouble, Reply(history([SpotPoint("0.08")])))
    assert spot(fetch(sold))["m5.xlarge"].usd_per_hour == 0.08


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (refusal(503, "RequestLimitExceeded"), "RequestLimitExceeded"),
        (refusal(400, "InvalidParameterCombination"), "InvalidParameterCombination"),
        (Reply(history([SpotPoint("0.08")])[:-150]), "truncated or garbled"),
        (Reply("{}"), "truncated or garbled"),
        (Reply(history([SpotPoint("0.08", at="yesterday")])), "truncated or garbled"),
        (Reply(history([])), "is empty"),
        (Reply(history([SpotPoint("0.08")]).replace("spotPrice>", "price>")), "lacks SpotPrice"),
        (Reply(history([SpotPoint("0.08")]).replace("spotPriceHistorySet", "set")), "no spot price history"),
        (Reply(history([SpotPoint("0.08")]), cut=80), "truncated or garbled"),
        (Reply("<Response><Fault/></Response>", 400), "400"),
    ],
)
def test_a_history_that_cannot_be_used_is_refused(sold: Provider, answer: Reply, named: str) -> None:
    """The error names the region and the fault, but not the secret."""
    sold.serve(EC2, answer)
    with pytest.raises(FeedError, match=f"aws: {REGION}: .*{named}") as error:
        fetch(sold)
    assert SECRET not in str(error.value)


@pytest.mark.parametrize("price", ["0", "0.000000", "-1", "none"])
def test_a_spot_price_that_cannot_be_believed_is_unusable(sold: Provider, price: str) -> None:
    """A zone at 0 does not count, and a type with no other zone keeps its last good price."""
    points = [SpotPoint(price), SpotPoint("0.08", zone="us-east-1b"), SpotPoint(price, instance_type="p5.48xlarge")]
    sold.serve(EC2, history(points))
    found = fetch(sold)
    assert {name: offer.usd_per_hour for name, offer in spot(found).items()} == {"m5.xlarge": 0.08}
    assert unpriced(found) == {("aws", "p5.48xlarge", REGION, "spot")}


def test_each_region_is_asked_with_its_own_signature(provider: Provider) -> None:
    """Requests are signed for their region, and never contain the secret."""
    for region in (REGION, OTHER_REGION):
        serve(provider, region, offer_json([machine(regionCode=region)]))
    prices = {REGION: "0.08", OTHER_REGION: "0.09"}

    def answer(asked: Asked) -> Reply:
        region = asked.headers["Authorization"].split("/")[2]
        return Reply(history([SpotPoint(prices[region], zone=f"{region}a")]))

    provider.routes[EC2] = answer
    found = FEED.fetch(request_to(provider, environment=CREDENTIALS))
    assert {(offer.region, offer.usd_per_hour) for offer in found.offers if offer.purchase == "spot"} == {
        (REGION, 0.08),
        (OTHER_REGION, 0.09),
    }
    assert not any(SECRET in f"{asked.headers}{asked.body!r}{asked.query}" for asked in provider.asked)


def test_the_chain_is_asked_where_the_environment_has_no_keys(
    sold: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """The provider's chain is used if the environment has no keys, such as a credentials file."""
    file = tmp_path / "credentials"
    file.write_text("[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = of-the-file\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    sold.serve(EC2, history([SpotPoint("0.08")]))
    assert spot(fetch(sold, environment={}))["m5.xlarge"].usd_per_hour == 0.08
    assert any("AKIAFILE" in asked.headers.get("Authorization", "") for asked in sold.asked)


def test_interruption_rates_come_from_the_advisor(sold: Provider) -> None:
    """The history has no interruptions, so the advisor's band is used, with credentials too."""
    sold.serve(EC2, history([SpotPoint("0.08")]))
    sold.serve(ADVISOR_PATH, advisor({REGION: {"m5.xlarge": (60, 1)}}))
    offer = spot(fetch(sold))["m5.xlarge"]
    assert (offer.usd_per_hour, offer.interruptions_per_hour) == (0.08, pytest.approx(-math.log(1 - 0.075) / 730))


@pytest.mark.parametrize(("band", "share"), list(enumerate((0.025, 0.075, 0.125, 0.175, 0.25))))
def test_without_credentials_spot_is_estimated(sold: Provider, band: int, share: float) -> None:
    """Spot is estimated by savings on the list price, with the middle of the advisor's band."""
    sold.serve(ADVISOR_PATH, advisor({REGION: {"m5.xlarge": (70, band)}}))
    found = fetch(sold, environment={})
    offer = spot(found)["m5.xlarge"]
    assert (offer.usd_per_hour, offer.confidence) == (pytest.approx(0.192 * 0.3), "estimated")
    assert str(offer.source).startswith("estimated: Spot Advisor")
    assert offer.interruptions_per_hour == pytest.approx(rate_per_hour(share))
    assert "no AWS credentials: spot prices are estimated from the Spot Advisor" in found.notes
    assert ("aws", REGION, "spot") in found.covered


def test_an_interruption_rate_gives_back_its_monthly_share() -> None:
    """Over 730 hours the rate interrupts the share of machines that it was made from."""
    assert 1 - math.exp(-rate_per_hour(0.175) * 730) == pytest.approx(0.175)


@pytest.mark.parametrize(
    "code",
    [
        refusal(401, "AuthFailure"),
        refusal(403, "UnauthorizedOperation"),
        refusal(400, "RequestExpired"),
        refusal(400, "OptInRequired"),
    ],
)
def test_refused_credentials_do_as_if_there_were_none(sold: Provider, code: Reply) -> None:
    """Credentials without the permission still refresh the list; a note gives the reason for the estimate."""
    sold.serve(EC2, code)
    sold.serve(ADVISOR_PATH, advisor({REGION: {"m5.xlarge": (70, 0)}}))
    found = fetch(sold)
    assert spot(found)["m5.xlarge"].confidence == "estimated"
    (note,) = (note for note in found.notes if "estimated" in note)
    assert note.startswith("AWS refuses these credentials (")


def test_a_region_that_is_not_enabled_is_estimated_alone(provider: Provider) -> None:
    """The estimate replaces the prices of a region without access, and a note names the region."""
    for region in (REGION, OTHER_REGION):
        serve(provider, region, offer_json([machine(regionCode=region)]))

    def answer(asked: Asked) -> Reply:
        refused = OTHER_REGION in asked.headers["Authorization"]
        return refusal(401, "AuthFailure") if refused else Reply(history([SpotPoint("0.08")]))

    provider.routes[EC2] = answer
    provider.serve(ADVISOR_PATH, advisor({name: {"m5.xlarge": (50, 0)} for name in (REGION, OTHER_REGION)}))
    found = FEED.fetch(request_to(provider, environment=CREDENTIALS))
    assert {(offer.region, offer.confidence) for offer in found.offers if offer.purchase == "spot"} == {
        (REGION, "list"),
        (OTHER_REGION, "estimated"),
    }
    assert any(f"(in {OTHER_REGION})" in note for note in found.notes)


@pytest.mark.parametrize(
    "document",
    [
        {"spot_advisor": {}, "ranges": []},
        {"ranges": []},
        {"spot_advisor": {REGION: []}, "ranges": []},
        [],
        "{",
        advisor({}) | {"spot_advisor": {REGION: {"Linux": {"m5.xlarge": 3}}}},
    ],
)
def test_without_credentials_and_advisor_spot_is_missing(sold: Provider, document: Any) -> None:
    """Spot prices that cannot even be estimated are not covered, so that the last known ones stay."""
    sold.serve(ADVISOR_PATH, document)
    found = fetch(sold, environment={})
    assert not spot(found)
    assert found.covered == {("aws", REGION, "on_demand")}
    assert any("Spot Advisor cannot be had" in note for note in found.notes)
    assert any(f"no spot prices in {REGION}" in note for note in found.notes)


def test_advice_that_cannot_be_read_is_no_price(sold: Provider) -> None:
    """Savings of 100% or of text give no price of 0, and an unknown band gives no rate."""
    serve(sold, REGION, offer_json([machine(), machine("P", "55.04", instanceType="p5.48xlarge")]))
    document = advisor({REGION: {"m5.xlarge": (100, 0), "p5.48xlarge": (50, 3)}})
    document["ranges"] = [{"index": 3, "label": "<7%"}]
    sold.serve(ADVISOR_PATH, document)
    found = fetch(sold, environment={})
    offer = spot(found)["p5.48xlarge"]
    assert (offer.usd_per_hour, offer.interruptions_per_hour) == (27.52, None)
    assert unpriced(found) == {("aws", "m5.xlarge", REGION, "spot")}


def test_half_of_a_key_pair_is_no_credentials(sold: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key without its secret is reported as unusable, and the list is still read."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAHALF")
    found = fetch(sold, environment={"AWS_ACCESS_KEY_ID": "AKIAHALF"})
    assert any(note.startswith("no usable AWS credentials (PartialCredentialsError)") for note in found.notes)


def test_spot_in_china_is_converted(provider: Provider) -> None:
    """AWS China states spot prices in CNY too."""
    serve(provider, CHINA_REGION, offer_json([machine(price="1.45", currency="CNY", regionCode=CHINA_REGION)]))
    provider.serve(EC2, history([SpotPoint("0.725", zone="cn-north-1a")]))
    known = frozenset({CHINA_REGION})
    request = request_to(provider, known=known, units_per_usd={"CNY": 7.25}, environment=CREDENTIALS)
    offer = spot(FEED.fetch(request))["m5.xlarge"]
    assert (offer.usd_per_hour, offer.confidence) == (pytest.approx(0.1), "derived")
    assert offer.source == "EC2 spot price history (CNY at 7.25 a USD)"


def test_a_host_that_cannot_be_reached_is_an_error_by_its_kind() -> None:
    """A closed port gives no quote, and the error contains no secret."""
    provider = Provider()
    provider.close()
    with pytest.raises(FeedError, match=f"{REGION}.*EndpointConnectionError") as error:
        FEED.quote(request_to(provider, environment=CREDENTIALS), "m5.xlarge", REGION, "spot")
    assert SECRET not in str(error.value)


def test_one_spot_price_is_quoted(provider: Provider) -> None:
    """The feed quotes the spot price of one machine, with one request."""
    provider.serve(EC2, history([SpotPoint("0.08")]))
    request = request_to(provider, environment=CREDENTIALS)
    quoted = FEED.quote(request, "m5.xlarge", REGION, "spot")
    assert quoted is not None
    assert (quoted.usd_per_hour, quoted.as_of) == (0.08, "2026-11-20T04:00:00Z")
    assert [form(asked)["InstanceType.1"] for asked in provider.asked] == ["m5.xlarge"]
    assert FEED.quotes == {"spot"}


@pytest.mark.parametrize(
    "answer", [Reply(history([])), refusal(400, "InvalidParameterValue", "Invalid value 'm5.xlarge' for InstanceType")]
)
def test_a_machine_that_is_not_sold_has_no_quote(provider: Provider, answer: Reply) -> None:
    """An empty history and an unknown type mean that the machine is not sold on spot."""
    provider.serve(EC2, answer)
    assert FEED.quote(request_to(provider, environment=CREDENTIALS), "m5.xlarge", REGION, "spot") is None


def test_an_unknown_type_or_region_is_not_asked_for(provider: Provider) -> None:
    """A type or region that the catalog lacks has no quote, and causes no request."""
    request = request_to(provider, environment=CREDENTIALS)
    assert FEED.quote(request, "m99.large", REGION, "spot") is None
    assert FEED.quote(request, "m5.xlarge", "nowhere-1", "spot") is None
    assert not provider.asked


@pytest.mark.parametrize(
    ("environment", "answer", "named"),
    [
        ({}, Reply(history([SpotPoint("0.08")])), "no AWS credentials"),
        (CREDENTIALS, refusal(400, "InvalidParameterValue", "Invalid value for StartTime"), "InvalidParameterValue"),
        (CREDENTIALS, refusal(401, "AuthFailure"), "refuses these credentials"),
        (CREDENTIALS, Reply("<html>"), "truncated or garbled"),
        (CREDENTIALS, Reply(history([]).replace("spotPriceHistorySet", "set")), "no spot price history"),
    ],
)
def test_a_quote_that_cannot_be_had_is_an_error(
    provider: Provider, environment: dict[str, str], answer: Reply, named: str
) -> None:
    """A price that cannot be had is an error, not a machine that is not sold."""
    provider.serve(EC2, answer)
    with pytest.raises(FeedError, match=named):
        FEED.quote(request_to(provider, environment=environment), "m5.xlarge", REGION, "spot")


def test_a_region_without_a_history_leaves_the_others(provider: Provider) -> None:
    """A region without a history is not covered, so that its prices stay, and a note says so."""
    for region in (REGION, OTHER_REGION):
        serve(provider, region, offer_json([machine(regionCode=region)]))
    empty = OTHER_REGION

    def answered(asked: Asked) -> Reply:
        where = asked.headers["Authorization"].split("Credential=")[1].split("/")[2]
        return Reply(history([] if where == empty else [SpotPoint("0.08")]))

    provider.routes[EC2] = answered
    found = FEED.fetch(request_to(provider, environment=CREDENTIALS))

    assert found.covered == {
        ("aws", REGION, "on_demand"),
        ("aws", OTHER_REGION, "on_demand"),
        ("aws", REGION, "spot"),
    }
    assert found.missing == (f"no spot prices: {OTHER_REGION}: the spot price history is empty",)


def test_a_region_whose_list_is_broken_leaves_the_others(provider: Provider) -> None:
    """A region with a broken list is not covered on demand, so that its prices stay."""
    serve(provider, REGION, offer_json([machine()]))
    serve(provider, OTHER_REGION, "{")
    found = FEED.fetch(request_to(provider))

    assert found.covered == {("aws", REGION, "on_demand")}
    assert len(found.missing) == 1
    assert found.missing[0].startswith(f"{OTHER_REGION}: no prices on demand: ")
