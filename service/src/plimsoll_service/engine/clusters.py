"""Clusters: a machine, how many of it share the work, the degrees that a user asks for, and independent experiments.

Experiments exchange nothing, so each stays on one machine unless it needs more. Machines and devices that are left
over stay idle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .columns import columnar
from .hardware import Flags, Floats, Places
from .machines import Machines
from .workload import Hardware


@columnar
class Volume:
    """Speed of volumes of the asked class: MiB/s, requests a second, seconds of one request."""

    mib_s: Floats
    included_mib_s: Floats  # that comes with the size
    iops: Floats
    latency_s: Floats


@columnar
class OwnDrives:
    """The machines' own: speed towards volumes, and size and speed of their NVMe."""

    disk_mib_s: Floats
    nvme_gib: Floats  # -1 where there is none
    nvme_mib_s: Floats
    nvme_iops: Floats
    alone: Flags  # beside no volume that is known: what the machine includes is the disk of every class


@columnar
class Drives:
    """The disks to choose from, a row for each group."""

    volume: Volume
    own: OwnDrives  # of one machine of each group
    nodes: Floats  # machines that share the work
    of: Places  # the group of every candidate

    def unshared(self, experiments: int = 1) -> Drives:
        """The disks where no experiment has more than one machine: each has all data."""
        if (self.nodes <= experiments).all():
            return self
        return replace(self, nodes=np.minimum(self.nodes, float(experiments)))


@dataclass(frozen=True)
class Splits:
    """Degrees of parallelism as asked, in devices; ``None`` leaves the choice to the estimate.

    ``named``: the user names the hardware. A stated batch then runs unchanged wherever it may fit at all; otherwise it
    is laid out so that it fits well.
    """

    tensor: int | None = None
    pipeline: int | None = None
    expert: int | None = None
    named: bool = False

    @property
    def stated(self) -> bool:
        """Whether anything is said: then all devices take part."""
        return any(degree is not None for degree in (self.tensor, self.pipeline, self.expert))


UNSAID = Splits()


def splits_of(on: Hardware) -> Splits:
    """The degrees stated for hardware that the user names."""
    return Splits(on.tensor_parallel, on.pipeline_parallel, on.expert_parallel, named=True)


@dataclass(frozen=True, eq=False)
class Clusters:
    """The candidates as the estimates see them, one row each: a machine, and how many of it share the work."""

    machines: Machines
    nodes: Floats | None  # None where the estimate itself sets the number
    splits: Splits = UNSAID

    @property
    def fixed_nodes(self) -> Floats:
        """The numbers, of work that does not set them."""
        assert self.nodes is not None
        return self.nodes


def machines_of_each(experiments: int, nodes: Floats) -> Floats:
    """Machines of one experiment, which share its data."""
    return np.maximum(np.floor(nodes / experiments), 1.0)


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The experiments that run at once, a row a candidate."""

    at_once: Floats  # experiments
    together: Floats  # of those on the machine with the most of them
    machines: Floats  # of one experiment
    devices: Floats  # of one experiment, on each of its machines

    @property
    def of_a_run(self) -> Floats:
        """Devices of one experiment, on all its machines."""
        return self.devices * self.machines

    def rounds(self, experiments: int) -> Floats:
        """Time of so many over one at the rate of all at once; in a last round some may be left idle."""
        return self.at_once * np.ceil(experiments / self.at_once)


def side_by_side(experiments: int, devices: Floats, nodes: Floats) -> SideBySide:
    """Shares of ``nodes`` machines of so many devices; a machine without any does one experiment at a time."""
    every = np.maximum(devices, 1.0)
    at_once = np.minimum(experiments, every * nodes)
    together = np.ceil(at_once / nodes)
    return SideBySide(at_once, together, machines_of_each(experiments, nodes), np.floor(every / together))


@dataclass(frozen=True, eq=False)
class DeviceCounts:
    """Every candidate with all its devices, and behind them those without links between devices with one."""

    rows: Places
    devices: Floats
    candidates: int

    def best(self, rate: Floats, allowed: Flags | bool = True) -> Places:
        """The place of the faster count of each candidate; one device only where ``allowed``, of all these rows."""
        chosen = np.arange(self.candidates)
        alone = np.arange(self.candidates, len(self.rows))
        mine = self.rows[alone]
        better = (rate[alone] > rate[mine]) & np.broadcast_to(allowed, len(self.rows))[alone]
        chosen[mine[better]] = alone[better]
        return chosen


def device_counts(machines: Machines) -> DeviceCounts:
    """Where links join the devices, fewer of them are never faster."""
    every = np.maximum(machines.devices, 1.0)
    unlinked = np.flatnonzero((every > 1) & ~(machines.link_gb_s > 0))
    rows = np.concatenate([np.arange(len(every)), unlinked])
    return DeviceCounts(rows, np.concatenate([every, np.ones(len(unlinked))]), len(every))


def machines_working(experiments: int, devices: Floats, nodes: Floats) -> Floats:
    """Machines' worth of cores and disks that all have together: the machine with the most to do is the slowest."""
    if experiments == 1:
        return nodes
    shares = side_by_side(experiments, devices, nodes)
    return shares.at_once * shares.machines / shares.together
