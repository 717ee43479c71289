"""Described machines whose cards hold too little of what llama.cpp serves, where their hosts' memory holds it.

Rule: beside-cards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..demand import kind
from ..demand.job import Job, dimensions_of
from ..demand.served_model import LLAMA_CPP, Served, served
from ..estimate.serving.memory import device_room, longest_tokens, places_in_host
from ..estimate.serving.replica import cpu_replica, replica, touched_experts
from ..hardware import Floats
from ..machines import Machines
from ..rules import Remark, RuleId
from ..units import GIB
from ..workload import Hardware
from .market import Market
from .own_machines import OwnMachines, described_machines, own_machines
from .rounding import said

MOST = 0.95  # of what a token reads, on cards that hold too little: they never hold all


class Beside(NamedTuple):
    """A machine as it serves: without its cards, where the host's memory holds what they do not."""

    on: Hardware
    faster: float = 1.0  # reading the weights of a token from both memories, over the host's alone
    left: float = 1.0  # of those weights, the share that the host reads, and computes with
    notes: tuple[Remark, ...] = ()

    def hastened(self, machines: Machines) -> Machines:
        """Its row, with the rate at which both memories are read, and cores that have so much less to do."""
        return _hastened(machines, self.faster, self.left) if self.notes else machines


def beside_cards(job: Job, market: Market, on: Hardware) -> Beside:
    """Return the hardware as its processor serves, where its cards hold too little; else as it is."""
    serves = job.kind == kind.SERVING and job.framework.serving == LLAMA_CPP
    if not serves or on.instance_type is not None or on.accelerator is None or on.memory_gib is None:
        return Beside(on)
    bare = replace(on, accelerator=None, count=None, label=on.label or on.accelerator)
    both, one = described_machines((on, bare), market), np.zeros(1, dtype=np.intp)
    cards, host, model = both.take(one), both.take(one + 1), served(job, dimensions_of(job))
    room = device_room(model, cards, np.ones(1), cards.devices, np.zeros(1), longest_tokens(job))
    if cards.unified[0] or not room.places(room.usable)[0] < 1 or not places_in_host(job, model, host)[0] >= 1:
        return Beside(on)
    free = (room.usable - room.fixed + room.weights - room.longest).item(0) * cards.devices.item(0) * GIB
    faster, left = _shared(model, cards, host, max(free, 0.0))
    text = (
        "its cards hold a part of the weights, and the host's memory all of them (--n-cpu-moe or -ngl): a token reads "
        f"them {said(faster, 2)} times as fast as from the host's memory alone"
    )
    return Beside(bare, faster, left, (RuleId("beside-cards").note(text),))


def own_beside_cards(job: Job, market: Market, own: OwnMachines) -> OwnMachines:
    """Return the user's own machines as they serve the job."""
    found = [beside_cards(job, market, one) for one in own.hardware]
    if not any(one.notes for one in found):
        return own
    so = own_machines([one.on for one in found], market)
    machines = _hastened(so.machines, *np.array([(one.faster, one.left) for one in found]).T)
    plates = (plate._replace(of_type=one.notes) for plate, one in zip(so.nameplates, found, strict=True))
    return replace(so, machines=machines, nameplates=tuple(plates))


def _hastened(machines: Machines, faster: Floats | float, left: Floats | float) -> Machines:
    return machines.changed(
        cpu_bandwidth_gb_s=machines.cpu_bandwidth_gb_s * faster, gzip_mb_s=machines.gzip_mb_s / left
    )


def _shared(model: Served, cards: Machines, host: Machines, free: float) -> tuple[float, float]:
    """How much sooner a token's weights are read, and the host's share, where the cards hold so many bytes.

    First they hold what each token reads.
    """
    experts, of_all = float(touched_experts(model, 1.0)) * model.expert_bytes, model.experts * model.expert_bytes
    every = model.dense_weights + experts
    dense = min(free, model.dense_weights)
    on_cards = dense + (min((free - dense) / of_all, 1.0) * experts if experts else 0.0)
    on_cards = min(on_cards, MOST * every)
    slow, fast = cpu_replica(model, host).read.item(0), replica(model, cards, np.ones(1)).read.item(0)
    left = every - on_cards
    return every / slow / (on_cards / fast + left / slow), left / every
