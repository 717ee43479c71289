"""One computation for all concurrent callers of the same key."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from plimsoll_service.sizing import SingleFlight


def test_threads_share_one_computation():
    """Eight threads that ask during a computation get its result, which is computed once."""
    flight = SingleFlight[int]()
    go_on = threading.Event()
    asked = threading.Barrier(8, action=threading.Timer(0.5, go_on.set).start)
    computed = []

    def compute() -> int:
        computed.append(1)
        go_on.wait(5)
        return 42

    def ask() -> int:
        asked.wait(5)
        return flight.run("key", compute)

    with ThreadPoolExecutor(8) as threads:
        answers = [threads.submit(ask) for _ in range(8)]

    assert [42] * 8 == [answer.result() for answer in answers]
    assert [1] == computed


def test_keys_do_not_wait_for_each_other():
    """Another key is computed while the first one is still in progress."""
    flight = SingleFlight[str]()

    assert "inner" == flight.run("a", lambda: flight.run("b", lambda: "inner"))


def test_an_error_reaches_the_caller_and_is_forgotten():
    """A failed computation raises its error, and the next caller computes again."""
    flight = SingleFlight[int]()

    with pytest.raises(ZeroDivisionError):
        flight.run("key", lambda: 1 // 0)

    assert 1 == flight.run("key", lambda: 1)
