"""Both clients against the real application with planned faults, in process and under gunicorn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.sdk.faulty_app import SLOW_SECONDS, app

from plimsoll import (
    Answer,
    AsyncClient,
    Client,
    ConnectionFailed,
    PlimsollError,
    RateLimited,
    Retry,
    TimedOut,
    Timeouts,
    Unavailable,
)
from plimsoll._http import in_process_async

QUESTION = {"task": "training", "model": "resnet50"}
AT_ONCE = Retry(base_seconds=0)
Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def application() -> Any:
    """The application with its faults, in this process."""
    return app()


@pytest.fixture(params=["sync", "async"])
def ask_socket(request: pytest.FixtureRequest, service_url: str) -> Ask:
    """Either client over a real connection, called with a fault."""
    return _ask_async(service_url) if request.param == "async" else _ask(service_url)


@pytest.fixture(params=["sync", "async"])
def ask_in_process(request: pytest.FixtureRequest, application: Any) -> Ask:
    """The same without a socket."""
    if request.param == "async":
        return _ask_async("http://local", lambda: in_process_async(application))
    return _ask("http://local", lambda: httpx.WSGITransport(app=application))


def _ask(url: str, transport: Callable[[], Any] = lambda: None) -> Ask:
    def ask(fault: str, **options: Any) -> Answer:
        options = {"retry": AT_ONCE, "headers": {"X-Fault": fault}} | options
        with Client(url, transport=transport(), **options) as client:
            return client.recommend(QUESTION)

    return ask


def _ask_async(url: str, transport: Callable[[], Any] = lambda: None) -> Ask:
    async def ask(fault: str, **options: Any) -> Answer:
        options = {"retry": AT_ONCE, "headers": {"X-Fault": fault}} | options
        async with AsyncClient(url, transport=transport(), **options) as client:
            return await client.recommend(QUESTION)

    return lambda fault, **options: asyncio.run(ask(fault, **options))


@pytest.mark.parametrize("fault", ["429 x2", "503 x2", "500 x1", "cut x2"])
def test_a_passing_fault_is_outlived_over_a_socket(ask_socket: Ask, fault: str) -> None:
    """After two failures, the third attempt gets the answer of a healthy service."""
    assert ask_socket(fault) == ask_socket("")


@pytest.mark.parametrize("fault", ["429 x2", "503 x2"])
def test_a_passing_fault_is_outlived_in_process(ask_in_process: Ask, fault: str) -> None:
    """The same policy applies without a network."""
    assert ask_in_process(fault) == ask_in_process("")


@pytest.mark.parametrize(
    ("fault", "kind"), [("429 x3", RateLimited), ("503 x3", Unavailable), ("cut x3", ConnectionFailed)]
)
def test_a_lasting_fault_is_raised_with_the_request(ask_socket: Ask, fault: str, kind: type[PlimsollError]) -> None:
    """After the last attempt, the error names the request as the service's log does."""
    with pytest.raises(kind, match=r"request [0-9a-f]{32}") as caught:
        ask_socket(fault)

    assert caught.value.request_id in str(caught.value)


@pytest.mark.parametrize(("fault", "kind"), [("429 x3", RateLimited), ("503 x3", Unavailable)])
def test_a_lasting_fault_is_raised_in_process(ask_in_process: Ask, fault: str, kind: type[PlimsollError]) -> None:
    """The error is the same without a socket."""
    with pytest.raises(kind, match="planned by a test"):
        ask_in_process(fault)


def test_an_answer_beyond_the_time_limit_is_raised_and_not_asked_again(ask_socket: Ask) -> None:
    """A timeout is not retried, although a second attempt would succeed."""
    with pytest.raises(TimedOut, match=r"/v1/recommendations.*request") as caught:
        ask_socket("slow x1", timeout=Timeouts(read_seconds=SLOW_SECONDS / 10))

    assert caught.value.request_id


def test_a_slow_answer_within_the_limit_is_waited_for(ask_socket: Ask) -> None:
    """A slow answer within the limit is no failure."""
    assert ask_socket("slow x1").best is not None
