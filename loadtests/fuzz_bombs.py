"""Requests that try to break a server: each bomb is a name and a function that makes new bytes each time."""

from __future__ import annotations

import gzip
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from random import Random

from fuzz_wire import request

Bomb = Callable[[Random], bytes | Iterable[bytes]]
ROUTES = ("/v1/recommendations", "/v1/estimates", "/v1/comparisons", "/v1/recommendations/batch")
HUGE_BODY = 100 * 1024 * 1024
PIECE = b" " * (1 << 20)
HEAD = "POST /v1/recommendations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
WORKLOAD = b'{"workload":{"task":"training","model":"resnet50","batch_size":%s}}'
NUMBERS = (b"1e400", b"-1e400", b"9" * 100_000, b"0." + b"0" * 100_000 + b"1", b"NaN", b"Infinity", b"-Infinity")
NUMBERS += (b"1e-400", b"0x10", b"01", b"+1", b".5", b"5.", b"1_000", "٣".encode(), "１２".encode(), b"-0", b"1E+308")
TEXTS = (b'"\\ud800"', b'"\xed\xa0\x80"', b'"\\u0000"', b'"\x00"', b'"\x1b[2J"', '"‮٢٤h"'.encode(), b'"\xff\xfe"')
TEXTS += (b'"' + b"a" * 1_000_000 + b'"', '"\U0010ffff"'.encode(), b'"\\ud83d"', "\ufeff1".encode(), "\u2028".encode())
ENCODINGS = ("utf-16", "utf-32", "utf-7", "cp037", "utf-8-sig")
NESTS = ((b"[", b"]"), (b'{"a":', b"}"), (b"[{", b"}]"), (b'{"workload":', b"}"), (b"[", b""))
CHUNKS = (b"ZZ\r\nabc\r\n0\r\n\r\n", b"5\r\nabcdefgh\r\n0\r\n\r\n", b"-1\r\n\r\n", b"5;a=\x01\r\nabcde\r\n0\r\n\r\n")
CHUNKS += (
    b"0\r\nX: \x00\r\n\r\n",
    b"2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
    b"\r\n\r\n",
    b"0x2\r\n{}\r\n0\r\n\r\n",
    b"f" * 9000,
)
CHUNKS += (
    b"2 \r\n{}\r\n0\r\n\r\n",
    b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
    b"2\n{}\n0\n\n",
    b"ffffffffffffffff\r\nx\r\n0\r\n\r\n",
)
FIELDS = (
    *("Transfer-Encoding: foo", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked", "TE: \t,,"),
    *("Content-Length: -1", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 1e3", "Content-Length: ９"),
    *("Expect: 200-ok", "Expect: 100-continue", "Connection: x, close, keep-alive", "Upgrade: h2c", "SCRIPT_NAME: /x"),
    *("PATH_INFO: /x", "X-HTTP-Method-Override: DELETE", "X-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off", "Host: ["),
    *(
        'If-None-Match: "\xff',
        'If-None-Match: W/"' + "x" * 7000,
        "If-None-Match: *",
        "If-Match: ,,,",
        "Range: bytes=-0",
    ),
    *(
        "If-Modified-Since: Sat, 99 Foo 9999999 99:99:99",
        "Accept: */*;q=nan",
        "Accept: " + "a/b;q=0.1," * 700,
        "Cookie: ;=",
    ),
    *(
        "Accept-Encoding: " + "gzip," * 1000,
        "Authorization: Bearer \xff",
        "Authorization: Basic !!!",
        "X-Api-Key: " + "k" * 8000,
    ),
    *(
        "X-Request-Id: \x0b",
        "X-Request-Id: " + "é" * 200,
        "Origin: null",
        "Origin: http://[::",
        "traceparent: 00-xyz-\xff-zz",
    ),
    *(
        "Content-Type: application/json; charset=utf-42",
        "Content-Type: \xff/\xff",
        "Content-Type: multipart/form-data; boundary=",
    ),
    *(
        "Forwarded: for=;;;",
        "X-Forwarded-For: " + "1," * 3000,
        " folded: x",
        "No colon",
        ": empty",
        "Tab\t: x",
        "Nul: \x00",
    ),
)
LINES = (
    *(
        "GET /healthz HTTP/1.0",
        "GET /healthz HTTP/0.9",
        "GET /healthz",
        "GET  /healthz  HTTP/1.1",
        "get /healthz HTTP/1.1",
    ),
    *(
        "OPTIONS * HTTP/1.1",
        "CONNECT a:1 HTTP/1.1",
        "TRACE / HTTP/1.1",
        "PRI * HTTP/2.0",
        "BREW /pot HTTP/1.1",
        "\x16\x03\x01",
    ),
    *(
        "GET http://[::1/x HTTP/1.1",
        "GET //evil/../.. HTTP/1.1",
        "GET /%ff/%00/%2e%2e HTTP/1.1",
        "GET /v1/rules?%ff=%00 HTTP/1.1",
    ),
    *(
        "GET /portal/..%2f..%2fetc%2fpasswd HTTP/1.1",
        "GET /portal/%00 HTTP/1.1",
        "GET /portal/" + "a/" * 2000 + " HTTP/1.1",
    ),
    *(
        "GET /" + "a" * 8100 + " HTTP/1.1",
        "GET /v1/models?" + "a=1&" * 1900 + " HTTP/1.1",
        "GET /" + "a" * 100_000 + " HTTP/1.1",
    ),
    *(
        "HEAD /v1/rules HTTP/1.1",
        "DELETE /v1/rules HTTP/1.1",
        "POST /healthz HTTP/1.1",
        "GET /x\xffy HTTP/1.1",
        "\r\n\r\n\r\n",
    ),
)
QUERIES = ("limit=-1", "limit=1e9", "limit=٣", "limit=" + "9" * 4000, "cursor=", "snapshot=", "snapshot=" + "%00" * 100)
QUERIES += (
    "snapshot=..%2f..",
    "snapshot=2026-01-01-00000000~stale99",
    "format=%00",
    "format=json&format=csv",
    "_method=PUT",
)
LISTS = ("/v1/instance-types", "/v1/prices", "/v1/models", "/v1/evidence", "/v1/prices/snapshots", "/v1/prices/changes")


def nested(chance: Random) -> bytes:
    """Objects and lists nested up to a hundred thousand levels deep."""
    begin, end = chance.choice(NESTS)
    depth = chance.choice((31, 33, 200, 5_000, 100_000))
    return request("POST", chance.choice(ROUTES), begin * depth + b"1" + end * depth)


def value(chance: Random) -> bytes:
    """A text or number that is not valid, or hardly valid, in place of a number."""
    return request("POST", chance.choice(ROUTES), WORKLOAD % chance.choice(NUMBERS + TEXTS))


def repeated(chance: Random) -> bytes:
    """The same key again and again, or thousands of different ones."""
    count = chance.choice((2, 1_000, 50_000))
    keys = (b'"task":"hpc"', b'"model":"x"') if chance.random() < 0.5 else (b'"k%d":%d' % (n, n) for n in range(count))
    return request("POST", chance.choice(ROUTES), b'{"workload":{' + b",".join(list(keys) * 2) + b"}}")


def encoded(chance: Random) -> bytes:
    """A workload in an encoding that JSON does not allow, or as random bytes."""
    text = (WORKLOAD % b"8").decode()
    body = chance.randbytes(chance.randrange(500)) if chance.random() < 0.3 else text.encode(chance.choice(ENCODINGS))
    return request("POST", chance.choice(ROUTES), body)


def zipped(chance: Random) -> bytes:
    """Ten megabytes of spaces in ten kilobytes, declared as compressed."""
    body = gzip.compress(PIECE * 10)
    coding = chance.choice(("gzip", "deflate", "br", "gzip, gzip", "identity"))
    return request("POST", chance.choice(ROUTES), body, f"Content-Encoding: {coding}")


def chunked(chance: Random) -> bytes:
    """Chunks that break their framing, after which the client stays silent."""
    return (
        f"{HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + chance.choice(CHUNKS) + b"\r\n\r\n"
    )


def field(chance: Random) -> bytes:
    """A header field that is wrong, hostile or huge."""
    with_body = (WORKLOAD % b"8", b"") if chance.random() < 0.5 else (None, b"0\r\n\r\n")
    method, path = ("GET", "/v1/rules") if with_body[0] is None else ("POST", chance.choice(ROUTES))
    return request(method, path, with_body[0], chance.choice(FIELDS)) + with_body[1]


def flood(chance: Random) -> bytes:
    """More header fields, or larger ones, than any client sends."""
    count, size = chance.choice(((101, 10), (5_000, 100), (99, 8_000), (1, 500_000)))
    return request("GET", "/healthz", None, *(f"X-{n}: {'x' * size}" for n in range(count)))


def line(chance: Random) -> bytes:
    """A request line that is invalid, or of an old protocol."""
    return f"{chance.choice(LINES)}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode("latin-1")


def cursor(chance: Random) -> bytes:
    """An invented cursor, or another odd parameter of a list."""
    made_up = (
        f"{chance.choice(('', 'x', '2026-01-01-00000000'))}:{chance.choice(('0', '-1', '9' * 40, '٣', '1e9', ''))}"
    )
    text = chance.choice((urlsafe_b64encode(made_up.encode()).decode(), made_up, "%ff%fe", "=" * 100, "A" * 4000))
    query = chance.choice((*QUERIES, f"cursor={text}", f"cursor={text}"))
    return request("GET", f"{chance.choice(LISTS)}?{query}".encode().decode("latin-1"))


def crowd(chance: Random) -> bytes:
    """A batch of many small faults, or one item too many."""
    item = chance.choice(
        ({}, {"workload": {}}, {"workload": {"task": "x" * 100}}, None, 0, [], {"workload": {"k" * 50: 1}})
    )
    return request(
        "POST", "/v1/recommendations/batch", json.dumps({"requests": [item] * chance.choice((1, 300, 1001))}).encode()
    )


def pipelined(chance: Random) -> bytes:
    """Several requests at once, the last of which ends the connection."""
    return request("GET", "/healthz") * chance.randrange(1, 30) + request("GET", "/readyz", None, "Connection: close")


def huge(chance: Random) -> Iterator[bytes]:
    """A hundred megabytes, announced or not."""
    announced = chance.random() < 0.5
    yield f"{HEAD}{f'Content-Length: {HUGE_BODY}' if announced else 'Transfer-Encoding: chunked'}\r\n\r\n".encode()
    piece = PIECE if announced else b"%x\r\n%s\r\n" % (len(PIECE), PIECE)
    for _ in range(HUGE_BODY // len(PIECE)):
        yield piece
    if not announced:
        yield b"0\r\n\r\n"


def never_sent(chance: Random) -> bytes:
    """A body that is announced as far too large, or that ends early because the client hangs up."""
    return f"{HEAD}Content-Length: {chance.choice((HUGE_BODY, 10**17))}\r\nExpect: 100-continue\r\n\r\n".encode()


SMALL: tuple[Bomb, ...] = (
    nested,
    value,
    repeated,
    encoded,
    zipped,
    chunked,
    field,
    flood,
    line,
    cursor,
    crowd,
    pipelined,
)
SMALL += (never_sent,)
