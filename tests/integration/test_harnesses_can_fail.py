"""The harnesses of ``loadtests`` fail for a service with a fault."""

from __future__ import annotations

import http.client
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

ITEM = {
    "rank": 1,
    "instance_type": "p3.2xlarge",
    "region": "us-east-1",
    "price": {"usd_per_hour": 3.06, "as_of": "2026-11-21T07:30:00Z"},
    "estimate": {"throughput": {"low": 1.0, "value": 2.0, "high": 3.0}},
}
ANSWER = {"recommendations": [ITEM], "frontier": [], "rejected": {}, "catalog": {"version": "2026-11-21-aaaaaaaa"}}
Answer = tuple[int, bytes] | None  # status and body; None: hang up


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """A script of the load tests as a module."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "loadtests"))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        sys.modules.pop(name)


class Service:
    """A service that gives one answer to everything, which a test may change."""

    def __init__(self) -> None:
        self.answer: Answer = (200, json.dumps(ANSWER).encode())
        service = self

        class Handler(BaseHTTPRequestHandler):
            """Speaks HTTP/1.1."""

            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                """Answer, or close the connection."""
                self.rfile.read(int(self.headers.get("content-length") or 0))
                if service.answer is None:
                    self.close_connection = True
                    return
                status, body = service.answer
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                """Answer, or close the connection."""
                self.do_GET()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def served() -> Iterator[Service]:
    """A service that can be made faulty."""
    found = Service()
    yield found
    found.close()


def changed(**fields: Any) -> Answer:
    """The answer with other fields in its only recommendation; fields set to ``None`` are removed."""
    item = {name: value for name, value in (ITEM | fields).items() if value is not None}
    return 200, json.dumps(ANSWER | {"recommendations": [item]}).encode()


FAULTS = {
    "a wrong price": changed(price={"usd_per_hour": 0.01, "as_of": "2026-11-21T07:30:00Z"}),
    "a dropped field": changed(region=None),
    "a 500": (500, b"{}"),
    "a hang-up": None,
}


@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_faults_sees(harness: Any, served: Service, fault: str | None) -> None:
    """The harness reports any changed byte and any lost request, and nothing without a fault."""
    faults, fault_load = harness("faults"), harness("fault_load")
    reference = fault_load.Reference(fault_load.mix())
    reference.learn(served.port)
    served.answer = FAULTS[fault] if fault else served.answer
    with fault_load.load(served.port, reference, 0) as seen:
        time.sleep(0.3)
    wrong = faults._wrong(faults.Fault("nothing", lambda *_: None), seen, 1.0)

    assert bool(fault) == bool(wrong)


def test_faults_sees_a_fall_back_to_the_prices_before(harness: Any, served: Service) -> None:
    """Answers from before a publication count as wrong after it, and the same answer counts as no publication."""
    fault_load = harness("fault_load")
    reference = fault_load.Reference(fault_load.mix()[:3])
    reference.learn(served.port)
    bundled, before = served.answer, reference.forget()
    reference.learn(served.port)
    assert not reference.knows_other_than(before)
    served.answer = changed(price={"usd_per_hour": 3.1, "as_of": "2026-11-22T07:30:00Z"})
    reference.forget()
    reference.learn(served.port)

    assert reference.knows_other_than(before)
    assert not reference.fits(reference.requests[0], b"\r\n\r\n" + bundled[1])


class Prices:
    """Two editions of one price."""

    read_at = (1_795_246_200.0,)

    def edition_of(self, region: str, name: str, usd: float) -> int:
        """Edition of a price."""
        if usd not in (3.06, 3.1):
            raise ValueError(f"{usd} is of no list")
        return int(usd == 3.1)


def chaos_sees(chaos: Any, *answers: dict[str, Any], published: float | None = None) -> list[str]:
    """Faults that the chaos test of prices finds in these answers."""
    seen = chaos.Seen(first_published_at=published)
    for answer in answers:
        chaos.check_recommendations(answer, Prices(), seen)
    return list(seen.faults)


def priced(*prices: float, version: str = "2026-11-21-aaaaaaaa") -> dict[str, Any]:
    """An answer with these prices, dated as they were read."""
    listed = [ITEM | {"price": {"usd_per_hour": usd, "as_of": "2026-11-21T07:30:00Z"}} for usd in prices]
    return ANSWER | {"recommendations": listed, "catalog": {"version": version}}


def test_chaos_sees_wrong_and_mixed_prices_and_a_fall_back(harness: Any) -> None:
    """The harness also reports if all refreshes are refused."""
    chaos = harness("chaos_prices")
    long_ago = time.monotonic() - 2 * chaos.FOLLOWED_SECONDS

    assert [] == chaos_sees(chaos, priced(3.06), priced(3.1, version="2026-11-21-bbbbbbbb"))
    assert ["0.0306 is of no list"] == chaos_sees(chaos, priced(0.0306))[:1]
    assert ["prices of editions {0, 1} in one answer"] == chaos_sees(chaos, priced(3.06, 3.1))[:1]
    assert 1 == len(chaos_sees(chaos, priced(3.06), priced(3.1)))
    assert ["a worker fell back to the bundled prices"] == chaos_sees(chaos, priced(3.06), published=long_ago)
    assert "no refreshes published" in chaos.idle(Counter({"refreshes refused": 9, "requests answered": 900}))
    assert "no published snapshots answered from" in chaos.idle(Counter({"refreshes published": 9}))


def test_fuzz_sees_failures_hang_ups_hangs_deaths_and_leaks(harness: Any) -> None:
    """Every valid request must be answered."""
    fuzz = harness("fuzz")

    def verdict(ending: Any, *, may_close: bool = False, died: tuple[int, ...] = (), growth: float = 0.0) -> int:
        tally = fuzz.Tally(may_close=may_close)
        tally.add(b"GET / HTTP/1.1", ending)
        return len(fuzz.verdict({"bodies": tally}, [], died, growth))

    well = fuzz.Ending(422, 0.1)
    assert 0 == verdict(well)
    assert 1 == verdict(fuzz.Ending(500, 0.1))
    assert 1 == verdict(fuzz.Ending(None, 0.1))
    assert 0 == verdict(fuzz.Ending(None, 0.1), may_close=True)
    assert 1 == verdict(fuzz.Ending(None, 35.0, hung=True), may_close=True)
    assert 1 == verdict(well, died=(7,))
    assert 1 == verdict(well, growth=fuzz.MOST_GROWTH_MIB + 1.0)


@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_fuzz_sees_what_is_wrong_with_the_load_beside_it(
    harness: Any, served: Service, monkeypatch: pytest.MonkeyPatch, fault: str | None
) -> None:
    """The harness reports any changed byte and any lost request of the load, and nothing without a fault."""
    fuzz, fault_load = harness("fuzz"), harness("fault_load")
    monkeypatch.setattr(fuzz.os, "nice", lambda _: 0)  # this process stays as it is
    reference = fault_load.Reference(fault_load.mix())
    reference.learn(served.port)
    served.answer = FAULTS[fault] if fault else served.answer

    assert bool(fault) == bool(fuzz.verdict(fuzz.loader(served.port, 20, 0, reference), [], (), 0.0))


@pytest.mark.parametrize(
    "answer",
    [None, (500, b"{}"), (200, b"{}"), (200, b"no JSON"), changed(rank=2), changed(price={"usd_per_hour": 0})],
    ids=["a hang-up", "a 500", "dropped fields", "garbage", "a wrong rank", "a price of 0"],
)
def test_rolling_sees(harness: Any, served: Service, answer: Answer) -> None:
    """Any fault in an answer is noted, and the client continues."""
    rolling = harness("rolling")
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=5)
    assert rolling.failure_of(connection) is None
    served.answer = answer

    assert rolling.failure_of(connection) is not None
    assert not rolling.flawless(rolling.Tally(answered=9, failures=["one"]))
    assert not rolling.flawless(rolling.Tally())
