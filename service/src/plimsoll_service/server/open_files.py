"""How many connections a worker may hold: an accept for which no file is left would end it, with all that it has."""

from __future__ import annotations

import resource

FILES_BESIDE = 128  # what else a worker opens: metrics, Redis, traces, files of the page


def most_connections(wanted: int, threads: int) -> int:
    """As many as wanted, or as this process may open; one for each thread at least."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if files == resource.RLIM_INFINITY else min(wanted, max(files - FILES_BESIDE, threads))
