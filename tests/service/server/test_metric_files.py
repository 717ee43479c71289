"""Metrics on a disk that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = """
from prometheus_client import Counter
from plimsoll_service.server import metric_files
metric_files.survive()
counter = Counter("counted", "Counted.", ("name",))
for number in range(3000):
    counter.labels("x" * 100 + str(number)).inc()
print(sum(sample.value for metric in counter.collect() for sample in metric.samples if sample.name == "counted_total"))
"""
IN_A_CONTAINER = """
import os
os.getpid = lambda: 1
from plimsoll_service.server import metric_files
metric_files.begin(os.environ, os.environ["PROMETHEUS_MULTIPROC_DIR"])
from prometheus_client import Gauge
from prometheus_client.multiprocess import mark_process_dead
gauge = Gauge("workers", "Workers.", multiprocess_mode="livesum")
mark_process_dead(1)
taken = []
for _ in range(3):
    taken.append(metric_files.slot(taken))
    if os.fork() == 0:
        metric_files.survive(taken[-1])
        gauge.set(1)
        os._exit(0)
    os.wait()
"""
TOTAL = """
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(sum(sample.value for metric in registry.collect() for sample in metric.samples))
"""


def run(program: str, folder: Path) -> str:
    """Output of a program in its own process."""
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_a_process_counts_is_in_the_sum_of_all(tmp_path: Path) -> None:
    """prometheus_client reads the files of all processes, also after they have grown."""
    counted = [run(COUNT, tmp_path), run(COUNT, tmp_path)]

    assert counted == ["3000.0", "3000.0"]
    assert run(TOTAL, tmp_path) == "6000.0"


def test_every_worker_counts_where_the_server_is_process_1(tmp_path: Path) -> None:
    """In a container, where the server is process 1, no worker loses its files to the server's name."""
    run(IN_A_CONTAINER, tmp_path)

    assert run(TOTAL, tmp_path) == "3.0"


@pytest.mark.parametrize("folder", ["/proc/self/no-such-folder", "/proc"], ids=["no folder", "read-only"])
def test_without_a_place_a_process_counts_on(folder: str) -> None:
    """Without space, a process keeps its figures in memory."""
    assert run(COUNT, Path(folder)) == "3000.0"


def test_forgetting_a_process_never_fails(tmp_path: Path) -> None:
    """Removing a process's gauges never fails, not even without the folder."""
    program = "from plimsoll_service.server import metric_files\nmetric_files.forget(1)\nprint('gone')"

    assert run(program, tmp_path / "nowhere") == "gone"
