"""The service's settings; the only module that reads the environment.

Faulty variables are collected, and raised together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

from .tracing import endpoint_of

NAMESPACE = re.compile(r"[A-Za-z0-9._:-]+")  # braces would move a key to another slot of a Redis Cluster
ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?", re.ASCII)
# What stands in one directive of a content security policy: anything else would begin another, or another header.
SOURCES = re.compile(r"[!-+\--:<-~]+(?: +[!-+\--:<-~]+)*", re.ASCII)
COUNT = re.compile(r"[0-9]{1,15}", re.ASCII)  # a petabyte, thirty million years: beyond lies a slip of the hand
LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
# A thousand workloads with a model configuration each fit into it.
DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024
# Some 100 answers. What comes and goes between them takes as much again, in each worker.
DEFAULT_ANSWER_CACHE_BYTES = 2 * 1024 * 1024
PREFIX = "PLIMSOLL_"
OF_OTHERS = ("PLIMSOLL_URL", "PLIMSOLL_API_KEY")  # the SDK's
# Kubernetes gives each container these variables of a Service that is named plimsoll.
SERVICE_LINK = re.compile(r"_SERVICE_(HOST|PORT)(_|$)|_PORT(_[0-9]+_(TCP|UDP).*)?$")
RATE = re.compile(r"([1-9][0-9]{0,8})/(second|minute|hour|day)", re.ASCII)
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
# Upper bounds, each far above any use: beyond lies a slip of the hand that would cost the machine its memory.
MOST_TTL_HOURS = 10 * 365 * 24.0
MOST_SNAPSHOTS = 1_000  # about a gigabyte in Redis
MOST_BODY_BYTES = 256 * 1024 * 1024
MOST_CACHE_BYTES = 1024 * 1024 * 1024
MOST_PROXIES = 16
MOST_HSTS_SECONDS = 10 * 365 * 86400
MOST_BATCH_SECONDS = 3600
MOST_WORKERS_PER_CORE = 4  # sizing is CPU-bound: more only queue
MOST_WORKERS = max(16, MOST_WORKERS_PER_CORE * (os.cpu_count() or 1))
MOST_DRAIN_SECONDS = 3600  # no balancer takes an hour to hear that a server goes
DEFAULT_BATCH_SECONDS = 25  # within the thirty that clients, proxies and the SDK wait for an answer


class SettingsError(ValueError):
    """Environment variables or arguments that cannot be used; the message names each, and its valid values."""


@dataclass(frozen=True)
class RateLimit:
    """A number of requests in each of these units of time."""

    amount: int
    unit: str

    @classmethod
    def parse(cls, text: str) -> RateLimit:
        """The rate in a text such as ``600/minute``; raises ``ValueError``."""
        found = RATE.fullmatch(text)
        if found is None:
            raise ValueError("a rate is a number above 0 by second, minute, hour or day, such as 600/minute")
        return cls(int(found[1]), found[2])

    @property
    def seconds(self) -> int:
        """The unit's length."""
        return SECONDS[self.unit]

    def __str__(self) -> str:
        return f"{self.amount}/{self.unit}"


# Each of these reads the text of a variable; its ``ValueError`` says what is wrong with it.


def _whole(unit: str, most: int, least: int = 1) -> Callable[[str], int]:
    """The reader of a whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        if not (COUNT.fullmatch(text) and int(text) >= least):
            raise ValueError(f"must be a whole number of {unit} {'above 0' if least else 'from 0 on'}, not {text!r}")
        if int(text) > most:
            raise ValueError(f"must be at most {most}, not {int(text)}")
        return int(text)

    return read


def hours_of(text: str) -> float | None:
    """Return a number of hours above 0, with or without its unit; ``None`` if the text is none."""
    try:
        hours = float(text.removesuffix("h"))
    except ValueError:
        return None
    return hours if isfinite(hours) and hours > 0 else None


def _hours(text: str) -> float:
    """A number of hours above 0, with or without its unit."""
    hours = hours_of(text)
    if hours is None:
        raise ValueError(f"must be a number of hours above 0, not {text!r}")
    if hours > MOST_TTL_HOURS:
        raise ValueError(f"must be at most {MOST_TTL_HOURS:g} hours, not {text!r}")
    return hours


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(f"must be 1 or 0, not {text!r}")
    return text == "1"


def _log_level(text: str) -> str:
    """A level in small letters or capitals."""
    if text.lower() not in LOG_LEVELS:
        raise ValueError(f"must be one of {', '.join(LOG_LEVELS)}, not {text.lower()!r}")
    return text.lower()


def _words(text: str) -> tuple[str, ...]:
    """Words that are separated by commas or blanks."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def _origins(text: str) -> tuple[str, ...]:
    wrong = [origin for origin in _words(text) if not ORIGIN.fullmatch(origin)]
    if wrong:
        raise ValueError(f"must list origins such as https://portal.example, each by name, not {wrong[0]!r}")
    return _words(text)


def _sources(text: str) -> str:
    if not SOURCES.fullmatch(text):
        raise ValueError(f"must list sources such as 'self' or https://portal.example, not {text!r}")
    return text


def _namespace(text: str) -> str:
    if not NAMESPACE.fullmatch(text):
        raise ValueError(f"must be of letters, digits, '.', '-', '_' and ':', not {text!r}")
    return text


def _rate(text: str) -> RateLimit:
    try:
        return RateLimit.parse(text)
    except ValueError as error:
        raise ValueError(f"is {text!r}: {error}") from error


def _by(variable: str, read: Callable[[str], object] | None = None) -> dict[str, Any]:
    """The metadata of a field that a variable states, alone if it has a reader."""
    return {"variable": variable, "read": read}


@dataclass(frozen=True)
class Settings:
    """Settings of one installation; ``deploy/README.md`` says what each means."""

    # It may have a password.
    redis_url: str | None = field(default=None, repr=False, metadata=_by("PLIMSOLL_REDIS_URL", str))
    redis_namespace: str = field(default="plimsoll", metadata=_by("PLIMSOLL_REDIS_NAMESPACE", _namespace))
    # Refreshes are scheduled every six hours: three may fail before prices count as stale.
    price_ttl_hours: float = field(default=24.0, metadata=_by("PLIMSOLL_PRICE_TTL", _hours))
    price_snapshots: int = field(
        default=30, metadata=_by("PLIMSOLL_PRICE_SNAPSHOTS", _whole("snapshots", MOST_SNAPSHOTS))
    )
    live_prices: tuple[str, ...] = field(
        default=(), metadata=_by("PLIMSOLL_LIVE_PRICES", lambda text: _words(text.lower()))
    )
    terms_path: Path | None = field(default=None, metadata=_by("PLIMSOLL_TERMS", Path))
    last_prices_directory: Path | None = field(default=None, metadata=_by("PLIMSOLL_LAST_PRICES", Path))
    catalog_path: Path | None = field(default=None, metadata=_by("PLIMSOLL_CATALOG", Path))
    max_body_bytes: int = field(
        default=DEFAULT_MAX_BODY_BYTES, metadata=_by("PLIMSOLL_MAX_BODY_BYTES", _whole("bytes", MOST_BODY_BYTES))
    )
    answer_cache_bytes: int = field(
        default=DEFAULT_ANSWER_CACHE_BYTES,
        metadata=_by("PLIMSOLL_ANSWER_CACHE_BYTES", _whole("bytes", MOST_CACHE_BYTES, least=0)),
    )
    log_level: str = field(default="info", metadata=_by("PLIMSOLL_LOG_LEVEL", _log_level))
    frame_ancestors: str = field(default="'self'", metadata=_by("PLIMSOLL_FRAME_ANCESTORS", _sources))
    api_keys_path: Path | None = field(default=None, metadata=_by("PLIMSOLL_API_KEYS", Path))
    open: bool = field(default=False, metadata=_by("PLIMSOLL_OPEN", _switch))
    rate_limit: RateLimit | None = field(default=None, metadata=_by("PLIMSOLL_RATE_LIMIT", _rate))
    trusted_proxies: int = field(
        default=0, metadata=_by("PLIMSOLL_TRUSTED_PROXIES", _whole("proxies", MOST_PROXIES, least=0))
    )
    cors_origins: tuple[str, ...] = field(default=(), metadata=_by("PLIMSOLL_CORS_ORIGINS", _origins))
    hsts_seconds: int | None = field(
        default=None, metadata=_by("PLIMSOLL_HSTS_SECONDS", _whole("seconds", MOST_HSTS_SECONDS))
    )
    batch_seconds: int = field(
        default=DEFAULT_BATCH_SECONDS, metadata=_by("PLIMSOLL_BATCH_SECONDS", _whole("seconds", MOST_BATCH_SECONDS))
    )
    drain_seconds: int = field(
        default=0, metadata=_by("PLIMSOLL_DRAIN_SECONDS", _whole("seconds", MOST_DRAIN_SECONDS, least=0))
    )
    workers: int | None = field(default=None, metadata=_by("WEB_CONCURRENCY", _whole("workers", MOST_WORKERS)))
    traces_endpoint: str | None = field(default=None, metadata=_by("OTEL_EXPORTER_OTLP_ENDPOINT"))  # and others
    metrics_directory: str | None = field(default=None, metadata=_by("PROMETHEUS_MULTIPROC_DIR", str))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that the environment states; an empty variable counts as absent.

        Raises ``SettingsError`` with every variable that cannot be used.
        """
        stated = {name: value for name, value in environment.items() if value}
        found: dict[str, Any] = {}
        faults: list[str] = []
        for one in fields(cls):
            variable, read = one.metadata["variable"], one.metadata["read"]
            try:
                if read and variable in stated:
                    found[one.name] = read(stated[variable])
            except ValueError as error:
                faults.append(f"{variable} {error}")
        try:
            found["traces_endpoint"] = endpoint_of(stated)
        except ValueError as error:
            faults.append(str(error))
        if faults:
            raise SettingsError("; ".join(faults))
        return cls(**found)


def variables() -> dict[str, str]:
    """The variable of each setting, by the setting's name."""
    return {one.name: one.metadata["variable"] for one in fields(Settings)}


def unknown_variables(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """A sentence on each variable that begins like the service's own but is not one of them."""
    own = sorted(variable for variable in variables().values() if variable.startswith(PREFIX))
    unknown = [
        name
        for name in sorted(environment)
        if name.startswith(PREFIX) and name not in {*own, *OF_OTHERS} and not SERVICE_LINK.search(name)
    ]
    return tuple(f"{name} is no setting of the service{_likely(name, own)}" for name in unknown)


def _likely(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, 1, 0.85)
    return f": {close[0]} is meant?" if close else ""


def provider_environment() -> Mapping[str, str]:
    """Environment in which feeds look for the credentials of their providers."""
    return os.environ
