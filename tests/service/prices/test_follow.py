"""The thread that looks for new prices, and the file of the last good ones."""

from __future__ import annotations

import gc
import multiprocessing
import threading

import pytest
from structlog.testing import capture_logs
from tests.service.prices.published import snapshot, table

from plimsoll_service.app import configure_logging
from plimsoll_service.prices import follow
from plimsoll_service.prices.follow import FILE, LastPrices, Watcher

LONG = 10.0


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """A watcher with very short pauses."""
    monkeypatch.setattr(follow, "INTERVAL_SECONDS", 0.005)


class Steps:
    """Counts its steps and their threads; the third and the fourth step fail."""

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
    """Several starts make one thread; a failing step does not end it and is logged once."""
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
    """A watcher keeps neither an unused application nor its thread alive."""
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
    """In a forked child, the next start begins in the caller's thread and starts a new thread."""
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


@pytest.fixture
def first(catalog):
    """A snapshot."""
    return snapshot(catalog, table(catalog, 1.0), 1)


@pytest.fixture
def second(catalog):
    """A newer one."""
    return snapshot(catalog, table(catalog, 2.0), 2)


def test_what_is_written_is_read_by_another_worker(tmp_path, first):
    """Pointer and bytes are read back equal, and a missing directory is made."""
    LastPrices(tmp_path / "new").write(first.pointer, first.content)

    assert (first.pointer, first.content) == LastPrices(tmp_path / "new").read()


def test_the_newest_stays(tmp_path, first, second):
    """A worker with older prices does not overwrite newer ones, and no other file remains."""
    kept = LastPrices(tmp_path)
    for one in (first, second, first):
        kept.write(one.pointer, one.content)

    assert (second.pointer, second.content) == kept.read()
    assert [FILE] == [path.name for path in tmp_path.iterdir()]


def test_nothing_is_read_from_an_empty_directory(tmp_path):
    """An empty directory has no prices."""
    assert LastPrices(tmp_path).read() is None


@pytest.mark.parametrize("damage", [lambda whole: whole[:-1], lambda whole: whole[:0], lambda whole: b"\xff\n" + whole])
def test_a_damaged_file_is_not_believed_and_is_replaced(tmp_path, first, damage):
    """A partial or different file counts as no prices, and is replaced."""
    kept = LastPrices(tmp_path)
    kept.write(first.pointer, first.content)
    (tmp_path / FILE).write_bytes(damage((tmp_path / FILE).read_bytes()))

    damaged = kept.read()
    kept.write(first.pointer, first.content)

    assert damaged is None
    assert (first.pointer, first.content) == kept.read()


def test_a_directory_that_takes_nothing_is_logged_once(tmp_path, first):
    """Prices stay in use although no file can be written, and it is logged once."""
    configure_logging("info")
    (tmp_path / "file").write_text("")
    kept = LastPrices(tmp_path / "file")

    with capture_logs() as logs:
        for _ in range(3):
            kept.write(first.pointer, first.content)

    assert ["last_prices_not_kept"] == [entry["event"] for entry in logs]
