"""What cannot be read as HTTP, refused as every other error is: with a problem document, and never as our fault."""

from __future__ import annotations

from typing import Any

from gunicorn.http.errors import (
    ExpectationFailed,
    ForbiddenProxyRequest,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)

from ..api.encode import encode
from ..api.problems import MEDIA_TYPE, problem

BAD_REQUEST = (400, "Bad Request")
# A transfer coding that is not known is the client's fault as well: 501 would count as an outage.
STATUSES = {
    LimitRequestLine: (414, "URI Too Long"),
    LimitRequestHeaders: (431, "Request Header Fields Too Large"),
    ExpectationFailed: (417, "Expectation Failed"),
    ForbiddenProxyRequest: (403, "Forbidden"),
}
TOO_SLOW = (408, "Request Timeout")
CROWDED = (429, "Too Many Requests")
MOST_DETAIL = 200  # characters of what the client wrote


class ToldReader:
    """The reader of a body, whose broken framing the application meets as a broken connection, and answers with 400."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def read(self, size: int) -> bytes:
        """The next bytes; raises ``OSError`` where there are none because the framing is broken."""
        try:
            piece: bytes = self._reader.read(size)
        except ParseException as error:
            raise OSError(str(error)) from error
        return piece


def refusal(error: ParseException) -> bytes:
    """The whole answer to a request that is none; the connection ends with it."""
    status = STATUSES.get(type(error), BAD_REQUEST)
    return answer(status, str(error)[:MOST_DETAIL] or status[1])


def answer(status: tuple[int, str], detail: str) -> bytes:
    """A problem as the bytes of an HTTP answer."""
    code, reason = status
    body = encode(problem(code, detail, "/"))
    fields = f"Connection: close\r\nContent-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}"
    return f"HTTP/1.1 {code} {reason}\r\n{fields}\r\n\r\n".encode() + body
