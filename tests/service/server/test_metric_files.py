"""Metrics on a disk that takes nothing."""

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
    """The files are those that prometheus_client reads, also once they have grown."""
    counted = [run(COUNT, tmp_path), run(COUNT, tmp_path)]

    assert counted == ["3000.0", "3000.0"]
    assert run(TOTAL, tmp_path) == "6000.0"


def test_every_worker_counts_where_the_server_is_process_1(tmp_path: Path) -> None:
    """As in a container: no worker's files have the name of the server's, which it took out of the sum."""
    run(IN_A_CONTAINER, tmp_path)

    assert run(TOTAL, tmp_path) == "3.0"


@pytest.mark.parametrize("folder", ["/proc/self/no-such-folder", "/proc"], ids=["no folder", "read-only"])
def test_without_a_place_a_process_counts_on(folder: str) -> None:
    """Its figures stay in its memory."""
    assert run(COUNT, Path(folder)) == "3000.0"


def test_forgetting_a_process_never_fails(tmp_path: Path) -> None:
    """Not even where there is no folder any more."""
    program = "from plimsoll_service.server import metric_files\nmetric_files.forget(1)\nprint('gone')"

    assert run(program, tmp_path / "nowhere") == "gone"
