"""A head that gunicorn has read before is not read again, and means what it meant."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.parser import RequestParser

from plimsoll_service.server import heads
from plimsoll_service.server.heads import Heads

SETTINGS = Config()
PEER, LISTENER = ("127.0.0.1", 4711), ("127.0.0.1", 8080)
HEAD = (
    b"POST /v1/recommendations?format=json HTTP/1.1\r\nHost: a:1\r\nContent-Length: 4\r\nX-Odd: b\r\nX-Odd: c\r\n\r\n"
)


def connection(peer: Any = PEER) -> SimpleNamespace:
    """What of a connection a head's meaning depends on."""
    return SimpleNamespace(client=peer, server=LISTENER, sock=socket.socket())


def read(received: bytes) -> Any:
    """The request as gunicorn's parser reads it."""
    return next(RequestParser(SETTINGS, iter([received]), PEER))


def learnt(received: bytes) -> Heads:
    """The heads of a worker to which this came."""
    known = Heads()
    known.learn(connection(), received, read(received), SETTINGS)
    return known


def test_the_same_head_says_the_same_of_another_body() -> None:
    """But for who asks from which port; what follows the body is left."""
    found = learnt(HEAD + b"1234").environ(connection(("127.0.0.1", 99)), HEAD + b"5678POST")

    assert found is not None
    environ, rest = found
    assert rest == b"POST"
    assert environ["wsgi.input"].read() == b"5678"
    assert environ["REMOTE_PORT"] == "99"
    assert environ["PATH_INFO"] == "/v1/recommendations"
    assert environ["QUERY_STRING"] == "format=json"
    assert environ["CONTENT_LENGTH"] == "4"
    assert environ["HTTP_X_ODD"] == "b,c"
    assert environ["REMOTE_ADDR"] == "127.0.0.1"
    assert environ["wsgi.multithread"] is True


def test_requests_share_nothing_that_they_change() -> None:
    """An application writes into what WSGI gives it."""
    known, conn = learnt(HEAD + b"1234"), connection()
    first, second = (known.environ(conn, HEAD + b"1234") for _ in range(2))

    assert first is not None
    assert second is not None
    first[0]["own"] = True
    assert "own" not in second[0]


@pytest.mark.parametrize(
    ("received", "peer"),
    [
        (HEAD.replace(b"a:1", b"A:1") + b"1234", PEER),
        (HEAD.replace(b": 4", b": 3") + b"123", PEER),
        (HEAD + b"123", PEER),
        (HEAD + b"1234", ("127.0.0.2", 4711)),
        (HEAD[:-2], PEER),
        (b"", PEER),
    ],
    ids=["another host", "another length", "half a body", "another peer", "half a head", "nothing"],
)
def test_what_differs_is_read_anew(received: bytes, peer: Any) -> None:
    """Byte for byte; some peers' headers are taken for what their clients did."""
    assert learnt(HEAD + b"1234").environ(connection(peer), received) is None


@pytest.mark.parametrize(
    "line",
    [
        b"Expect: 100-continue",
        b"Connection: close",
        b"Connection: keep-alive, upgrade",
        b"Upgrade: h2c",
        b"X-Request-Id: one\r\nX-Request-Id: two",
        b"X-Request-Id: of an odd form",
        b"traceparent: 00-1-1-00",
        b"Authorization: Bearer secret",
        b"Cookie: secret",
        b"X-API-Key: secret",
        b"X-Long: " + b"x" * heads.LONGEST_HEAD,
    ],
)
def test_unusual_heads_and_secrets_are_not_kept(line: bytes) -> None:
    """What is handled in another way, what never comes twice, and what nobody is to find in memory."""
    received = HEAD.replace(b"X-Odd: b", line) + b"1234"

    assert learnt(received).environ(connection(), received) is None


@pytest.mark.parametrize(
    "received",
    [
        HEAD.replace(b"POST", b"GET") + b"1234",
        HEAD.replace(b"HTTP/1.1", b"HTTP/1.0") + b"1234",
        HEAD.replace(b"Content-Length: 4", b"Transfer-Encoding: chunked") + b"0\r\n\r\n",
    ],
)
def test_only_questions_in_bodies_of_known_length_are_kept(received: bytes) -> None:
    """An address is as different as its question; HTTP/1.0 ends its connections."""
    assert learnt(received).environ(connection(), received) is None


def test_a_client_that_says_what_holds_anyway_is_usual() -> None:
    """Most clients' libraries ask for a connection that is kept."""
    received = HEAD.replace(b"X-Odd: b", b"Connection: Keep-Alive") + b"1234"

    assert learnt(received).environ(connection(), received) is not None


@pytest.mark.parametrize("told", [b"X-Request-Id: two", b"x-request-id:two ", None])
def test_the_requests_own_id_makes_no_other_head_of_it(told: bytes | None) -> None:
    """The SDK sends another one each time; each request is told by its own, or by none."""
    received = HEAD.replace(b"X-Odd: b", b"X-Request-Id: one") + b"1234"
    again = received.replace(b"X-Request-Id: one\r\n", b"" if told is None else told + b"\r\n")

    found = learnt(received).environ(connection(), again)

    assert found is not None
    assert found[0].get("HTTP_X_REQUEST_ID") == (None if told is None else "two")


def test_an_id_that_goes_on_in_the_next_line_is_none() -> None:
    """Without it that line would be more of the field before: whoever asks so is read by gunicorn, which refuses it."""
    after_it = HEAD.replace(b"X-Odd: c", b"X-Odd: c\r\n d") + b"1234"
    folding = Config()
    folding.set("permit_obsolete_folding", True)
    known = Heads()
    known.learn(connection(), after_it, next(RequestParser(folding, iter([after_it]), PEER)), folding)

    assert known.environ(connection(), after_it) is not None
    assert known.environ(connection(), after_it.replace(b"\r\n d", b"\r\nX-Request-Id: one\r\n d")) is None


def test_an_id_as_the_last_field_leaves_the_head_whole() -> None:
    """The empty line after it ends the head, and what follows is the body."""
    received = HEAD.replace(b"X-Odd: c", b"X-Odd: c\r\nX-Request-Id: one") + b"1234"

    found = learnt(HEAD + b"1234").environ(connection(), received + b"POST")

    assert found is not None
    assert (found[0]["wsgi.input"].read(), found[1]) == (b"1234", b"POST")


def test_the_heads_that_came_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many different ones are sent; a look counts as coming."""
    monkeypatch.setattr(heads, "MOST_HEADS", 2)
    known, conn = Heads(), connection()
    first, second, third = (HEAD.replace(b"a:1", host) + b"1234" for host in (b"a", b"b", b"c"))

    for received in (first, second):
        known.learn(conn, received, read(received), SETTINGS)
    known.environ(conn, first)
    known.learn(conn, third, read(third), SETTINGS)

    assert [known.environ(conn, each) is not None for each in (first, second, third)] == [True, False, True]
