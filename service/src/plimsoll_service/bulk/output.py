"""Where answers go: a pipe, or a file that has its name when it is whole, and can be gone on with until then."""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from .faults import BulkError
from .forms import PARQUET, Form
from .journal import Begun, Entry, Journal
from .lines import Chunk
from .rendering import Rendered, empty


class Output(Protocol):
    """Takes chunks in order."""

    def skip(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks that are not yet answered; raises ``BulkError`` where those before are not what they were."""
        ...

    def write(self, chunk: Chunk, rendered: Rendered) -> None:
        """Append a chunk's answers."""
        ...

    def finish(self) -> None:
        """All chunks are written."""
        ...


@dataclass
class Piped:
    """Standard output, or whatever else only goes forward."""

    form: Form
    file: IO[bytes] = field(default_factory=lambda: sys.stdout.buffer)
    entry: Entry = field(default_factory=Entry)

    def skip(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """All chunks."""
        return chunks

    def write(self, chunk: Chunk, rendered: Rendered) -> None:
        """Append a chunk's answers."""
        self._put(rendered.data)
        self.entry = _after(self.entry, rendered, "")

    def finish(self) -> None:
        """Write the head of a file without lines."""
        if not self.entry.lines:
            self._put(empty(self.form))

    def _put(self, data: bytes) -> None:
        self.file.write(data)
        self.file.flush()


class Filed:
    """A file; while it is unfinished its content is in ``NAME.partial``, and ``NAME.journal`` tells how far it got."""

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
        """How the unfinished run began that is here; None where there is none."""
        return self._journal.begun()

    def begin(self, begun: Begun) -> None:
        """Start from the first line, or go on where the same run was cut off."""
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
        """The chunks after those that are written; raises ``BulkError`` where their lines are not what they were."""
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
        """Append a chunk's answers, and then say so in the journal."""
        self._take(chunk)
        self._put(rendered.data)
        self.entry = _after(self.entry, rendered, self._read.hexdigest())
        self._journal.add(self.entry)

    def finish(self) -> None:
        """Give the file its name."""
        if not self.entry.lines:
            self._put(empty(self._form))
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
        """Leave the unfinished file for another run."""
        self._file.close()
        self._journal.close()

    def _as_parquet(self) -> Path:
        from .parquet import write  # here alone: pyarrow is there only where Parquet is wanted

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
