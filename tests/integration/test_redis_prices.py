"""Prices through a real Redis: shared, bounded in time, and believed only when they are sound."""

from __future__ import annotations

import pytest

from plimsoll_service.prices.build import price_source
from plimsoll_service.prices.cached import NAMESPACE, TTL_SECONDS


def test_two_sources_share_what_one_looked_up(redis_url, catalog, snapshot, names, outcomes):
    """What one process looked up is a hit for the next, and equal."""
    price_source(redis_url, catalog).lookup(instance_type=names[0])
    hits = outcomes("hit")

    page = price_source(redis_url, catalog).lookup(instance_type=names[0])

    assert snapshot.lookup(instance_type=names[0]) == page
    assert hits + 1 == outcomes("hit")


def test_every_key_has_a_namespace_a_version_and_a_time_to_live(redis_server, catalog, names):
    """Nothing stays in Redis for ever, and nothing collides with another application or another snapshot."""
    prices = price_source(redis_server.url, catalog)
    for name in names[:20]:
        prices.lookup(instance_type=name)
    prices.lookup("aws", limit=1000)

    keys = redis_server.client.keys("*")

    assert 21 == len(keys)
    assert all(key.decode().startswith(f"{NAMESPACE}:{catalog.version}:") for key in keys)
    assert all(0 < redis_server.client.ttl(key) <= TTL_SECONDS for key in keys)


def test_unknown_names_leave_nothing_behind(redis_server, catalog):
    """Made-up names cannot fill Redis."""
    prices = price_source(redis_server.url, catalog)

    totals = [prices.lookup(instance_type=f"made-up-{number}").total for number in range(20)]

    assert [0] * 20 == totals
    assert [] == redis_server.client.keys("*")


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff\x00", b"null", b"[]", b'{"total": 1}', b'{"key": "x", "columns": [], "total": 0, "rows": []}'],
)
def test_garbage_is_a_miss_and_is_replaced(redis_server, catalog, snapshot, names, garbage, errors):
    """A value that is no page of prices is looked up anew and written over."""
    prices = price_source(redis_server.url, catalog)
    prices.lookup(instance_type=names[0])
    (key,) = redis_server.client.keys("*")
    redis_server.client.set(key, garbage)
    found = errors("garbage")

    first, second = prices.lookup(instance_type=names[0]), prices.lookup(instance_type=names[0])

    assert snapshot.lookup(instance_type=names[0]) == first == second
    assert found + 1 == errors("garbage")
    assert 0 < redis_server.client.ttl(key)


def test_a_key_of_another_type_is_a_miss_and_is_replaced(redis_server, catalog, snapshot, names, errors):
    """A list where a string belongs is counted, answered from the snapshot and written over."""
    prices = price_source(redis_server.url, catalog)
    prices.lookup(instance_type=names[0])
    (key,) = redis_server.client.keys("*")
    redis_server.client.delete(key)
    redis_server.client.lpush(key, "a list")
    refused = errors("refused")

    page = prices.lookup(instance_type=names[0])

    assert snapshot.lookup(instance_type=names[0]) == page
    assert refused + 1 == errors("refused")
    assert b"string" == redis_server.client.type(key)


def test_flushing_redis_loses_nothing(redis_server, catalog, snapshot, names):
    """After FLUSHALL the same answers come, and are kept again."""
    prices = price_source(redis_server.url, catalog)
    prices.lookup(instance_type=names[0])
    redis_server.client.flushall()

    page = prices.lookup(instance_type=names[0])

    assert snapshot.lookup(instance_type=names[0]) == page
    assert 1 == redis_server.client.dbsize()


def test_a_unix_socket_is_used(redis_server, catalog, names):
    """A Redis at a Unix socket is as good as one on the network."""
    price_source(redis_server.unix_url, catalog).lookup(instance_type=names[0])

    assert 1 == redis_server.client.dbsize()
