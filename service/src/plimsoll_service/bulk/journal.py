"""The journal beside an unfinished output: how far it is known to be on the disk, and how it came about.

A chunk is written and flushed to the disk first, and then told to the journal: whatever the journal tells of is there,
and what was written after its last entry is cut off before a run goes on.
"""

from __future__ import annotations

import fcntl
import os
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import orjson

from .faults import BulkError


@dataclass(frozen=True)
class Begun:
    """What a run is: going on with other prices, forms or another chunk size would mix two files."""

    prices: str
    input: str
    output: str
    chunk: int


@dataclass(frozen=True)
class Entry:
    """The state after a chunk: lines and bytes in all, fates in all, and digests of what was read and last written."""

    lines: int = 0
    size: int = 0
    fates: dict[str, int] = field(default_factory=dict)
    read: str = ""  # of all lines up to here
    start: int = 0  # where the last chunk begins in the output
    crc: int = 0  # of the last chunk


class Journal:
    """Appends entries; a lock on its file keeps a second run off the same output."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("a+b")
        try:
            # A lock of this process alone: the processes that it forks do not hold it when this one is killed.
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise BulkError(f"{path}: another run is writing this output") from error

    def begun(self) -> Begun | None:
        """How the run began; None in a new journal."""
        first = next(iter(self._lines()), None)
        return None if first is None else Begun(**first)

    def last(self, output: IO[bytes]) -> Entry:
        """The last entry whose chunk stands in the output as it was written; the beginning where there is none."""
        for said in reversed(self._lines()[1:]):
            entry = Entry(**said)
            output.seek(entry.start)
            written = output.read(entry.size - entry.start)
            if len(written) == entry.size - entry.start and zlib.crc32(written) == entry.crc:
                return entry
        return Entry()

    def begin(self, begun: Begun) -> None:
        """Start anew."""
        self._file.truncate(0)
        self._append(asdict(begun))

    def add(self, entry: Entry) -> None:
        """Tell of one more chunk, which is on the disk already."""
        self._append(asdict(entry))

    def close(self) -> None:
        """Give up the lock."""
        self._file.close()

    def _append(self, said: dict[str, Any]) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(orjson.dumps(said) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lines(self) -> list[dict[str, Any]]:
        """All whole lines; the last may have been cut off while it was written."""
        self._file.seek(0)
        text = self._file.read()
        return [orjson.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]
