"""Traces of the service under gunicorn, whose workers are forked from a fully loaded process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.integration.test_same_bytes import free_port, wait_for
from tests.service.tracing.collector import Collector, attributes, collecting

WORKERS = 2
ASKED = 20
SOON = 15.0
LOOKUP, QUESTION = "/v1/models?limit=1", "/v1/recommendations?task=hpc&flops=1e18"


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector that listens."""
    with collecting() as found:
        yield found


def serve(endpoint: str, log: Path, more: dict[str, str]) -> tuple[subprocess.Popen[bytes], str]:
    """The service and its address; its log goes to a file."""
    port = free_port()
    environment = {**os.environ, "WEB_CONCURRENCY": str(WORKERS), "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, **more}
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    with log.open("wb") as out:
        master = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
    return master, wait_for(f"http://127.0.0.1:{port}", master)


def end(master: subprocess.Popen[bytes]) -> None:
    """End the service as a platform ends a container: SIGTERM, and time to finish."""
    master.send_signal(signal.SIGTERM)
    master.wait(SOON)


def test_every_workers_spans_arrive_at_the_latest_when_it_ends(collector: Collector, tmp_path: Path) -> None:
    """Each worker has its own exporting thread, and sends its remaining spans when it ends."""
    master, url = serve(collector.url, tmp_path / "log", {"OTEL_BSP_SCHEDULE_DELAY": "3600000"})
    try:
        asked = [each for each in (LOOKUP, QUESTION) for _ in range(ASKED)]  # a question's answer is kept
        ids = [httpx.get(url + each).headers["X-Request-Id"] for each in asked]
        held = list(collector.spans)
    finally:
        end(master)

    assert held == []
    requests = [span for span in collector.spans if "plimsoll.request_id" in attributes(span)]
    assert sorted(ids) == sorted(attributes(span)["plimsoll.request_id"] for span in requests)


def test_a_collector_that_is_away_is_said_once_a_worker_and_holds_up_nothing(tmp_path: Path) -> None:
    """While the collector is away, every request is answered, and each worker logs it once."""
    nobody = f"http://127.0.0.1:{free_port()}"
    log = tmp_path / "log"
    master, url = serve(nobody, log, {"OTEL_BSP_SCHEDULE_DELAY": "10", "OTEL_EXPORTER_OTLP_TIMEOUT": "0.2"})
    try:
        answers = {httpx.get(f"{url}/v1/models?limit=1", timeout=SOON).status_code for _ in range(ASKED)}
    finally:
        end(master)

    lines = log.read_text().splitlines()
    assert answers == {200}
    assert 1 <= sum("traces_not_exported" in line for line in lines) <= WORKERS
    assert [] == [line for line in lines if "Traceback" in line or "Failed to export" in line or "Transient" in line]
