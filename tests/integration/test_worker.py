"""gunicorn's worker as the service runs it: what is no HTTP is refused, and who is slow holds nobody up."""

from __future__ import annotations

import os
import re
import select
import socket
import subprocess
import sys
from contextlib import ExitStack

import httpx
import pytest
from tests.integration.test_same_bytes import free_port, wait_for

POST = b"POST /v1/recommendations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
WORKLOAD = b'{"workload":{"task":"training","model":"resnet50"}}'
THREADS = 4
MOST_BODY = 4 * 1024 * 1024


@pytest.fixture(scope="module")
def port():
    """The port of a service with one worker that waits three seconds for its clients."""
    free = free_port()
    environment = {**os.environ, "WEB_CONCURRENCY": "1", "PLIMSOLL_LOG_LEVEL": "error"}
    environment["GUNICORN_CMD_ARGS"] = "--timeout 3"
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
    """All that comes back until the service hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(sent)
        received = b""
        while piece := connection.recv(1 << 16):
            received += piece
        return received


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n0\r\n\r\n", 400),
        (POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}xx0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: brotli\r\n\r\n", 400),
        (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        (POST + b"Expect: miracles\r\nContent-Length: 2\r\n\r\n{}", 417),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
        (b"PRI * HTTP/2.0\r\n\r\n", 400),
        (POST + b"Content-Length: 99999999999\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n", 413),
    ],
    ids=["chunk", "chunk's end", "coding", "lengths", "expectation", "line", "fields", "version", "announced"],
)
def test_what_is_no_request_is_refused_with_a_problem(port, sent, status):
    """Whatever is wrong with the bytes, it is the client's fault, and said as every other error is."""
    head, _, body = exchange(port, sent).partition(b"\r\n\r\n")

    assert int(head[9:12]) == status
    assert b"application/problem+json" in head
    assert f'"status":{status}'.encode() in body


def test_a_body_in_chunks_that_is_too_large_is_refused_as_such(port):
    """It is not cut off at the limit and judged by its beginning."""
    chunk = b"%x\r\n%s\r\n" % (MOST_BODY, WORKLOAD.ljust(MOST_BODY))
    sent = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + b"1\r\nx\r\n0\r\n\r\n"

    assert exchange(port, sent).startswith(b"HTTP/1.1 413 ")


def test_a_body_in_chunks_of_a_byte_each_is_read_once(port):
    """What it costs grows as the body does, not as its square: a third of a million chunks are answered."""
    body = b"".join(b"1\r\n%c\r\n" % letter for letter in WORKLOAD.ljust(300_000))
    sent = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"

    assert exchange(port, sent).startswith(b"HTTP/1.1 200 ")


def test_a_body_that_ends_too_soon_is_no_question(port):
    """What came of it may be JSON all the same, and yet not what its sender meant."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(POST + b"Content-Length: %d\r\n\r\n" % (len(WORKLOAD) + 7) + WORKLOAD)
        connection.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: connection.recv(1 << 16), b""))

    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"ended 7 bytes too soon" in received


def test_headers_of_a_client_do_not_change_the_path(port):
    """They are a proxy's to set, and there is none that has to."""
    fields = {"SCRIPT_NAME": "/healthz", "PATH_INFO": "/v1/rules"}

    assert httpx.get(f"http://127.0.0.1:{port}/healthz", headers=fields).json() == {"status": "ok"}


def test_requests_sent_at_once_are_answered_in_order(port):
    """Each once, over the one connection, with its own body."""
    length = b"Content-Length: %d\r\n\r\n%s" % (len(WORKLOAD), WORKLOAD)
    sent = b"".join(POST + b"X-Request-Id: number-%d\r\n" % number + length for number in range(5))
    received = exchange(port, sent + b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")

    assert re.findall(rb"number-(\d)\r\n", received) == [b"0", b"1", b"2", b"3", b"4"]
    assert received.count(b"HTTP/1.1 200 OK") == 6


def test_a_body_is_asked_for_where_its_client_waits_to_be(port):
    """The client hears that it may send, and gets its answer."""
    head = POST + b"Connection: close\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(WORKLOAD)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head)
        word = connection.recv(100)
        connection.sendall(WORKLOAD)
        answer = connection.recv(100)

    assert word == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert answer.startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize(
    "begun",
    [b"", POST, POST + b"Content-Length: 1000\r\n\r\n{", POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"],
    ids=["nothing", "half a head", "half a body", "half a chunk"],
)
def test_clients_that_do_not_go_on_hold_nobody_up(port, begun):
    """More of them than the worker has threads wait, and another is answered meanwhile."""
    with ExitStack() as open_connections:
        for _ in range(5 * THREADS):
            connection = open_connections.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(begun)

        assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=2).status_code == 200


def test_clients_that_do_not_read_hold_nobody_up(port):
    """Answers that nobody takes are kept for a while, and another is answered meanwhile."""
    with ExitStack() as open_connections:
        for _ in range(2 * THREADS):
            connection = open_connections.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"GET /v1/evidence?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5)

        assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=10).status_code == 200


def test_probes_are_answered_while_all_threads_work(port):
    """More batches than the worker has threads are under way, and whoever watches is answered before any of them."""
    batch = b'{"requests":[%s]}' % b",".join(
        b'{"workload":{"task":"hpc","flops":%d}}' % flops for flops in range(1, 501)
    )
    head = POST.replace(b"/v1/recommendations", b"/v1/recommendations/batch")
    with ExitStack() as open_connections:
        waiting = []
        for _ in range(2 * THREADS):
            connection = open_connections.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(head + b"Content-Length: %d\r\n\r\n%s" % (len(batch), batch))
            waiting.append(connection)
        statuses = [
            httpx.get(f"http://127.0.0.1:{port}{path}", timeout=30).status_code
            for path in ("/healthz", "/readyz?full", "/metrics")
        ]
        answered, _, _ = select.select(waiting, [], [], 0)

    assert statuses == [200, 200, 200]
    assert len(answered) < THREADS


def test_a_request_that_does_not_end_is_given_up(port):
    """Its client hears that it was too slow."""
    answer = exchange(port, POST + b"Content-Length: 1000\r\n\r\n{")

    assert answer.startswith(b"HTTP/1.1 408 Request Timeout")
    assert b"not complete within 3 seconds" in answer


def test_more_clients_than_open_files_end_no_worker(tmp_path):
    """Those who have waited longest go, the next is answered, and by the same worker."""
    free = free_port()
    environment = {**os.environ, "WEB_CONCURRENCY": "1", "PLIMSOLL_LOG_LEVEL": "error"}
    command = f"ulimit -n 200; exec {sys.executable} -m plimsoll_service.cli serve --port {free}"
    with (tmp_path / "log").open("w+") as log:
        master = subprocess.Popen(["sh", "-c", command], env=environment, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{free}", master)
            with ExitStack() as open_connections:
                for _ in range(300):
                    connection = open_connections.enter_context(socket.create_connection(("127.0.0.1", free)))
                    connection.sendall(b"GET / HT")

                assert httpx.get(f"http://127.0.0.1:{free}/healthz", timeout=5).status_code == 200
        finally:
            master.terminate()
            master.wait(20)
        log.seek(0)
        assert log.read().count("Booting worker") == 1
