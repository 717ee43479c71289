"""The service's settings; the only module that reads the environment.

Faulty variables are collected, and raised together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import TypeVar, overload

from .tracing import endpoint_of

NAMESPACE = re.compile(r"[A-Za-z0-9._:-]+")  # braces would move a key to another slot of a Redis Cluster
ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?", re.ASCII)
# What stands in one directive of a content security policy: anything else would begin another, or another header.
SOURCES = re.compile(r"[!-+\--:<-~]+(?: +[!-+\--:<-~]+)*", re.ASCII)
COUNT = re.compile(r"[0-9]{1,15}", re.ASCII)  # a petabyte, thirty million years: beyond lies a slip of the hand
Default = TypeVar("Default", int, None)
Read = TypeVar("Read")


class Variables:
    """The stated variables, without empty ones; ``faults`` names each that cannot be used."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.stated = {name: value for name, value in environment.items() if value}
        self.faults: list[str] = []
        self.known: set[str] = set()  # all names that were asked for

    def text(self, name: str) -> str | None:
        """The text, unchanged."""
        return self._said(name)

    def path(self, name: str) -> Path | None:
        """A file or folder, whether it exists or not."""
        text = self._said(name)
        return Path(text) if text else None

    def whole(self, name: str, default: Default, unit: str, most: int) -> int | Default:
        """A whole number above 0, at most ``most``."""
        text = self._said(name)
        if text is None:
            return default
        if not (COUNT.fullmatch(text) and int(text) > 0):
            return self._default(default, f"{name} must be a whole number of {unit} above 0, not {text!r}")
        if int(text) > most:
            return self._default(default, f"{name} must be at most {most}, not {int(text)}")
        return int(text)

    def count(self, name: str, unit: str, most: int, default: int = 0) -> int:
        """A whole number from 0 on, at most ``most``."""
        return 0 if self._said(name) == "0" else self.whole(name, default, unit, most)

    def hours(self, name: str, default: float, most: float) -> float:
        """A number of hours above 0, at most ``most``, with or without its unit."""
        text = self._said(name, str(default)).removesuffix("h")
        try:
            hours = float(text)
        except ValueError:
            hours = 0.0
        if not (isfinite(hours) and hours > 0):
            return self._default(default, f"{name} must be a number of hours above 0, not {text!r}")
        if hours > most:
            return self._default(default, f"{name} must be at most {most:g} hours, not {text!r}")
        return hours

    def switch(self, name: str) -> bool:
        """1 or 0."""
        text = self._said(name, "0")
        if text not in ("0", "1"):
            return self._default(False, f"{name} must be 1 or 0, not {text!r}")
        return text == "1"

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """One of these words, in small letters or capitals."""
        word = self._said(name, default).lower()
        if word not in choices:
            return self._default(default, f"{name} must be one of {', '.join(choices)}, not {word!r}")
        return word

    def words(self, name: str) -> tuple[str, ...]:
        """Words that are separated by commas or blanks."""
        return tuple(filter(None, re.split(r"[,\s]+", self._said(name, ""))))

    def origins(self, name: str) -> tuple[str, ...]:
        """Origins of the web, each by name."""
        origins = self.words(name)
        wrong = [origin for origin in origins if not ORIGIN.fullmatch(origin)]
        if wrong:
            said = f"{name} must list origins such as https://portal.example, each by name, not {wrong[0]!r}"
            return self._default((), said)
        return origins

    def sources(self, name: str, default: str) -> str:
        """Sources, as one directive of a content security policy lists them."""
        text = self._said(name, default)
        if not SOURCES.fullmatch(text):
            return self._default(
                default, f"{name} must list sources such as 'self' or https://portal.example, not {text!r}"
            )
        return text

    def namespace(self, name: str, default: str) -> str:
        """Allowed prefixes of Redis keys."""
        text = self._said(name, default)
        if not NAMESPACE.fullmatch(text):
            return self._default(default, f"{name} must be of letters, digits, '.', '-', '_' and ':', not {text!r}")
        return text

    def parsed(self, name: str, parse: Callable[[str], Read]) -> Read | None:
        """Value that ``parse`` makes of the text; its ``ValueError`` is the fault."""
        text = self._said(name)
        try:
            return None if text is None else parse(text)
        except ValueError as error:
            return self._default(None, f"{name}: {error}, not {text!r}")

    def together(self, read: Callable[[Mapping[str, str]], Read]) -> Read | None:
        """Value that ``read`` makes of several variables; its ``ValueError`` names the wrong one."""
        try:
            return read(self.stated)
        except ValueError as error:
            return self._default(None, str(error))

    @overload
    def _said(self, name: str) -> str | None: ...
    @overload
    def _said(self, name: str, default: str) -> str: ...
    def _said(self, name: str, default: str | None = None) -> str | None:
        self.known.add(name)
        return self.stated.get(name, default)

    def _default(self, default: Read, fault: str) -> Read:
        """The default in place of a faulty value."""
        self.faults.append(fault)
        return default


LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
# A thousand workloads with a model configuration each fit into it.
DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024
# Some 100 answers. What comes and goes between them takes as much again, in each worker.
DEFAULT_ANSWER_CACHE_BYTES = 2 * 1024 * 1024
DEFAULT_REDIS_NAMESPACE = "plimsoll"
DEFAULT_PRICE_TTL_HOURS = 24.0  # refreshes are scheduled every six hours: three may fail before prices count as stale
DEFAULT_PRICE_SNAPSHOTS = 30
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
    """Environment variables that cannot be used; the message names each, and its valid values."""


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


@dataclass(frozen=True)
class Settings:
    """Settings of one installation.

    | variable | field | meaning |
    | --- | --- | --- |
    | `PLIMSOLL_REDIS_URL` | `redis_url` | a Redis to share prices through; without it everything stays in the process |
    | `PLIMSOLL_REDIS_NAMESPACE` | `redis_namespace` | the first part of every key |
    | `PLIMSOLL_PRICE_TTL` | `price_ttl_hours` | hours after which a feed's prices are stale |
    | `PLIMSOLL_PRICE_SNAPSHOTS` | `price_snapshots` | how many published price snapshots are kept for replay |
    | `PLIMSOLL_LIVE_PRICES` | `live_prices` | clouds that `GET /v1/prices` asks for the current price of an offer |
    | `PLIMSOLL_TERMS` | `terms_path` | the operator's pricing agreements: discounts, commitments, quotas, machines |
    | `PLIMSOLL_LAST_PRICES` | `last_prices_directory` | the directory of the last good prices, which workers share |
    | `PLIMSOLL_CATALOG` | `catalog_path` | a snapshot made by `catalog build`; without it the bundled one |
    | `PLIMSOLL_MAX_BODY_BYTES` | `max_body_bytes` | largest request body in bytes |
    | `PLIMSOLL_ANSWER_CACHE_BYTES` | `answer_cache_bytes` | answers that each worker keeps; 0 for none |
    | `PLIMSOLL_LOG_LEVEL` | `log_level` | debug, info, warning, error or critical |
    | `PLIMSOLL_FRAME_ANCESTORS` | `frame_ancestors` | origins that may frame `/embed`, as a CSP writes them |
    | `PLIMSOLL_API_KEYS` | `api_keys_path` | the file of API keys; without it nobody needs one |
    | `PLIMSOLL_OPEN` | `open` | 1: listen beyond this machine without API keys |
    | `PLIMSOLL_RATE_LIMIT` | `rate_limit` | rate limit of a key, or of an address without keys, such as `600/minute` |
    | `PLIMSOLL_TRUSTED_PROXIES` | `trusted_proxies` | number of proxies that add to `X-Forwarded-For` |
    | `PLIMSOLL_CORS_ORIGINS` | `cors_origins` | origins whose scripts may read `/v1` |
    | `PLIMSOLL_HSTS_SECONDS` | `hsts_seconds` | seconds for which browsers use only TLS, if a proxy terminates it |
    | `PLIMSOLL_BATCH_SECONDS` | `batch_seconds` | longest time of a batch; items that were not started then get 503 |
    | `PLIMSOLL_DRAIN_SECONDS` | `drain_seconds` | seconds after SIGTERM in which `/readyz` answers 503 |
    | `WEB_CONCURRENCY` | `workers` | worker processes; without it one for each core, at most 4 |
    | `OTEL_EXPORTER_OTLP_ENDPOINT` | `traces_endpoint` | the collector of traces; the SDK reads its other variables |
    | `PROMETHEUS_MULTIPROC_DIR` | `metrics_directory` | metrics that workers share; gunicorn's configuration sets it |
    """

    redis_url: str | None = field(default=None, repr=False)  # it may have a password
    redis_namespace: str = DEFAULT_REDIS_NAMESPACE
    price_ttl_hours: float = DEFAULT_PRICE_TTL_HOURS
    price_snapshots: int = DEFAULT_PRICE_SNAPSHOTS
    live_prices: tuple[str, ...] = ()
    terms_path: Path | None = None
    last_prices_directory: Path | None = None
    catalog_path: Path | None = None
    max_body_bytes: int = DEFAULT_MAX_BODY_BYTES
    answer_cache_bytes: int = DEFAULT_ANSWER_CACHE_BYTES
    log_level: str = "info"
    frame_ancestors: str = "'self'"
    api_keys_path: Path | None = None
    open: bool = False
    rate_limit: RateLimit | None = None
    trusted_proxies: int = 0
    cors_origins: tuple[str, ...] = ()
    hsts_seconds: int | None = None
    batch_seconds: int = DEFAULT_BATCH_SECONDS
    drain_seconds: int = 0
    workers: int | None = None
    traces_endpoint: str | None = None
    metrics_directory: str | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that the environment states; an empty variable counts as absent.

        Raises ``SettingsError`` with every variable that cannot be used.
        """
        read = Variables(environment)
        settings = cls._stated(read)
        if read.faults:
            raise SettingsError("; ".join(read.faults))
        return settings

    @classmethod
    def _stated(cls, read: Variables) -> Settings:
        """Each field from its variable, or its default where that has a fault."""
        return cls(
            redis_url=read.text("PLIMSOLL_REDIS_URL"),
            redis_namespace=read.namespace("PLIMSOLL_REDIS_NAMESPACE", cls.redis_namespace),
            price_ttl_hours=read.hours("PLIMSOLL_PRICE_TTL", cls.price_ttl_hours, MOST_TTL_HOURS),
            price_snapshots=read.whole("PLIMSOLL_PRICE_SNAPSHOTS", cls.price_snapshots, "snapshots", MOST_SNAPSHOTS),
            live_prices=tuple(word.lower() for word in read.words("PLIMSOLL_LIVE_PRICES")),
            terms_path=read.path("PLIMSOLL_TERMS"),
            last_prices_directory=read.path("PLIMSOLL_LAST_PRICES"),
            catalog_path=read.path("PLIMSOLL_CATALOG"),
            max_body_bytes=read.whole("PLIMSOLL_MAX_BODY_BYTES", cls.max_body_bytes, "bytes", MOST_BODY_BYTES),
            answer_cache_bytes=read.count(
                "PLIMSOLL_ANSWER_CACHE_BYTES", "bytes", MOST_CACHE_BYTES, cls.answer_cache_bytes
            ),
            log_level=read.choice("PLIMSOLL_LOG_LEVEL", LOG_LEVELS, cls.log_level),
            frame_ancestors=read.sources("PLIMSOLL_FRAME_ANCESTORS", cls.frame_ancestors),
            api_keys_path=read.path("PLIMSOLL_API_KEYS"),
            open=read.switch("PLIMSOLL_OPEN"),
            rate_limit=read.parsed("PLIMSOLL_RATE_LIMIT", RateLimit.parse),
            trusted_proxies=read.count("PLIMSOLL_TRUSTED_PROXIES", "proxies", MOST_PROXIES),
            cors_origins=read.origins("PLIMSOLL_CORS_ORIGINS"),
            hsts_seconds=read.whole("PLIMSOLL_HSTS_SECONDS", None, "seconds", MOST_HSTS_SECONDS),
            batch_seconds=read.whole("PLIMSOLL_BATCH_SECONDS", cls.batch_seconds, "seconds", MOST_BATCH_SECONDS),
            drain_seconds=read.count("PLIMSOLL_DRAIN_SECONDS", "seconds", MOST_DRAIN_SECONDS),
            workers=read.whole("WEB_CONCURRENCY", None, "workers", MOST_WORKERS),
            traces_endpoint=read.together(endpoint_of),
            metrics_directory=read.text("PROMETHEUS_MULTIPROC_DIR"),
        )


def unknown_variables(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """A sentence on each variable that begins like the service's own but is not one of them."""
    read = Variables(environment)
    Settings._stated(read)
    own = sorted(name for name in read.known if name.startswith(PREFIX))
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
