"""What volume each machine would order for its disk: how large, and at what price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.drives import Drives
from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.estimate.outcome import Gathered, Outcome
from plimsoll_service.engine.estimate.volumes import Terms, hourly_usd, size_moving
from plimsoll_service.engine.hardware import Floats


@dataclass(frozen=True, eq=False)
class Ordered:
    """GiB of the volume of each machine, and USD an hour for it; a local disk is as large as it must be, and paid."""

    size_gib: Gathered
    usd_per_hour: Floats


@dataclass(frozen=True, eq=False)
class Orders:
    """What may be ordered, a row for each kind of disks."""

    terms: Terms
    drives: Drives
    reads: bool  # else nothing moves: disks of a kind are ordered alike

    def of(self, outcome: Outcome, rows: Places | None = None) -> Ordered:
        """What the candidates order, or those in some rows alone; of others it is unknown."""
        of, need, local = self.drives.of, outcome.disk, outcome.local_disk
        if not self.reads:
            none = np.zeros(len(self.drives.nodes))
            size_gib, paid = self._ordered(need.size_gib.values, none, none, np.arange(len(none)))
            size_gib, paid = np.where(local.values, need.size_gib.values, size_gib), np.where(local.values, 0.0, paid)
            return Ordered(Gathered(size_gib, of), paid.take(of))
        rows = np.arange(len(of)) if rows is None else rows
        rows = rows[~local.take(rows)]
        iops, mib_s = need.iops.take(rows), need.throughput_mib_s.take(rows)
        size_gib, paid = self._ordered(need.size_gib.take(rows), iops, mib_s, of.take(rows))
        usd_per_hour = np.where(local.values, 0.0, np.nan).take(of)
        usd_per_hour[rows] = paid
        place = len(rows) + of  # behind the sizes of those rows the needs of each kind
        place[rows] = np.arange(len(rows))
        return Ordered(Gathered(np.concatenate([size_gib, need.size_gib.values]), place), usd_per_hour)

    def _ordered(self, need_gib: Floats, iops: Floats, mib_s: Floats, of: Places) -> tuple[Floats, Floats]:
        """GiB and USD an hour of volumes of those kinds that are to hold and move so much."""
        volume, terms, machines = self.drives.volume, self.terms.of(of), self.drives.machines
        most_mib_s = np.fmin(volume.mib_s, machines.disk_mib_s)  # what the machine cannot move is not bought
        iops = np.fmin(np.fmax(iops, 0.0), volume.iops.take(of))  # nothing where it is unknown
        mib_s = np.fmin(np.fmax(mib_s, 0.0), most_mib_s.take(of))
        size_gib = size_moving(terms, need_gib, iops, mib_s)
        return size_gib, hourly_usd(terms, size_gib, iops, mib_s)
