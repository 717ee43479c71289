"""HTTP requests of feeds: waits, limits, and secrets that no error or log shows."""

from __future__ import annotations

import tempfile

import pytest
from structlog.testing import capture_logs
from tests.service.prices.feeds.loopback import Provider, Reply

from plimsoll_service.catalog import snapshot
from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds import http as feeds_http
from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest
from plimsoll_service.prices.feeds.http import ATTEMPTS, client, download, get_json
from plimsoll_service.prices.refreshing.facts import cloud_facts

LIST = "/list.json"


def asked(provider: Provider, headers: dict[str, str] | None = None) -> object:
    """The document of the provider."""
    with client(headers) as http:
        return get_json(http, f"{provider.url}{LIST}?key=secret")


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("wait", ["99999999999", "Wed, 21 Oct 9999 07:28:00 GMT"])
def test_a_wait_that_nobody_waits_is_given_up_at_once(provider: Provider, status: int, wait: str):
    """A provider that asks for a wait of years gets one request; the error names address, status and wait."""
    provider.serve(LIST, Reply(status=status, headers={"Retry-After": wait}))

    with pytest.raises(FeedError, match=rf"{LIST}: .*{status}.*asks to come back in [\d,]+ s") as given_up:
        asked(provider)

    assert 1 == len(provider.asked)
    assert "secret" not in str(given_up.value)


@pytest.mark.parametrize("wait", ["7", "-5", "soon", "\u00b2", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_wait_that_can_be_waited_or_means_nothing_is_asked_again(provider: Provider, wait: str):
    """After a short or meaningless wait, the request is repeated, and the next answer counts."""
    provider.serve(LIST, Reply(status=429, headers={"Retry-After": wait}), {"prices": []})

    assert {"prices": []} == asked(provider)


def test_what_stays_wrong_is_said_after_all_attempts_and_each_is_logged(provider: Provider):
    """Reasons are logged in words, without the query, and the error comes after all attempts."""
    provider.serve(LIST, Reply(status=500))

    with capture_logs() as logs, pytest.raises(FeedError, match=f"answers 500 \\({ATTEMPTS} attempts\\)"):
        asked(provider)

    assert ["answers 500"] * (ATTEMPTS - 1) == [entry["reason"] for entry in logs]
    assert "secret" not in str(logs)


def test_a_faulty_header_is_not_repeated(provider: Provider):
    """A key with a line break cannot be sent, and neither error nor log quotes it."""
    with capture_logs() as logs, pytest.raises(FeedError, match="cannot be asked") as refused:
        asked(provider, {"x-key": "sesame\n"})

    assert "sesame" not in f"{refused.value} {logs}"
    assert [] == provider.asked


def test_a_body_that_trickles_is_given_up(provider: Provider, monkeypatch: pytest.MonkeyPatch):
    """A body that comes too slowly ends in one error with the address, in both ways of reading."""
    monkeypatch.setattr(feeds_http, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr(feeds_http, "SLOWEST_BYTES_PER_SECOND", float("inf"))
    provider.serve(LIST, {"prices": []})

    with pytest.raises(FeedError, match=f"{LIST}: sends too slowly: 14 bytes") as given_up:
        asked(provider)
    with client() as http, tempfile.TemporaryFile() as file, pytest.raises(FeedError, match="sends too slowly"):
        download(http, f"{provider.url}{LIST}", file)

    assert "secret" not in str(given_up.value)
    assert 2 == len(provider.asked)


def test_a_body_that_does_not_end_is_given_up(provider: Provider, monkeypatch: pytest.MonkeyPatch):
    """A body that is larger than any list is refused."""
    monkeypatch.setattr(feeds_http, "LARGEST_BYTES", 13)
    provider.serve(LIST, {"prices": []})

    with pytest.raises(FeedError, match="does not end after 14 bytes"):
        asked(provider)


@pytest.mark.parametrize("feed", ["aws", "azure", "gcp", "alibaba"])
@pytest.mark.parametrize("body", ["{}", "{", '{"regions": {"us-east-1": {}}}', '{"pricingInfo": {}}', "<html>"])
def test_a_password_in_the_address_of_a_mirror_is_in_no_error(provider: Provider, feed: str, body: str):
    """For any answer of a mirror with a password, the error names the mirror without user and password."""
    provider.any = Reply(body)
    mirror = provider.url.replace("http://", "http://user:sesame@")
    clouds = cloud_facts(snapshot.load(None))
    request = FeedRequest(feed, None, clouds, {"GOOGLE_API_KEY": "open"}, mirror)

    with capture_logs() as logs, pytest.raises(FeedError) as refused:
        feeds_by_name()[feed].fetch(request)

    assert "sesame" not in f"{refused.value} {logs}"
    assert provider.asked
