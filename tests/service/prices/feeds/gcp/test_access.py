"""Credentials of the gcp feed: their sources, their use, and errors without secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.service.prices.feeds.gcp.price_list import FEED, PATH, n1, paged, request
from tests.service.prices.feeds.loopback import Provider, Reply

from plimsoll_service.prices.feeds.feed import FeedError

KEY = "AIza-not-a-real-key"
TOKEN_PATH = "/token"


@pytest.fixture
def service_account(tmp_path: Path, provider: Provider) -> Mapping[str, str]:
    """An environment that names a service account's file, whose tokens the loopback provider gives out."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path / "account.json"
    account = {
        "type": "service_account",
        "client_email": "prices@example.iam.gserviceaccount.com",
        "token_uri": f"{provider.url}{TOKEN_PATH}",
        "private_key": pem.decode(),
    }
    file.write_text(json.dumps(account))
    return {"GOOGLE_APPLICATION_CREDENTIALS": str(file)}


def test_an_api_key_travels_in_a_header(provider: Provider):
    """The key is in a header of every request, and in no address."""
    paged(provider, n1()[:1], n1()[1:])

    FEED.fetch(request(provider, environment={"GOOGLE_API_KEY": KEY}))

    assert [KEY, KEY] == [asked.headers["x-goog-api-key"] for asked in provider.asked]
    assert not any(KEY in str(asked.query) for asked in provider.asked)


def test_a_mirror_is_asked_without_credentials(provider: Provider):
    """Another address gets only credentials that the environment names."""
    paged(provider, n1())

    FEED.fetch(request(provider))

    assert not {"x-goog-api-key", "Authorization", "authorization"} & set(provider.asked[0].headers)


def test_a_service_account_gets_a_token(provider: Provider, service_account: Mapping[str, str]):
    """A credentials file gives a token for reading prices, sent as bearer."""
    provider.serve(TOKEN_PATH, {"access_token": "ya29.token", "expires_in": 3600, "token_type": "Bearer"})
    paged(provider, n1())

    FEED.fetch(request(provider, environment=service_account))

    token, page = provider.asked
    assert ("POST", TOKEN_PATH) == (token.method, token.path)
    assert b"grant_type" in token.body
    headers = {name.lower(): value for name, value in page.headers.items()}
    assert "Bearer ya29.token" == headers["authorization"]


def test_a_refused_service_account_is_said_without_its_secrets(provider: Provider, service_account: Mapping[str, str]):
    """Google's answer to a refused account is not repeated."""
    provider.serve(TOKEN_PATH, Reply({"error": "invalid_grant", "error_description": f"bad {KEY}"}, status=400))

    with pytest.raises(FeedError, match=r"Google refused the credentials .*: RefreshError") as refused:
        FEED.fetch(request(provider, environment=service_account))
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("content", [None, "not json", "{}"])
def test_a_credentials_file_that_is_none_is_said(provider: Provider, tmp_path: Path, content: str | None):
    """A missing or broken file is an error that names the required credentials."""
    file = tmp_path / "credentials.json"
    if content is not None:
        file.write_text(content)

    with pytest.raises(FeedError, match="needs credentials: set GOOGLE_API_KEY"):
        FEED.fetch(request(provider, environment={"GOOGLE_APPLICATION_CREDENTIALS": str(file)}))


def test_no_credentials_at_all_say_what_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Without any credentials, Google's own address is not requested."""
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)

    with pytest.raises(FeedError, match="needs credentials: set GOOGLE_API_KEY, or GOOGLE_APPLICATION_CREDENTIALS"):
        FEED.fetch(request(None))


def test_a_refused_key_is_said_without_the_key(provider: Provider):
    """A 400 for an invalid key names the address and no secret."""
    provider.serve(PATH, Reply({"error": {"code": 400, "message": f"API key {KEY} not valid"}}, status=400))

    with pytest.raises(FeedError, match="skus: answers 400") as refused:
        FEED.fetch(request(provider, environment={"GOOGLE_API_KEY": KEY}))
    assert KEY not in str(refused.value)


def test_a_key_follows_no_redirect(provider: Provider):
    """A key is not sent to the target of a redirect."""
    provider.serve(PATH, Reply(status=302, headers={"Location": f"{provider.url}/elsewhere"}))

    with pytest.raises(FeedError, match="answers 302"):
        FEED.fetch(request(provider, environment={"GOOGLE_API_KEY": KEY}))
    assert [PATH] == [asked.path for asked in provider.asked]
