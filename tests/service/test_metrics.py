"""Metrics of one process and of several workers, and the counter that keeps what is added until it is read."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from plimsoll_service.metrics import PendingCounter, exposition

WORKER = """
from plimsoll_service.metrics import CATALOG_INFO, REDIS_ERRORS, REDIS_UP, REQUEST_SECONDS
import sys
REDIS_ERRORS.labels("prices", "unreachable").inc()
REDIS_UP.labels("prices").set(sys.argv[1] == "up")
CATALOG_INFO.labels("v1", "2026-10-01").set(1)
REQUEST_SECONDS.labels("/healthz", "GET", "200").observe(0.003)
"""


def test_workers_are_exposed_together(tmp_path):
    """Counts of two workers are summed, the catalog is one, and Redis is down where one worker lost it."""
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    for state in ("up", "down"):
        subprocess.run([sys.executable, "-c", WORKER, state], env=environment, check=True)

    lines = exposition(str(tmp_path)).decode().splitlines()

    assert 'plimsoll_redis_errors_total{kind="unreachable",use="prices"} 2.0' in lines
    assert 'plimsoll_redis_up{use="prices"} 0.0' in lines
    assert 'plimsoll_catalog_info{prices_as_of="2026-10-01",version="v1"} 1.0' in lines
    assert 'plimsoll_request_seconds_count{method="GET",route="/healthz",status="200"} 2.0' in lines


def test_one_process_exposes_its_own():
    """Without a shared directory the process's own metrics are exposed."""
    text = exposition(None).decode()

    assert "# TYPE plimsoll_request_seconds histogram" in text
    assert "python_info" in text


def test_without_a_redis_nothing_says_that_it_is_down():
    """A service that was given no Redis shows no state of one: 0 would raise an alarm."""
    program = "from plimsoll_service.metrics import exposition; print(exposition(None).decode())"
    environment = {name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)

    text = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True).stdout

    assert [] == [line for line in text.decode().splitlines() if line.startswith("plimsoll_redis_up")]


THREADS, TIMES = 8, 500
ADDING = """
from plimsoll_service.metrics import REJECTED_CANDIDATES, exposition, hand_in
import os, sys
REJECTED_CANDIDATES.add({"deadline": 3})
if sys.argv[1] == "handed in":
    hand_in()
if sys.argv[1] == "exposed":
    exposition(os.environ["PROMETHEUS_MULTIPROC_DIR"])
"""
READING = """
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
    subprocess.run([sys.executable, "-c", ADDING, how], env=environment, check=True)
    text = subprocess.run([sys.executable, "-c", READING], env=environment, check=True, capture_output=True, text=True)

    line = 'plimsoll_rejected_candidates_total{constraint="deadline"} 3.0'
    assert seen == (line in text.stdout.splitlines())
