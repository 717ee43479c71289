"""A whole run: chunks go to processes as they are read, and their answers to the output in the order of the lines."""

from __future__ import annotations

import csv
import gzip
import io
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing.connection import wait
from typing import Any, TextIO

from ..api.encode import encode
from ..settings import Settings
from . import BulkError
from .answering import Answering, Document, Outcome
from .installed import installed
from .lines import NAMES, Chunk, cells, typed
from .output import Output, Rendered
from .reading import CSV, JSONL, Form, Source

AHEAD = 2  # chunks under way for each process: one that is answered, one that waits
GZIP_LEVEL = 6  # gzip's own default: beyond it time doubles for a few percent
TERMINAL_SECONDS, PIPED_SECONDS = 0.5, 10.0


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
    output.finish(empty(work.form))


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
    """Answering of this process, loaded at first use; raises ``BulkError``."""
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


def render(answering: Answering, chunk: Chunk, form: Form) -> Rendered:
    """Answer a chunk and write it out; Parquet is spooled as JSON lines, for it can only be written as a whole."""
    if form.kind == JSONL:
        answers = answering.answers(chunk, encode)
        return _joined(b"".join(answer.shown for answer in answers), answers, form)
    rows = answering.rows(chunk)
    return _joined(_table([row.shown for row in rows], form, head=chunk.first == 1), rows, form)


def empty(form: Form) -> bytes:
    """The output of an input without lines."""
    return _zipped(b"" if form.kind == JSONL else _table([], form, head=True), form)


def _joined(data: bytes, outcomes: Sequence[Outcome[Any]], form: Form) -> Rendered:
    return Rendered(_zipped(data, form), len(outcomes), dict(Counter(outcome.fate for outcome in outcomes)))


def _table(rows: Sequence[Document], form: Form, *, head: bool) -> bytes:
    if form.kind != CSV:
        return b"".join(encode(typed(row)) for row in rows)
    out = io.StringIO()
    writer = csv.writer(out)
    if head:
        writer.writerow(NAMES)
    writer.writerows(cells(row) for row in rows)
    return out.getvalue().encode()


def _zipped(data: bytes, form: Form) -> bytes:
    """As it stands in the file: each chunk is a member of its own, for members one after the other are gzip too."""
    return gzip.compress(data, GZIP_LEVEL, mtime=0) if form.gzipped else data  # no time, or no two runs are the same


def sized_lines(lines: Iterable[str], settings: Settings, prices: str, *, whole: bool = False) -> list[str]:
    """An output line for each line that is not blank, in order: its best recommendation as a row, or the whole answer.

    The caller's ``id`` tells lines apart: a number within a partition would say nothing.
    """
    asked = tuple(line.encode(errors="surrogateescape") for line in lines if line.strip())
    chunk = Chunk(1, None, asked)
    sizing = answering(settings, prices)
    if whole:
        written = [answer.shown for answer in sizing.answers(chunk, _written)]
    else:
        written = [_written(row.shown) for row in sizing.rows(chunk)]
    return [line.decode().rstrip("\n") for line in written]


def _written(document: Document) -> bytes:
    """The document without what rests on the number of the line."""
    return encode({name: value for name, value in document.items() if name not in ("line", "instance")})


@dataclass
class Progress:
    """Tells at most every few seconds; ``begun_at`` lines were answered by an earlier run."""

    out: TextIO
    begun_at: int = 0
    quiet: bool = False
    started: float = field(default_factory=time.monotonic)
    told: float = field(default_factory=time.monotonic)

    def tell(self, lines: int, share: float | None) -> None:
        """Lines answered so far, and the share of the input that was answered, where that is known."""
        terminal = self.out.isatty()
        now = time.monotonic()
        if self.quiet or now - self.told < (TERMINAL_SECONDS if terminal else PIPED_SECONDS):
            return
        self.told = now
        text = described(lines, self.begun_at, now - self.started, share)
        self.out.write(f"\r{text}\x1b[K" if terminal else f"{text}\n")
        self.out.flush()

    def end(self) -> None:
        """Leave the line that changes."""
        if self.out.isatty() and not self.quiet:
            self.out.write("\n")


def described(lines: int, begun_at: int, seconds: float, share: float | None) -> str:
    """Lines, lines a second of this run, and where the end is known the share done and the time left."""
    rate = (lines - begun_at) / max(seconds, 1e-9)
    text = f"{lines:,} lines, {rate:,.0f} a second"
    if not share or not rate:
        return text
    left = lines * (1 - share) / share / rate
    return f"{text}, {share:.0%}, {int(left // 3600)}:{int(left // 60) % 60:02d}:{int(left) % 60:02d} left"
