"""The addresses that the service may listen on without API keys."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from ...settings import Settings

ADVICE = (
    "without API keys, the service listens only on this machine: name a file of keys in PLIMSOLL_API_KEYS "
    "(plimsoll-service keys create makes one), or set PLIMSOLL_OPEN=1 if everyone who can reach it may use it"
)


def refusal(addresses: Iterable[object], settings: Settings) -> str | None:
    """The reason why the service must not listen on these addresses (as gunicorn spells them), or ``None``."""
    if settings.api_keys_path is not None or settings.open:
        return None
    reached = [str(host) for address in addresses if (host := _host(address)) is not None and not _loopback(host)]
    return f"{', '.join(reached)}: {ADVICE}" if reached else None


def _host(address: object) -> str | None:
    """The host; ``None`` for a Unix socket, which has permissions of its own."""
    if isinstance(address, tuple):
        return str(address[0])
    return f"socket {address}" if isinstance(address, int) else None


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
