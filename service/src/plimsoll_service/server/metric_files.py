"""A worker's metric files; if the disk is full or read-only, the figures stay in the worker's memory.

prometheus_client maps sparse files: a disk without room for a page kills whoever writes to it, with SIGBUS.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from prometheus_client import multiprocess, values
from prometheus_client.mmap_dict import MmapedDict

BYTES = 1 << 18  # what some hundred combinations of route, method and status take; doubled where it is too little
SUCCESSOR = "GUNICORN_PID"  # set in a server that takes over from one that still runs
_ENTRY_BYTES = 64  # of an entry beside its key: lengths, padding, value and time


class MetricFile(MmapedDict):
    """A file whose space on the disk is reserved before anything is written to it; without space, one in memory."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        try:
            with open(filename, "a+b") as file:
                os.posix_fallocate(file.fileno(), 0, BYTES)
        except OSError:
            with suppress(OSError):  # an empty file is none that can be read
                os.unlink(filename)
            filename = _in_memory()
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]

    def _init_value(self, key: str) -> None:
        """Reserve the space for another entry first."""
        while self._used + len(key.encode()) + _ENTRY_BYTES > self._capacity:
            self._grow()
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _grow(self) -> None:
        """Double the size, in memory if the disk has no space."""
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


@dataclass
class _Named:
    """The name in the files of this process, and the process that took it."""

    name: str = ""
    process: int = -1


_named = _Named()
_shared: list[type] = []


def begin(environment: Mapping[str, str], directory: str) -> None:
    """Let workers write to the files of their slots, and remove the files that an earlier server left.

    Call it before the first metric is made, and again at each reload, where it does nothing.
    """
    if _shared or not getattr(values.ValueClass, "_multiprocess", False):
        return
    if SUCCESSOR not in environment:  # else the server before still answers
        for file in Path(directory).glob("*_*.db"):
            with suppress(OSError):
                file.unlink()
    _shared.append(values.MultiProcessValue(_name))
    values.ValueClass = _shared[0]


def slot(taken: Collection[str]) -> str:
    """The lowest name that no living worker of this server has: a worker continues in the files of an ended one.

    It begins with the server's process, so that two servers, of which one takes over, have files of their own. It is no
    process itself: in a container the server is process 1, and its own files have that name.
    """
    return next(name for number in count() if (name := f"{os.getpid()}.{number}") not in taken)


def survive(name: str | None = None) -> None:
    """Let this process write its metrics to files of that name, so that a faulty disk cannot end it."""
    values.MmapedDict = MetricFile  # type: ignore[attr-defined]  # the name that prometheus_client looks up
    if name is not None:
        _named.name, _named.process = name, os.getpid()


def forget(process: int | str) -> None:
    """Remove the gauges of an ended process from the sum, if the disk allows it."""
    with suppress(OSError):
        multiprocess.mark_process_dead(process)


def _name() -> str:
    process = os.getpid()
    return _named.name if _named.process == process else str(process)


def _in_memory() -> str:
    return f"/proc/self/fd/{os.memfd_create('metrics')}"
