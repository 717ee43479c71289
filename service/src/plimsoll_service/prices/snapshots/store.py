"""Price snapshots in Redis: each under a key of its own, one pointer to the one in force, an index of those kept.

All keys have the same hash tag: a transaction over them works on a Cluster as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar, cast

import orjson

from ...settings import Settings
from ..redis_link import Link, RedisChanged, RedisRefused, connect
from . import codec, join, moments
from .table import PriceTable

# Sequences are seconds since 1970, or one more than the last: one far ahead of the clock is no sequence.
MOST_AHEAD_SECONDS = 10 * 365 * 86400
MOST_CLOCK_AHEAD_SECONDS = 3600.0  # of Redis' clock: summer time is a frequent mistake, more is a broken clock

Client = Any
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A published snapshot; a later one has a higher ``sequence``, also after Redis lost everything."""

    sequence: int
    digest: str  # of the snapshot's bytes
    published_at: str  # UTC, ISO 8601
    as_of: str  # the date or moment of its newest price; empty if none is dated
    offers: int
    bytes: int  # of the snapshot as stored


def dump_pointer(pointer: Pointer) -> bytes:
    """Return the pointer as JSON."""
    return orjson.dumps(asdict(pointer))


def load_pointer(value: object) -> Pointer | None:
    """Return the pointer that was written, or ``None`` for other bytes; a later version may state more."""
    if not isinstance(value, bytes):
        return None
    try:
        document = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    match document:
        case {
            "sequence": int(),
            "digest": str(),
            "published_at": str(),
            "as_of": str(),
            "offers": int(),
            "bytes": int(),
        }:
            return Pointer(**{field.name: document[field.name] for field in fields(Pointer)})
        case _:
            return None


class Overtaken(Exception):
    """Another snapshot was published in the meantime; nothing has changed."""


def prefix(namespace: str) -> str:
    """The beginning of all keys of an installation."""
    return f"{{{namespace}:prices}}:"


def open_store(settings: Settings, use: str, timeout_seconds: float) -> SnapshotStore:
    """The snapshots in the installation's Redis; raises ``ValueError`` if its URL cannot name one."""
    link = connect(settings.redis_url or "", use=use, timeout_seconds=timeout_seconds)
    return SnapshotStore(link, settings.redis_namespace, settings.price_snapshots)


class SnapshotStore:
    """The snapshots of one installation, of which the newest ``keep`` stay.

    All methods raise ``RedisUnavailable`` and ``RedisRefused``. A writer that dies half-way changes nothing.
    """

    def __init__(self, link: Link, namespace: str, keep: int, clock: Callable[[], float] = time.time) -> None:
        self._link = link
        self._keep = keep
        self._clock = clock
        self._prefix = prefix(namespace)
        self._pointer = f"{self._prefix}pointer"
        self._index = f"{self._prefix}snapshots"  # a sorted set of pointers, by sequence

    def pointer(self) -> Pointer | None:
        """The pointer to the snapshot in force; ``None`` if there is none or the value is no pointer."""
        value = self._link.run(lambda client: client.get(self._pointer))
        return self._believed(value)

    def load(self, digest: str) -> PriceTable | None:
        """A snapshot; ``None`` if Redis has none of that digest or holds something else under its name."""
        content = self.fetch(digest)
        return None if content is None else self._decoded(content)

    def fetch(self, digest: str) -> bytes | None:
        """The bytes of a snapshot, which have that digest; ``None`` as in ``load``."""
        content = b"" if self._is_too_large(digest) else self._link.run(lambda client: client.get(self._blob(digest)))
        if isinstance(content, bytes) and codec.digest(content) == digest:
            return content
        if content is not None:
            self._link.garbage()
        return None

    def _is_too_large(self, digest: str) -> bool:
        """Return whether a value is no snapshot by its size; a user who may not ask for it takes what comes."""
        try:
            return self._link.run(lambda client: int(client.strlen(self._blob(digest)))) > codec.MOST_BYTES
        except RedisRefused:
            return False

    def has(self, digest: str) -> bool:
        """Return whether Redis has a value under the name of a snapshot."""
        return bool(self._link.run(lambda client: client.exists(self._blob(digest))))

    def history(self) -> tuple[Pointer, ...]:
        """The snapshots that are kept, newest first."""
        members = self._link.run(lambda client: list(cast("list[bytes]", client.zrevrange(self._index, 0, -1))))
        return tuple(found for found in map(self._believed, members) if found is not None)

    def publish(self, table: PriceTable, over: Pointer | None) -> Pointer:
        """Put a snapshot into force in place of ``over``, in one step.

        Raises ``Overtaken`` if ``over`` is not in force, and ``SnapshotError`` for an unsound table.
        """
        content = codec.dumps(table)
        if len(content) > codec.MOST_BYTES:
            raise codec.SnapshotError([f"has {len(content):,} bytes, at most {codec.MOST_BYTES:,}"])
        now = self._clock()
        new = Pointer(
            # The clock gives a higher number also after Redis lost the last one.
            sequence=max(int(now), over.sequence + 1 if over else 0),
            digest=codec.digest(content),
            published_at=moments.text(datetime.fromtimestamp(now, UTC)),
            as_of=join.as_of(table),
            offers=len(table.offers),
            bytes=len(content),
        )
        try:
            self._link.run(lambda client: _transaction(client, partial(self._swap, new, content, over)))
        except RedisChanged as error:
            raise Overtaken from error
        return new

    def clock_ahead_seconds(self) -> float | None:
        """The seconds that this machine's clock is ahead of Redis'; ``None`` if Redis does not tell."""
        try:
            seconds, microseconds = self._link.run(lambda client: client.time())
        except RedisRefused:
            return None
        return self._clock() - seconds - microseconds / 1e6

    def restore(self, lost: Pointer, content: bytes) -> bool:
        """Put back a snapshot that Redis lost; return whether nothing newer is in force."""
        try:
            return self._link.run(lambda client: _transaction(client, partial(self._put_back, lost, content)))
        except RedisChanged:
            return False

    def memory_bytes(self) -> int:
        """The memory of all snapshots and their pointers in Redis."""
        keys = {self._pointer, self._index, *(self._blob(entry.digest) for entry in self.history())}
        return self._link.run(lambda client: sum(int(client.memory_usage(key) or 0) for key in sorted(keys)))

    def _swap(self, new: Pointer, content: bytes, over: Pointer | None, pipe: Client) -> None:
        pipe.watch(self._pointer, self._index)
        if self._believed(pipe.get(self._pointer)) != over:
            raise Overtaken
        members: list[bytes] = pipe.zrevrange(self._index, 0, -1)
        believed = [member for member in members if self._believed(member) is not None]
        kept = believed[: self._keep - 1]
        dropped = [member for member in members if member not in kept]
        pipe.multi()
        for digest in sorted(_digests(dropped) - _digests(kept)):
            pipe.delete(self._blob(digest))
        if dropped:
            pipe.zrem(self._index, *dropped)
        self._point_to(new, content, pipe)

    def _put_back(self, lost: Pointer, content: bytes, pipe: Client) -> bool:
        pipe.watch(self._pointer, self._index)
        found = self._believed(pipe.get(self._pointer))
        if found is not None and found != lost and found.sequence >= lost.sequence:
            return False
        pipe.multi()
        self._point_to(lost, content, pipe)
        return True

    def _point_to(self, new: Pointer, content: bytes, pipe: Client) -> None:
        """End a transaction; Redis does nothing of it until its last word arrives."""
        pipe.set(self._blob(new.digest), content)
        pipe.zadd(self._index, {dump_pointer(new): new.sequence})
        pipe.set(self._pointer, dump_pointer(new))
        pipe.execute()

    def _blob(self, digest: str) -> str:
        return f"{self._prefix}snapshot:{digest}"

    def _believed(self, value: object) -> Pointer | None:
        found = load_pointer(value)
        if found is not None and not 0 <= found.sequence <= self._clock() + MOST_AHEAD_SECONDS:
            found = None  # no later one could ever be published
        if value is not None and found is None:
            self._link.garbage()
        return found

    def _decoded(self, content: bytes) -> PriceTable | None:
        try:
            return codec.loads(content)
        except codec.SnapshotError:
            self._link.garbage()
            return None


def _digests(members: list[bytes]) -> set[str]:
    return {found.digest for found in map(load_pointer, members) if found is not None}


def _transaction(client: Client, steps: Callable[[Client], T]) -> T:
    with client.pipeline(transaction=True) as pipe:
        return steps(pipe)
