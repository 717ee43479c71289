"""Current prices while Redis is dead, frozen, refusing, or not a Redis at all."""

from __future__ import annotations

import socket
import threading

import pytest
from structlog.testing import capture_logs
from tests.integration.conftest import price_of

from plimsoll_service.prices.build import price_source
from plimsoll_service.settings import Settings


def prices_of(names):
    """The right prices of these instance types."""
    return [price_of(name) for name in names]


def test_a_kill_in_the_middle_of_the_lookups_is_not_noticed(redis_server, look_up, names, errors, redis_up):
    """Redis dies among 300 lookups: all have the same answers, with one warning, and the metrics show it."""
    unreachable, half = errors("unreachable"), len(names) // 2

    with capture_logs() as logs:
        prices = look_up(*names[:half])
        redis_server.kill()
        prices += look_up(*names[half:], *names)

    assert prices_of(names) * 2 == prices
    assert [("warning", "redis_unavailable")] == [(entry["log_level"], entry["event"]) for entry in logs]
    assert unreachable + 1 == errors("unreachable")
    assert 0.0 == redis_up()


def test_a_dead_redis_is_tried_once_an_interval(redis_server, look_up, clock, names, errors):
    """While Redis is away, each interval has one attempt, and only the first failure is logged."""
    redis_server.kill()
    unreachable = errors("unreachable")

    with capture_logs() as logs:
        for _ in range(4):
            look_up(*names[:50])
            clock.now += 5.0

    assert unreachable + 4 == errors("unreachable")
    assert 1 == len(logs)


def test_redis_is_used_again_after_a_restart(redis_server, look_up, clock, names, redis_up):
    """A Redis that returns is found within one interval, which is logged once, and is filled again."""
    look_up(names[0])
    redis_server.kill()
    with capture_logs() as logs:
        look_up(names[0])
        redis_server.start()
        clock.now += 5.0
        look_up(*names[1:11])

    assert ["redis_unavailable", "redis_available_again"] == [entry["event"] for entry in logs]
    assert ["warning", "info"] == [entry["log_level"] for entry in logs]
    assert 10 == redis_server.client.dbsize()
    assert 1.0 == redis_up()


def test_a_frozen_redis_costs_one_timeout(redis_server, look_up, names, errors):
    """A Redis that accepts but never answers costs one timeout; everything is still answered."""
    look_up(names[0])
    redis_server.freeze()
    unreachable = errors("unreachable")

    prices = look_up(*names)
    redis_server.thaw()

    assert prices_of(names) == prices
    assert unreachable + 1 == errors("unreachable")


def test_a_late_answer_is_never_taken_for_another_keys(redis_server, processes, clock, names, feed):
    """A late answer of a frozen Redis to one lookup does not reach the next lookup."""
    processes()(*names[:20])
    another = processes()
    redis_server.freeze()
    another(names[0])
    redis_server.thaw()
    clock.now += 5.0

    prices = another(*names[1:20])

    assert prices_of(names[1:20]) == prices
    assert [*names[:20], names[0]] == feed.asked


@pytest.mark.parametrize(
    "refuse",
    [
        pytest.param(lambda redis: redis.config_set("maxmemory", 1), id="out of memory"),
        pytest.param(lambda redis: redis.replicaof("127.0.0.1", 1), id="read-only replica"),
        pytest.param(lambda redis: redis.execute_command("ACL", "SETUSER", "default", "-set"), id="no permission"),
    ],
)
def test_where_writes_are_refused_reads_go_on(redis_server, processes, names, refuse, errors, redis_up, feed):
    """A Redis that refuses writes is still read; each process asks the provider for missing prices."""
    processes()(names[0])
    refuse(redis_server.client)
    refused = errors("refused")

    prices = processes()(*names[:50])

    assert prices_of(names[:50]) == prices
    assert [names[0], *names[1:50]] == feed.asked
    assert refused < errors("refused")
    assert 1.0 == redis_up()


def test_writes_are_taken_up_again(redis_server, look_up, names):
    """Once Redis has memory again, quotes are shared again."""
    redis_server.client.config_set("maxmemory", 1)
    look_up(names[0])
    redis_server.client.config_set("maxmemory", 0)

    look_up(names[1])

    assert 1 == redis_server.client.dbsize()


def test_a_password_that_is_missing_is_an_unreachable_redis(redis_server, look_up, names):
    """A Redis that needs a password causes one warning and is not used."""
    redis_server.client.config_set("requirepass", "secret")

    with capture_logs() as logs:
        prices = look_up(*names[:20])

    assert prices_of(names[:20]) == prices
    assert ["redis_unavailable"] == [entry["event"] for entry in logs]


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"$abc\r\n", b"$-7\r\n", b":1\r\n", b"*1\r\n", b""]
)
def test_a_server_that_is_no_redis_is_survived(looking_up, names, answer):
    """Lookups are answered whatever server listens at Redis' address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer_everyone, args=(server, answer), daemon=True)
        thread.start()
        look_up = looking_up(f"redis://127.0.0.1:{server.getsockname()[1]}")

        prices = look_up(*names[:5])

    assert prices_of(names[:5]) == prices


def test_a_command_that_fails_is_not_repeated(looking_up, names):
    """A server that hangs up at once is called once, without the library's retries."""
    calls = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=hang_up_on_everyone, args=(server, calls), daemon=True).start()

        looking_up(f"redis://127.0.0.1:{server.getsockname()[1]}")(*names[:5])

    assert 1 == len(calls)


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:1",
        "redis://no-such-host.invalid:6379",
        "rediss://127.0.0.1:1",
        "unix:///no/such/socket",
        "http://127.0.0.1",
        "redis://127.0.0.1:port",
        "redis://127.0.0.1?colour=blue",
        "rediss://127.0.0.1?ssl_cert_reqs=maybe",
        "redis://127.0.0.1?socket_timeout=soon",
        "redis://[::1",
        "6379",
    ],
)
def test_no_url_keeps_the_service_from_starting(catalog, book, looking_up, names, url):
    """A Redis that is away, and a faulty URL, cause warnings and nothing else."""
    with capture_logs() as logs:
        source = price_source(Settings(redis_url=url), catalog)
        prices = looking_up(url)(names[0])

    assert prices_of(names[:1]) == prices
    assert book.prices.version == source.current().prices.version
    assert {entry["event"] for entry in logs} in ({"redis_unavailable"}, {"redis_url_unusable"})
    assert {"warning"} == {entry["log_level"] for entry in logs}


def test_a_password_in_the_url_is_not_logged(catalog, looking_up, names):
    """A faulty URL or a Redis that is away does not put the password into the log."""
    with capture_logs() as logs:
        for url in ("redis://:s3cret@127.0.0.1:1", "redis://:s3cret@127.0.0.1:port", "redis://u:s3/cret@127.0.0.1:1"):
            price_source(Settings(redis_url=url), catalog)
            looking_up(url)(names[0])

    assert "s3" not in str(logs)
    assert len(logs) >= 3


def answer_everyone(server, answer):
    """Send the same bytes to whoever connects, until the server closes."""
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            connection.sendall(answer)
            connection.settimeout(0.05)
            try:
                while connection.recv(4096):
                    connection.sendall(answer)
            except OSError:
                continue


def hang_up_on_everyone(server, calls):
    """Close each connection as soon as it is made, until the server closes."""
    while True:
        try:
            connection, address = server.accept()
        except OSError:
            return
        calls.append(address)
        connection.close()
