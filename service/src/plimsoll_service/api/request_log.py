"""The log's line for each request: no query, no body, nothing of the workload."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any

import structlog

from .observation import Observation

# What probes and scrapers ask all day long, and how often a worker still says that it is answered.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
PROBE_SECONDS = 60.0
MOST_PATH = 256  # characters of a path, which may be made up
_ERRORS = 400


class Sampling:
    """Lets one success of each probe through in ``seconds``, and says how many it kept back."""

    def __init__(self, seconds: float = PROBE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._again: dict[str, float] = {}
        self._held: dict[str, int] = {}

    def admits(self, route: str) -> int | None:
        """How many were kept back since the last; ``None`` where this one is, too."""
        with self._lock:
            now = self._clock()
            if now < self._again.get(route, now):
                self._held[route] = self._held.get(route, 0) + 1
                return None
            self._again[route] = now + self._seconds
            return self._held.pop(route, 0)


def line(seen: Observation, seconds: float, sampling: Sampling) -> None:
    """Log the request, unless it is one of many successes of a probe that has no id of its caller's."""
    more: dict[str, object] = {}
    if seen.route in PROBES and seen.status < _ERRORS and not seen.id_given:
        held = sampling.admits(seen.route)
        if held is None:
            return
        if held:
            more["unlogged"] = held
    if seen.key is not None:
        more["key"] = seen.key
    if seen.phases:
        more["phase_milliseconds"] = {name: round(part * 1000, 3) for name, part in seen.phases.items()}
    settings = structlog.get_config()
    _log(settings["logger_factory"], settings["wrapper_class"]).info(
        "request",
        **seen.ids(),
        method=seen.method,
        route=seen.route,
        path=seen.path[:MOST_PATH],
        status=seen.status,
        milliseconds=round(seconds * 1000, 3),
        bytes=seen.bytes,
        **more,
    )


@lru_cache(maxsize=1)
def _log(_factory: Any, _wrapper: Any) -> Any:
    """The log, for as long as structlog's configuration has these two: to make it takes a third as long as a line."""
    return structlog.get_logger(__name__).bind()
