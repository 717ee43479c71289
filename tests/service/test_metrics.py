"""Metrics of one process and of several workers."""

from __future__ import annotations

import os
import subprocess
import sys

from plimsoll_service.metrics import exposition

WORKER = """
from plimsoll_service.metrics import CATALOG_INFO, REDIS_ERRORS, REDIS_UP, REQUEST_SECONDS
import sys
REDIS_ERRORS.labels("prices", "unreachable").inc()
REDIS_UP.labels("prices").set(sys.argv[1] == "up")
CATALOG_INFO.labels("v1", "2026-10-01").set(1)
REQUEST_SECONDS.labels("/healthz", "GET", "200").observe(0.003)
"""


def test_workers_are_exposed_together(tmp_path):
    """Counts of two workers are summed, the catalog counts once, and Redis is down if one worker lost it."""
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
    """Without a Redis, there is no metric of its state, because 0 would cause an alert."""
    program = "from plimsoll_service.metrics import exposition; print(exposition(None).decode())"
    environment = {name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)

    text = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True).stdout

    assert [] == [line for line in text.decode().splitlines() if line.startswith("plimsoll_redis_up")]
