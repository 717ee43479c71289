"""What was asked for last is kept while there is room for it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
from tests.service.engine.estimate.machines import machine

from plimsoll_service.engine.estimate.array_bytes import array_bytes
from plimsoll_service.engine.estimate.kept import BYTES_BESIDE, Kept
from plimsoll_service.engine.machines import COLUMNS

MADE_BYTES = 1000


def store(things: int) -> Kept[list[int]]:
    """Room for so many lists without entries; each entry counts as a byte."""
    return Kept(things * BYTES_BESIDE + MADE_BYTES, len)


def test_a_thing_is_made_once() -> None:
    """Whoever asks again gets the same."""
    kept = store(2)

    assert kept.of("a", list) is kept.of("a", list)
    assert kept.of("a", list) is not kept.of("b", list)


def test_what_was_asked_for_the_longest_ago_goes_first() -> None:
    """Not what was made first."""
    kept = store(2)
    first, second = kept.of("a", list), kept.of("b", list)
    kept.of("a", list)
    kept.of("c", list)

    assert kept.of("a", list) is first
    assert kept.of("b", list) is not second


def test_what_grew_since_it_was_made_counts() -> None:
    """A thing that got more than there is room for leaves with the next that is made."""
    kept = store(2)
    grown = kept.of("a", list)
    grown.extend(range(2 * MADE_BYTES))
    other = kept.of("b", list)

    assert kept.of("a", list) is not grown
    assert kept.of("b", list) is other


def test_the_newest_stays_however_large() -> None:
    """It is about to be used."""
    kept = store(0)
    large = kept.of("a", lambda: list(range(5 * MADE_BYTES)))

    assert kept.of("a", list) is large


def test_threads_that_miss_at_once_get_the_same() -> None:
    """One of the equal results stays."""
    kept = store(8)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: (number % 3, id(kept.of(number % 3, list))), range(300)))

    assert len(set(found)) == 3


def test_bytes_are_counted_while_another_thread_adds_to_them() -> None:
    """A batch may size what another question has just begun with."""
    machines, stopped = machine(), Event()
    counted = [machines.take(np.zeros(1, dtype=np.int32))]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(1) as other:
            counting = other.submit(lambda: [array_bytes(counted[0]) for _ in iter(stopped.is_set, True)])
            for _ in range(300):
                counted[0] = machines.take(np.zeros(1, dtype=np.int32))
                for name in COLUMNS:
                    getattr(counted[0], name)
            stopped.set()
            assert max(counting.result()) > 0
    finally:
        stopped.set()
        sys.setswitchinterval(before)
