"""Prices through a real Redis: shared, bounded in time, and believed only when they are sound."""

from __future__ import annotations

import pytest

from plimsoll_service.prices.lookups.cached import PAGES
from plimsoll_service.prices.snapshots.store import prefix


def test_two_sources_share_what_one_looked_up(redis_url, looking_up, book, names, outcomes):
    """What one process looked up is a hit for the next, and equal."""
    looking_up(redis_url)(instance_type=names[0])
    hits = outcomes("hit")

    page = looking_up(redis_url)(instance_type=names[0])

    assert book.lookup(instance_type=names[0]) == page
    assert hits + 1 == outcomes("hit")


def test_every_key_has_a_namespace_a_version_and_a_time_to_live(redis_server, looking_up, book, names):
    """Nothing stays in Redis for ever, and nothing collides with another application or another snapshot."""
    look_up = looking_up(redis_server.url)
    for name in names[:20]:
        look_up(instance_type=name)
    look_up("aws", limit=1000)

    keys = redis_server.client.keys("*")

    assert 21 == len(keys)
    beginning = f"{prefix('plimsoll')}page:{book.prices.version}:"
    assert all(key.decode().startswith(beginning) for key in keys)
    assert all(0 < redis_server.client.ttl(key) <= PAGES.keep for key in keys)


def test_unknown_names_are_soon_forgotten(redis_server, looking_up):
    """That a name has no price is remembered, shortly: made-up names cannot fill Redis."""
    look_up = looking_up(redis_server.url)

    totals = [look_up(instance_type=f"made-up-{number}").total for number in range(20)]

    keys = redis_server.client.keys("*")
    assert [0] * 20 == totals
    assert 20 == len(keys)
    assert all(0 < redis_server.client.ttl(key) <= PAGES.empty for key in keys)


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff\x00", b"null", b"[]", b'{"total": 1}', b'{"key": "x", "columns": [], "total": 0, "rows": []}'],
)
def test_garbage_is_a_miss_and_is_replaced(redis_server, looking_up, book, names, garbage, errors):
    """A value that is no page of prices is looked up anew and written over."""
    look_up = looking_up(redis_server.url)
    look_up(instance_type=names[0])
    (key,) = redis_server.client.keys("*")
    redis_server.client.set(key, garbage)
    found = errors("garbage")

    first, after_first = look_up(instance_type=names[0]), errors("garbage")
    second = look_up(instance_type=names[0])

    assert book.lookup(instance_type=names[0]) == first == second
    assert found < after_first == errors("garbage")
    assert 0 < redis_server.client.ttl(key)


def test_a_key_of_another_type_is_a_miss_and_is_replaced(redis_server, looking_up, book, names, errors):
    """A list where a string belongs is counted, answered from the snapshot and written over."""
    look_up = looking_up(redis_server.url)
    look_up(instance_type=names[0])
    (key,) = redis_server.client.keys("*")
    redis_server.client.delete(key)
    redis_server.client.lpush(key, "a list")
    refused = errors("refused")

    page = look_up(instance_type=names[0])

    assert book.lookup(instance_type=names[0]) == page
    assert refused < errors("refused")
    assert b"string" == redis_server.client.type(key)


def test_flushing_redis_loses_nothing(redis_server, looking_up, book, names):
    """After FLUSHALL the same answers come, and are kept again."""
    look_up = looking_up(redis_server.url)
    look_up(instance_type=names[0])
    redis_server.client.flushall()

    page = look_up(instance_type=names[0])

    assert book.lookup(instance_type=names[0]) == page
    assert 1 == redis_server.client.dbsize()


def test_a_unix_socket_is_used(redis_server, looking_up, names):
    """A Redis at a Unix socket is as good as one on the network."""
    looking_up(redis_server.unix_url)(instance_type=names[0])

    assert 1 == redis_server.client.dbsize()
