"""Waits of a batch server: times to answer by load, from a table that a simulation made (calibration/queue.py).

A device that becomes free takes all requests that wait, up to a largest batch. A request on an idle service does not
wait, and batches grow with the load. No closed form gives the quantiles of this queue (M/D^b/c, with steps that depend
on the batch). The table has them in units of the step of the batch that the load makes. Rule: batch-queue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .hardware import Floats, Places

QUANTILES = (0.5, 0.95)
MEDIAN, TAIL = range(2)  # places in them
# Axes: the share of a step of one request that no further request adds to, the largest batch, the devices, and the load
# as a share of what full batches carry.
FIXED = (0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.88, 0.94, 0.98, 1.0)
BATCHES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
SERVERS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
LOADS = (0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.87, 0.92, 0.95)
FULLEST = LOADS[-1]  # load at which a queue is still finite in practice
SHAPE = tuple(len(axis) for axis in (QUANTILES, FIXED, BATCHES, SERVERS, LOADS))


def _odds(load: Floats) -> Floats:
    return np.log(load / (1 - load))


# Coordinates between which the table is linear.
_AXES = (np.array(FIXED), np.log2(BATCHES), np.log2(SERVERS), _odds(np.array(LOADS)))


_STRIDES = tuple(int(np.prod(SHAPE[axis + 1 :])) for axis in range(1, len(SHAPE)))


@dataclass(frozen=True, eq=False)
class Waits:
    """ln(time to answer ÷ step of the batch that the load makes): an axis each of ``SHAPE``."""

    logs: Floats = field(default_factory=lambda: np.zeros(SHAPE))

    @cached_property
    def _flat(self) -> tuple[Floats, ...]:
        return tuple(np.ascontiguousarray(each).ravel() for each in self.logs)

    def ratio(self, quantile: int, fixed: Floats, batch: Floats, servers: Floats, load: Floats) -> Floats:
        """Time to answer over that step; beyond the ends of the table as at its end, and 1 without a load."""
        low, high = LOADS[0], LOADS[-1]
        values = (fixed, np.log2(batch), np.log2(servers), _odds(np.clip(load, low, high)))
        cell, strides, shares = np.zeros(len(load), dtype=np.intp), list[Places](), list[Floats]()
        for axis, value, stride in zip(_AXES, values, _STRIDES, strict=True):
            place = np.clip(np.searchsorted(axis, value, side="right") - 1, 0, len(axis) - 1)
            left, right = axis.take(place), axis.take(np.minimum(place + 1, len(axis) - 1))
            cell, share = (
                cell + place * stride,
                np.clip((value - left) / np.where(right > left, right - left, 1.0), 0, 1),
            )
            if share.any():  # else every value is a point of the axis
                shares.append(share)
                strides.append(np.where(right > left, stride, 0))
        found = _between(self._flat[quantile], cell, strides, shares)
        return np.exp(found * np.minimum(load / low, 1.0))


def _between(flat: Floats, cell: Places, strides: Sequence[Places], shares: Sequence[Floats]) -> Floats:
    """Linear interpolation along one axis after another."""
    if not shares:
        return flat.take(cell)
    first = _between(flat, cell, strides[1:], shares[1:])
    second = _between(flat, cell + strides[0], strides[1:], shares[1:])
    return first + shares[0] * (second - first)


def waits_of(lines: Mapping[str, Mapping[str, Sequence[float]]]) -> Waits:
    """The table of a file: a line for each quantile, fixed share, batch and number of devices, in that order."""
    return Waits(np.array([line["values"] for line in lines.values()]).reshape(SHAPE))


# A queue that grows has no latency of its own; the latency after an hour of it is stated.
OVERLOAD_SECONDS = 3600.0


def backlog_seconds(asked: float | None, capacity: Floats) -> Floats:
    """Wait of a request after an hour at the asked rate: the requests left over, at the rate that is carried."""
    if asked is None:
        return np.zeros_like(capacity)
    return np.maximum(asked / np.maximum(capacity, 1e-12) - 1.0, 0.0) * OVERLOAD_SECONDS
