"""Refusals of Alibaba Cloud's API: throttling, closed regions, denied keys; no text shows a key."""

from __future__ import annotations

import logging

import pytest
from tests.service.prices.feeds.alibaba.answers import (
    CLOUD,
    FACTS,
    FEED,
    KEY_ID,
    KEY_SECRET,
    KEYS,
    REGION,
    SMALL,
    TOKEN,
    described,
    entry,
    history,
    key,
    refusal,
    request,
    serve_api,
    serve_list,
)
from tests.service.prices.feeds.loopback import Asked, Provider, Reply
from tests.service.prices.tables import unpriced

from plimsoll_service.prices.feeds.feed import FeedError

ONE_TYPE = {SMALL: FACTS}


def test_throttling_is_waited_out_and_signed_anew(provider: Provider):
    """A 400 with a code of throttling is retried with a new nonce."""
    busy = refusal("Throttling.User")
    serve_api(provider, DescribePrice=[busy, Reply(b"", 503), described(0.08)])

    quote = FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "on_demand")

    assert quote is not None
    assert 3 == len({asked.query["SignatureNonce"] for asked in provider.asked})


def test_throttling_without_end_is_an_error(provider: Provider):
    """After six attempts, the error says that the API throttles."""
    serve_api(provider, DescribePrice=refusal("Throttling"))

    with pytest.raises(FeedError, match=r"throttled \(400\) \(6 attempts\)"):
        FEED.quote(request(provider, environment=KEYS), SMALL, REGION, "on_demand")


def test_an_unknown_refusal_leaves_that_type_alone(provider: Provider):
    """A refused type does not stop the others; its code is reported with the number of types."""
    serve_api(provider, DescribePrice=described(), DescribePrice__ecs_g6_large=refusal("PriceNotFound"))

    found = FEED.fetch(request(provider, environment=KEYS))

    assert {(CLOUD, SMALL, REGION, "on_demand")} == unpriced(found)
    assert "on_demand: 1 types have no usable price: PriceNotFound" in found.notes


def test_not_one_usable_price_is_an_error(provider: Provider):
    """The refusal of every type refuses the refresh, with the reasons."""
    serve_api(provider, DescribePrice=refusal("PriceNotFound"))

    with pytest.raises(FeedError, match="not one usable price: 2 × PriceNotFound"):
        FEED.fetch(request(provider, environment=KEYS))


def test_an_api_that_sells_nothing_at_all_is_an_error(provider: Provider):
    """An API that sells no type at all does not make a snapshot."""
    serve_api(provider)

    with pytest.raises(FeedError, match="DescribePrice sells none of the catalog's types"):
        FEED.fetch(request(provider, environment=KEYS))


def _closed_in_hangzhou(asked: Asked) -> Reply:
    return refusal("RegionUnauthorized") if asked.query["RegionId"] == "cn-hangzhou" else Reply(described())


def test_a_region_that_is_closed_to_the_account_is_not_covered(provider: Provider):
    """The other regions are published; a closed one that was requested by name is an error."""
    everywhere = {SMALL: FACTS.__class__(2.0, 8.0, None, 0.0, 0.0, False, frozenset((REGION, "cn-hangzhou")))}
    provider.routes["/"] = lambda asked: (
        Reply(history()) if asked.query["Action"] == "DescribeSpotPriceHistory" else _closed_in_hangzhou(asked)
    )

    found = FEED.fetch(request(provider, environment=KEYS, regions=None, types=everywhere))

    assert {(CLOUD, REGION, "on_demand")} == found.covered
    assert "on_demand: not open to this account: cn-hangzhou" in found.notes
    with pytest.raises(FeedError, match="RegionUnauthorized"):
        FEED.fetch(request(provider, environment=KEYS, regions=("cn-hangzhou",), types=everywhere))


@pytest.mark.parametrize("code", ["InvalidAccessKeyId.NotFound", "SignatureDoesNotMatch", "Forbidden.RAM"])
def test_a_key_that_is_refused_ends_the_refresh_and_is_not_shown(
    provider: Provider, caplog: pytest.LogCaptureFixture, code: str
):
    """The error names the code, and neither it nor any log contains a part of the key."""
    caplog.set_level(logging.INFO)
    serve_list(provider, {key(): entry()})
    serve_api(provider, DescribeSpotPriceHistory=refusal(code, 403))

    with pytest.raises(FeedError, match=f"answers 403 {code}") as raised:
        FEED.fetch(request(provider, environment=KEYS, types=ONE_TYPE))

    shown = f"{raised.getrepr(chain=True, style='short')} {caplog.text}"
    assert [] == [secret for secret in (KEY_ID, KEY_SECRET, TOKEN, "Signature=") if secret in shown]


def test_notes_and_logs_of_a_refresh_show_no_key(provider: Provider, caplog: pytest.LogCaptureFixture):
    """The notes and logs of a successful refresh contain no part of the key."""
    caplog.set_level(logging.INFO)
    lines: list[str] = []
    serve_api(provider, DescribePrice=described(), DescribePrice__ecs_g6_large=refusal("Odd.Code"))

    found = FEED.fetch(request(provider, environment=KEYS, report=lines.append))

    shown = f"{found} {lines} {caplog.text}"
    assert [] == [secret for secret in (KEY_ID, KEY_SECRET, TOKEN) if secret in shown]
    assert "alibaba: us-west-1: 1 on_demand prices" in lines


def test_a_single_price_needs_a_key(provider: Provider):
    """Without a key, a single price is an error, not a type that is not sold."""
    with pytest.raises(FeedError, match="ALIBABA_CLOUD_ACCESS_KEY_ID"):
        FEED.quote(request(provider), SMALL, REGION, "spot")
