"""Address at which a client finds its service."""

from __future__ import annotations

import math

import pytest

from plimsoll import Client, Retry, Timeouts
from plimsoll.config import DEFAULT_URL, proxy_for, service_url

PROXY = "http://proxy.example:3128"


def test_an_address_given_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The argument takes precedence over the environment, and the environment over the default."""
    monkeypatch.setenv("PLIMSOLL_URL", "http://sizing.example")

    assert service_url("https://other.example") == "https://other.example"
    assert service_url(None) == "http://sizing.example"
    monkeypatch.delenv("PLIMSOLL_URL")
    assert service_url(None) == DEFAULT_URL


@pytest.mark.parametrize(
    "url",
    [
        *(
            "localhost:8080",
            "127.0.0.1",
            "ftp://sizing.example",
            "http://",
            "http://[::1",
            "http://sizing.example:99999",
        ),
        *("http://sizing.example?a=b", "http://sizing.example#a"),  # routes would be put behind it
    ],
)
def test_what_is_no_http_address_is_refused(url: str) -> None:
    """A mistyped address is refused when the client is made."""
    with pytest.raises(ValueError, match="must look like http://127"):
        Client(url)


def test_a_password_in_a_refused_address_is_not_shown() -> None:
    """Errors do not show a password, because they go into logs."""
    with pytest.raises(ValueError, match="must look like") as refusal:
        Client("ftp://user:secret@sizing.example")

    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf, 1e10])
def test_waits_are_such_as_a_socket_can_keep(seconds: float) -> None:
    """A wait of zero would fail every call, and an endless one would fail in the socket."""
    with pytest.raises(ValueError, match="read_seconds"):
        Timeouts(read_seconds=seconds)


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf])
def test_waits_between_tries_have_an_end(seconds: float) -> None:
    """Waits between attempts are bounded, because a program would otherwise sleep for ever."""
    with pytest.raises(ValueError, match="Retry's seconds"):
        Retry(longest_retry_after_seconds=seconds)


def test_the_usual_proxy_variables_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service elsewhere is reached through the proxy, unless NO_PROXY names it."""
    monkeypatch.setenv("https_proxy", PROXY)
    monkeypatch.setenv("no_proxy", "inside.example")

    assert proxy_for("https://sizing.example") == PROXY
    assert proxy_for("https://inside.example") is None


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_loopback_needs_no_proxy(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """No proxy is used for the caller's own machine."""
    monkeypatch.setenv("http_proxy", PROXY)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)

    assert proxy_for(f"http://{host}:8080") is None
