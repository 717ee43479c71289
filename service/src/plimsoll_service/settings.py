"""The service's settings; the only module that reads the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
# A thousand workloads with a model configuration each fit into it.
DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024


class SettingsError(ValueError):
    """An environment variable that cannot be used; the message names it and what it takes."""


@dataclass(frozen=True)
class Settings:
    """How one installation runs.

    | variable | field | meaning |
    | --- | --- | --- |
    | `PLIMSOLL_REDIS_URL` | `redis_url` | a Redis to share caches through; without it everything stays in the process |
    | `PLIMSOLL_CATALOG` | `catalog_path` | a snapshot made by `catalog build`; without it the bundled one |
    | `PLIMSOLL_MAX_BODY_BYTES` | `max_body_bytes` | largest request body in bytes |
    | `PLIMSOLL_LOG_LEVEL` | `log_level` | debug, info, warning, error or critical |
    | `PLIMSOLL_FRAME_ANCESTORS` | `frame_ancestors` | origins that may frame `/embed`, as a CSP writes them |
    | `PROMETHEUS_MULTIPROC_DIR` | `metrics_directory` | where workers share metrics; set by gunicorn's configuration |
    """

    redis_url: str | None = None
    catalog_path: Path | None = None
    max_body_bytes: int = DEFAULT_MAX_BODY_BYTES
    log_level: str = "info"
    frame_ancestors: str = "'self'"
    metrics_directory: str | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that the environment states; an empty variable counts as absent. Raises ``SettingsError``."""
        stated = {name: value for name, value in environment.items() if value}
        catalog = stated.get("PLIMSOLL_CATALOG")
        return cls(
            redis_url=stated.get("PLIMSOLL_REDIS_URL"),
            catalog_path=Path(catalog) if catalog else None,
            max_body_bytes=_bytes(stated, "PLIMSOLL_MAX_BODY_BYTES", cls.max_body_bytes),
            log_level=_level(stated, "PLIMSOLL_LOG_LEVEL", cls.log_level),
            frame_ancestors=stated.get("PLIMSOLL_FRAME_ANCESTORS", cls.frame_ancestors),
            metrics_directory=stated.get("PROMETHEUS_MULTIPROC_DIR"),
        )


def _bytes(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise SettingsError(f"{name} must be a whole number of bytes above 0, not {text!r}")
    return int(text)


def _level(environment: Mapping[str, str], name: str, default: str) -> str:
    level = environment.get(name, default).lower()
    if level not in LOG_LEVELS:
        raise SettingsError(f"{name} must be one of {', '.join(LOG_LEVELS)}, not {level!r}")
    return level
