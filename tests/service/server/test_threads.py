"""One of a worker's threads works on probes alone, and one on sizing alone."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from types import SimpleNamespace

import pytest

from plimsoll_service.server.incoming import Incoming
from plimsoll_service.server.threads import Threads

SOON = 10.0


@pytest.fixture
def threads() -> Iterator[Threads]:
    """One thread, and those for probes and for sizing."""
    made = Threads(1)
    yield made
    made.shutdown()


def asking(head: bytes) -> SimpleNamespace:
    """A connection over which this has come."""
    incoming = Incoming(0)
    incoming.take(head)
    return SimpleNamespace(incoming=incoming)


@pytest.mark.parametrize("line", [b"GET /healthz HTTP/1.1", b"HEAD /readyz HTTP/1.1", b"GET /metrics?name=x HTTP/1.1"])
def test_a_probe_waits_for_no_other_work(threads: Threads, line: bytes) -> None:
    """It is done while everything else is busy."""
    go_on = Event()
    busy = threads.submit(lambda _: go_on.wait(SOON), asking(b"GET / HTTP/1.1"))
    waiting = threads.submit(lambda _: True, asking(b"GET /healthz/more HTTP/1.1"))

    assert threads.submit(lambda _: "done", asking(line)).result(SOON) == "done"
    assert not waiting.done()
    go_on.set()
    assert [busy.result(SOON), waiting.result(SOON)] == [True, True]


@pytest.mark.parametrize(
    "line",
    [
        b"POST /v1/recommendations HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /v1/recommendations?task=hpc HTTP/1.1\r\nReferer: /?snapshot=1\r\n\r\n",
        b"POST /v1/estimates?format=json HTTP/1.1\r\n\r\n",
        b"POST /v1/comparisons HTTP/1.1\r\n\r\n",
    ],
)
def test_sizing_waits_for_no_one_but_other_sizing(threads: Threads, line: bytes) -> None:
    """What waits for Redis or a provider does not hold it up; two questions are answered one after the other."""
    go_on = Event()
    busy = threads.submit(lambda _: go_on.wait(SOON), asking(b"GET /v1/prices HTTP/1.1\r\n\r\n"))

    assert threads.submit(lambda _: "done", asking(line)).result(SOON) == "done"

    sizing = threads.submit(lambda _: go_on.wait(SOON), asking(line))
    waiting = threads.submit(lambda _: True, asking(line))
    assert not waiting.done()
    go_on.set()
    assert [one.result(SOON) for one in (busy, sizing, waiting)] == [True, True, True]


@pytest.mark.parametrize(
    "line",
    [
        b"POST /v1/recommendations/batch HTTP/1.1\r\n\r\n",
        b"POST /v1/recommendations?snapshot=2026-01-01-abc HTTP/1.1\r\n\r\n",
        b"GET /v1/models HTTP/1.1\r\n\r\n",
    ],
)
def test_what_takes_seconds_or_may_wait_holds_up_no_sizing(threads: Threads, line: bytes) -> None:
    """Batches, and questions at prices that must be looked for first."""
    go_on = Event()
    busy = threads.submit(lambda _: go_on.wait(SOON), asking(line))

    asked = asking(b"POST /v1/recommendations HTTP/1.1\r\n\r\n")
    assert threads.submit(lambda _: "done", asked).result(SOON) == "done"
    go_on.set()
    assert busy.result(SOON)


def test_nothing_is_begun_after_the_end(threads: Threads) -> None:
    """Neither work nor a probe."""
    threads.shutdown()

    for line in (b"GET / HTTP/1.1", b"GET /healthz HTTP/1.1"):
        with pytest.raises(RuntimeError):
            threads.submit(lambda _: True, asking(line))
