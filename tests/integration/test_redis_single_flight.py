"""Many processes that want the same price of now at the same time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.integration.many_processes import OFFER, PATH
from tests.service.prices.feeds.loopback import Provider, Reply

from plimsoll_service.prices.quote_cache import WAIT_SECONDS
from plimsoll_service.prices.quotes import ANSWER_SECONDS

SCRIPT = Path(__file__).with_name("many_processes.py")
PROCESSES = int(os.environ.get("PLIMSOLL_TEST_PROCESSES", "20"))
USD = 0.4321
THINKING_SECONDS = 0.5  # so long the provider takes: enough for every process to have missed


@pytest.fixture
def provider():
    """A provider that takes its time before it answers."""
    found = Provider()

    def think(_):
        time.sleep(THINKING_SECONDS)
        return Reply({"usd": USD})

    found.routes[PATH] = think
    yield found
    found.close()


@pytest.fixture
def processes(redis_server, provider):
    """Many processes that wait for a signal to ask, and end with the test."""
    command = [sys.executable, str(SCRIPT), str(PROCESSES), redis_server.url, provider.url]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    yield running
    running.kill()
    running.wait()


def answers(processes):
    """Give the signal, and return the answer of each process."""
    output, _ = processes.communicate(timeout=60)
    lines = [json.loads(line) for line in output.splitlines()]
    return [line for line in lines if "usd" in line]  # the rest is log


def test_processes_that_miss_at_once_ask_the_provider_once(processes, provider):
    """One process asks, and all of them use its answer."""
    found = answers(processes)

    assert [USD] * PROCESSES == [answer["usd"] for answer in found]
    assert 1 == len(provider.asked)


def test_a_provider_that_is_down_is_asked_once_as_well(processes, provider, book):
    """The failure of the provider is shared: all answer with the snapshot's price."""
    provider.routes[PATH] = lambda _: Reply(status=403)

    found = answers(processes)

    (expected,) = book.lookup(OFFER).items
    assert [expected.usd_per_hour] * PROCESSES == [answer["usd"] for answer in found]
    assert 1 == len(provider.asked)


def test_when_redis_dies_meanwhile_the_others_go_on_by_themselves(processes, provider, redis_server, book):
    """A process that waits for another's quote when Redis dies still gets a price: the provider's or the snapshot's."""
    threading.Timer(THINKING_SECONDS / 2, redis_server.kill).start()

    found = answers(processes)

    (snapshots,) = book.lookup(OFFER).items
    assert PROCESSES == len(found)
    assert {answer["usd"] for answer in found} <= {USD, snapshots.usd_per_hour}
    assert all(answer["seconds"] < WAIT_SECONDS + ANSWER_SECONDS for answer in found)
