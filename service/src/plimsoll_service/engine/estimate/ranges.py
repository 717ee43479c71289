"""Low and high ends of an estimate, by the kind of machine and by what the estimate rests on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from plimsoll_service.engine.estimate.kinds import kinds_of
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.outcome import Gathered
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.spreads import BASES, UNSTUDIED_SPREAD, Spreads


@dataclass(frozen=True, eq=False)
class Ends:
    """Factors on an estimate, one row a machine: eight truths in ten lie between low and high."""

    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class SharedEnds:
    """The same, where they are only looked up for what is shown."""

    low: Gathered
    high: Gathered


def shared(few: Ends, of: Places) -> SharedEnds:
    """The ends of each machine, from a row for each kind of them."""
    return SharedEnds(Gathered(few.low, of), Gathered(few.high, of))


def ends(spreads: Spreads, machines: Machines, name: str) -> Ends:
    """The named range on devices, the processors' own without, each by the basis of the machine's estimate."""
    known, place = _known(spreads, name, f"cpu_{name}"), _places(machines, len(BASES))
    return Ends(known.low[place], known.high[place])


def shared_ends(spreads: Spreads, machines: Machines, name: str) -> SharedEnds:
    """The same, looked up later."""
    return shared(_known(spreads, name, f"cpu_{name}"), _places(machines, len(BASES)).astype(np.intp))


@lru_cache(maxsize=64)  # more than there are kinds of estimates
def _known(spreads: Spreads, name: str, cores: str) -> Ends:
    """The range on devices by basis, and behind it that on processors."""
    found = (*spreads.of(name), *spreads.of(cores, name))
    return Ends(np.array([one.low for one in found]), np.array([one.high for one in found]))


def _places(machines: Machines, ranges: int) -> Ints:
    """Where each machine's range stands: those of devices first, then as many of processors."""
    places: Ints = np.where(machines.has_accelerator(), machines.basis, machines.basis + np.int32(ranges))
    return places


def ends_over(spreads: Spreads, machines: Machines, name: str, cores: str, devices: Floats) -> SharedEnds:
    """The same on so many devices; few machines differ in both."""
    known, place = _known(spreads, name, cores), _places(machines, len(BASES))
    kinds = kinds_of(place * (int(devices.max(initial=0)) + 1) + devices.astype(np.int64))
    few = place[kinds.rows]
    return shared(over_devices(spreads, Ends(known.low[few], known.high[few]), devices[kinds.rows]), kinds.of)


def over_devices(spreads: Spreads, one: Ends, devices: Floats) -> Ends:
    """The range on so many devices: the error of scaling comes to that of one device, in quadrature of logarithms."""
    growing = spreads.scaling_error + spreads.scaling_growth * np.log2(np.maximum(devices, 1.0))
    extra = np.where(devices > 1, growing, 0.0)
    low, high = (np.hypot(np.log(end), extra) for end in (one.low, one.high))
    return Ends(np.exp(-low), np.exp(high))


def unstudied(machines: Machines) -> Ends:
    """The range of what nobody measured."""
    return Ends(*(np.full(len(machines), end) for end in (UNSTUDIED_SPREAD.low, UNSTUDIED_SPREAD.high)))
