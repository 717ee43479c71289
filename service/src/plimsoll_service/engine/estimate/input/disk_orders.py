"""Volume products of each cloud: limits by size, prices, and the order of each machine."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...clusters import Drives, Volume
from ...columns import Lookup, columnar, take, with_rows
from ...hardware import Coded, Disks, Flags, Floats, Ints, Places, known_or
from ...units import HOURS_PER_MONTH
from ..outcome import DiskColumns, Outcome

# Where a cloud sells no product of a class, the next of the list stands in for it.
STAND_INS = {
    "auto": ("ssd", "balanced", "efficiency", "hdd"),
    "nvme": ("ssd", "balanced", "efficiency", "hdd"),
    "ssd": ("ssd", "balanced", "efficiency", "hdd"),
    "balanced": ("balanced", "ssd", "efficiency", "hdd"),
    "efficiency": ("efficiency", "balanced", "hdd", "ssd"),
    "hdd": ("hdd", "efficiency", "balanced", "ssd"),
}
# Google's machine series that take no persistent disk but Hyperdisk alone: the C4 and N4 series by pull request 6841 of
# nextflow-io/nextflow (2026-03-17); A4, G4 and A3 Ultra by SkyPilot 0.14.1, sky/clouds/gcp.py (2026-10-19); M4 by
# cockroachdb/cockroach, gcedb.go (2026), and C4N by Google's page of network-optimized machines (read on 2026-11-28).
# Its TPUs take one kind each (Attach durable block storage to a TPU VM, cloud.google.com/tpu, read on 2026-11-23).
ONE_DISK_CLOUD = "gcp"
ONE_DISK_SERIES = {
    "hyperdisk-balanced": (
        "c4-", "c4a-", "c4d-", "c4n-", "m4-", "n4-", "n4a-", "n4d-", "a4-", "g4-", "a3-ultragpu", "ct6e-", "v6e",
    ),
    "pd-balanced": ("ct3-", "ct3p-", "ct5l-", "ct5lp-", "ct5p-", "v2", "v3", "v4", "v5litepod", "v5p"),
}  # fmt: skip
# A cloud without a known product: the common limits of a general-purpose SSD volume (gp3's included share).
PLAIN_MIB_S = 125.0
PLAIN_IOPS = 3000.0
# Space is ordered for its speed up to here, a few per cent of a GPU machine's price; S3's sets took as much.
FOR_SPEED_GIB = 500.0
TABLES_KEPT = 8  # of products: that of the prices in force, and of those that are being replayed
# Seconds of one request by class: the middle of Alibaba Cloud's figures for the products that S3 measured (standard
# SSD 0.5 to 2 ms, ultra ("efficiency") disk 1 to 3 ms, basic disk 5 to 10 ms); newer products of a class are quicker.
LATENCY_S = {"nvme": 1.25e-3, "ssd": 1.25e-3, "balanced": 1.25e-3, "efficiency": 2e-3, "hdd": 7.5e-3}


@lru_cache(maxsize=TABLES_KEPT * len(STAND_INS))
def product_rows(disks: Disks, clouds: tuple[str, ...], kind: str) -> Ints:
    """The row of ``disks`` that the class maps to, for each cloud, and last for the series that take one kind alone.

    It is -1 where none is sold.
    """
    rows = [_product_row(disks, cloud, kind) for cloud in clouds]
    for only in ONE_DISK_SERIES:
        known = [row for row, product in enumerate(disks.product) if product == only]
        rows.append(known[0] if known else _product_row(disks, ONE_DISK_CLOUD, kind))
    found = np.array(rows, dtype=np.int32)
    found.setflags(write=False)  # all who ask share it
    return found


def disk_sellers(clouds: Coded, families: Coded) -> Ints:
    """The place of each type's products in ``product_rows``: that of its cloud, or of its series."""
    sellers, google = clouds.codes, clouds.codes == clouds.code_of(ONE_DISK_CLOUD)
    for place, series in enumerate(ONE_DISK_SERIES.values()):
        alone = np.array([word.startswith(series) for word in families.words], dtype=bool)[families.codes]
        sellers = np.where(alone & google, len(clouds.words) + place, sellers)
    return sellers.astype(np.int32)


def _product_row(disks: Disks, cloud: str, kind: str) -> int:
    mine = disks.cloud.codes == disks.cloud.code_of(cloud)
    for wanted in STAND_INS[kind]:
        rows = (mine & (disks.type.codes == disks.type.code_of(wanted))).nonzero()[0]
        if len(rows):
            preferred = rows[disks.default[rows]]
            return int(preferred[0] if len(preferred) else rows[0])
    return -1


@columnar
class VolumePrices:
    """Terms of size and price of volumes; of all products a row each, and a last one for an unknown product."""

    mib_s_base: Floats
    mib_s_growth: Floats  # per GiB; infinite where nothing is gained by size
    iops_base: Floats
    iops_growth: Floats
    most_gib: Floats  # that are ordered for speed; 0 where it is bought apart
    min_gib: Floats
    usd_per_gib_month: Floats
    usd_per_iops_month: Floats  # beyond the included ones; 0 where they come with size
    usd_per_mib_s_month: Floats


@lru_cache(maxsize=TABLES_KEPT)
def volume_prices(disks: Disks) -> VolumePrices:
    """The terms of every product."""
    apart = disks.provisioned
    columns = (
        known_or(disks.throughput_base_mib_s),
        _growth(disks.throughput_per_gib_mib_s),
        known_or(disks.iops_base),
        _growth(disks.iops_per_gib),
        np.where(apart, 0.0, np.fmin(disks.max_gib, FOR_SPEED_GIB)),
        disks.min_gib,
        known_or(disks.usd_per_gib_month),
        np.where(apart, known_or(disks.usd_per_iops_month), 0.0),
        np.where(apart, known_or(disks.usd_per_mib_s_month), 0.0),
    )
    unknown = (0.0, np.inf, 0.0, np.inf, 0.0, 0.0, 0.0, 0.0, 0.0)
    return VolumePrices(*(np.append(column, last) for column, last in zip(columns, unknown, strict=True)))


def _growth(per_gib: Floats) -> Floats:
    return np.where(per_gib > 0, per_gib, np.inf)


def size_moving(terms: VolumePrices, size_gib: Floats, iops: Floats, mib_s: Floats) -> Floats:
    """GiB of a volume that holds and moves so much, within ``FOR_SPEED_GIB`` where that is more than it holds.

    Products whose limits are bought apart keep their size.
    """
    for_mib_s = (mib_s - terms.mib_s_base) / terms.mib_s_growth
    wanted = np.fmax(for_mib_s, (iops - terms.iops_base) / terms.iops_growth)
    return np.fmax(size_gib, np.fmin(wanted, terms.most_gib))


def hourly_usd(terms: VolumePrices, size_gib: Floats, iops: Floats, mib_s: Floats) -> Floats:
    """USD an hour of a volume with speed beyond the included; 0 where the cloud has no known product."""
    requests = np.maximum(iops - terms.iops_base, 0) * terms.usd_per_iops_month
    throughput = np.maximum(mib_s - terms.mib_s_base, 0) * terms.usd_per_mib_s_month
    return (_space_usd_per_month(terms, size_gib) + (requests + throughput)) / HOURS_PER_MONTH


def holding_usd(terms: VolumePrices, size_gib: Floats) -> Floats:
    """USD an hour of a volume at its included speed; 0 where the cloud has no known product."""
    return _space_usd_per_month(terms, size_gib) / HOURS_PER_MONTH


def _space_usd_per_month(terms: VolumePrices, size_gib: Floats) -> Floats:
    return np.maximum(np.ceil(size_gib), terms.min_gib) * terms.usd_per_gib_month


@columnar
class Ceilings:
    """Highest speed of volumes by their size, a row a volume."""

    min_gib: Floats
    useful_gib: Floats  # beyond which a volume moves no more: throughput and requests are bought with space
    mib_s_most: Floats
    mib_s_base: Floats
    mib_s_growth: Floats  # per GiB; infinite where throughput is bought apart from size
    iops_most: Floats
    iops_base: Floats
    iops_growth: Floats  # per GiB; infinite where size sets no bound on the requests that can be bought
    iops_least: Floats  # of one bought apart the included ones, and its base is 0
    latency_s: Floats

    def limits(self, size_gib: Floats) -> Volume:
        """Speed of the volumes at that size."""
        size = np.maximum(size_gib, self.min_gib)
        mib_s = np.fmin(self.mib_s_most, self.mib_s_base + self.mib_s_growth * size)
        iops = np.fmin(self.iops_most, np.fmax(self.iops_base + self.iops_growth * size, self.iops_least))
        return Volume(
            mib_s=np.where(mib_s > 0, mib_s, PLAIN_MIB_S),
            included_mib_s=np.where(self.mib_s_base > 0, self.mib_s_base, PLAIN_MIB_S),
            iops=np.where(iops > 0, iops, PLAIN_IOPS),
            latency_s=self.latency_s,
        )

    def largest_gib(self, size_gib: Floats) -> Floats:
        """The size that holds so much, or beyond which a volume moves no more."""
        return np.fmax(size_gib, self.useful_gib)


def ceilings(disks: Disks, row: Ints, described: Flags | bool = False) -> Ceilings:
    """The ceilings of volumes of those products; -1 is an unknown one, which a catalog without products has alone.

    A ``described`` machine's disk is not: it is taken as fast enough to be never waited for.
    """
    terms = take(volume_prices(disks), row)
    apart = np.append(disks.provisioned, False)[row]
    latency = np.array([LATENCY_S[kind] for kind in disks.type.words])[disks.type.codes]
    mib_s_most = np.append(disks.throughput_max_mib_s, np.nan)[row]
    iops_most = np.append(disks.iops_max, np.nan)[row]
    by_size = np.append(known_or(disks.throughput_per_gib_mib_s), 0.0)[row]
    per_gib = np.append(disks.iops_per_gib, np.nan)[row]
    return Ceilings(
        min_gib=terms.min_gib,
        useful_gib=size_moving(terms, np.zeros(len(row)), iops_most, mib_s_most),
        mib_s_most=np.where(described, np.inf, mib_s_most),
        mib_s_base=terms.mib_s_base,
        mib_s_growth=np.where(described | (apart & ~np.isnan(mib_s_most)), np.inf, np.where(apart, np.nan, by_size)),
        iops_most=np.where(described, np.inf, iops_most),
        iops_base=np.where(apart, 0.0, terms.iops_base),
        iops_growth=np.where(described | (np.isnan(per_gib) & apart), np.inf, known_or(per_gib)),
        iops_least=np.where(apart, terms.iops_base, -np.inf),
        latency_s=np.where(described, 0.0, np.append(latency, LATENCY_S["ssd"])[row]),
    )


def limits(disks: Disks, row: Ints, size_gib: Floats) -> Volume:
    """Highest speed that can be bought of volumes of those products at that size."""
    return ceilings_of(disks, row).limits(size_gib)


def ceilings_of(disks: Disks, row: Ints) -> Ceilings:
    """The ceilings of volumes of those products, none of them of a described machine."""
    return take(_every(disks), row)


@lru_cache(maxsize=TABLES_KEPT)
def _every(disks: Disks) -> Ceilings:
    """The ceilings of every product, and last of all those of an unknown one."""
    return ceilings(disks, np.array([*range(len(disks)), -1], dtype=np.int32))


@columnar
class Ordered:
    """GiB of the volume of each machine, and USD an hour for it; a local disk is as large as it must be, and paid: the
    price is then of the volume that the machine starts from.
    """

    size_gib: Lookup
    usd_per_hour: Floats


@columnar
class Orders:
    """Orders of volumes, a row for each group of disks."""

    terms: VolumePrices
    drives: Drives
    reads: bool  # else nothing moves: disks of a group are ordered alike

    def of(self, outcome: Outcome, rows: Places | None = None) -> Ordered:
        """Orders of the candidates, or of those in some rows alone; of others the price is unknown."""
        of, need, local = self.drives.of, outcome.disk, outcome.local_disk.values
        held_gib = need.size_gib.values
        held_usd = np.where(local, self._root_usd(need), holding_usd(self.terms, held_gib))
        if not self.reads:  # candidates of a group are alike
            return self._written(need, held_gib, held_usd, local)
        rows = np.arange(len(of)) if rows is None else rows
        groups, rate, usd_per_hour = of.take(rows), need.rate[rows], np.full(len(of), np.nan)
        usd_per_hour[rows] = held_usd.take(groups)
        busy, iops, mib_s = self._beyond(need, rate, local, groups)
        if not len(busy):
            return Ordered(need.size_gib, usd_per_hour)
        size_gib, usd_per_hour[rows[busy]] = self._ordered(held_gib, iops, mib_s, groups[busy])
        # The sizes of those rows stand behind the needs of each group.
        place = with_rows(of, rows[busy], len(local) + np.arange(len(busy)))
        return Ordered(Lookup(np.concatenate([held_gib, size_gib]), place), usd_per_hour)

    def _root_usd(self, need: DiskColumns) -> Floats:
        """USD an hour of the volumes that machines with the data on their own NVMe start from and write to."""
        root_gib, nothing = need.root_gib.values, np.zeros(len(need.root_gib.values))
        mib_s = np.fmin(need.written_mib_s, np.fmin(self.drives.volume.mib_s, self.drives.own.disk_mib_s))
        return hourly_usd(self.terms, size_moving(self.terms, root_gib, nothing, mib_s), nothing, mib_s)

    def _written(self, need: DiskColumns, held_gib: Floats, held_usd: Floats, local: Flags) -> Ordered:
        """Orders of volumes that only checkpoints are written to."""
        of, mib_s = self.drives.of, np.full(len(held_gib), need.written_mib_s)
        busy = (~local & (mib_s > self.terms.mib_s_base)).nonzero()[0]
        if not len(busy):
            return Ordered(need.size_gib, held_usd.take(of))
        size_gib, usd = held_gib.copy(), held_usd.copy()
        size_gib[busy], usd[busy] = self._ordered(held_gib, np.zeros(len(busy)), mib_s[busy], busy)
        return Ordered(Lookup(size_gib, of), usd.take(of))

    def _beyond(self, need: DiskColumns, rate: Floats, local: Flags, groups: Places) -> tuple[Places, Floats, Floats]:
        """The few that move more than is included with their size, and their speed; local disks are paid."""
        iops, mib_s = np.ceil(rate * need.requests), np.maximum(rate * need.mib, need.written_mib_s)
        most_iops, most_mib_s = np.where(local, np.inf, (self.terms.iops_base, self.terms.mib_s_base))
        busy = ((mib_s > most_mib_s.take(groups)) | (iops > most_iops.take(groups))).nonzero()[0]
        return busy, iops[busy], mib_s[busy]

    def _ordered(self, held_gib: Floats, iops: Floats, mib_s: Floats, of: Places) -> tuple[Floats, Floats]:
        """GiB and USD an hour of volumes of those groups that must move so much."""
        volume, terms, own = self.drives.volume, take(self.terms, of), self.drives.own
        most_mib_s = np.fmin(volume.mib_s, own.disk_mib_s)  # no speed is bought beyond that of the machine
        iops, mib_s = np.fmin(iops, volume.iops.take(of)), np.fmin(mib_s, most_mib_s.take(of))
        size_gib = size_moving(terms, held_gib.take(of), iops, mib_s)
        return size_gib, hourly_usd(terms, size_gib, iops, mib_s)
