"""What a worker gives back now and then."""

from __future__ import annotations

import ctypes
import gc
import weakref

import psutil
import pytest

from plimsoll_service.metrics import REJECTED_CANDIDATES
from plimsoll_service.server.tidying import tidy

MANY, BYTES = 1500, 60_000


class Ring:
    """Refers to itself: only a collection lets go of it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _nothing_collects_by_itself():
    gc.disable()
    yield
    gc.enable()


def test_what_nobody_has_is_given_back() -> None:
    """It lies scattered over pages that a worker does not share any more."""
    left = weakref.ref(Ring())
    tidy()

    assert left() is None


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="of glibc's malloc")
def test_free_memory_goes_back_to_the_system() -> None:
    """What one large answer took, between things that stay."""
    things = [bytes(BYTES) for _ in range(MANY)]
    del things[:-1]
    held = psutil.Process().memory_info().rss
    tidy()

    assert psutil.Process().memory_info().rss < held - MANY * BYTES / 2


def test_other_workers_see_what_was_counted() -> None:
    """Half a second after the last request at the latest, which is how often a worker tidies."""
    counted = REJECTED_CANDIDATES.labels("deadline")
    REJECTED_CANDIDATES.hand_in()
    before = counted._value.get()
    REJECTED_CANDIDATES.add({"deadline": 3})
    tidy()

    assert counted._value.get() == before + 3
