"""Outputs: a pipe, or a file that gets its name when it is complete, with a journal for resuming."""

from __future__ import annotations

import fcntl
import hashlib
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import orjson

from . import BulkError
from .lines import Chunk
from .reading import PARQUET, Form


@dataclass(frozen=True)
class Begun:
    """Identity of a run: to resume with other prices, forms or another chunk size would mix two files."""

    prices: str
    input: str
    output: str
    chunk: int


@dataclass(frozen=True)
class Entry:
    """State after a chunk: total lines, bytes and fates, and digests of the input and of the last chunk."""

    lines: int = 0
    size: int = 0
    fates: dict[str, int] = field(default_factory=dict)
    read: str = ""  # of all lines up to here
    start: int = 0  # offset of the last chunk in the output
    crc: int = 0  # of the last chunk


class Journal:
    """Appends entries; a lock on its file excludes a second run on the same output."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("a+b")
        try:
            # A lock of this process alone: its forks do not hold it after this process is killed.
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise BulkError(f"{path}: another run is writing this output") from error

    def begun(self) -> Begun | None:
        """Properties of the run; ``None`` in a new journal."""
        first = next(iter(self._lines()), None)
        return None if first is None else Begun(**first)

    def last(self, output: IO[bytes]) -> Entry:
        """Return the last entry whose chunk is intact in the output, or the initial state."""
        for said in reversed(self._lines()[1:]):
            entry = Entry(**said)
            output.seek(entry.start)
            written = output.read(entry.size - entry.start)
            if len(written) == entry.size - entry.start and zlib.crc32(written) == entry.crc:
                return entry
        return Entry()

    def begin(self, begun: Begun) -> None:
        """Start a new journal."""
        self._file.truncate(0)
        self._append(asdict(begun))

    def add(self, entry: Entry) -> None:
        """Add a chunk, which is on the disk already."""
        self._append(asdict(entry))

    def close(self) -> None:
        """Release the lock."""
        self._file.close()

    def _append(self, said: dict[str, Any]) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(orjson.dumps(said) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lines(self) -> list[dict[str, Any]]:
        """Return all complete lines; the last one may be truncated."""
        self._file.seek(0)
        text = self._file.read()
        return [orjson.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


@dataclass(frozen=True)
class Rendered:
    """A chunk's bytes, the number of its lines, and the number of each fate."""

    data: bytes
    lines: int
    fates: dict[str, int]


@dataclass
class Piped:
    """Standard output, or another stream."""

    file: IO[bytes] = field(default_factory=lambda: sys.stdout.buffer)
    entry: Entry = field(default_factory=Entry)

    def skip(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """Return the unanswered chunks: all."""
        return chunks

    def write(self, chunk: Chunk, rendered: Rendered) -> None:
        """Append a chunk's answers."""
        self._put(rendered.data)
        self.entry = _after(self.entry, rendered, "")

    def finish(self, empty: bytes) -> None:
        """End the output; ``empty`` is its content where no line came."""
        if not self.entry.lines:
            self._put(empty)

    def _put(self, data: bytes) -> None:
        self.file.write(data)
        self.file.flush()


class Filed:
    """A file; until it is complete, its content is in ``NAME.partial`` and its state in ``NAME.journal``."""

    def __init__(self, target: Path, form: Form) -> None:
        if target.exists():
            raise BulkError(f"{target}: exists already; remove it, or give another name")
        self._target, self._form = target, form
        self._partial, self._journal_path = _beside(target, ".partial"), _beside(target, ".journal")
        try:
            self._journal = Journal(self._journal_path)
            self._file: IO[bytes] = self._partial.open("a+b")
        except OSError as error:
            raise BulkError(f"{target}: {error.strerror or error}") from error
        self._read = hashlib.blake2b(digest_size=16)
        self.entry = Entry()

    def begun(self) -> Begun | None:
        """Properties of an unfinished run, or ``None``."""
        return self._journal.begun()

    def begin(self, begun: Begun) -> None:
        """Start at the first line, or resume the same run."""
        before = self._journal.begun()
        if before is None:
            self._journal.begin(begun)
        elif before != begun:
            raise BulkError(
                f"{self._partial} was begun otherwise ({_differences(before, begun)}): run it as it was begun, "
                f"or remove it and {self._journal_path.name}"
            )
        self.entry = self._journal.last(self._file)
        self._file.truncate(self.entry.size)

    def skip(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """Return the unanswered chunks; raises ``BulkError`` where the answered lines have changed."""
        done = 0
        while done < self.entry.lines:
            chunk = next(chunks, None)
            if chunk is None:
                break
            done += len(chunk.lines)
            self._take(chunk)
        if done and (done != self.entry.lines or self._read.hexdigest() != self.entry.read):
            raise BulkError(f"the input is not the one that {self._partial} was begun with")
        return chunks

    def write(self, chunk: Chunk, rendered: Rendered) -> None:
        """Append a chunk's answers, and then its entry to the journal."""
        self._take(chunk)
        self._put(rendered.data)
        self.entry = _after(self.entry, rendered, self._read.hexdigest())
        self._journal.add(self.entry)

    def finish(self, empty: bytes) -> None:
        """Give the file its name; ``empty`` is its content where no line came."""
        if not self.entry.lines:
            self._put(empty)
        self._file.close()
        whole = self._partial
        if self._form.kind == PARQUET:
            whole = self._as_parquet()
        whole.replace(self._target)
        _sync(self._target.parent)
        self._partial.unlink(missing_ok=True)
        self._journal_path.unlink()
        self._journal.close()

    def close(self) -> None:
        """Close the files; an unfinished output stays for another run."""
        self._file.close()
        self._journal.close()

    def _as_parquet(self) -> Path:
        from .parquet import write  # here: pyarrow is installed for Parquet alone

        whole = _beside(self._target, ".whole")
        write(self._partial, whole)
        _sync(whole)
        return whole

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _take(self, chunk: Chunk) -> None:
        for line in chunk.lines:
            self._read.update(repr(line).encode(errors="surrogatepass"))


Output = Piped | Filed


def _after(entry: Entry, rendered: Rendered, read: str) -> Entry:
    fates = {fate: entry.fates.get(fate, 0) + rendered.fates.get(fate, 0) for fate in {*entry.fates, *rendered.fates}}
    size = entry.size + len(rendered.data)
    return Entry(
        entry.lines + rendered.lines, size, dict(sorted(fates.items())), read, entry.size, zlib.crc32(rendered.data)
    )


def _beside(target: Path, ending: str) -> Path:
    return target.with_name(target.name + ending)


def _differences(before: Begun, now: Begun) -> str:
    said, asked = vars(before), vars(now)
    return "; ".join(f"{name} {said[name]}, now {asked[name]}" for name in said if said[name] != asked[name])


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
