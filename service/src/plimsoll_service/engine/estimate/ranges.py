"""Low and high ends of an estimate, by kind of machine: what was measured ÷ estimated on each kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.spreads import SPREADS


@dataclass(frozen=True, eq=False)
class Ends:
    """Factors on an estimate, one row a machine: eight truths in ten lie between low and high."""

    low: Floats
    high: Floats


def ends(
    machines: Machines, device: str, cpu: str = "unstudied", neuron: str = "unstudied", other: str = "unstudied"
) -> Ends:
    """The named spreads: of NVIDIA's devices, processors, Neuron chips, and everybody else's devices."""
    names = (device, cpu, neuron, other)
    kind = np.where(~machines.has_accelerator(), 1, np.where(machines.nvidia, 0, np.where(machines.neuron, 2, 3)))
    low = np.array([SPREADS[name].low for name in names])
    high = np.array([SPREADS[name].high for name in names])
    return Ends(low[kind], high[kind])


def metric_ends(machines: Machines, metric: str) -> Ends:
    """The range of a serving metric: devices and processors were studied apart."""
    return ends(machines, metric, f"cpu_{metric}", neuron=metric, other=metric)
