"""The service's settings; the only module that reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TypeVar

from .tracing.endpoint import endpoint_of

LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
# A thousand workloads with a model configuration each fit into it.
DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024
# Some 100 answers. What comes and goes between them takes as much again, in each worker.
DEFAULT_ANSWER_CACHE_BYTES = 2 * 1024 * 1024
DEFAULT_REDIS_NAMESPACE = "plimsoll"
DEFAULT_PRICE_TTL_HOURS = 24.0  # refreshes are scheduled every six hours: three may fail before prices count as stale
DEFAULT_PRICE_SNAPSHOTS = 30
NAMESPACE = re.compile(r"[A-Za-z0-9._:-]+")  # braces would move a key to another slot of a Redis Cluster
ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?", re.ASCII)
# What stands in one directive of a content security policy: anything else would begin another, or another header.
SOURCES = re.compile(r"[!-+\--:<-~]+(?: +[!-+\--:<-~]+)*", re.ASCII)
RATE = re.compile(r"([1-9][0-9]{0,8})/(second|minute|hour|day)", re.ASCII)
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
COUNT = re.compile(r"[0-9]{1,15}", re.ASCII)  # a petabyte, thirty million years: beyond lies a slip of the hand
MOST_DRAIN_SECONDS = 3600  # no balancer takes an hour to hear that a server goes
DEFAULT_BATCH_SECONDS = 25  # within the thirty that clients, proxies and the SDK wait for an answer


class SettingsError(ValueError):
    """An environment variable that cannot be used; the message names it and what it takes."""


@dataclass(frozen=True)
class Rate:
    """So many requests in each of these units of time."""

    amount: int
    unit: str

    @classmethod
    def parse(cls, text: str) -> Rate:
        """The rate that a text such as ``600/minute`` says; raises ``ValueError``."""
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
    """How one installation runs.

    | variable | field | meaning |
    | --- | --- | --- |
    | `PLIMSOLL_REDIS_URL` | `redis_url` | a Redis to share caches through; without it everything stays in the process |
    | `PLIMSOLL_REDIS_NAMESPACE` | `redis_namespace` | the first part of every key |
    | `PLIMSOLL_PRICE_TTL` | `price_ttl_hours` | hours after which a feed's prices are stale |
    | `PLIMSOLL_PRICE_SNAPSHOTS` | `price_snapshots` | how many published price snapshots are kept for replay |
    | `PLIMSOLL_LIVE_PRICES` | `live_prices` | clouds that `GET /v1/prices` asks for a single offer's price of now |
    | `PLIMSOLL_TERMS` | `terms_path` | the operator's own terms: discounts, commitments, quotas, machines |
    | `PLIMSOLL_LAST_PRICES` | `last_prices_directory` | where workers leave the last good prices to each other |
    | `PLIMSOLL_CATALOG` | `catalog_path` | a snapshot made by `catalog build`; without it the bundled one |
    | `PLIMSOLL_MAX_BODY_BYTES` | `max_body_bytes` | largest request body in bytes |
    | `PLIMSOLL_ANSWER_CACHE_BYTES` | `answer_cache_bytes` | answers that each worker keeps; 0 for none |
    | `PLIMSOLL_LOG_LEVEL` | `log_level` | debug, info, warning, error or critical |
    | `PLIMSOLL_FRAME_ANCESTORS` | `frame_ancestors` | origins that may frame `/embed`, as a CSP writes them |
    | `PLIMSOLL_API_KEYS` | `api_keys_path` | the file of API keys; without it nobody needs one |
    | `PLIMSOLL_OPEN` | `open` | 1: listen beyond this machine without API keys |
    | `PLIMSOLL_RATE_LIMIT` | `rate_limit` | what one key, or else one address, may ask, such as `600/minute` |
    | `PLIMSOLL_TRUSTED_PROXIES` | `trusted_proxies` | how many proxies before the service add to `X-Forwarded-For` |
    | `PLIMSOLL_CORS_ORIGINS` | `cors_origins` | origins whose scripts may read `/v1` |
    | `PLIMSOLL_HSTS_SECONDS` | `hsts_seconds` | for so long browsers use TLS alone; say it where a proxy ends TLS |
    | `PLIMSOLL_BATCH_SECONDS` | `batch_seconds` | what a batch has not begun by then is left to be asked again |
    | `PLIMSOLL_DRAIN_SECONDS` | `drain_seconds` | after SIGTERM `/readyz` says 503 for so long, then gunicorn stops |
    | `WEB_CONCURRENCY` | `workers` | worker processes; without it as many as there are cores, 4 at the most |
    | `OTEL_EXPORTER_OTLP_ENDPOINT` | `traces_endpoint` | the collector of traces; the SDK reads its other variables |
    | `PROMETHEUS_MULTIPROC_DIR` | `metrics_directory` | where workers share metrics; set by gunicorn's configuration |
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
    rate_limit: Rate | None = None
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
        """The settings that the environment states; an empty variable counts as absent. Raises ``SettingsError``."""
        stated = {name: value for name, value in environment.items() if value}
        return cls(
            redis_url=stated.get("PLIMSOLL_REDIS_URL"),
            redis_namespace=_namespace(stated),
            price_ttl_hours=_hours(stated, "PLIMSOLL_PRICE_TTL", cls.price_ttl_hours),
            price_snapshots=_whole(stated, "PLIMSOLL_PRICE_SNAPSHOTS", cls.price_snapshots, "snapshots"),
            live_prices=tuple(word.lower() for word in _words(stated, "PLIMSOLL_LIVE_PRICES")),
            terms_path=_path(stated, "PLIMSOLL_TERMS"),
            last_prices_directory=_path(stated, "PLIMSOLL_LAST_PRICES"),
            catalog_path=_path(stated, "PLIMSOLL_CATALOG"),
            max_body_bytes=_whole(stated, "PLIMSOLL_MAX_BODY_BYTES", cls.max_body_bytes, "bytes"),
            answer_cache_bytes=_count(stated, "PLIMSOLL_ANSWER_CACHE_BYTES", "bytes", cls.answer_cache_bytes),
            log_level=_level(stated, "PLIMSOLL_LOG_LEVEL", cls.log_level),
            frame_ancestors=_sources(stated, "PLIMSOLL_FRAME_ANCESTORS", cls.frame_ancestors),
            api_keys_path=_path(stated, "PLIMSOLL_API_KEYS"),
            open=_switch(stated, "PLIMSOLL_OPEN"),
            rate_limit=_rate(stated, "PLIMSOLL_RATE_LIMIT"),
            trusted_proxies=_count(stated, "PLIMSOLL_TRUSTED_PROXIES", "proxies"),
            cors_origins=_origins(stated, "PLIMSOLL_CORS_ORIGINS"),
            hsts_seconds=_whole(stated, "PLIMSOLL_HSTS_SECONDS", None, "seconds"),
            batch_seconds=_whole(stated, "PLIMSOLL_BATCH_SECONDS", cls.batch_seconds, "seconds"),
            drain_seconds=_seconds_to_drain(stated),
            workers=_whole(stated, "WEB_CONCURRENCY", None, "workers"),
            traces_endpoint=_traces(stated),
            metrics_directory=stated.get("PROMETHEUS_MULTIPROC_DIR"),
        )


def provider_environment() -> Mapping[str, str]:
    """Where feeds look for the credentials of their providers."""
    return os.environ


def _traces(environment: Mapping[str, str]) -> str | None:
    try:
        return endpoint_of(environment)
    except ValueError as error:
        raise SettingsError(str(error)) from error


def _path(environment: Mapping[str, str], name: str) -> Path | None:
    text = environment.get(name)
    return Path(text) if text else None


Default = TypeVar("Default", int, None)


def _whole(environment: Mapping[str, str], name: str, default: Default, unit: str) -> int | Default:
    text = environment.get(name)
    if text is None:
        return default
    if not (COUNT.fullmatch(text) and int(text) > 0):
        raise SettingsError(f"{name} must be a whole number of {unit} above 0, not {text!r}")
    return int(text)


def _count(environment: Mapping[str, str], name: str, unit: str, default: int = 0) -> int:
    return 0 if environment.get(name) == "0" else _whole(environment, name, default, unit)


def _seconds_to_drain(environment: Mapping[str, str]) -> int:
    seconds = _count(environment, "PLIMSOLL_DRAIN_SECONDS", "seconds")
    if seconds > MOST_DRAIN_SECONDS:
        raise SettingsError(f"PLIMSOLL_DRAIN_SECONDS must be at most {MOST_DRAIN_SECONDS}, not {seconds}")
    return seconds


def _switch(environment: Mapping[str, str], name: str) -> bool:
    text = environment.get(name, "0")
    if text not in ("0", "1"):
        raise SettingsError(f"{name} must be 1 or 0, not {text!r}")
    return text == "1"


def _rate(environment: Mapping[str, str], name: str) -> Rate | None:
    text = environment.get(name)
    try:
        return None if text is None else Rate.parse(text)
    except ValueError as error:
        raise SettingsError(f"{name}: {error}, not {text!r}") from error


def _words(environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(filter(None, re.split(r"[,\s]+", environment.get(name, ""))))


def _origins(environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    origins = _words(environment, name)
    wrong = [origin for origin in origins if not ORIGIN.fullmatch(origin)]
    if wrong:
        raise SettingsError(f"{name} must list origins such as https://portal.example, each by name, not {wrong[0]!r}")
    return origins


def _sources(environment: Mapping[str, str], name: str, default: str) -> str:
    text = environment.get(name, default)
    if not SOURCES.fullmatch(text):
        raise SettingsError(f"{name} must list sources such as 'self' or https://portal.example, not {text!r}")
    return text


def _hours(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name, str(default)).removesuffix("h")
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not (isfinite(hours) and hours > 0):
        raise SettingsError(f"{name} must be a number of hours above 0, not {text!r}")
    return hours


def _namespace(environment: Mapping[str, str]) -> str:
    text = environment.get("PLIMSOLL_REDIS_NAMESPACE", DEFAULT_REDIS_NAMESPACE)
    if not NAMESPACE.fullmatch(text):
        raise SettingsError(f"PLIMSOLL_REDIS_NAMESPACE must be of letters, digits, '.', '-', '_' and ':', not {text!r}")
    return text


def _level(environment: Mapping[str, str], name: str, default: str) -> str:
    level = environment.get(name, default).lower()
    if level not in LOG_LEVELS:
        raise SettingsError(f"{name} must be one of {', '.join(LOG_LEVELS)}, not {level!r}")
    return level
