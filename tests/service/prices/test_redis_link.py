"""The link to Redis: clients for each way to run it, the circuit breaker, and two kinds of errors."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from plimsoll_service.prices.redis_link import (
    RETRY_SECONDS,
    Link,
    RedisChanged,
    RedisRefused,
    RedisUnavailable,
    connect,
    opener,
)

SECRET = "s3cr3t"
USE = "test-link"
# What a Redis says at some time or other, what else might listen there, and neither.
ANSWERS = (
    b"+OK\r\n", b"$-1\r\n", b"$5\r\nhello\r\n", b"*3\r\n", b":1\r\n", b"*-1\r\n", b"*1\r\n:5\r\n", b"-ERR x\r\n",
    b"-MOVED 1 127.0.0.1:1\r\n", b"-MOVED x\r\n", b"-ASK x\r\n", b"$x\r\n", b"*99\r\n", b"\r\n", b":abc\r\n", b"-\r\n",
    b"HTTP/1.1 400 Bad Request\r\n\r\n", b"$3\r\nab", b"\x00\xff", b"*2\r\n*1\r\n:1\r\n:2\r\n", b"%1\r\n+a\r\n+b\r\n",
)  # fmt: skip


@pytest.mark.parametrize(
    "url",
    [
        "redis://h",
        "redis://user:password@h:6380/2?socket_timeout=1.5&max_connections=5",
        "rediss://h:6380/0?ssl_ca_certs=/ca.pem&ssl_certfile=/own.pem&ssl_keyfile=/own.key&ssl_check_hostname=false",
        "unix:///run/redis.sock?db=1",
        "redis+sentinel://a:26379,b:26379/prices/1",
        "redis+sentinel://user:p%40ss@a,[::1]:26380/prices?sentinel_username=s&sentinel_password=t",
        "rediss+sentinel://a/prices?ssl_ca_certs=/ca.pem&sentinel_ssl=false",
        "redis+sentinel://a/prices?ssl=true&sentinel_ssl_ca_certs=/other.pem",
        "redis+cluster://user:password@a:6379,b:6380",
        "rediss+cluster://a?ssl_ca_certs=/ca.pem",
        "redis+cluster://a/0?ssl=true",
    ],
)
def test_every_way_has_a_url(url):
    """Every way has a URL, and nothing is connected before the first command."""
    assert callable(opener(url, 0.1))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        f"http://:{SECRET}@h",
        f"redis://:{SECRET}@h:port/0",
        f"redis://:{SECRET}@h?colour={SECRET}",
        f"redis://:{SECRET}@h?socket_timeout={SECRET}",
        f"redis://:sl/ash{SECRET}@h",
        f"redis+sentinel://:{SECRET}@a:26379",
        f"redis+sentinel://:{SECRET}@/prices",
        f"redis+sentinel://:{SECRET}@a,,b/prices",
        f"redis+sentinel://:{SECRET}@a/prices/{SECRET}",
        f"redis+sentinel://:{SECRET}@a/prices?sentinel_colour=red",
        f"redis+sentinel://:{SECRET}@a/prices?colour=red",
        f"redis+cluster://:{SECRET}@a/1",
        f"redis+cluster://:{SECRET}@a:{SECRET}",
        f"redis+cluster://:{SECRET}@a?colour={SECRET}",
        "redis+cluster://",
        "redis+ring://a",
    ],
)
def test_another_url_is_an_error_that_does_not_quote_it(url):
    """The error names the expected forms, but not the URL, which may contain a password."""
    with pytest.raises(ValueError, match="unusable Redis URL: expected redis://") as raised:
        opener(url, 0.1)

    assert SECRET not in str(raised.value)
    assert raised.value.__suppress_context__


class Clock:
    """A clock that moves only on command."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The breaker's clock."""
    return Clock()


def test_after_a_failure_one_command_an_interval_is_tried(clock):
    """After a failure, one command in each interval is tried; after a success, all are."""
    tried = []
    link = Link(object, use=USE, clock=clock)

    def failing(_):
        tried.append(clock.now)
        raise ConnectionError

    for clock.now in (0.0, 0.1, 4.9, 5.0, 5.1, 9.9, 10.0, 10.1):
        with pytest.raises(RedisUnavailable):
            link.run(failing)
    clock.now = 15.0
    answers = [link.run(lambda _: "answer") for _ in range(3)]

    assert ([0.0, 5.0, 10.0], ["answer"] * 3) == (tried, answers)


@pytest.fixture
def link(redis_server, clock):
    """A link to a real server."""
    return connect(redis_server.url, use=USE, timeout_seconds=0.3, clock=clock)


def counted(kind):
    """Number of failures of Redis of some kind so far."""
    return REGISTRY.get_sample_value("plimsoll_redis_errors_total", {"use": USE, "kind": kind}) or 0.0


def redis_up():
    """Value of the gauge."""
    return REGISTRY.get_sample_value("plimsoll_redis_up", {"use": USE})


def test_a_command_answers_what_redis_does(link):
    """The command gets the client, and its answer is returned."""
    assert link.run(lambda client: client.set("a", b"1"))
    assert b"1" == link.run(lambda client: client.get("a"))
    assert 1.0 == redis_up()


def test_a_lost_redis_rests(link, redis_server, clock):
    """A lost Redis is tried once in each interval, logged once, and used again when it is back."""
    redis_server.kill()
    unreachable = counted("unreachable")
    with capture_logs() as logs:
        for _ in range(3):
            for _ in range(10):
                with pytest.raises(RedisUnavailable):
                    link.run(lambda client: client.ping())
            clock.now += RETRY_SECONDS
        down = redis_up()
        redis_server.start()
        link.run(lambda client: client.ping())

    assert unreachable + 3 == counted("unreachable")
    assert ["redis_unavailable", "redis_available_again"] == [entry["event"] for entry in logs]
    assert (0.0, 1.0) == (down, redis_up())


def test_a_frozen_redis_is_unavailable(link, redis_server):
    """A Redis that accepts but does not answer is given up after the timeout."""
    redis_server.freeze()
    try:
        with pytest.raises(RedisUnavailable, match="Timeout"):
            link.run(lambda client: client.ping())
    finally:
        redis_server.thaw()


def test_a_redis_that_was_started_anew_is_not_missed(link, redis_server):
    """A connection that ended meanwhile is opened again."""
    link.run(lambda client: client.ping())
    redis_server.kill()
    redis_server.start()

    assert link.run(lambda client: client.ping())


def test_threads_do_not_queue_for_a_redis_that_cannot_be_connected_to():
    """A Cluster's client is made by asking the Cluster; after a failure, waiting threads do not try again."""
    begun, asked, tries = threading.Event(), threading.Barrier(8), []

    def make():
        tries.append(True)
        begun.wait(10.0)
        raise ConnectionError("no node answers")

    link = Link(make, use=USE)
    outcomes = []

    def ask():
        asked.wait(10.0)
        with suppress(RedisUnavailable):
            link.run(lambda client: client.ping())
            outcomes.append("answered")
        outcomes.append("unavailable")

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    threading.Timer(0.2, begun.set).start()
    for thread in threads:
        thread.join()

    assert ["unavailable"] * 8 == outcomes
    assert 1 == len(tries)


def test_a_refusal_is_no_outage(link):
    """A refusal is no outage: Redis is still asked."""
    refused = counted("refused")
    link.run(lambda client: client.lpush("list", "a"))

    for _ in range(3):
        with pytest.raises(RedisRefused, match="WRONGTYPE"):
            link.run(lambda client: client.get("list"))

    assert refused + 3 == counted("refused")
    assert 1.0 == redis_up()


def test_a_watched_key_that_changed_is_said(link, redis_server):
    """A transaction whose watched key changed is reported as such."""

    def transaction(client):
        with client.pipeline() as pipe:
            pipe.watch("a")
            redis_server.client.set("a", "2")
            pipe.multi()
            pipe.set("a", "1")
            return pipe.execute()

    with pytest.raises(RedisChanged):
        link.run(transaction)

    assert b"2" == link.run(lambda client: client.get("a"))


@contextmanager
def babbling(seed: int) -> Iterator[int]:
    """A port that answers every command with nonsense."""
    words = random.Random(seed)

    def answer(connection: socket.socket) -> None:
        with suppress(OSError), connection:
            while connection.recv(1 << 16):
                connection.sendall(b"".join(words.choices(ANSWERS, k=words.randint(1, 6))))

    def accept(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        yield int(listener.getsockname()[1])


def transaction(client):
    """Commands of a publication."""
    with client.pipeline(transaction=True) as pipe:
        pipe.watch("{a}b")
        pipe.get("{a}b")
        pipe.multi()
        pipe.set("{a}b", b"1")
        return pipe.execute()


@pytest.mark.parametrize("url", ["redis://{}", "redis+sentinel://{}/prices", "redis+cluster://{}"])
@pytest.mark.parametrize("seed", range(12))
def test_whatever_answers_there_is_one_of_three_errors(url, seed):
    """Any server at the address is unavailable or refuses; no other error is raised.

    Now and then its nonsense reads as an answer to one of the commands.
    """
    commands = (lambda client: client.get("a"), lambda client: list(client.zrevrange("a", 0, -1)), transaction)
    raised = []
    with babbling(seed) as port:
        for command in commands:
            link = connect(url.format(f"127.0.0.1:{port}"), use=USE, timeout_seconds=0.02)
            try:
                link.run(command)
            except (RedisUnavailable, RedisRefused, RedisChanged) as error:
                raised.append(error)
    assert raised
