"""The worker's own accounts of its connections."""

from __future__ import annotations

import os
import selectors
import socket

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from plimsoll_service.server.connection import Connection
from plimsoll_service.server.worker import PatientWorker


@pytest.fixture
def worker():
    """A worker that listens nowhere, and whose loop is run by hand."""
    settings = Config()
    made = PatientWorker(1, os.getppid(), [], None, 30, settings, Logger(settings))
    made.poller = selectors.DefaultSelector()
    yield made
    made.poller.close()
    made.tmp.close()


def test_a_connection_that_another_ends_in_the_same_round_is_ended_once(worker):
    """Both clients did their part at once, but whoever comes first gives up the other: one is left."""
    pairs = [socket.socketpair() for _ in range(2)]
    first, second = (Connection(worker.cfg, ours, "", None) for ours, _ in pairs)
    worker.nr_conns = 2
    worker._wait(first, selectors.EVENT_READ, lambda _: worker._give_up(second), 30)
    worker._wait(second, selectors.EVENT_READ, lambda _: worker._give_up(first), 30)
    for _, theirs in pairs:
        theirs.send(b"x")

    worker.wait_for_and_dispatch_events(0)

    assert worker.nr_conns == 1
    assert len(worker._waiting) == 1
    for ours, theirs in pairs:
        ours.close()
        theirs.close()
