"""The same request gets the same bytes from every worker and after every restart."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.json"))
READY_SECONDS = 30.0
ASKED_OF_WORKERS = 12  # of two workers with four threads each, each gets some


def free_port():
    """A free port of the loopback address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def served(hash_seed, redis_url=None):
    """The address of the service under gunicorn with two workers, started with that hash seed."""
    port = free_port()
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "WEB_CONCURRENCY": "2", "PLIMSOLL_LOG_LEVEL": "error"}
    if redis_url:
        environment["PLIMSOLL_REDIS_URL"] = redis_url
    command = [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=environment)
    try:
        yield wait_for(f"http://127.0.0.1:{port}", process)
    finally:
        process.terminate()
        process.wait(timeout=READY_SECONDS)


def wait_for(url, process):
    """The address, once the service is ready."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(f"{url}/readyz").status_code == 200:
                return url
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the service did not become ready")


def answers(url):
    """Each example's set of distinct answers over several new connections."""
    found = {}
    for path in EXAMPLES:
        body = json.loads(path.read_text())
        responses = [httpx.post(f"{url}/v1/recommendations", json=body) for _ in range(ASKED_OF_WORKERS)]
        assert {response.status_code for response in responses} == {200}
        found[path.stem] = {response.content for response in responses}
    return found


@pytest.fixture(scope="module")
def first():
    """The answers of one run of the service."""
    with served("1") as url:
        return answers(url)


def test_all_workers_give_the_same_bytes(first):
    """Twelve connections spread over two workers see one answer."""
    assert {name: len(found) for name, found in first.items()} == {path.stem: 1 for path in EXAMPLES}


def test_a_restart_with_another_hash_seed_and_a_redis_gives_the_same_bytes(first, redis_url):
    """Neither the order of sets, nor a restart, nor Redis changes a byte."""
    with served("2", redis_url) as url:
        again = answers(url)

    assert again == first
