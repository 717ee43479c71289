"""A counter that keeps what is added to it until it is read, or told to hand it in."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from plimsoll_service.pending_counter import PendingCounter

THREADS, TIMES = 8, 500
WORKER = """
from plimsoll_service.metrics import REJECTED_CANDIDATES, exposition, hand_in
import os, sys
REJECTED_CANDIDATES.add({"deadline": 3})
if sys.argv[1] == "handed in":
    hand_in()
if sys.argv[1] == "exposed":
    exposition(os.environ["PROMETHEUS_MULTIPROC_DIR"])
"""
READER = """
from plimsoll_service.metrics import exposition
import os
print(exposition(os.environ["PROMETHEUS_MULTIPROC_DIR"]).decode())
"""


@pytest.fixture
def registry() -> CollectorRegistry:
    """Of the test's own."""
    return CollectorRegistry()


@pytest.fixture
def counter(registry: CollectorRegistry) -> PendingCounter:
    """One of its own."""
    return PendingCounter("left_out", "Left out.", ("why",), registry=registry)


def test_a_reader_sees_at_once_what_was_added(counter: PendingCounter, registry: CollectorRegistry) -> None:
    """By label, also after it was read before."""
    counter.add({"deadline": 3, "budget": 2})
    before = registry.get_sample_value("left_out_total", {"why": "deadline"})
    counter.add({"deadline": 4})

    assert (3, 7) == (before, registry.get_sample_value("left_out_total", {"why": "deadline"}))
    assert 2 == registry.get_sample_value("left_out_total", {"why": "budget"})


def test_threads_lose_nothing(counter: PendingCounter, registry: CollectorRegistry) -> None:
    """Neither while others add, nor while it is handed in."""

    def work(_: int) -> None:
        for _ in range(TIMES):
            counter.add({"deadline": 1})
            counter.hand_in()

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, range(THREADS)))

    assert THREADS * TIMES == registry.get_sample_value("left_out_total", {"why": "deadline"})


@pytest.mark.parametrize(("how", "seen"), [("handed in", True), ("exposed", True), ("kept", False)])
def test_another_worker_sees_what_was_handed_in(how: str, seen: bool, tmp_path: Path) -> None:
    """Whoever exposes the metrics of all has handed in its own."""
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", WORKER, how], env=environment, check=True)
    text = subprocess.run([sys.executable, "-c", READER], env=environment, check=True, capture_output=True, text=True)

    line = 'plimsoll_rejected_candidates_total{constraint="deadline"} 3.0'
    assert seen == (line in text.stdout.splitlines())
