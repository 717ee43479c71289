"""Whole answers are those that gunicorn would write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from flask import Flask, Response

from plimsoll_service.server.whole import answered


def answer(app: Any) -> tuple[str, dict[str, str], bytes]:
    """Status line, headers and body of what an application answers."""
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "wsgi.url_scheme": "http", "HTTP_HOST": "a"}
    head, _, body = answered(app, environ).partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    return status, dict(line.split(": ", 1) for line in lines), body


def flask(response: Response) -> Flask:
    """An application with one answer."""
    app = Flask("one")
    app.add_url_rule("/", view_func=lambda: response)
    return app


def test_an_answer_has_the_applications_headers_and_the_servers() -> None:
    """Server, Date and Connection, as gunicorn's have them."""
    status, headers, body = answer(flask(Response("é", 201, {"X-Own": "ü"})))

    assert (status, body) == ("HTTP/1.1 201 CREATED", "é".encode())
    assert (headers["Server"], headers["Connection"], headers["X-Own"]) == ("gunicorn", "keep-alive", "ü")
    assert headers["Date"].endswith(" GMT")
    assert headers["Content-Length"] == "2"


def test_a_body_in_pieces_is_told_in_one_length() -> None:
    """A client that keeps its connection must know where the answer ends."""
    _, headers, body = answer(flask(Response(iter(["a", "bc"]))))

    assert (headers["Content-Length"], body) == ("3", b"abc")


def test_a_length_is_told_once() -> None:
    """However its application spells the header: two would be read in two ways."""
    response = Response("abc")
    del response.headers["Content-Length"]
    response.headers["content-length"] = "3"

    received = answered(flask(response), {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "wsgi.url_scheme": "http"})

    assert received.lower().count(b"content-length: 3\r\n") == 1


@pytest.mark.parametrize("status", [204, 304])
def test_what_has_no_body_has_no_length(status: int) -> None:
    """RFC 9110 forbids it for the one; of the other it would be that of another answer."""
    response = Response(status=status)
    del response.headers["Content-Type"]

    _, headers, body = answer(flask(response))

    assert "Content-Length" not in headers
    assert body == b""


def test_what_an_application_opened_is_closed() -> None:
    """Also where it fails halfway."""
    closed = []

    class Failing:
        def __iter__(self) -> Iterable[bytes]:
            yield b"a"
            raise ValueError("halfway")

        def close(self) -> None:
            closed.append(True)

    with pytest.raises(ValueError, match="halfway"):
        answered(lambda _, start: (start("200 OK", []), Failing())[1], {})
    assert closed == [True]
