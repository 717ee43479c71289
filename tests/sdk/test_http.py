"""Both clients over a real connection: their requests, their retries, and the error of each fault."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from plimsoll import (
    BadAnswer,
    Client,
    ConnectionFailed,
    RateLimited,
    Retry,
    ServerError,
    TimedOut,
    Timeouts,
    Unavailable,
    ValidationError,
    __version__,
)

HEALTHY = {"status": "ok"}
BUSY = {"type": "/problems/unavailable", "title": "Busy", "status": 503, "detail": "come again"}


def test_a_request_names_the_client_and_its_version(ask: Any, server: Any) -> None:
    """Every request carries the package's User-Agent and the caller's own headers."""
    ask.headers = {"Authorization": "Bearer token"}
    server.answers(200, HEALTHY)

    ask("health")

    sent = server.requests[0].headers
    assert (f"plimsoll-python/{__version__}", "Bearer token") == (sent["User-Agent"], sent["Authorization"])


def test_a_question_is_posted_as_json(ask: Any, server: Any) -> None:
    """The workload, given by names, is the contract's body without unset fields."""
    server.answers(200, {"catalog": {"version": "1"}, "workload": {}, "recommendations": []})

    answer = ask("recommend", task="training", model="resnet50", epochs=None, limit=3)

    asked = server.requests[0]
    assert (asked.method, asked.path) == ("POST", "/v1/recommendations")
    assert asked.body == {"workload": {"task": "training", "model": "resnet50"}, "limit": 3}
    assert answer.best is None


def test_a_format_answers_with_text(ask: Any, server: Any) -> None:
    """With a format for scripts, the answer is the unchanged text."""
    server.answers(200, b"INSTANCE_TYPE='g5.xlarge'\n")

    assert ask("recommend", {"task": "training"}, format="env") == "INSTANCE_TYPE='g5.xlarge'\n"
    assert server.requests[0].path == "/v1/recommendations?format=env"


def test_a_collection_is_followed_to_its_end(ask: Any, server: Any) -> None:
    """An iterator follows ``next`` from page to page."""
    server.answers(200, {"items": [{"id": "a"}], "total": 2, "next": "/v1/rules?limit=1&cursor=x"})
    server.answers(200, {"items": [{"id": "b"}], "total": 2, "next": None})

    rules = ask("rules", limit=1)

    assert [rule.id for rule in rules] == ["a", "b"]
    assert [request.path for request in server.requests] == ["/v1/rules?limit=1", "/v1/rules?limit=1&cursor=x"]


def test_a_prefix_of_the_address_is_kept(ask: Any, server: Any) -> None:
    """A service behind a path of a gateway is called under that path, also for later pages."""
    ask.url += "/plimsoll/"
    server.answers(200, {"items": [], "next": "/v1/rules?cursor=x"})
    server.answers(200, {"items": [], "next": None})

    ask("rules")

    paths = [request.path for request in server.requests]
    assert paths == ["/plimsoll/v1/rules?limit=1000", "/plimsoll/v1/rules?cursor=x"]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_failure_is_asked_again(ask: Any, server: Any, status: int) -> None:
    """After a temporary failure, the same body is sent again."""
    server.answers(status, BUSY)
    server.answers(200, {"results": []})

    assert ask("recommend_batch", []) == ()
    assert [request.body for request in server.requests] == [{"requests": []}] * 2
    assert ask.slept == [0.5]


def test_waits_double_up_to_the_cap(ask: Any, server: Any) -> None:
    """The bound of the wait doubles with every attempt, up to the cap."""
    ask.retry = Retry(attempts=5, base_seconds=1, cap_seconds=3)
    for _ in range(5):
        server.answers(503, BUSY)

    with pytest.raises(Unavailable):
        ask("health")

    assert ask.slept == [1, 2, 3, 3]


def test_retry_after_in_seconds_is_honoured(ask: Any, server: Any) -> None:
    """The wait is never shorter than the service asked."""
    ask.jitter = 0.0
    server.answers(429, BUSY, {"Retry-After": "7"})
    server.answers(200, HEALTHY)

    assert ask("health").status == "ok"
    assert ask.slept == [7]


def test_retry_after_as_a_date_is_honoured(ask: Any, server: Any) -> None:
    """Retry-After may be an HTTP date."""
    ask.jitter = 0.0
    server.answers(503, BUSY, {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)})
    server.answers(200, HEALTHY)

    ask("health")

    assert ask.slept == [pytest.approx(30, abs=5)]


def test_a_wait_too_long_is_left_to_the_caller(ask: Any, server: Any) -> None:
    """A Retry-After above the limit raises at once, and the error has its seconds."""
    server.answers(429, {"title": "Too many requests", "status": 429}, {"Retry-After": "61"})

    with pytest.raises(RateLimited) as caught:
        ask("health")

    assert (ask.slept, caught.value.retry_after) == ([], 61)


@pytest.mark.parametrize("fault", ["drops", "cuts"])
def test_a_broken_connection_is_tried_again(ask: Any, server: Any, fault: str) -> None:
    """A connection that breaks before or within the answer is opened again."""
    getattr(server, fault)(*([HEALTHY] if fault == "cuts" else []))
    server.answers(200, HEALTHY)

    assert ask("health").status == "ok"
    assert len(ask.slept) == 1


def test_a_connection_that_keeps_breaking_fails(ask: Any, server: Any) -> None:
    """After the last attempt, the error is a ConnectionFailed with the address."""
    for _ in range(3):
        server.cuts(HEALTHY)

    with pytest.raises(ConnectionFailed, match=f"GET {server.url}/healthz"):
        ask("health")


def test_nobody_listening_fails_after_the_last_try(ask: Any) -> None:
    """A refused connection is tried as often as the policy allows."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        ask.url = f"http://127.0.0.1:{unused.getsockname()[1]}"

        with pytest.raises(ConnectionFailed):
            ask("health")

    assert len(ask.slept) == 2


def test_a_slow_answer_times_out_and_is_not_asked_again(ask: Any, server: Any) -> None:
    """A timeout is not retried, so that a slow service gets no more work."""
    ask.timeout = Timeouts(read_seconds=0.05)
    server.hangs()

    with pytest.raises(TimedOut, match="/healthz"):
        ask("health")

    assert ask.slept == []


@pytest.mark.parametrize("garbage", [b"", b"<html>", b"[1]", b"\xff", b"[" * 100_000, b"{}"])
def test_garbage_is_a_bad_answer(ask: Any, server: Any, garbage: bytes) -> None:
    """A response that is not the promised object raises BadAnswer, not a decoder's own error."""
    server.answers(200, garbage)

    with pytest.raises(BadAnswer, match="GET /healthz"):
        ask("health")


def test_a_body_that_does_not_decompress_is_a_bad_answer(ask: Any, server: Any) -> None:
    """A broken content encoding is reported as the service's fault."""
    server.answers(200, b"not gzip", {"Content-Encoding": "gzip"})

    with pytest.raises(BadAnswer):
        ask("health")


def test_a_redirect_is_a_bad_answer(ask: Any, server: Any) -> None:
    """A redirect is an error, because the contract has none; it shows a wrong address."""
    server.answers(302, b"", {"Location": "/elsewhere"})

    with pytest.raises(BadAnswer, match="302"):
        ask("health")


def test_a_problem_becomes_an_error_with_all_faults(ask: Any, server: Any) -> None:
    """A 422 raises ValidationError with the document's members, and is not retried."""
    faults = [{"pointer": "/workload/task", "detail": "is required"}]
    problem = {
        "type": "/problems/invalid-field",
        "title": "Invalid",
        "status": 422,
        "detail": "1 fault",
        "errors": faults,
    }
    server.answers(422, problem, {"X-Request-Id": "r1"})

    with pytest.raises(ValidationError) as caught:
        ask("recommend", {"model": "resnet50"})

    error = caught.value
    assert (error.status, error.title, error.detail, error.request_id) == (422, "Invalid", "1 fault", "r1")
    assert [(fault.pointer, fault.detail) for fault in error.errors] == [("/workload/task", "is required")]
    assert "/workload/task: is required" in str(error)


def test_a_refusal_in_other_words_keeps_its_status(ask: Any, server: Any) -> None:
    """A gateway's HTML response still raises the error of its status."""
    ask.retry = Retry(attempts=1)
    server.answers(502, b"<html>Bad Gateway</html>")

    with pytest.raises(ServerError) as caught:
        ask("health")

    assert (caught.value.status, caught.value.title, caught.value.detail) == (502, "Bad Gateway", None)


def test_a_client_retries_without_further_ado(server: Any) -> None:
    """The default transport of a client retries by the client's policy."""
    server.answers(503, BUSY)
    server.answers(200, HEALTHY)

    with Client(server.url, retry=Retry(base_seconds=0.0)) as client:
        assert client.health().status == "ok"
