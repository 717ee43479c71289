"""Price snapshots in a real Redis, and the pointer to the one in force."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prometheus_client import REGISTRY
from tests.service.prices.tables import CATALOG, offers_in, scaled

from plimsoll_service.prices.redis_link import RedisRefused, RedisUnavailable, connect
from plimsoll_service.prices.snapshots import codec, join
from plimsoll_service.prices.snapshots.store import (
    Overtaken,
    Pointer,
    SnapshotStore,
    dump_pointer,
    load_pointer,
    prefix,
)

POINTER = Pointer(7, "d" * 64, "2026-11-21T07:30:00Z", "2026-11-21", 10, 1000)
TABLE = join.table_of(CATALOG)
DEARER = scaled(TABLE, 1.1)
DEAREST = scaled(TABLE, 1.2)


def test_what_was_written_is_read():
    """A written pointer is read back."""
    assert POINTER == load_pointer(dump_pointer(POINTER))


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        b"",
        b"\xff",
        b"null",
        b"[]",
        b"{}",
        dump_pointer(POINTER).replace(b"7", b'"7"', 1),
    ],
)
def test_anything_else_is_no_pointer(value):
    """Garbage is ``None``."""
    assert load_pointer(value) is None


def test_a_pointer_of_a_later_version_is_one():
    """Unknown fields of a pointer are ignored, so an older version does not overwrite it as garbage."""
    assert POINTER == load_pointer(dump_pointer(POINTER)[:-1] + b',"more":1}')


class Clock:
    """A clock that moves only on command."""

    def __init__(self) -> None:
        self.now = 1_795_246_200.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    """The store's clock."""
    return Clock()


@pytest.fixture
def store(redis_server, clock):
    """A store that keeps three snapshots."""
    return SnapshotStore(connect(redis_server.url, use="test-store", timeout_seconds=5.0), "ns", 3, clock)


def garbage():
    """Number of times that garbage was found so far."""
    return REGISTRY.get_sample_value("plimsoll_redis_errors_total", {"use": "test-store", "kind": "garbage"}) or 0.0


def blob(pointer):
    """The key of a snapshot."""
    return f"{prefix('ns')}snapshot:{pointer.digest}"


def test_an_empty_redis_has_nothing(store):
    """An empty Redis has no pointer, no history and no memory in use."""
    assert (None, (), 0) == (store.pointer(), store.history(), store.memory_bytes())
    assert store.load("d" * 64) is None


def test_what_was_published_is_in_force(store, clock):
    """The pointer names the published snapshot, which is read back complete."""
    pointer = store.publish(TABLE, None)
    loaded = store.load(pointer.digest)

    assert pointer == store.pointer()
    assert (pointer,) == store.history()
    assert ("2026-11-21T07:30:00Z", "2026-08-19", 129_233) == (pointer.published_at, pointer.as_of, pointer.offers)
    assert loaded is not None
    assert offers_in(TABLE) == offers_in(loaded)
    assert pointer.bytes <= store.memory_bytes() < pointer.bytes * 1.5


def test_the_newest_are_kept(store, redis_server):
    """A publication removes older snapshots beyond the limit, and leaves nothing else behind."""
    pointer, published = None, []
    for factor in (1.0, 1.01, 1.02, 1.03, 1.04):
        pointer = store.publish(scaled(TABLE, factor), pointer)
        published.append(pointer)

    assert tuple(published[:1:-1]) == store.history()
    assert [False, False, True, True, True] == [store.has(entry.digest) for entry in published]
    assert 3 + 2 == redis_server.client.dbsize()
    assert all(-1 == redis_server.client.ttl(key) for key in redis_server.client.keys("*"))


def test_a_snapshot_published_again_outlives_its_older_entry(store):
    """The bytes that two entries share are deleted with the last of them."""
    pointer = store.publish(TABLE, None)
    for _ in range(5):
        pointer = store.publish(TABLE, pointer)

    assert 3 == len(store.history())
    assert store.load(pointer.digest) is not None


def test_who_was_overtaken_changes_nothing(store):
    """A snapshot based on prices that are no longer in force is not published."""
    first = store.publish(TABLE, None)
    second = store.publish(DEARER, first)

    for over in (None, first):
        with pytest.raises(Overtaken):
            store.publish(DEAREST, over)

    assert second == store.pointer()
    assert (second, first) == store.history()


def test_a_pointer_that_moves_within_the_transaction_is_noticed(store, redis_server):
    """A pointer that changes between the check and the swap is noticed."""
    first = store.publish(TABLE, None)
    other = SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "ns", 3)
    swap, overtaking = store._point_to, []

    def late(*arguments):
        overtaking.append(other.publish(DEARER, first))
        swap(*arguments)

    store._point_to = late
    with pytest.raises(Overtaken):
        store.publish(DEAREST, first)

    assert overtaking[0] == store.pointer()
    assert 2 == len(store.history())


def test_sequences_rise_even_after_a_flush(store, redis_server, clock):
    """A later publication has a higher sequence: within a second, and after Redis lost everything."""
    first = store.publish(TABLE, None)
    second = store.publish(DEARER, first)
    redis_server.client.flushall()
    clock.now += 60
    third = store.publish(DEAREST, None)

    assert first.sequence < second.sequence < third.sequence


def test_a_flushed_snapshot_is_put_back(store, redis_server):
    """A process that holds the snapshot restores its pointer, entry and bytes."""
    pointer = store.publish(TABLE, None)
    content = store.fetch(pointer.digest)
    redis_server.client.flushall()

    assert store.restore(pointer, content)
    assert pointer == store.pointer()
    assert (pointer,) == store.history()
    assert content == store.fetch(pointer.digest)


def test_an_evicted_snapshot_is_put_back(store, redis_server):
    """Bytes that alone are gone are restored alone."""
    pointer = store.publish(TABLE, None)
    content = store.fetch(pointer.digest)
    redis_server.client.delete(blob(pointer))

    assert store.load(pointer.digest) is None
    assert store.restore(pointer, content)
    assert (pointer,) == store.history()
    assert content == store.fetch(pointer.digest)


def test_nothing_newer_is_overwritten(store, redis_server):
    """An old snapshot does not replace a newer one, or one of the same moment."""
    old = store.publish(TABLE, None)
    content = store.fetch(old.digest)
    redis_server.client.flushall()
    newer = store.publish(DEARER, None)

    assert old.sequence == newer.sequence
    assert not store.restore(old, content)
    assert newer == store.pointer()
    assert (newer,) == store.history()


@pytest.mark.parametrize("damage", [b"", b"garbage", codec.dumps(DEARER)])
def test_other_bytes_under_a_snapshots_name_are_not_believed(store, redis_server, damage):
    """A value that does not match its digest is not used, and is counted."""
    pointer = store.publish(TABLE, None)
    redis_server.client.set(blob(pointer), damage)
    found = garbage()

    assert store.load(pointer.digest) is None
    assert found + 1 == garbage()
    assert store.publish(TABLE, pointer).digest == pointer.digest
    assert store.load(pointer.digest) is not None


def test_bytes_of_the_right_digest_that_are_no_snapshot_are_not_believed(store, redis_server):
    """A snapshot of another layout is counted as garbage, too."""
    digest = codec.digest(b"another layout")
    redis_server.client.set(f"{prefix('ns')}snapshot:{digest}", b"another layout")
    found = garbage()

    assert store.load(digest) is None
    assert found + 1 == garbage()


def test_a_garbled_pointer_is_none_and_is_replaced(store, redis_server):
    """Garbage in the pointer's place is counted, and the next publication replaces it."""
    redis_server.client.set(f"{prefix('ns')}pointer", b"{")
    redis_server.client.zadd(f"{prefix('ns')}snapshots", {b"garbage": 1.0})
    found = garbage()

    assert store.pointer() is None
    assert () == store.history()
    assert found + 2 == garbage()
    pointer = store.publish(TABLE, None)
    assert pointer == store.pointer()
    assert (pointer,) == store.history()


def test_a_key_of_another_type_is_refused_by_name(store, redis_server):
    """The error has Redis' own reason."""
    redis_server.client.lpush(f"{prefix('ns')}pointer", "a list")

    with pytest.raises(RedisRefused, match="WRONGTYPE"):
        store.pointer()


def test_a_full_redis_keeps_what_it_has(store, redis_server):
    """Nothing of a new snapshot stays in a full Redis, and the old one is complete."""
    pointer = store.publish(TABLE, None)
    redis_server.client.config_set("maxmemory", 1)

    with pytest.raises(RedisRefused, match="OutOfMemory"):
        store.publish(DEARER, pointer)

    assert pointer == store.pointer()
    assert store.load(pointer.digest) is not None
    assert 3 == redis_server.client.dbsize()


def test_a_dead_redis_is_unavailable(store, redis_server):
    """Every method raises the same error."""
    pointer = Pointer(1, "d" * 64, "2026-11-21T07:30:00Z", "", 1, 1)
    redis_server.kill()

    for ask in (
        store.pointer,
        store.history,
        store.memory_bytes,
        lambda: store.load("d" * 64),
        lambda: store.has("d" * 64),
        lambda: store.publish(TABLE, None),
        lambda: store.restore(pointer, b""),
    ):
        with pytest.raises(RedisUnavailable):
            ask()


def test_namespaces_are_apart(store, redis_server):
    """Installations in one Redis do not see each other; all keys begin with their own namespace."""
    other = SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "other", 3)
    pointer = store.publish(TABLE, None)

    assert other.pointer() is None
    assert pointer == store.pointer()
    assert all(key.startswith(b"{ns:prices}:") for key in redis_server.client.keys("*"))
    assert dump_pointer(pointer) == redis_server.client.get("{ns:prices}:pointer")


@pytest.mark.parametrize("sequence", [2**64 - 1, 2**63, 2**53, -1])
def test_a_pointer_that_no_clock_ever_wrote_blocks_nothing(redis_server, sequence):
    """A pointer with an impossible time is garbage: the next refresh replaces it, and it is not listed."""
    store = SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "ns", 3)
    first = store.publish(TABLE, None)
    wrong = dump_pointer(replace(first, sequence=sequence))
    redis_server.client.set(f"{prefix('ns')}pointer", wrong)
    redis_server.client.zadd(f"{prefix('ns')}snapshots", {wrong: sequence})

    assert store.pointer() is None
    second = store.publish(DEARER, None)
    assert second == store.pointer()
    assert {second, first} == set(store.history())
    assert 2 == redis_server.client.zcard(f"{prefix('ns')}snapshots")


def test_a_value_too_large_for_a_snapshot_is_not_fetched(redis_server, monkeypatch):
    """No worker reads a value that is too large for a snapshot into its memory."""
    monkeypatch.setattr(codec, "MOST_BYTES", 1000)
    store = SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "ns", 3)
    content = b"x" * 1001
    redis_server.client.set(f"{prefix('ns')}snapshot:{codec.digest(content)}", content)

    assert store.fetch(codec.digest(content)) is None
