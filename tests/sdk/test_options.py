"""Options for single calls, and the id of each request."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from plimsoll import AsyncClient, BadAnswer, Client, NotFound, Retry, TimedOut, Timeouts, Unavailable

HEALTHY = {"status": "ok"}
IMPATIENT = Timeouts(read_seconds=0.05)


def _sent(request: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


def test_options_hold_for_the_calls_made_through_them(server: Any) -> None:
    """The changed client has its own limit and policy; the first one keeps its own."""
    server.answers(503, HEALTHY)
    server.answers(503, HEALTHY)
    server.answers(200, HEALTHY)

    with Client(server.url, retry=Retry(base_seconds=0)) as client:
        with pytest.raises(Exception, match="503"):
            client.with_options(retry=Retry(attempts=1)).health()
        assert client.health().status == "ok"


def test_a_call_may_have_a_time_limit_of_its_own(server: Any) -> None:
    """Only the call with the short limit times out."""
    server.hangs()

    with Client(server.url) as client, pytest.raises(TimedOut):
        client.with_options(timeout=IMPATIENT).health()


def test_an_asynchronous_call_may_have_options_of_its_own(server: Any) -> None:
    """The asynchronous client changes its options in the same way, and stays open."""
    server.hangs()
    server.answers(200, HEALTHY)

    async def ask() -> str:
        async with AsyncClient(server.url) as client:
            async with client.with_options(timeout=IMPATIENT) as hasty:
                with pytest.raises(TimedOut):
                    await hasty.health()
            return (await client.health()).status

    assert asyncio.run(ask()) == "ok"


def test_options_are_those_of_known_clients(server: Any) -> None:
    """The options are seconds, a number of retries and a client of httpx, as in other SDKs."""
    server.answers(503, HEALTHY)
    server.hangs()

    with Client(server.url, timeout=0.05, max_retries=0) as client:
        with pytest.raises(Unavailable):
            client.health()
        with pytest.raises(TimedOut):
            client.health()


def test_a_time_limit_may_be_one_of_httpx(server: Any) -> None:
    """A limit of httpx may have a part without a limit."""
    server.hangs()

    with Client(server.url, timeout=httpx.Timeout(None, read=0.05)) as client, pytest.raises(TimedOut):
        client.health()


@pytest.mark.parametrize("wrong", [{"max_retries": -1}, {"timeout": 0}, {"http_client": 1, "transport": 2}])
def test_an_option_out_of_bounds_is_refused(wrong: Any) -> None:
    """An invalid option is refused before any call."""
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match=r"max_retries|Timeouts|exclude"):
            kind(**wrong)


def test_the_callers_own_http_client_sends(server: Any) -> None:
    """The caller's client sends with its headers and hooks, with retries, and stays open."""
    server.answers(503, HEALTHY)
    server.answers(200, HEALTHY)
    server.answers(200, HEALTHY)
    seen: list[str] = []

    with httpx.Client(
        headers={"X-Team": "vision"}, event_hooks={"request": [lambda request: seen.append(request.url.path)]}
    ) as own:
        with Client(server.url, http_client=own, retry=Retry(base_seconds=0)) as client:
            assert client.health().status == "ok"
        assert own.get(f"{server.url}/healthz").json() == HEALTHY

    assert seen == ["/healthz"] * 3
    assert {_sent(request)["x-team"] for request in server.requests} == {"vision"}


def test_the_callers_own_asynchronous_http_client_sends(server: Any) -> None:
    """The asynchronous client does the same as the synchronous one."""
    server.answers(503, HEALTHY)
    server.answers(200, HEALTHY)

    async def ask() -> bool:
        async with httpx.AsyncClient(headers={"X-Team": "vision"}) as own:
            async with AsyncClient(server.url, http_client=own, retry=Retry(base_seconds=0)) as client:
                await client.health()
            return own.is_closed

    assert asyncio.run(ask()) is False
    assert {_sent(request)["x-team"] for request in server.requests} == {"vision"}


def test_further_headers_join_those_of_the_client(server: Any) -> None:
    """A header of the same name, in any case, is replaced; the others stay."""
    server.answers(200, HEALTHY)

    with Client(server.url, headers={"Authorization": "old", "X-Team": "vision"}) as client:
        client.with_options(headers={"authorization": "new"}).health()

    sent = _sent(server.requests[0])
    assert (sent["authorization"], sent["x-team"]) == ("new", "vision")


def test_closing_a_changed_client_leaves_the_first_open(server: Any) -> None:
    """The connections belong to the client that made them."""
    server.answers(200, HEALTHY)
    server.answers(200, HEALTHY)

    with Client(server.url) as client:
        with client.with_options(retry=Retry(attempts=1)) as changed:
            changed.health()
        assert client.health().status == "ok"


def test_every_sending_of_a_call_has_the_same_id(ask: Any, server: Any) -> None:
    """All attempts of a call have the same id, and another call has another one."""
    server.answers(503, HEALTHY)
    server.answers(200, HEALTHY)
    server.answers(200, HEALTHY)

    ask("health")
    ask("health")

    first, again, other = (request.headers["X-Request-Id"] for request in server.requests)
    assert first == again
    assert first != other


def test_the_callers_own_id_goes_first(ask: Any, server: Any) -> None:
    """The caller's own id is in the error."""
    ask.headers = {"X-Request-Id": "build-17"}
    server.answers(404, {"title": "Not found"})

    with pytest.raises(NotFound, match="build-17") as caught:
        ask("health")

    assert caught.value.request_id == "build-17"


def test_a_bad_answer_names_its_request(ask: Any, server: Any) -> None:
    """The id of the response takes precedence over the one that was sent."""
    server.answers(200, b"<html>", {"X-Request-Id": "from-the-service"})

    with pytest.raises(BadAnswer) as caught:
        ask("health")

    assert caught.value.request_id == "from-the-service"
