"""A server that goes: what an answer says of it agrees with what becomes of its connection."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from plimsoll_service.server import draining


@pytest.fixture
def flag(monkeypatch: pytest.MonkeyPatch) -> bytearray:
    """The byte that a SIGTERM sets."""
    mine = bytearray(1)
    monkeypatch.setattr(draining, "_flag", mine)
    draining.end_connections(SimpleNamespace())  # what an earlier test may have left in this thread
    return mine


def test_a_request_that_was_promised_its_connection_is_not_told_of_the_end(flag: bytearray) -> None:
    """A signal between the two does not count; the next request is told both."""
    worker = SimpleNamespace(max_keepalived=7)

    draining.end_connections(worker)
    flag[0] = 1
    assert (worker.max_keepalived, draining.ending()) == (7, False)

    draining.end_connections(worker)
    assert (worker.max_keepalived, draining.ending()) == (0, True)


def test_each_thread_has_its_own_request(flag: bytearray) -> None:
    """What one is told leaves alone those that began before."""
    worker = SimpleNamespace(max_keepalived=7)
    draining.end_connections(worker)
    flag[0] = 1
    with ThreadPoolExecutor(1) as other:
        told = other.submit(lambda: (draining.end_connections(worker), draining.ending())[1]).result()

    assert (told, draining.ending()) == (True, False)
