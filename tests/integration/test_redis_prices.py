"""Current prices through a real Redis: shared, and used only if they are valid."""

from __future__ import annotations

import pytest
from tests.integration.conftest import price_of


def test_processes_share_what_one_was_told(redis_server, looking_up, names, feed):
    """A process does not ask the provider for a price that another process has already asked for."""
    prices = [looking_up(url)(names[0]) for url in (redis_server.url, redis_server.url, redis_server.unix_url)]

    assert [[price_of(names[0])]] * 3 == prices
    assert [names[0]] == feed.asked


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff\x00", b"null", b"[]", b'{"quoted_at": 1.0}', b'{"key": "x", "metadata": {"ct": 1.0, "v": 2}}'],
)
def test_garbage_is_a_miss_and_is_replaced(redis_server, processes, names, garbage, errors, feed):
    """A value that is no quote is requested again and overwritten."""
    processes()(names[0])
    (key,) = redis_server.client.keys("*")
    redis_server.client.set(key, garbage)
    found = errors("garbage")

    first, after_first = processes()(names[0]), errors("garbage")
    second = processes()(names[0])

    assert [price_of(names[0])] == first == second
    assert found < after_first == errors("garbage")
    assert [names[0]] * 2 == feed.asked
    assert 0 < redis_server.client.ttl(key)


def test_the_quote_of_another_offer_is_garbage(redis_server, processes, names):
    """A value under another offer's key is not used."""
    processes()(*names[:2])
    one, other = (next(key for key in redis_server.client.keys("*") if name.encode() in key) for name in names[:2])
    redis_server.client.set(one, redis_server.client.get(other))

    assert [price_of(names[0])] == processes()(names[0])


def test_a_key_of_another_type_is_a_miss_and_is_replaced(redis_server, processes, names, errors):
    """A list in place of a string is counted, requested again and overwritten."""
    processes()(names[0])
    (key,) = redis_server.client.keys("*")
    redis_server.client.delete(key)
    redis_server.client.lpush(key, "a list")
    refused = errors("refused")

    price = processes()(names[0])

    assert [price_of(names[0])] == price
    assert refused < errors("refused")
    assert b"string" == redis_server.client.type(key)
