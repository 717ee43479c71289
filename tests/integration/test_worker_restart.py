"""The service under gunicorn: its workers learn of new prices, and keep them after a restart."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import httpx
import pytest
from tests.integration.test_same_bytes import free_port, wait_for
from tests.service.prices.published import table

from plimsoll_service.prices.redis_link import connect
from plimsoll_service.prices.snapshots.store import SnapshotStore

WORKERS = 2
ASKED_OF_WORKERS = 12  # of two workers with four threads each, each gets some
SOON = 10.0


@pytest.fixture
def server(redis_server):
    """gunicorn's master process and the service's address."""
    port = free_port()
    environment = {**os.environ, "WEB_CONCURRENCY": str(WORKERS), "PLIMSOLL_LOG_LEVEL": "error"}
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    master = subprocess.Popen(command, env=environment | {"PLIMSOLL_REDIS_URL": redis_server.url})
    try:
        yield master, wait_for(f"http://127.0.0.1:{port}", master)
    finally:
        master.terminate()
        master.wait(SOON)


def versions(url):
    """Versions of the prices in the answers over several new connections."""
    answers = [httpx.get(f"{url}/readyz") for _ in range(ASKED_OF_WORKERS)]
    return {answer.json()["catalog"]["version"] for answer in answers}


def workers(master):
    """The processes that gunicorn runs now."""
    with open(f"/proc/{master.pid}/task/{master.pid}/children") as children:
        return {int(child) for child in children.read().split()}


def until(condition):
    """Wait for an action of the service."""
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_workers_that_start_anew_without_redis_have_the_last_good_prices(server, redis_server, catalog):
    """Prices from after the start are in force in every worker, also in workers started while Redis is away."""
    master, url = server
    (before,) = versions(url)
    store = SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=1.0), "plimsoll", keep=5)
    store.publish(table(catalog, 2.0), None)
    everybody = f" {float(WORKERS)}"  # each worker looks by itself
    until(lambda: any(line.endswith(everybody) and before not in line for line in snapshots_shown(url)))
    published = versions(url)

    redis_server.kill()
    old = workers(master)
    for worker in old:
        os.kill(worker, signal.SIGKILL)
    until(lambda: len(workers(master) - old) == WORKERS)
    wait_for(url, master)

    assert 1 == len(published)
    assert published == versions(url)
    expected = [f'plimsoll_price_snapshot_info{{version="{published.pop()}"}} {float(WORKERS)}']
    until(lambda: expected == snapshots_shown(url))


def snapshots_shown(url):
    """Lines of the metrics about snapshots in force."""
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    return [line for line in lines if line.startswith("plimsoll_price_snapshot_info{")]


def test_metrics_take_no_more_place_after_restarts(tmp_path):
    """A worker continues in the files of the one it replaces: counters stay, gauges of ended workers go."""
    port = free_port()
    environment = {**os.environ, "WEB_CONCURRENCY": "1", "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    (tmp_path / "counter_77.db").write_bytes(b"of a server before")
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    master = subprocess.Popen(command, env=environment | {"PLIMSOLL_LOG_LEVEL": "error"})
    try:
        url = wait_for(f"http://127.0.0.1:{port}", master)
        sizes, counts = [], []
        for _ in range(3):
            httpx.get(f"{url}/v1/frameworks")
            counts.append(sum(shown(url, "plimsoll_request_seconds_count", 'route="/v1/frameworks"')))
            assert [1.0] == shown(url, "plimsoll_workers")
            sizes.append(sorted(file.name for file in tmp_path.iterdir()))
            old = workers(master)
            os.kill(min(old), signal.SIGKILL)
            until(lambda old=old: len(workers(master) - old) == 1)
            wait_for(url, master)
    finally:
        master.terminate()
        master.wait(SOON)

    assert [1.0, 2.0, 3.0] == counts
    assert sizes[0] == sizes[-1]
    assert "counter_77.db" not in sizes[0]


def shown(url, name, label=""):
    """Values of a metric."""
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    return [float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name) and label in line]
