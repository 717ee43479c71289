"""The keys in force: those of the file, read anew when it changes, so that none needs a restart."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock

import structlog

from ...metrics import API_KEYS_STALE
from .key_file import KeyFileError, read
from .keys import ApiKey

LOOK_SECONDS = 1.0  # so long a revoked key may still be taken


class WatchedKeys:
    """The keys of a file; while it is missing or broken, those that it had last. Raises ``KeyFileError`` at first."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._seen = _mark(path)
        self._keys: Mapping[str, ApiKey] = read(path)
        self._look_at = clock() + LOOK_SECONDS
        self._looking = Lock()
        API_KEYS_STALE.set(0)
        structlog.get_logger(__name__).info("api_keys_loaded", keys=len(self._keys))

    def current(self) -> Mapping[str, ApiKey]:
        """The keys by their ids; the file is looked at once a second at most, by one thread."""
        if self._clock() >= self._look_at and self._looking.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._looking.release()
        return self._keys

    def _look(self) -> None:
        self._look_at = self._clock() + LOOK_SECONDS
        mark = _mark(self._path)
        if mark == self._seen:
            return
        self._seen = mark  # taken before reading: what is written meanwhile is another change
        log = structlog.get_logger(__name__)
        try:
            self._keys = read(self._path)
        except KeyFileError as error:
            API_KEYS_STALE.set(1)
            log.error("api_keys_unusable", reason=str(error), kept=len(self._keys))
        else:
            API_KEYS_STALE.set(0)
            log.info("api_keys_loaded", keys=len(self._keys))


def _mark(path: Path) -> tuple[int, int, int] | None:
    """What differs once the file was written or replaced; ``None`` where there is none."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino, state.st_size
