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
from multiprocessing.connection import wait
from typing import Any, TextIO

from ..api.encode import encode
from ..settings import Settings
from . import BulkError
from .answering import Answering, Document, LineOutput
from .installed import installed
from .lines import NAMES, Chunk, cells, typed
from .output import Output, Rendered
from .reading import CSV, JSONL, Form, Source

AHEAD = 2  # chunks for each process: one that is answered, one that waits
GZIP_LEVEL = 6  # gzip's own default: beyond it time doubles for a few percent
TERMINAL_SECONDS, PIPED_SECONDS = 0.5, 10.0


@dataclass(frozen=True)
class Work:
    """Everything that a process needs for a chunk besides its lines."""

    settings: Settings
    prices: str
    form: Form
    chunk: int
    processes: int


def run(source: Source, output: Output, work: Work, progress: Progress) -> None:
    """Answer all lines of the source; raises ``BulkError``, after which the output can be resumed."""
    for chunk, rendered in _rendered(output.skip(source.chunks(work.chunk)), work):
        output.write(chunk, rendered)
        progress.tell(chunk.first + rendered.lines - 1, source.share_read())
    output.finish(empty(work.form))


def _rendered(chunks: Iterator[Chunk], work: Work) -> Iterator[tuple[Chunk, Rendered]]:
    if work.processes == 1:
        yield from ((chunk, answered(chunk, work)) for chunk in chunks)
        return
    installed(work.settings, work.prices)  # before the fork, so that the processes share its memory
    try:
        with ProcessPoolExecutor(work.processes, _context(), _follow_parent) as pool:
            yield from _in_order(pool, chunks, work)
    except BrokenProcessPool as error:
        raise BulkError("a process ended unexpectedly, perhaps out of memory; run again to resume") from error


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
        # After an interruption, chunks that are not written any more need no answer.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise


def answered(chunk: Chunk, work: Work) -> Rendered:
    """Return a chunk's answers as bytes."""
    return render(installed(work.settings, work.prices), chunk, work.form)


def _context() -> multiprocessing.context.BaseContext:
    """Return the context of processes: forked ones share memory, but forking is safe on Linux alone."""
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def _follow_parent() -> None:
    """Ignore interrupts, which the parent handles, and end when the parent is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def render(answering: Answering, chunk: Chunk, form: Form) -> Rendered:
    """Answer a chunk as bytes; Parquet, which is written as a whole, is spooled as JSON lines."""
    if form.kind == JSONL:
        answers = answering.answers(chunk, encode)
        return _joined(b"".join(answer.shown for answer in answers), answers, form)
    rows = answering.rows(chunk)
    return _joined(_table([row.shown for row in rows], form, head=chunk.first == 1), rows, form)


def empty(form: Form) -> bytes:
    """Return the output of an input without lines."""
    return _zipped(b"" if form.kind == JSONL else _table([], form, head=True), form)


def _joined(data: bytes, lines: Sequence[LineOutput[Any]], form: Form) -> Rendered:
    return Rendered(_zipped(data, form), len(lines), dict(Counter(line.fate for line in lines)))


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
    """Compress a chunk as a gzip member, if wanted; members in sequence are a gzip file."""
    return (
        gzip.compress(data, GZIP_LEVEL, mtime=0) if form.gzipped else data
    )  # without the time, so that equal runs are equal bytes


def sized_lines(lines: Iterable[str], settings: Settings, prices: str, *, whole: bool = False) -> list[str]:
    """Return an output line for each line that is not blank, in order: its best recommendation or its whole answer.

    Lines have no number, which would be that within a partition; the caller's ``id`` identifies them.
    """
    asked = tuple(line.encode(errors="surrogateescape") for line in lines if line.strip())
    chunk = Chunk(1, None, asked)
    sizing = installed(settings, prices)
    if whole:
        written = [answer.shown for answer in sizing.answers(chunk, _written)]
    else:
        written = [_written(row.shown) for row in sizing.rows(chunk)]
    return [line.decode().rstrip("\n") for line in written]


def _written(document: Document) -> bytes:
    """Encode the document without the number of the line."""
    return encode({name: value for name, value in document.items() if name not in ("line", "instance")})


@dataclass
class Progress:
    """Prints at most every few seconds; ``begun_at`` lines were answered by an earlier run."""

    out: TextIO
    begun_at: int = 0
    quiet: bool = False
    started: float = field(default_factory=time.monotonic)
    told: float = field(default_factory=time.monotonic)

    def tell(self, lines: int, share: float | None) -> None:
        """Print the number of answered lines and, if known, their share of the input."""
        terminal = self.out.isatty()
        now = time.monotonic()
        if self.quiet or now - self.told < (TERMINAL_SECONDS if terminal else PIPED_SECONDS):
            return
        self.told = now
        text = described(lines, self.begun_at, now - self.started, share)
        self.out.write(f"\r{text}\x1b[K" if terminal else f"{text}\n")
        self.out.flush()

    def end(self) -> None:
        """End the line that changes."""
        if self.out.isatty() and not self.quiet:
            self.out.write("\n")


def described(lines: int, begun_at: int, seconds: float, share: float | None) -> str:
    """Return lines and lines a second of this run and, if the share is known, the share and the time left."""
    rate = (lines - begun_at) / max(seconds, 1e-9)
    text = f"{lines:,} lines, {rate:,.0f} a second"
    if not share or not rate:
        return text
    left = lines * (1 - share) / share / rate
    return f"{text}, {share:.0%}, {int(left // 3600)}:{int(left // 60) % 60:02d}:{int(left) % 60:02d} left"
