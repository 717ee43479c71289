"""Streams of questions: results in order, bounded concurrency, and bounded memory."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from plimsoll import Answer, ApiError, AsyncClient, Client, ConnectionFailed, Query, Retry, Workload
from plimsoll._http import in_process_async
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

SENT_ONCE = Retry(attempts=1)
Stream = Callable[..., Any]


@dataclass
class Batches(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Answers batches once ``together`` of them have arrived, and then the first one last."""

    together: int = 1
    fails_at: int | None = None
    asked: list[int] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the batch's answer, once the others have arrived."""
        numbers = self._enter(request)
        while not self._may_leave(numbers):
            time.sleep(0)
        return self._leave(request, numbers)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Asynchronous equivalent."""
        numbers = self._enter(request)
        while not self._may_leave(numbers):
            await asyncio.sleep(0)
        return self._leave(request, numbers)

    def _enter(self, request: httpx.Request) -> list[int]:
        with self.lock:
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        return [each["workload"]["batch_size"] for each in json.loads(request.content)["requests"]]

    def _may_leave(self, numbers: list[int]) -> bool:
        met = self.most_under_way >= self.together
        return met and (self.together == 1 or 0 not in numbers or bool(self.asked))

    def _leave(self, request: httpx.Request, numbers: list[int]) -> httpx.Response:
        with self.lock:
            self.under_way -= 1
            self.asked.append(len(numbers))
        if self.fails_at in numbers:
            raise httpx.ReadError("planned", request=request)
        return httpx.Response(200, json={"results": [_result(number) for number in numbers]})


def _result(number: int) -> dict[str, Any]:
    workload = {"task": "training", "batch_size": number}
    return {"status": 200, "catalog": {"version": "v"}, "workload": workload, "recommendations": []}


def _questions(count: int, taken: list[int] | None = None) -> Iterator[Query]:
    for number in range(count):
        if taken is not None:
            taken.append(number)
        yield Query(Workload("training", batch_size=number))


@pytest.fixture(params=["sync", "async"])
def stream(request: pytest.FixtureRequest) -> Stream:
    """Run either client's ``recommend_many`` over a transport; fills ``seen``, up to ``stop_after`` results."""
    return _stream_async if request.param == "async" else _stream


def _stream(transport: Any, questions: Any, seen: list[Any], stop_after: int | None = None, **options: Any) -> None:
    with Client("http://service", retry=SENT_ONCE, transport=transport) as client:
        for result in client.recommend_many(questions, **options):
            seen.append(result)
            if len(seen) == stop_after:
                break


def _stream_async(
    transport: Any, questions: Any, seen: list[Any], stop_after: int | None = None, **options: Any
) -> None:
    async def ask() -> None:
        async with AsyncClient("http://service", retry=SENT_ONCE, transport=transport) as client:
            async for result in client.recommend_many(questions, **options):
                seen.append(result)
                if len(seen) == stop_after:
                    break

    asyncio.run(ask())


def _numbers(results: list[Any]) -> list[int]:
    return [result.workload["batch_size"] for result in results]


def test_results_come_in_the_order_of_the_questions(stream: Stream) -> None:
    """Results are in the order of the questions, in any order of batches; the last batch may be smaller."""
    batches, seen = Batches(together=3), []

    stream(batches, _questions(10), seen, concurrency=3, chunk=4)

    assert _numbers(seen) == list(range(10))
    assert sorted(batches.asked) == [2, 4, 4]


def test_no_more_batches_are_under_way_than_allowed(stream: Stream) -> None:
    """The allowed number of batches is reached and never exceeded."""
    batches = Batches(together=2)

    stream(batches, _questions(40), [], concurrency=2, chunk=2)

    assert batches.most_under_way == 2


def test_questions_are_read_as_results_are_taken(stream: Stream) -> None:
    """Questions are read only when their batch is sent, so that a stream of any length fits into memory."""
    taken: list[int] = []

    stream(Batches(), _questions(1000, taken), [], stop_after=1, concurrency=2, chunk=5)

    assert len(taken) == 10


def test_a_batch_that_fails_raises_in_its_turn(stream: Stream) -> None:
    """A failed batch raises only after all results before it were handed out."""
    seen: list[Any] = []

    with pytest.raises(ConnectionFailed):
        stream(Batches(fails_at=5), _questions(100), seen, concurrency=2, chunk=2)

    assert _numbers(seen) == [0, 1, 2, 3]


def test_nothing_asked_is_nothing_answered(stream: Stream) -> None:
    """Without questions, no batch is sent."""
    batches, seen = Batches(), []

    stream(batches, [], seen)

    assert (seen, batches.asked) == ([], [])


@pytest.mark.parametrize("wrong", [{"concurrency": 0}, {"chunk": 0}, {"chunk": 1001}])
def test_a_cut_that_cannot_be_is_refused_at_once(wrong: dict[str, int]) -> None:
    """An invalid chunk size is refused at the call, not at the first result."""
    with Client("http://service", transport=Batches()) as client, pytest.raises(ValueError, match="give 1"):
        client.recommend_many([], **wrong)


def test_an_asynchronous_source_is_read_as_it_goes() -> None:
    """Questions may come from an asynchronous iterator."""

    async def source() -> AsyncIterator[Query]:
        for question in _questions(5):
            await asyncio.sleep(0)
            yield question

    seen: list[Any] = []
    _stream_async(Batches(), source(), seen, chunk=2)

    assert _numbers(seen) == list(range(5))


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_the_service_answers_a_stream_as_single_questions(kind: str) -> None:
    """A stream over the real application has each question's own answer, and a refusal in its place."""
    application = create_app(Settings(log_level="critical"))
    questions: list[Any] = [{"workload": {"task": "training", "model": "resnet50", "epochs": n}} for n in range(5)]
    with Client("http://service", transport=httpx.WSGITransport(app=application)) as client:
        alone = [client.recommend(**question) for question in questions[1:]]

    seen: list[Any] = []
    if kind == "sync":
        _stream(httpx.WSGITransport(app=application), questions, seen, chunk=2)
    else:
        _stream_async(in_process_async(application), questions, seen, chunk=2)

    refused, *answers = seen
    assert isinstance(refused, ApiError)
    assert [_figures(answer) for answer in answers] == [_figures(answer) for answer in alone]


def _figures(answer: Answer) -> tuple[Any, ...]:
    return answer.recommendations, answer.assumptions, answer.rejected, answer.catalog
