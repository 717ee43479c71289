"""The thread that looks for new prices."""

from __future__ import annotations

import gc
import multiprocessing
import threading

import pytest
from structlog.testing import capture_logs

from plimsoll_service.app import configure_logging
from plimsoll_service.prices.live import watch
from plimsoll_service.prices.live.watch import Watcher

LONG = 10.0


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """A watcher that hardly rests."""
    monkeypatch.setattr(watch, "INTERVAL_SECONDS", 0.005)


class Steps:
    """Counts its steps, in which thread each was; the third one and the fourth fail."""

    def __init__(self):
        self.threads = []
        self.enough = threading.Event()

    def step(self):
        self.threads.append(threading.get_ident())
        if len(self.threads) in (3, 4):
            raise RuntimeError("no step")
        if len(self.threads) >= 10:
            self.enough.set()


def test_it_steps_in_one_thread_of_its_own_and_outlives_failures():
    """However often it is started there is one thread, which a failing step does not end; a failure is logged once."""
    configure_logging("info")
    steps = Steps()
    watcher = Watcher(steps.step)

    with capture_logs() as logs:
        for _ in range(3):
            watcher.start()
        assert steps.enough.wait(LONG)

    assert 1 == len(set(steps.threads))
    assert threading.get_ident() not in steps.threads
    assert ["price_watch_failed"] == [entry["event"] for entry in logs]


def test_it_ends_with_what_it_serves():
    """Nothing keeps an application alive that is not used any more, nor a thread for it."""
    steps = Steps()
    watcher = Watcher(steps.step)
    watcher.start()
    assert steps.enough.wait(LONG)
    thread = next(one for one in threading.enumerate() if one.ident in steps.threads)

    del steps, watcher
    gc.collect()

    thread.join(LONG)
    assert not thread.is_alive()


def test_a_forked_process_begins_anew_and_starts_its_own():
    """A thread does not survive a fork: the next start in the child begins, in the caller's thread, and starts one."""
    steps, begun = Steps(), []
    watcher = Watcher(steps.step, lambda: begun.append(threading.get_ident()))
    watcher.start()
    assert steps.enough.wait(LONG)

    child = multiprocessing.get_context("fork").Process(target=step_in_child, args=(watcher, steps, begun))
    child.start()
    child.join(LONG)

    assert [] == begun  # who made the watcher has begun by itself
    assert 0 == child.exitcode


def step_in_child(watcher, steps, begun):
    """End with status 0 if the child began once and its own watcher steps."""
    steps.enough.clear()
    steps.threads.clear()
    watcher.start()
    watcher.start()
    stepped = steps.enough.wait(LONG)
    raise SystemExit(0 if stepped and begun == [threading.get_ident()] else 1)
