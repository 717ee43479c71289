"""One of a worker's threads works on probes alone."""

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
    """One thread, and the one for probes."""
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


def test_nothing_is_begun_after_the_end(threads: Threads) -> None:
    """Neither work nor a probe."""
    threads.shutdown()

    for line in (b"GET / HTTP/1.1", b"GET /healthz HTTP/1.1"):
        with pytest.raises(RuntimeError):
            threads.submit(lambda _: True, asking(line))
