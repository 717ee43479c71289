"""A whole run: chunks go to processes as they are read, and their answers to the output in the order of the lines."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import wait

from ..settings import Settings
from .answering import Answering
from .faults import BulkError
from .forms import Form
from .installed import installed
from .lines import Chunk
from .output import Output
from .progress import Progress
from .reading import Source
from .rendering import Rendered, render

AHEAD = 2  # chunks under way for each process: one that is answered, one that waits


@dataclass(frozen=True)
class Work:
    """How a chunk is answered: everything that a process must know beside the lines."""

    settings: Settings
    prices: str
    form: Form
    chunk: int
    processes: int


def run(source: Source, output: Output, work: Work, progress: Progress) -> None:
    """Answer all lines of the source; raises ``BulkError``, and what is written stays there to go on from."""
    for chunk, rendered in _rendered(output.skip(source.chunks(work.chunk)), work):
        output.write(chunk, rendered)
        progress.tell(chunk.first + rendered.lines - 1, source.share_read())
    output.finish()


def _rendered(chunks: Iterator[Chunk], work: Work) -> Iterator[tuple[Chunk, Rendered]]:
    if work.processes == 1:
        yield from ((chunk, answered(chunk, work)) for chunk in chunks)
        return
    installed(work.settings, work.prices)  # before the processes are forked, which then find it in memory
    try:
        with ProcessPoolExecutor(work.processes, _context(), _follow_parent) as pool:
            yield from _in_order(pool, chunks, work)
    except BrokenProcessPool as error:
        raise BulkError("a process ended unexpectedly, perhaps for want of memory: run again to go on") from error


def _in_order(pool: ProcessPoolExecutor, chunks: Iterator[Chunk], work: Work) -> Iterator[tuple[Chunk, Rendered]]:
    under_way: deque[tuple[Chunk, Future[Rendered]]] = deque()
    others = set(multiprocessing.active_children())
    try:
        for chunk in chunks:
            under_way.append((chunk, pool.submit(answered, chunk, work)))
            if len(under_way) >= AHEAD * work.processes:
                first, rendered = under_way.popleft()
                yield first, rendered.result()
        while under_way:
            first, rendered = under_way.popleft()
            yield first, rendered.result()
    except BaseException:
        # Whoever interrupts does not want to wait until chunks are answered that nobody writes any more.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise


def answered(chunk: Chunk, work: Work) -> Rendered:
    """A chunk's answers as bytes; what is needed for them is loaded once in each process."""
    return render(answering(work.settings, work.prices), chunk, work.form)


@lru_cache(maxsize=1)
def answering(settings: Settings, prices: str) -> Answering:
    """What answers in this process, loaded when it is first needed; raises ``BulkError``."""
    return Answering(installed(settings, prices))


def _context() -> multiprocessing.context.BaseContext:
    """Forked processes share the catalog's memory; elsewhere than on Linux forking is not safe."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def _follow_parent() -> None:
    """Leave interrupts to the parent, and end when it is killed: this process would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
