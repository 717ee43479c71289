"""The one machine that a measurement's question names, as a row of the estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import type_row
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.workload import Hardware


def asked_machine(hardware: Hardware, market: Market) -> Machines:
    """The catalog's machine where it is named, else the described one; a stated network counts."""
    row = type_row(market, hardware)
    if row < 0:
        return own_machines((hardware,), market).machines
    machine = market.machines.take(np.array([row], dtype=np.int32))
    if hardware.network_gbps is None:
        return machine
    return replace(machine, network_gbps=np.array([hardware.network_gbps]))
