"""The worker's loop answers questions itself, one a round, where they have nobody to wait for."""

from __future__ import annotations

import os
import re
import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask, request
from gunicorn.config import Config
from gunicorn.glogging import Logger

from plimsoll_service.api.ahead import WAITS_FOR_NOBODY
from plimsoll_service.server.connection import Connection
from plimsoll_service.server.worker import PatientWorker

QUESTION = b"GET /v1/recommendations?task=hpc HTTP/1.1\r\nHost: a\r\n\r\n"
QUESTION_IN_BODY = b"POST /v1/recommendations HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nwhat?"
DATE = re.compile(rb"Date: [^\r]*\r\n")
AT_OLD_PRICES = b"GET /v1/recommendations?snapshot=1 HTTP/1.1\r\nHost: a\r\n\r\n"
OTHER = b"GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n"
SOON = 10.0


def application(*extensions: str) -> Flask:
    """An application that answers everything with the name of the thread that asks it."""
    app = Flask("names")
    app.extensions.update(dict.fromkeys(extensions, True))
    app.add_url_rule("/<path:_>", view_func=lambda _: threading.current_thread().name, endpoint="all")
    return app


@pytest.fixture
def worker() -> Iterator[PatientWorker]:
    """A worker that listens nowhere, and whose loop is run by hand, of an application that waits for nobody."""
    settings = Config()
    made = PatientWorker(1, os.getppid(), [], None, 30, settings, Logger(settings))
    made.poller = selectors.DefaultSelector()
    made.method_queue.init()
    made.poller.register(made.method_queue.fileno(), selectors.EVENT_READ, made.method_queue.run_callbacks)
    made.tpool = made.get_thread_pool()
    made.wsgi = application(WAITS_FOR_NOBODY)
    yield made
    made.tpool.shutdown()
    made.method_queue.close()
    made.poller.close()
    made.tmp.close()


def asking(worker: PatientWorker, request: bytes) -> socket.socket:
    """The client's side of a connection over which a request has come."""
    ours, theirs = socket.socketpair()
    theirs.settimeout(SOON)
    theirs.sendall(request)
    worker.nr_conns += 1
    worker.enqueue_req(Connection(worker.cfg, ours, ("127.0.0.1", 1), ("127.0.0.1", 80)))
    return theirs


def answered_by(client: socket.socket) -> str:
    """The name of the thread that answered, as the client was told."""
    received = b""
    while b"\r\n\r\n" not in received or received.endswith(b"\r\n\r\n"):
        received += client.recv(1 << 16)
    return received.rpartition(b"\r\n\r\n")[2].decode()


def test_a_question_is_answered_by_the_loop(worker: PatientWorker) -> None:
    """In a round that waits for nothing, and its connection is kept for the next question."""
    client = asking(worker, QUESTION)

    worker.wait_for_and_dispatch_events(SOON)
    assert answered_by(client) == threading.current_thread().name

    client.sendall(QUESTION)
    worker.wait_for_and_dispatch_events(SOON)
    assert answered_by(client) == threading.current_thread().name
    client.close()


def test_what_came_before_is_answered_by_the_same_bytes(worker: PatientWorker) -> None:
    """A head is read by gunicorn once, and after that neither it nor the answer is told from gunicorn's own."""
    app = application(WAITS_FOR_NOBODY)
    seen: list[dict[str, Any]] = []
    app.before_request(lambda: seen.append(dict(request.environ)))
    app.add_url_rule("/v1/recommendations", view_func=lambda: request.get_data(), methods=["POST"])
    worker.wsgi = app
    client = asking(worker, QUESTION_IN_BODY)
    answers = []

    for _ in range(3):
        worker.wait_for_and_dispatch_events(SOON)
        answers.append(DATE.sub(b"", client.recv(1 << 16)))
        client.sendall(QUESTION_IN_BODY)

    assert answers[0] == answers[1] == answers[2]
    assert answers[0].endswith(b"\r\n\r\nwhat?")
    assert "gunicorn.socket" in seen[0]
    assert "gunicorn.socket" not in seen[1]
    of_gunicorns_read, of_known = ({name: each[name] for name in seen[1] if name.isupper()} for each in seen[:2])
    assert of_known == of_gunicorns_read
    client.close()


def test_requests_that_come_at_once_are_answered_in_turn(worker: PatientWorker) -> None:
    """What follows a body is the next request, also where its head is known."""
    client = asking(worker, QUESTION_IN_BODY * 3)

    for _ in range(3):
        worker.wait_for_and_dispatch_events(SOON)

    assert client.recv(1 << 16).count(b"HTTP/1.1 405 ") == 3
    client.close()


def test_a_server_that_goes_says_so_with_a_known_head_too(
    worker: PatientWorker,
) -> None:
    """The connection is not promised to last."""
    client = asking(worker, QUESTION_IN_BODY)
    worker.wait_for_and_dispatch_events(SOON)
    client.recv(1 << 16)
    worker.alive = False  # as a signal leaves it
    client.sendall(QUESTION_IN_BODY)

    worker.wait_for_and_dispatch_events(SOON)

    assert b"\r\nConnection: close\r\n" in client.recv(1 << 16)
    client.close()


def test_an_answer_that_a_client_is_slow_to_take_is_followed_by_the_next(worker: PatientWorker) -> None:
    """What does not fit into the socket is kept; what was asked meanwhile is answered after it."""
    body = b"x" * (1 << 22)
    app = application(WAITS_FOR_NOBODY)
    app.add_url_rule("/v1/recommendations", view_func=lambda: body, methods=["POST"])
    worker.wsgi = app
    client = asking(worker, QUESTION_IN_BODY * 3)
    received = 0

    while received < 3 * len(body):
        worker.wait_for_and_dispatch_events(0.0)
        with suppress(BlockingIOError):
            received += len(client.recv(1 << 20, socket.MSG_DONTWAIT))

    assert received > 3 * len(body)
    assert worker.nr_conns == 1
    client.close()


def test_bytes_that_are_no_request_are_refused_after_a_known_head(worker: PatientWorker) -> None:
    """They are the next request, whatever came before them, and end the connection."""
    client = asking(worker, QUESTION_IN_BODY)
    worker.wait_for_and_dispatch_events(SOON)
    client.recv(1 << 16)
    client.sendall(QUESTION_IN_BODY + b"no request\r\n\r\n")

    received = b""
    while b"HTTP/1.1 400 " not in received:
        worker.wait_for_and_dispatch_events(0.1)
        with suppress(BlockingIOError):
            received += client.recv(1 << 16, socket.MSG_DONTWAIT)

    assert received.startswith(b"HTTP/1.1 405 ")
    client.close()


def test_a_client_that_has_gone_is_no_fault(worker: PatientWorker, caplog: pytest.LogCaptureFixture) -> None:
    """Its connection ends, and nothing is logged."""
    client = asking(worker, QUESTION_IN_BODY)
    worker.wait_for_and_dispatch_events(SOON)
    client.sendall(QUESTION_IN_BODY)
    client.close()

    for _ in range(2):
        worker.wait_for_and_dispatch_events(SOON)

    assert worker.nr_conns == 0
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


@pytest.mark.parametrize("fault", [ZeroDivisionError("in the application"), OSError(28, "no space left on device")])
def test_an_application_that_fails_ends_the_connection(
    worker: PatientWorker, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """With 500, as gunicorn has it; a full disk is not taken for a client that has gone."""

    def fail(*_: object) -> Any:
        raise fault

    client = asking(worker, QUESTION_IN_BODY)
    worker.wait_for_and_dispatch_events(SOON)
    client.recv(1 << 16)
    worker.wsgi.wsgi_app = fail
    client.sendall(QUESTION_IN_BODY)

    worker.wait_for_and_dispatch_events(SOON)

    assert client.recv(1 << 16).startswith(b"HTTP/1.1 500 ")
    assert [each.levelname for each in caplog.records if each.exc_info] == ["ERROR"]
    client.close()


def test_of_several_questions_one_is_answered_in_a_round(worker: PatientWorker) -> None:
    """Between them the loop sees what others ask, in the order in which they came."""
    first, second = asking(worker, QUESTION), asking(worker, QUESTION)
    second.setblocking(False)

    worker.wait_for_and_dispatch_events(SOON)
    assert answered_by(first) == threading.current_thread().name
    with pytest.raises(BlockingIOError):
        second.recv(1)

    worker.wait_for_and_dispatch_events(SOON)
    assert answered_by(second) == threading.current_thread().name
    first.close()
    second.close()


@pytest.mark.parametrize("request_", [AT_OLD_PRICES, OTHER])
def test_what_may_wait_is_left_to_threads(worker: PatientWorker, request_: bytes) -> None:
    """Old prices may have to be fetched; what is no sizing may take as long as it likes."""
    client = asking(worker, request_)

    assert answered_by(client) != threading.current_thread().name
    client.close()


def test_where_callers_are_admitted_first_a_thread_sizes(worker: PatientWorker) -> None:
    """Limits are counted in Redis, which may not answer."""
    worker.wsgi = application()
    client = asking(worker, QUESTION)

    assert answered_by(client) != threading.current_thread().name
    client.close()
