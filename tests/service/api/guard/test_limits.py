"""Rate limits of a caller, and the answers that state them."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.api.guard.conftest import Guarded, Issue, bearer

from plimsoll_service.api.guard import limits
from plimsoll_service.api.guard.limits import Limiter, ProcessCounts
from plimsoll_service.settings import RateLimit

RATE = RateLimit(5, "day")  # no window of a test's length ends within one
ITEM = {"workload": {"task": "training"}}


class Clock:
    """A clock that moves only on command."""

    def __init__(self, now: float = 120.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Nothing:
    """Counts that are unavailable."""

    def add(self, name: str, amount: int, seconds: int) -> int | None:
        """Keep nothing."""
        return None


@pytest.fixture
def client(guarded: Guarded) -> FlaskClient:
    """Client of an application with a limit of five questions a day."""
    return guarded(rate_limit=RATE).test_client()


def batch(client: FlaskClient, count: int, **more: Any) -> Any:
    """Answer to a batch of that many workloads."""
    return client.post("/v1/recommendations/batch", json={"requests": [ITEM] * count}, **more)


def test_who_asks_too_much_is_told_when_to_come_again(client: FlaskClient) -> None:
    """Beyond the limit, a caller gets 429 with Retry-After, and before it the rest with every answer."""
    answers = [client.get("/v1/rules") for _ in range(6)]
    last = answers[-1]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert [answer.headers["RateLimit"].split(";")[1] for answer in answers] == [
        "r=4",
        "r=3",
        "r=2",
        "r=1",
        "r=0",
        "r=0",
    ]
    assert answers[0].headers["RateLimit-Policy"] == '"requests";q=5;w=86400'
    assert 0 < int(last.headers["Retry-After"]) <= 86400
    assert last.headers["RateLimit"].endswith(f"t={last.headers['Retry-After']}")
    assert last.json["type"] == "/problems/too-many-requests"


def test_probes_and_pages_are_not_limited(client: FlaskClient) -> None:
    """Probes and pages are not limited, because a load balancer asks more often than a caller may."""
    paths = ("/healthz", "/readyz", "/openapi.yaml", "/", "/v9") * 3

    assert {client.get(path).status_code for path in paths} == {200, 404}
    assert "RateLimit" not in client.get("/healthz").headers


def test_metrics_are_not_limited(guarded: Guarded, key_path: Any, issue: Issue) -> None:
    """Metrics are not limited, so that a busy service can be scraped, but attempts at keys are."""
    key = bearer(issue("metrics"))
    client = guarded(rate_limit=RATE, api_keys_path=key_path).test_client()

    assert {client.get("/metrics", headers=key).status_code for _ in range(8)} == {200}
    assert [client.get("/metrics").status_code for _ in range(6)] == [401] * 5 + [429]


def test_a_batch_counts_as_its_workloads(client: FlaskClient) -> None:
    """A batch counts as its workloads; a refused one counts as one request."""
    assert batch(client, 3).headers["RateLimit"].startswith('"requests";r=2;')
    assert batch(client, 4).status_code == 429
    assert client.get("/v1/rules").status_code == 200


def test_a_batch_that_can_never_pass_is_a_fault_of_the_batch(client: FlaskClient) -> None:
    """A batch above the whole limit is refused as too large, because waiting would not help."""
    answer = batch(client, 6)

    assert answer.status_code == 422
    assert answer.json["errors"] == [
        {"pointer": "/requests", "detail": "may hold at most 5 workloads: the rate limit of one day"}
    ]
    assert batch(client, 4).status_code == 200  # the refused one counted as a request


def test_a_batch_of_all_that_is_allowed_passes(client: FlaskClient) -> None:
    """A batch of exactly the limit passes."""
    assert batch(client, 5).status_code == 200


def test_addresses_are_counted_apart(client: FlaskClient) -> None:
    """Each address has its own count, but one IPv6 network counts as one caller."""

    def asked(address: str, times: int) -> list[int]:
        environment = {"REMOTE_ADDR": address}
        return [client.get("/v1/rules", environ_base=environment).status_code for _ in range(times)]

    assert asked("192.0.2.1", 6)[-1] == 429
    assert asked("192.0.2.2", 1) == [200]
    assert asked("2001:db8::1", 5)[-1] == 200
    assert asked("2001:db8::ffff", 1) == [429]
    assert asked("2001:db8:0:1::1", 1) == [200]
    assert asked("::ffff:192.0.2.1", 1) == [429]  # as a socket of both versions names the first
    assert asked("::ffff:192.0.2.3", 1) == [200]
    assert asked("", 1) == [200]  # over a Unix socket there is no address


def test_only_trusted_proxies_say_who_asks(guarded: Guarded) -> None:
    """Only trusted proxies may state the caller's address."""
    forged, trusted = guarded(rate_limit=RATE).test_client(), guarded(rate_limit=RATE, trusted_proxies=1).test_client()

    def asked(client: FlaskClient, seen: str) -> int:
        return client.get("/v1/rules", headers={"X-Forwarded-For": seen}).status_code

    assert [asked(forged, f"192.0.2.{last}") for last in range(6)][-1] == 429
    assert [asked(trusted, f"192.0.2.{last}") for last in range(6)][-1] == 200
    # What a caller itself puts before the proxy's word counts for nothing.
    assert [asked(trusted, f"192.0.2.{last}, 198.51.100.1") for last in range(6)][-1] == 429


def test_a_port_beside_the_address_is_none_of_the_callers(guarded: Guarded) -> None:
    """A forwarded port does not make another caller."""
    client = guarded(rate_limit=RATE, trusted_proxies=1).test_client()

    def asked(seen: str) -> int:
        return client.get("/v1/rules", headers={"X-Forwarded-For": seen}).status_code

    assert [asked(f"192.0.2.1:{port}") for port in range(1, 7)][-1] == 429
    assert [asked(f"[2001:db8::1]:{port}") for port in range(1, 7)][-1] == 429
    assert [asked(seen) for seen in ("192.0.2.2:1", "[2001:db8:0:1::1]")] == [200, 200]


def test_keys_are_counted_apart_and_may_have_rates_of_their_own(guarded: Guarded, key_path: Any, issue: Issue) -> None:
    """Keys are counted separately from any address, and may have their own rates."""
    keys = issue("read"), issue("read", rate=RateLimit(2, "day"))
    client = guarded(api_keys_path=key_path, rate_limit=RATE).test_client()
    statuses = [[client.get("/v1/rules", headers=bearer(key)).status_code for _ in range(6)] for key in keys]

    assert statuses == [[200] * 5 + [429], [200] * 2 + [429] * 4]


def test_a_key_may_be_limited_where_nobody_else_is(guarded: Guarded, key_path: Any, issue: Issue) -> None:
    """A key may have a limit without a general one."""
    limited, free = issue("read", rate=RateLimit(1, "day")), issue("read")
    client = guarded(api_keys_path=key_path).test_client()

    assert [client.get("/v1/rules", headers=bearer(limited)).status_code for _ in range(2)] == [200, 429]
    assert {client.get("/v1/rules", headers=bearer(free)).status_code for _ in range(9)} == {200}


def test_who_tries_keys_is_limited_too(guarded: Guarded, key_path: Any) -> None:
    """Attempts at keys are limited by address."""
    client = guarded(api_keys_path=key_path, rate_limit=RATE).test_client()

    assert [client.get("/v1/rules", headers=bearer("plm_x")).status_code for _ in range(6)] == [401] * 5 + [429]


def test_the_next_window_begins_anew() -> None:
    """A window begins at a whole multiple of its length, on which all replicas agree."""
    clock = Clock()
    limiter = Limiter(None, None, ProcessCounts(clock), clock)
    rate = RateLimit(2, "minute")
    first = [limiter.charge("a", rate, 1) for _ in range(3)]
    clock.now = 180.0

    assert [(quota.allowed, quota.reset_seconds) for quota in first] == [(True, 60), (True, 60), (False, 60)]
    assert limiter.charge("a", rate, 2).allowed


def test_what_is_refused_costs_nothing() -> None:
    """A refused request costs nothing, so that an impatient caller waits no longer than a patient one."""
    limiter = Limiter(None, None, ProcessCounts(Clock()), Clock())
    rate = RateLimit(10, "minute")
    limiter.charge("a", rate, 4)
    refused = [limiter.charge("a", rate, 7) for _ in range(5)]

    assert [(quota.allowed, quota.remaining) for quota in refused] == [(False, 6)] * 5
    assert limiter.charge("a", rate, 6).allowed


def test_without_shared_counts_each_process_counts_by_itself() -> None:
    """Without Redis, each process counts by itself, so the limit remains."""
    limiter = Limiter(None, Nothing(), ProcessCounts(Clock()), Clock())

    assert [limiter.charge("a", RateLimit(1, "minute"), 1).allowed for _ in range(2)] == [True, False]


def test_memory_is_bounded_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended windows are dropped first, then the callers that asked least recently."""
    monkeypatch.setattr(limits, "MOST_CALLERS", 10)
    clock = Clock()
    counts = ProcessCounts(clock)
    for number in range(25):
        clock.now += 1
        counts.add(f"caller {number}", 1, 5)
        assert len(counts._kept) <= 10
    counts = ProcessCounts(clock)
    for number in range(25):
        counts.add(f"caller {number}", 1, 5)
        assert len(counts._kept) <= 10


@pytest.mark.parametrize("text", ["0/minute", "5", "5/week", "5 / minute", "-1/minute", "5/minutes", "٥/minute", ""])
def test_what_is_no_rate_is_refused(text: str) -> None:
    """A text that is no rate is refused, with an example."""
    with pytest.raises(ValueError, match="600/minute"):
        RateLimit.parse(text)
