"""When a request is there: no sooner than its last byte, and no later than it can be refused."""

from __future__ import annotations

import pytest

from plimsoll_service.server.incoming import MOST_HEAD_BYTES, Incoming

MOST_BODY = 100
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = {
    "no body": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a body of known length": POST + b"Content-Length: 5\r\n\r\nabcde",
    "a length in other letters": POST + b"CONTENT-length:\t5 \r\n\r\nabcde",
    "chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
    "chunks with trailers": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n",
}


def incoming(text: bytes) -> Incoming:
    """What has come so far."""
    found = Incoming(MOST_BODY)
    found.take(text)
    return found


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_a_request_is_there_with_its_last_byte(text: bytes) -> None:
    """However it is cut into pieces, it is complete at its end and never before."""
    found, seen = Incoming(MOST_BODY), []
    for at in range(len(text)):
        found.take(text[at : at + 1])
        seen.append(found.complete)

    assert seen == [False] * (len(text) - 1) + [True]
    assert incoming(text).complete
    assert bytes(found.received) == text


@pytest.mark.parametrize(
    "text",
    [
        POST + b"X: " + b"x" * MOST_HEAD_BYTES,
        POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\nno chunk\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 9000,
        POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"x" * (MOST_HEAD_BYTES + 10),
        POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"32\r\n" + b"x" * 50 + b"\r\n32\r\n" + b"x" * 150,
        POST + b"Content-Length: 101\r\nExpect: 100-continue\r\n\r\n",
    ],
    ids=["head", "two lengths", "no chunk", "huge chunk", "endless line", "endless trailers", "much", "asks first"],
)
def test_what_will_be_refused_is_not_waited_for(text: bytes) -> None:
    """Of a request that no more bytes could save, no more are awaited."""
    assert incoming(text).complete


def test_of_a_body_that_is_too_large_twice_the_limit_is_awaited() -> None:
    """So much is read off, that its client sees the refusal."""
    head = POST + b"Content-Length: 100000\r\n\r\n"

    assert not incoming(head + b"x" * (2 * MOST_BODY - 1)).complete
    assert incoming(head + b"x" * (2 * MOST_BODY)).complete


def test_a_client_that_asks_whether_to_send_is_told_once() -> None:
    """But not one whose body is there already."""
    asking = incoming(POST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")

    assert not asking.complete
    assert [True, False] == [asking.wants_word(), asking.wants_word()]
    asking.take(b"abcde")
    assert asking.complete
    sent = incoming(POST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\nabcde")
    assert sent.complete
    assert not sent.wants_word()
