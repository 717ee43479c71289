"""The service under gunicorn: a HUP takes up what its files say now, and a SIGTERM lets it go in order."""

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

from plimsoll_service.catalog import snapshot

SOON = 10.0
DRAIN_SECONDS = 2
QUESTION = {"workload": {"task": "training", "model": "resnet50"}}


@pytest.fixture
def catalog_file(tmp_path, catalog):
    """A catalog of the operator's own."""
    path = tmp_path / "own.npz"
    snapshot.save(catalog, path)
    return path


@pytest.fixture
def server(tmp_path, catalog_file):
    """gunicorn's master and the service's address; whatever it makes for a time is made in a place of its own."""
    port = free_port()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
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
    """Have all workers replaced, and wait until they are."""
    old = workers(master)
    master.send_signal(signal.SIGHUP)
    end = time.monotonic() + SOON
    while not workers(master) or old & workers(master):
        assert time.monotonic() < end
        time.sleep(0.05)


def version(url):
    """The catalog that answers come from."""
    return httpx.get(f"{url}/readyz").json()["catalog"]["version"]


def test_a_hup_takes_up_another_catalog_and_leaves_out_a_broken_one(server, catalog_file, catalog) -> None:
    """What replaced the file is answered from; where it cannot be read, what was there before is."""
    master, url = server
    other = snapshot.stamped(replace(catalog, unpriced=catalog.unpriced + 1))
    snapshot.save(other, catalog_file)
    before = version(url)
    reload(master)
    after = version(url)
    catalog_file.write_bytes(b"no catalog")
    reload(master)

    assert [catalog.version, other.version, other.version] == [before, after, version(url)]
    shown = [line for line in httpx.get(f"{url}/metrics").text.splitlines() if line.startswith("plimsoll_catalog_info")]
    assert [f'plimsoll_catalog_info{{prices_as_of="{other.prices_as_of}",version="{other.version}"}} 1.0'] == [
        line for line in shown if line.endswith(" 1.0")
    ]


def rejected(url):
    """The candidates that recommendations left out, by constraint, as the metrics have it."""
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    shown = (line.split('"')[1::2] + line.split() for line in lines if line.startswith("plimsoll_rejected_candidates_"))
    return {constraint: float(count) for constraint, _, count in shown if float(count)}


def test_what_a_worker_counted_outlives_it(server) -> None:
    """Also what it had not handed in yet when it was told to go; and nothing is counted that nobody asked for."""
    master, url = server
    before = rejected(url)
    answer = httpx.post(f"{url}/v1/recommendations", json=QUESTION).json()
    reload(master)

    assert {} == before
    assert answer["rejected"] == rejected(url)


def test_a_sigterm_makes_it_unready_before_it_goes(server) -> None:
    """Until then it answers, and has each client leave; what it made for a time goes with it."""
    master, url = server
    scratch = Path(f"/proc/{master.pid}/environ").read_bytes().split(b"TMPDIR=")[1].split(b"\0")[0].decode()
    reload(master)
    with httpx.Client(base_url=url) as client:
        kept = client.post("/v1/recommendations", json=QUESTION)
        master.terminate()
        end = time.monotonic() + SOON
        while (unready := client.get("/readyz")).status_code == 200:  # until the signal has come
            assert unready.headers["Connection"] == "keep-alive"
            assert time.monotonic() < end
        answered = httpx.post(f"{url}/v1/recommendations", json=QUESTION)
    status = master.wait(DRAIN_SECONDS + SOON)

    assert (200, "keep-alive") == (kept.status_code, kept.headers["Connection"])
    assert (503, "close") == (unready.status_code, unready.headers["Connection"])
    assert "the service is about to stop" == unready.json()["reason"]
    assert (200, "close") == (answered.status_code, answered.headers["Connection"])
    assert 0 == status
    assert [] == list(Path(scratch).iterdir())
