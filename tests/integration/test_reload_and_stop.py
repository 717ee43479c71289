"""The service under gunicorn: a HUP loads the current files, and a SIGTERM ends it in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.integration.test_same_bytes import free_port, wait_for

import plimsoll_service
from plimsoll_service.catalog import snapshot

SOON = 10.0
DRAIN_SECONDS = 2
QUESTION = {"workload": {"task": "training", "model": "resnet50"}}


@pytest.fixture
def catalog_file(tmp_path, catalog):
    """A catalog of the operator."""
    path = tmp_path / "own.npz"
    snapshot.save(catalog, path)
    return path


@pytest.fixture
def scratch(tmp_path):
    """Folder for the server's temporary files."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def server(catalog_file, scratch):
    """gunicorn's master and the service's address."""
    port = free_port()
    own = {"PLIMSOLL_CATALOG": str(catalog_file), "PLIMSOLL_DRAIN_SECONDS": str(DRAIN_SECONDS), "TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    master = subprocess.Popen(command, env={**os.environ, "WEB_CONCURRENCY": "1", "PLIMSOLL_LOG_LEVEL": "error"} | own)
    try:
        yield master, wait_for(f"http://127.0.0.1:{port}", master)
    finally:
        master.kill() if master.poll() is None else None
        master.wait(SOON)


def workers(master):
    """The processes that gunicorn runs now."""
    return set(Path(f"/proc/{master.pid}/task/{master.pid}/children").read_text().split())


def reload(master):
    """Replace all workers, and wait until they are replaced."""
    old = workers(master)
    master.send_signal(signal.SIGHUP)
    end = time.monotonic() + SOON
    while not workers(master) or old & workers(master):
        assert time.monotonic() < end
        time.sleep(0.05)


def version(url):
    """The catalog behind the answers."""
    return httpx.get(f"{url}/readyz").json()["catalog"]["version"]


def metrics(url, name):
    """The lines of one metric."""
    return [line for line in httpx.get(f"{url}/metrics").text.splitlines() if line.startswith(name)]


def rejected(url):
    """Candidates that recommendations rejected, by constraint, in the metrics."""
    shown = (line.split('"')[1::2] + line.split() for line in metrics(url, "plimsoll_rejected_candidates_total"))
    return {constraint: float(count) for constraint, _, count in shown if float(count)}


def test_a_hup_takes_up_another_catalog_and_leaves_out_a_broken_one(server, catalog_file, catalog) -> None:
    """After a HUP, the service answers from the new file, or from the old one if the new is broken; counters stay."""
    master, url = server
    other = snapshot.stamped(replace(catalog, unpriced=catalog.unpriced + 1))
    snapshot.save(other, catalog_file)
    before, counted_before = version(url), rejected(url)
    answer = httpx.post(f"{url}/v1/recommendations", json=QUESTION).json()
    reload(master)
    after = version(url)
    catalog_file.write_bytes(b"no catalog")
    reload(master)

    assert [catalog.version, other.version, other.version] == [before, after, version(url)]
    assert [f'plimsoll_catalog_info{{prices_as_of="{other.prices_as_of}",version="{other.version}"}} 1.0'] == [
        line for line in metrics(url, "plimsoll_catalog_info") if line.endswith(" 1.0")
    ]
    assert {} == counted_before
    assert answer["rejected"] == rejected(url)
    assert ["plimsoll_workers 1.0"] == metrics(url, "plimsoll_workers ")


def test_a_sigterm_makes_it_unready_before_it_goes(server, scratch) -> None:
    """After a SIGTERM, it answers over old and new connections until it ends, and removes its temporary files."""
    master, url = server
    with httpx.Client(base_url=url) as client:
        client.get("/healthz")
        master.terminate()
        end = time.monotonic() + SOON
        while (unready := client.get("/readyz")).status_code == 200:  # until the signal has come
            assert time.monotonic() < end
        answered = [
            client.post("/v1/recommendations", json=QUESTION),
            httpx.post(f"{url}/v1/recommendations", json=QUESTION),
        ]
    status = master.wait(DRAIN_SECONDS + SOON)

    assert (503, "the service is about to stop") == (unready.status_code, unready.json()["reason"])
    assert [200, 200] == [each.status_code for each in answered]
    assert 0 == status
    assert [] == list(scratch.iterdir())


SLOW = """
from time import sleep
exec(open({path!r}).read())
follow = post_fork

def post_fork(server, worker):
    follow(server, worker)
    sleep(1)
"""


def test_a_sigterm_while_workers_start_is_not_waited_for(tmp_path) -> None:
    """A SIGTERM before a worker listens to signals is not lost, so gunicorn does not wait half a minute."""
    settings = tmp_path / "slow.py"
    settings.write_text(SLOW.format(path=str(Path(plimsoll_service.__file__).parent / "gunicorn.conf.py")))
    command = [sys.executable, "-m", "gunicorn", "--config", str(settings), "--bind", f"127.0.0.1:{free_port()}"]
    master = subprocess.Popen(command, env={**os.environ, "WEB_CONCURRENCY": "2", "PLIMSOLL_LOG_LEVEL": "error"})
    try:
        end = time.monotonic() + 3 * SOON
        while len(workers(master)) < 2:
            assert time.monotonic() < end
            time.sleep(0.01)
        master.terminate()

        assert 0 == master.wait(SOON)
    finally:
        master.kill() if master.poll() is None else None
        master.wait(SOON)
