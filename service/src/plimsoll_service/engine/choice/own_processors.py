"""Whole server processors of the user's own machines: all their cores and channels, where a cloud rents a share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..hardware import Floats
from ..machines import Machines
from ..workload import Hardware


class Socket(NamedTuple):
    """The most cores of a generation's processors, and the memory of one: channels, MT/s, the smallest module in GB."""

    cores: float
    channels: float
    mt_s: float
    module_gb: float


CHANNEL_BYTES, THREADS, MEGA_PER_GIGA = 8.0, 2.0, 1e3
# Of channels × rate, what a program reads: an EPYC 9354P with all 32 cores, 358.8 of 460.8 GB/s (catalog/figures,
# processors.csv). An EPYC 9554 with twelve channels of DDR5-4800 writes 28.7 tokens/s of Phi-4 with 8.43 GiB of weights
# and 19.2 with 14.51 GiB (ahelpme.com, LLM inference benchmarks with llamacpp and AMD EPYC 9554 CPU, 2025): 0.82
# between the two.
REACHED = 0.78
# Of the most cores, those that read all of it: the 32 of that 9354P of 96 do. A machine with fewer has so much less.
ENOUGH = 1 / 3
# Product numbers → the socket (AMD, EPYC 7001 to 9005 data sheets; Intel ARK, Xeon Scalable of five generations and
# Xeon 6 6700P and 6900P). Clouds' own parts (Xeon 8175M, 8375C) and those with stacked memory stay as measured.
SOCKETS: tuple[tuple[re.Pattern[str], Socket], ...] = tuple(
    (re.compile(shape, re.IGNORECASE), socket)
    for shape, socket in (
        (r"\bepyc\s*7\d\d1p?\b", Socket(32, 8, 2666, 8)),
        (r"\bepyc\s*7\d[\df][23]x?p?\b", Socket(64, 8, 3200, 8)),
        (r"\bepyc\s*9\d\d4[xpfs]?\b", Socket(96, 12, 4800, 16)),
        (r"\bepyc\s*8\d\d4p?n?\b", Socket(64, 6, 4800, 16)),
        (r"\bepyc\s*9\d\d5[xpf]?\b", Socket(128, 12, 6000, 16)),
        (r"\b(platinum|gold|silver)\s*\d1\d\d[hnpqrstuvy]?\b", Socket(28, 6, 2666, 8)),
        (r"\b(platinum|gold|silver)\s*\d2\d\d[hnpqrstuvy]?\b", Socket(28, 6, 2933, 8)),
        (r"\b(platinum|gold|silver)\s*\d3\d\d[hnpqrstuvy]?\b", Socket(40, 8, 3200, 8)),
        (r"\b(platinum|gold|silver)\s*\d4\d\d[hnpqrstuvy]?\b", Socket(60, 8, 4800, 16)),
        (r"\b(platinum|gold|silver)\s*\d5\d\d[hnpqrstuvy]?\b", Socket(64, 8, 5600, 16)),
        (r"\bxeon\s*6?\s*69\d\dp\b", Socket(128, 12, 6400, 16)),
        (r"\bxeon\s*6?\s*6[57]\d\dp\b", Socket(86, 8, 6400, 16)),
    )
)


def socket_of(name: str | None) -> Socket | None:
    """Return the socket of a server processor by its product number."""
    return next((socket for shape, socket in SOCKETS if name and shape.search(name)), None)


def with_whole_processors(machines: Machines, hardware: Sequence[Hardware]) -> Machines:
    """Return the described machines, those with a named server processor with all of its threads and channels."""
    found = [socket_of(one.cpu) for one in hardware]
    rows = np.array([row for row, socket in enumerate(found) if socket is not None], dtype=np.int64)
    if not len(rows):
        return machines
    most, channels, mt_s, module_gb = np.array([socket for socket in found if socket is not None], dtype=float).T
    cores = np.maximum(machines.vcpus[rows] / THREADS, 0.5)
    sockets = np.maximum(np.ceil(cores / most), 1.0)
    filled = np.minimum(machines.memory_gib[rows] / (module_gb * sockets), channels)
    enough = sockets * most * ENOUGH
    read = sockets * filled * mt_s * CHANNEL_BYTES / MEGA_PER_GIGA * REACHED * np.minimum(cores / enough, 1.0)

    def column(name: str, values: Floats) -> Floats:
        found: Floats = getattr(machines, name).copy()
        found[rows] = values
        return found

    return machines.changed(
        cores=column("cores", cores),
        sockets=column("sockets", sockets),
        threads=column("threads", np.full(len(rows), THREADS)),
        cpu_tflops=column("cpu_tflops", machines.cpu_tflops[rows] * cores / machines.cores[rows]),
        cpu_bandwidth_gb_s=column("cpu_bandwidth_gb_s", read),
        cpu_bandwidth_cores=column("cpu_bandwidth_cores", np.minimum(cores, enough)),
    )
