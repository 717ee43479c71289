"""What a replica does at each load: few curves, each shared by all machines that serve alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.hardware import Floats

# Running requests of a replica that are tried; engines admit 256 to 2,048 unless told otherwise.
LOADS = (1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0, 512.0, 1024.0, 2048.0)
GRID = np.array(LOADS)


@dataclass(frozen=True, eq=False)
class Curves:
    """Loads of ``LOADS`` × curves: seconds to first token (median, 95th) and a token, requests a second."""

    ttft: Floats
    ttft_p95: Floats
    tpot: Floats
    rate: Floats  # of so many users, each sending its next when it is answered, or with always more waiting

    @property
    def count(self) -> int:
        return len(self.ttft[0])


@dataclass(frozen=True, eq=False)
class Along:
    """A load of every machine as a place on its curve: a straight line between two points of the grid."""

    line: Places
    above: Places
    share: Floats

    def some(self, rows: Places) -> Along:
        """The places of some machines."""
        return Along(self.line.take(rows), self.above.take(rows), self.share.take(rows))

    def of(self, curves: Floats) -> Floats:
        """The value there of each machine's curve."""
        flat, width = curves.ravel(), curves.shape[1]
        upper = self.above * width + self.line
        low = flat.take(upper - width)
        value: Floats = low + self.share * (flat.take(upper) - low)
        return value


def along(line: Places, load: Floats) -> Along:
    """Where those loads are; beyond the grid its ends hold."""
    above = _inside(np.searchsorted(GRID, load))
    low = GRID.take(above - 1)
    return Along(line, above, np.minimum(np.maximum((load - low) / (GRID.take(above) - low), 0.0), 1.0))


def _inside(above: NDArray[np.integer[Any]]) -> Places:
    """A point of the grid that has one below it."""
    inside: Places = np.minimum(np.maximum(above, 1), len(LOADS) - 1).astype(np.intp)
    return inside


def reached(rising: Floats, wanted: Floats, line: Places) -> Floats:
    """The load at which each machine's curve reaches what is wanted of it; at least 1, at most the highest."""
    below = np.add.reduce(rising.take(line, axis=1) < wanted, axis=0, dtype=np.uint8)  # as sums of bytes: fastest
    above = _inside(below)
    flat, upper = rising.ravel(), above * rising.shape[1] + line
    low = flat.take(upper - rising.shape[1])
    share = np.minimum(np.maximum((wanted - low) / np.maximum(flat.take(upper) - low, 1e-30), 0.0), 1.0)
    least = GRID.take(above - 1)
    load: Floats = np.maximum(least + share * (GRID.take(above) - least), 1.0)
    return load


def side_by_side(several: Sequence[Curves]) -> Curves:
    """All curves of several, in order."""
    parts = ([getattr(one, name) for one in several] for name in ("ttft", "ttft_p95", "tpot", "rate"))
    return Curves(*(np.concatenate(part, axis=1) for part in parts))
