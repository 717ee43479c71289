"""What volume each machine would order for its disk: how large, and at what price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.drives import Drives
from plimsoll_service.engine.estimate.machines import Places
from plimsoll_service.engine.estimate.outcome import DiskColumns, Gathered, Outcome
from plimsoll_service.engine.estimate.volumes import Terms, holding_usd, hourly_usd, size_moving
from plimsoll_service.engine.hardware import Flags, Floats


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
        """What the candidates order, or those in some rows alone; of others the price is unknown."""
        of, need, local = self.drives.of, outcome.disk, outcome.local_disk.values
        held_gib = need.size_gib.values
        held_usd = np.where(local, 0.0, holding_usd(self.terms, held_gib))
        if not self.reads:
            return Ordered(need.size_gib, held_usd.take(of))
        rows = np.arange(len(of)) if rows is None else rows
        kinds, rate, usd_per_hour = of.take(rows), need.rate[rows], np.full(len(of), np.nan)
        usd_per_hour[rows] = held_usd.take(kinds)
        busy, iops, mib_s = self._beyond(need, rate, local, kinds)
        if not len(busy):
            return Ordered(need.size_gib, usd_per_hour)
        size_gib, usd_per_hour[rows[busy]] = self._ordered(held_gib, iops, mib_s, kinds[busy])
        place = of.copy()
        place[rows[busy]] = len(local) + np.arange(len(busy))  # behind the needs of each kind the sizes of those rows
        return Ordered(Gathered(np.concatenate([held_gib, size_gib]), place), usd_per_hour)

    def _beyond(self, need: DiskColumns, rate: Floats, local: Flags, kinds: Places) -> tuple[Places, Floats, Floats]:
        """The few that move more than comes with the space that they hold, and what they do; what is local is paid."""
        iops, mib_s = np.ceil(rate * need.requests), rate * need.mib
        most_iops, most_mib_s = np.where(local, np.inf, (self.terms.iops_base, self.terms.mib_s_base))
        busy = np.flatnonzero((mib_s > most_mib_s.take(kinds)) | (iops > most_iops.take(kinds)))
        return busy, iops[busy], mib_s[busy]

    def _ordered(self, held_gib: Floats, iops: Floats, mib_s: Floats, of: Places) -> tuple[Floats, Floats]:
        """GiB and USD an hour of volumes of those kinds that are to move so much, and hold what each kind does."""
        volume, terms, own = self.drives.volume, self.terms.of(of), self.drives.own
        most_mib_s = np.fmin(volume.mib_s, own.disk_mib_s)  # what the machine cannot move is not bought
        iops, mib_s = np.fmin(iops, volume.iops.take(of)), np.fmin(mib_s, most_mib_s.take(of))
        size_gib = size_moving(terms, held_gib.take(of), iops, mib_s)
        return size_gib, hourly_usd(terms, size_gib, iops, mib_s)
