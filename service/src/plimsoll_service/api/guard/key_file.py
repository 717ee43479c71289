"""The file of API keys: one JSON object per line, with hashes of the keys; it is read again when it changes."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import structlog
from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from ...metrics import API_KEYS_STALE
from ...settings import RateLimit
from ...whole_file import write_whole
from .keys import ID_BYTES, SCOPES, ApiKey

MOST_NAME = 100


class KeyFileError(ValueError):
    """A faulty file of keys; the message names file, line and field, but never a value."""


class _RateLimit(fields.Field[RateLimit]):
    """A rate such as ``600/minute``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> RateLimit:
        try:
            return RateLimit.parse(value)
        except (TypeError, ValueError) as error:
            raise ValidationError("takes a rate such as 600/minute") from error

    def _serialize(self, value: RateLimit | None, attr: str | None, obj: Any, **_: Any) -> str | None:
        return None if value is None else str(value)


class _KeySchema(Schema):
    """One line."""

    class Meta:
        unknown = RAISE  # a misspelt `expires` must not make a key that never expires

    id = fields.String(required=True, validate=validate.Regexp(rf"[0-9a-f]{{{2 * ID_BYTES}}}\Z"))
    name = fields.String(required=True, validate=validate.Length(1, MOST_NAME))
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True, validate=validate.Length(min=1))
    sha256 = fields.String(required=True, validate=validate.Regexp(r"[0-9a-f]{64}\Z"))
    created = fields.AwareDateTime(required=True)
    expires = fields.AwareDateTime(allow_none=True, load_default=None)
    rate = _RateLimit(data_key="rate_limit", allow_none=True, load_default=None)

    @post_load
    def _key(self, loaded: dict[str, Any], **_: Any) -> ApiKey:
        return ApiKey(**loaded | {"scopes": frozenset(loaded["scopes"])})


_SCHEMA = _KeySchema()


def read(path: Path) -> dict[str, ApiKey]:
    """The keys by id; raises ``KeyFileError`` with every fault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise KeyFileError(f"{path}: {getattr(error, 'strerror', None) or 'is not UTF-8'}") from error
    found: dict[str, ApiKey] = {}
    faults = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            key = _key_of(line)
            if key.id in found:
                raise ValidationError({"id": ["is already on an earlier line"]})
            found[key.id] = key
        except ValidationError as error:
            faults.append(f"{path}, line {number}: {_told(error.messages)}")
    if faults:
        raise KeyFileError("; ".join(faults))
    return found


def text(keys: Mapping[str, ApiKey]) -> str:
    """The file's content."""
    lines = (_SCHEMA.dump(key) | {"scopes": sorted(key.scopes)} for key in keys.values())
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@contextmanager
def changing(path: Path) -> Iterator[dict[str, ApiKey]]:
    """The keys of the file, which their changes replace atomically; concurrent writers wait for each other.

    A new file is readable by its owner alone; an existing one keeps its owner and permissions.
    """
    path = path.resolve()
    with _alone_in(path.parent):
        keys = read(path) if path.exists() else {}
        yield keys
        write_whole(path, text(keys).encode(), keep=True)


def _key_of(line: str) -> ApiKey:
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise ValidationError("is no JSON object") from error
    key: ApiKey = _SCHEMA.load(entry)
    return key


def _told(messages: Any) -> str:
    if isinstance(messages, dict):
        return ", ".join(f"{name}: {_told(below)}" for name, below in messages.items())
    # marshmallow's messages are sentences, and are joined by commas here
    return " ".join(_told(one) if isinstance(one, dict) else str(one).removesuffix(".") for one in messages)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


LOOK_SECONDS = 1.0  # a revoked key is accepted for this long


class WatchedKeys:
    """The current keys of a file, or its last good keys while it is faulty; the first read raises ``KeyFileError``.

    A process that never read the file itself, such as a worker that replaces another, does not know which keys were
    revoked since: while the file is faulty it has no keys at all.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._seen = _mark(path)
        self._keys: Mapping[str, ApiKey] | None = read(path)
        self._reader = os.getpid()
        self._faulty = False
        self._look_at = clock() + LOOK_SECONDS
        self._looking = Lock()
        API_KEYS_STALE.set(0)
        structlog.get_logger(__name__).info("api_keys_loaded", keys=len(self._keys))

    def current(self) -> Mapping[str, ApiKey] | None:
        """The keys by id, ``None`` if they are not known; one thread checks the file, at most once per second."""
        if self._reader != os.getpid():
            with self._looking:
                self._begin()
        elif self._clock() >= self._look_at and self._looking.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._looking.release()
        return self._keys

    def _begin(self) -> None:
        """Look in a process that was forked from the one that read the file."""
        if self._reader == os.getpid():
            return
        if _mark(self._path) != self._seen:
            self._keys = None
            self._look()
        self._reader = os.getpid()

    def _look(self) -> None:
        self._look_at = self._clock() + LOOK_SECONDS
        mark = _mark(self._path)
        if mark == self._seen and not self._faulty:
            return
        told, self._faulty = self._faulty and mark == self._seen, False
        self._seen = mark  # noted before reading, so that a write meanwhile is another change
        log = structlog.get_logger(__name__)
        before = self._keys or {}
        try:
            self._keys = read(self._path)
        except KeyFileError as error:
            self._faulty = True
            API_KEYS_STALE.set(1)
            if not told:
                log.error("api_keys_unusable", reason=str(error), kept=len(before), refuses_all=self._keys is None)
        else:
            API_KEYS_STALE.set(0)
            log.info("api_keys_loaded", keys=len(self._keys), **_audit(before, self._keys))


def _audit(before: Mapping[str, ApiKey], now: Mapping[str, ApiKey]) -> dict[str, list[str]]:
    """The ids of the keys that were added, revoked or changed, where there are any."""
    changes = {
        "added": sorted(now.keys() - before.keys()),
        "revoked": sorted(before.keys() - now.keys()),
        "changed": sorted(name for name in before.keys() & now.keys() if before[name] != now[name]),
    }
    return {name: ids for name, ids in changes.items() if ids}


def _mark(path: Path) -> tuple[int, int, int] | None:
    """A mark that changes when the file is written or replaced; ``None`` without a file."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino, state.st_size
