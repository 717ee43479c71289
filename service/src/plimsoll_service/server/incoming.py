"""How much of a request has come: enough to tell when a thread can work on it without waiting for its client.

Nothing is parsed here: gunicorn's parser judges what these bytes mean, and refuses what is wrong with them.
"""

from __future__ import annotations

import re

_END_OF_HEAD, _END_OF_LINE = b"\r\n\r\n", b"\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding[ \t]*:[^\r\n]*chunked", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue", re.IGNORECASE)
# As large as gunicorn's own limits let a head become: a request line, and a hundred fields of 8,190 bytes.
MOST_HEAD_BYTES = 8190 + 100 * (8190 + 2) + 4
MOST_CHUNK_LINE_BYTES = 8190  # gunicorn's limit, too


class Incoming:
    """The bytes of one request as they come; ``most_body`` is the largest body that will be read, in bytes."""

    def __init__(self, most_body: int) -> None:
        self.received = bytearray()
        self._most_body = most_body
        self._searched = 0
        self._body: int | None = None
        self._end: int | None = None
        self._chunk = 0
        self._expects = False

    def take(self, piece: bytes) -> None:
        """Add what has come."""
        self.received += piece

    @property
    def complete(self) -> bool:
        """Whether the rest need not be awaited: all is there, or too much of it, or something that will be refused."""
        if self._body is None and not self._read_head():
            return len(self.received) > MOST_HEAD_BYTES
        return self._chunks_end() if self._end is None else len(self.received) >= self._end

    @property
    def missing(self) -> int:
        """How many bytes have yet to come of a body whose length was announced."""
        return 0 if self._end is None else max(0, self._end - len(self.received))

    def wants_word(self) -> bool:
        """Whether the client waits to hear that it may send the body; true once."""
        if not self._expects or self.complete:
            return False
        self._expects = False
        return True

    def _read_head(self) -> bool:
        """Look for the end of the head, and in the head for that of the body."""
        found = self.received.find(_END_OF_HEAD, self._searched)
        self._searched = max(0, len(self.received) - len(_END_OF_HEAD) + 1)
        if found < 0:
            return False
        self._body = self._chunk = found + len(_END_OF_HEAD)
        head = bytes(self.received[: self._body])
        self._expects = _EXPECTS.search(head) is not None
        length, chunked = _LENGTH.search(head), _CHUNKED.search(head) is not None
        if length is not None and chunked:
            self._end = self._body  # both are never taken
        elif not chunked:
            self._end = self._body + self._awaited(int(length[1]) if length else 0)
        return True

    def _awaited(self, length: int) -> int:
        """Of a body that is too large so much as keeps most clients able to read the refusal, or none if they ask."""
        if length <= self._most_body:
            return length
        return 0 if self._expects else min(length, 2 * self._most_body)

    def _chunks_end(self) -> bool:
        """Whether the last chunk is there, or a chunk that is none."""
        while (line_end := self.received.find(_END_OF_LINE, self._chunk)) >= 0:
            try:
                size = int(self.received[self._chunk : line_end].partition(b";")[0], 16)
            except ValueError:
                return True
            if size <= 0:
                return self._trailers_end(line_end)
            if size > 2 * self._most_body:
                return True
            following = line_end + size + 2 * len(_END_OF_LINE)
            if following > len(self.received):
                return self._too_much(self._body)
            self._chunk = following
        return len(self.received) - self._chunk > MOST_CHUNK_LINE_BYTES or self._too_much(self._body)

    def _trailers_end(self, line_end: int) -> bool:
        return self.received.find(_END_OF_HEAD, line_end) >= 0 or len(self.received) - line_end > MOST_HEAD_BYTES

    def _too_much(self, start: int | None) -> bool:
        return len(self.received) - (start or 0) > 2 * self._most_body
