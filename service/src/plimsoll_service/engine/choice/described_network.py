"""The network between described machines where the caller names none: what clouds sell with that accelerator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import BITS_PER_BYTE
from plimsoll_service.engine.workload import Hardware

# A cluster without a known peer: what S1-07 gives p3dn.24xlarge, the first sold for distributed training.
CUSTOMARY_GBPS = 100.0
FABRIC_ACROSS_MACHINES = "ICI"  # TPU chips of a slice are wired to one another whatever machine they are in


def network_gbps(hardware: Sequence[Hardware], accelerator: Ints, count: Floats, market: Market) -> Floats:
    """Gbit/s of each machine: as stated; for several machines else assumed; NaN where one machine runs alone."""
    stated = np.array([np.nan if one.network_gbps is None else one.network_gbps for one in hardware])
    several = np.array([max(one.node_count, one.max_nodes or 1) > 1 for one in hardware])
    assumed = [_assumed(int(row), float(devices), market) for row, devices in zip(accelerator, count, strict=True)]
    return np.where(np.isnan(stated) & several, assumed, stated)


def _assumed(accelerator: int, count: float, market: Market) -> float:
    """The most that a cloud sells with as many of these devices, or fewer in proportion; else of their generation."""
    if accelerator < 0:
        return CUSTOMARY_GBPS
    accelerators = market.catalog.accelerators
    if FABRIC_ACROSS_MACHINES in accelerators.interconnect[accelerator]:
        return float(accelerators.interconnect_gb_s[accelerator]) * BITS_PER_BYTE * count
    own = market.catalog.instance_types.accelerator == accelerator
    generation = np.array([name == accelerators.generation[accelerator] for name in accelerators.generation])
    return _most_sold(market, own, count) or _most_sold(market, _of(market, generation), count) or CUSTOMARY_GBPS


def _of(market: Market, accelerators: Flags) -> Flags:
    """Instance types with any of these accelerators."""
    row = market.catalog.instance_types.accelerator
    with_any: Flags = (row >= 0) & accelerators[np.maximum(row, 0)]
    return with_any


def _most_sold(market: Market, chosen: Flags, count: float) -> float:
    """The fastest network among types of whole devices, at least the customary one; 0 where none has a figure."""
    types = market.catalog.instance_types
    peers = chosen & ~np.isnan(types.network_gbps) & (types.accelerator_count >= 1)
    if not peers.any():
        return 0.0
    share = np.minimum(count / types.accelerator_count[peers], 1.0)
    return max(float(np.max(types.network_gbps[peers] * share)), CUSTOMARY_GBPS)
