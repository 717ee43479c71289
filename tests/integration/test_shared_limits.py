"""Rate limits across replicas through a real Redis, and without it if it dies, freezes or refuses."""

from __future__ import annotations

import time

import pytest
from structlog.testing import capture_logs
from tests.service.api.guard.test_limits import RATE

from plimsoll_service.api.guard.limits import Limiter, ProcessCounts
from plimsoll_service.app import configure_logging
from plimsoll_service.prices.redis_link import TIMEOUT_SECONDS, shared_counts

# A stalled request is one that waits for more than one time-out of the socket, and what a busy machine adds.
STALLED_SECONDS = 10 * TIMEOUT_SECONDS


def replica(url: str) -> Limiter:
    """The limits of one process of an installation."""
    return Limiter(None, shared_counts(url, "test"), ProcessCounts())


def allowed(limiter: Limiter, times: int, caller: str = "key:a") -> list[bool]:
    """Results of that many questions: whether each passes."""
    return [limiter.charge(caller, RATE, 1).allowed for _ in range(times)]


def test_replicas_share_one_count(redis_server):
    """Questions that one replica let through count at the other replicas."""
    one, other = replica(redis_server.url), replica(redis_server.url)

    assert allowed(one, 3) + allowed(other, 3) == [True] * 5 + [False]
    assert allowed(one, 1, "key:b") == [True]


def test_counts_are_forgotten(redis_server):
    """Every written key has a time to live."""
    limiter = replica(redis_server.url)
    allowed(limiter, 7)
    limiter.charge("key:a", RATE, 9)
    client = redis_server.client

    assert [0 < client.ttl(key) <= RATE.seconds for key in client.keys("*")] == [True]


def test_what_is_refused_is_given_back(redis_server):
    """A refused request costs nothing, in Redis as in the process."""
    limiter = replica(redis_server.url)

    assert not limiter.charge("key:a", RATE, 6).allowed
    assert limiter.charge("key:a", RATE, 5).allowed


def test_without_redis_each_replica_counts_by_itself(redis_server):
    """Without Redis, each replica counts by itself, and nothing fails if it dies in between."""
    limiter = replica(redis_server.url)
    assert allowed(limiter, 5) == [True] * 5
    redis_server.kill()

    assert allowed(limiter, 6) == [True] * 5 + [False]


def test_a_frozen_redis_stalls_no_request(redis_server):
    """One question waits for a frozen Redis; later ones do not."""
    limiter = replica(redis_server.url)
    allowed(limiter, 1)
    redis_server.freeze()
    try:
        began = time.monotonic()
        found = allowed(limiter, 6)
        took = time.monotonic() - began
    finally:
        redis_server.thaw()

    assert found == [True] * 5 + [False]
    assert took < STALLED_SECONDS


def test_a_full_redis_changes_nothing_but_who_counts(redis_server):
    """A full Redis refuses writes, and then each process counts by itself."""
    redis_server.client.config_set("maxmemory-policy", "noeviction")
    redis_server.client.config_set("maxmemory", "1")

    assert allowed(replica(redis_server.url), 6) == [True] * 5 + [False]


@pytest.mark.parametrize("value", ["garbage", "9" * 30])
def test_garbage_in_the_place_of_a_count_is_no_fault(redis_server, value):
    """Redis refuses to add to garbage, and the request is answered."""
    limiter = replica(redis_server.url)
    limiter.charge("key:a", RATE, 1)
    for key in redis_server.client.keys("*"):
        redis_server.client.set(key, value)

    assert allowed(limiter, 6) == [True] * 5 + [False]


def test_limits_that_are_not_shared_any_more_are_said_once(redis_server):
    """One log line says that limits are not shared while Redis is unusable, even for lack of a permission."""
    configure_logging("info")
    limiter = replica(redis_server.url)
    allowed(limiter, 2)
    with capture_logs() as lines:
        redis_server.client.execute_command("ACL", "SETUSER", "default", "-incrby")
        allowed(limiter, 3)
        redis_server.client.execute_command("ACL", "SETUSER", "default", "+incrby")
        allowed(limiter, 3)

    assert ["limits_not_shared", "limits_shared_again"] == [line["event"] for line in lines]
