"""The parser finds what has come in pieces, and nobody waits."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from plimsoll_service.server.buffered_socket import BufferedSocket


@pytest.fixture
def buffered() -> Iterator[BufferedSocket]:
    """One end of a connection whose other end says nothing."""
    ours, theirs = socket.socketpair()
    yield BufferedSocket(ours)
    ours.close()
    theirs.close()


def test_what_has_come_is_handed_out_in_pieces(buffered: BufferedSocket) -> None:
    """Each as large as asked for; who asks for more than there is has misread something, and that is noted."""
    buffered.lay(b"abcdefg")

    assert [buffered.recv(3), buffered.recv(3), buffered.recv(3)] == [b"abc", b"def", b"g"]
    assert not buffered.starved
    assert buffered.recv(3) == b""
    assert buffered.starved


def test_what_the_parser_leaves_is_the_next_requests(buffered: BufferedSocket) -> None:
    """It is taken once."""
    buffered.lay(b"first, second")
    buffered.recv(6)

    assert [buffered.rest(), buffered.rest()] == [b" second", b""]
