"""A worker's files of metrics, on a disk that may be full or read-only: the figures then stay in its memory.

prometheus_client maps sparse files: a disk without room for a page kills whoever writes to it, with SIGBUS.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress

from prometheus_client import multiprocess, values
from prometheus_client.mmap_dict import MmapedDict

BYTES = 1 << 18  # what some hundred combinations of route, method and status take; doubled where it is too little
_ENTRY_BYTES = 64  # of an entry beside its key: lengths, padding, value and time


class MetricFile(MmapedDict):
    """A file whose place on the disk is taken before anything is written to it; without place, one in memory."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        try:
            with open(filename, "a+b") as file:
                os.posix_fallocate(file.fileno(), 0, BYTES)
        except OSError:
            with suppress(OSError):  # an empty file is none that can be read
                os.unlink(filename)
            filename = _in_memory()
        super().__init__(filename, read_mode)

    def _init_value(self, key: str) -> None:
        """Take the place for another entry first."""
        while self._used + len(key.encode()) + _ENTRY_BYTES > self._capacity:
            self._grow()
        super()._init_value(key)

    def _grow(self) -> None:
        """Twice the size, in memory where the disk has not so much."""
        try:
            os.posix_fallocate(self._f.fileno(), 0, 2 * self._capacity)
        except OSError:
            kept = self._m[: self._used]
            with suppress(OSError):
                os.unlink(self._fname)
            self._fname = _in_memory()
            self._f = open(self._fname, "a+b")  # noqa: SIM115 - lives as long as the process, as the one before
            self._f.write(kept)
            self._f.flush()
            self._f.truncate(2 * self._capacity)
        self._capacity *= 2
        self._m = mmap.mmap(self._f.fileno(), self._capacity)


def survive() -> None:
    """Have this process write its metrics so that no disk can end it."""
    values.MmapedDict = MetricFile


def forget(process: int) -> None:
    """Take the gauges of a process that ended out of the sum, if the disk lets its files go."""
    with suppress(OSError):
        multiprocess.mark_process_dead(process)


def _in_memory() -> str:
    return f"/proc/self/fd/{os.memfd_create('metrics')}"
