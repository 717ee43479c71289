"""gunicorn as the service configures it: invalid requests are refused, and valid ones are read as sent."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys

import httpx
import pytest
from tests.integration.test_same_bytes import free_port, wait_for

POST = b"POST /v1/recommendations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
WORKLOAD = b'{"workload":{"task":"training","model":"resnet50"}}'
CHUNKED = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
MOST_BODY = 4 * 1024 * 1024


@pytest.fixture(scope="module")
def port():
    """The port of a service with one worker."""
    free = free_port()
    environment = {**os.environ, "WEB_CONCURRENCY": "1", "PLIMSOLL_LOG_LEVEL": "error"}
    master = subprocess.Popen(
        [sys.executable, "-m", "plimsoll_service.cli", "serve", "--port", str(free)], env=environment
    )
    try:
        wait_for(f"http://127.0.0.1:{free}", master)
        yield free
    finally:
        master.terminate()
        master.wait(20)


def exchange(port, sent):
    """All bytes until the service closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        (POST + b"Expect: miracles\r\nContent-Length: 2\r\n\r\n{}", 417),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
        (b"PRI * HTTP/2.0\r\n\r\n", 400),
    ],
    ids=["lengths", "expectation", "line", "fields", "version"],
)
def test_what_is_no_request_is_refused(port, sent, status):
    """gunicorn refuses an invalid request as the client's fault."""
    assert exchange(port, sent).startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (CHUNKED + b"ZZ\r\nx\r\n0\r\n\r\n", 400),
        (CHUNKED + b"2\r\n{}xx0\r\n\r\n", 400),
        (CHUNKED + b"%x\r\n%s\r\n" % (MOST_BODY, WORKLOAD.ljust(MOST_BODY)) + b"1\r\nx\r\n0\r\n\r\n", 413),
        (POST + b"Content-Length: 99999999999\r\nConnection: close\r\n\r\n", 413),
        (POST + b"Content-Length: %d\r\n\r\n%s" % (len(WORKLOAD) + 7, WORKLOAD), 400),
    ],
    ids=["no chunk", "chunk's end", "large chunks", "large", "short"],
)
def test_a_body_that_cannot_be_read_is_refused_with_a_problem(port, sent, status):
    """A body with faulty framing or length is refused with a problem, and its first part alone is not judged."""
    head, _, body = exchange(port, sent).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"application/problem+json" in head
    assert f'"status":{status}'.encode() in body


def test_headers_of_a_client_do_not_change_the_path(port):
    """Only a proxy may set such headers, and here there is no proxy."""
    fields = {"SCRIPT_NAME": "/healthz", "PATH_INFO": "/v1/rules"}

    assert httpx.get(f"http://127.0.0.1:{port}/healthz", headers=fields).json() == {"status": "ok"}


def test_requests_sent_at_once_are_answered_in_order(port):
    """Requests that are sent at once are answered in order, over one connection, each with its own body."""
    length = b"Content-Length: %d\r\n\r\n%s" % (len(WORKLOAD), WORKLOAD)
    sent = b"".join(POST + b"X-Request-Id: number-%d\r\n" % number + length for number in range(5))
    received = exchange(port, sent + b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")

    assert re.findall(rb"number-(\d)\r\n", received) == [b"0", b"1", b"2", b"3", b"4"]
    assert received.count(b"HTTP/1.1 200 OK") == 6
