"""The service's settings; the only module that reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
# A thousand workloads with a model configuration each fit into it.
DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024
DEFAULT_REDIS_NAMESPACE = "plimsoll"
DEFAULT_PRICE_TTL_HOURS = 24.0  # refreshes are scheduled every six hours: three may fail before prices count as stale
DEFAULT_PRICE_SNAPSHOTS = 30
NAMESPACE = re.compile(r"[A-Za-z0-9._:-]+")  # braces would move a key to another slot of a Redis Cluster


class SettingsError(ValueError):
    """An environment variable that cannot be used; the message names it and what it takes."""


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
    | `PLIMSOLL_LOG_LEVEL` | `log_level` | debug, info, warning, error or critical |
    | `PLIMSOLL_FRAME_ANCESTORS` | `frame_ancestors` | origins that may frame `/embed`, as a CSP writes them |
    | `PROMETHEUS_MULTIPROC_DIR` | `metrics_directory` | where workers share metrics; set by gunicorn's configuration |
    """

    redis_url: str | None = None
    redis_namespace: str = DEFAULT_REDIS_NAMESPACE
    price_ttl_hours: float = DEFAULT_PRICE_TTL_HOURS
    price_snapshots: int = DEFAULT_PRICE_SNAPSHOTS
    live_prices: tuple[str, ...] = ()
    terms_path: Path | None = None
    last_prices_directory: Path | None = None
    catalog_path: Path | None = None
    max_body_bytes: int = DEFAULT_MAX_BODY_BYTES
    log_level: str = "info"
    frame_ancestors: str = "'self'"
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
            live_prices=tuple(filter(None, re.split(r"[,\s]+", stated.get("PLIMSOLL_LIVE_PRICES", "").lower()))),
            terms_path=_path(stated, "PLIMSOLL_TERMS"),
            last_prices_directory=_path(stated, "PLIMSOLL_LAST_PRICES"),
            catalog_path=_path(stated, "PLIMSOLL_CATALOG"),
            max_body_bytes=_whole(stated, "PLIMSOLL_MAX_BODY_BYTES", cls.max_body_bytes, "bytes"),
            log_level=_level(stated, "PLIMSOLL_LOG_LEVEL", cls.log_level),
            frame_ancestors=stated.get("PLIMSOLL_FRAME_ANCESTORS", cls.frame_ancestors),
            metrics_directory=stated.get("PROMETHEUS_MULTIPROC_DIR"),
        )


def provider_environment() -> Mapping[str, str]:
    """Where feeds look for the credentials of their providers."""
    return os.environ


def _path(environment: Mapping[str, str], name: str) -> Path | None:
    text = environment.get(name)
    return Path(text) if text else None


def _whole(environment: Mapping[str, str], name: str, default: int, unit: str) -> int:
    text = environment.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise SettingsError(f"{name} must be a whole number of {unit} above 0, not {text!r}")
    return int(text)


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
