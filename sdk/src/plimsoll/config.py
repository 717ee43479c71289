"""A client's address, timeouts and retries. The only module that reads the environment."""

from __future__ import annotations

import ipaddress
import os
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

DEFAULT_URL = "http://127.0.0.1:8080"
URL_VARIABLE = "PLIMSOLL_URL"
API_KEY_VARIABLE = "PLIMSOLL_API_KEY"
_AUTHORIZATION = "Authorization"
# Sockets take timeouts as a C int of milliseconds.
LONGEST_SECONDS = (2**31 - 1) / 1000


@dataclass(frozen=True)
class Timeouts:
    """Seconds to wait for a connection, for the next bytes of an answer, and for a free connection of the pool."""

    connect_seconds: float = 5.0
    read_seconds: float = 30.0
    pool_seconds: float = 30.0

    def __post_init__(self) -> None:
        for each in fields(self):
            if not 0 < getattr(self, each.name) <= LONGEST_SECONDS:
                raise ValueError(f"Timeouts.{each.name} must be above 0 and at most {LONGEST_SECONDS:.0f}")


@dataclass(frozen=True)
class Retry:
    """Number of attempts of a call, and the bounds of the waits between them (``attempts=1``: no retry).

    The n-th wait is random between 0 and ``min(cap_seconds, base_seconds * 2**n)``. A ``Retry-After`` is added to it.
    One longer than ``longest_retry_after_seconds`` ends the call; the error's ``retry_after`` has the seconds.
    """

    attempts: int = 3
    base_seconds: float = 0.5
    cap_seconds: float = 8.0
    longest_retry_after_seconds: float = 60.0

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError("Retry.attempts includes the first attempt: give 1 or more")
        waits = (self.base_seconds, self.cap_seconds, self.longest_retry_after_seconds)
        if not all(0 <= wait <= LONGEST_SECONDS for wait in waits):
            raise ValueError(f"Retry's seconds must be 0 or more, and at most {LONGEST_SECONDS:.0f}")


DEFAULT_TIMEOUTS = Timeouts()
DEFAULT_RETRY = Retry()


class HttpxTimeout(Protocol):
    """``httpx.Timeout``: seconds to wait, of which ``None`` has no limit."""

    connect: float | None
    read: float | None
    pool: float | None


Timeout = float | Timeouts | HttpxTimeout


def timeouts_of(timeout: Timeout) -> Timeouts:
    """Return the timeouts; one number is for each of them, as in httpx. Raises ``ValueError``."""
    if isinstance(timeout, Timeouts):
        return timeout
    if isinstance(timeout, int | float):
        return Timeouts(timeout, timeout, timeout)
    waits = (timeout.connect, timeout.read, timeout.pool)
    return Timeouts(*(LONGEST_SECONDS if wait is None else wait for wait in waits))


def retry_of(max_retries: int | None, retry: Retry) -> Retry:
    """Return the policy with that many retries, where a number is given. Raises ``ValueError``."""
    if max_retries is None:
        return retry
    if max_retries < 0:
        raise ValueError("max_retries is the number of retries: give 0 or more")
    return replace(retry, attempts=max_retries + 1)


class Options(NamedTuple):
    """A client's address and options; ``headers`` are sent with each call and do not appear in its text."""

    url: str
    timeouts: Timeouts = DEFAULT_TIMEOUTS
    retry: Retry = DEFAULT_RETRY
    headers: Mapping[str, str] = MappingProxyType({})

    def changed(
        self, timeouts: Timeouts | None = None, retry: Retry | None = None, headers: Mapping[str, str] | None = None
    ) -> Options:
        """Return the options with these changes; headers are added and replace those of the same name."""
        given = dict(headers or {})
        replaced = {name.lower() for name in given}
        kept = {name: value for name, value in self.headers.items() if name.lower() not in replaced}
        return Options(self.url, timeouts or self.timeouts, retry or self.retry, kept | given)

    def __repr__(self) -> str:
        # A header may hold a key.
        return f"Options(timeouts={self.timeouts}, retry={self.retry}, headers={sorted(self.headers)})"


def with_key(api_key: str | None, headers: Mapping[str, str] | None) -> dict[str, str]:
    """Return the headers with the API key of the argument or ``PLIMSOLL_API_KEY``, unless they authorize already.

    Raises ``ValueError`` for a malformed key, without quoting it.
    """
    given = dict(headers or {})
    key = api_key or os.environ.get(API_KEY_VARIABLE)
    if not key or any(name.lower() == _AUTHORIZATION.lower() for name in given):
        return given
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError(f"api_key or {API_KEY_VARIABLE} is not an API key: a key is printable ASCII without spaces")
    return given | {_AUTHORIZATION: f"Bearer {key}"}


def service_url(base_url: str | None) -> str:
    """Return the address of the argument, ``PLIMSOLL_URL`` or the default; ``ValueError`` unless it is HTTP."""
    url = base_url or os.environ.get(URL_VARIABLE) or DEFAULT_URL
    if not _is_address(url):
        # Keeps a password in the address out of logs.
        shown = url.rpartition("@")[2]
        raise ValueError(f"base_url or {URL_VARIABLE} must look like {DEFAULT_URL}, not {shown!r}")
    return url


def _is_address(url: str) -> bool:
    """Return whether the URL is HTTP with a host, and without query or fragment, to which no path can be appended."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    whole = parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0
    return whole and not parts.query and not parts.fragment


def options_of(
    base_url: str | None,
    timeout: Timeout,
    max_retries: int | None,
    retry: Retry,
    api_key: str | None,
    headers: Mapping[str, str] | None,
) -> Options:
    """Return the options that a client's arguments and the environment state. Raises ``ValueError``."""
    policy = retry_of(max_retries, retry)
    return Options(service_url(base_url), timeouts_of(timeout), policy, with_key(api_key, headers))


def proxy_for(url: str) -> str | None:
    """Return the proxy that ``HTTPS_PROXY``, ``NO_PROXY`` and the like name for ``url``; never one for loopback."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if _is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
