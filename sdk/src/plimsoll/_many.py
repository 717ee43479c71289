"""Concurrent work on a stream of inputs, with results in order and bounded memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
)
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def chunks(items: Iterable[T], size: int) -> Iterator[tuple[int, list[T]]]:
    """Yield the items in lists of ``size``, each with the place of its first item; the last may be shorter."""
    source, first = iter(items), 0
    while chunk := list(islice(source, size)):
        yield first, chunk
        first += len(chunk)


async def chunks_async(items: Iterable[T] | AsyncIterable[T], size: int) -> AsyncIterator[tuple[int, list[T]]]:
    """Asynchronous equivalent of ``chunks``; takes either kind of iterable."""
    if not isinstance(items, AsyncIterable):
        for chunk in chunks(items, size):
            yield chunk
        return
    first, waiting = 0, list[T]()
    async for item in items:
        waiting.append(item)
        if len(waiting) == size:
            yield first, waiting
            first, waiting = first + size, []
    if waiting:
        yield first, waiting


def in_order(work: Callable[[T], R], inputs: Iterable[T], concurrency: int) -> Generator[R]:
    """Yield the result of each input, in order; up to ``concurrency`` inputs are in progress.

    The error of an input is raised in its turn. After an error, or when the iterator is closed, no further input
    starts. Inputs in progress are waited for, except after an interrupt.
    """
    running: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="plimsoll")
    interrupted = False
    try:
        for each in inputs:
            running.append(pool.submit(work, each))
            if len(running) == concurrency:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    except KeyboardInterrupt:
        interrupted = True
        raise
    finally:
        pool.shutdown(wait=not interrupted, cancel_futures=True)


async def in_order_async(
    work: Callable[[T], Awaitable[R]], inputs: AsyncIterable[T], concurrency: int
) -> AsyncGenerator[R, None]:
    """Asynchronous equivalent of ``in_order``."""
    running: deque[asyncio.Future[R]] = deque()
    try:
        async for each in inputs:
            running.append(asyncio.ensure_future(work(each)))
            if len(running) == concurrency:
                yield await running.popleft()
        while running:
            yield await running.popleft()
    finally:
        for task in running:
            task.cancel()
        # Cancelled tasks must end before their connections are used again; their errors do not matter.
        await asyncio.gather(*running, return_exceptions=True)
