"""Volume products: which one a generic class maps to in each cloud, what it moves at a size, what it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.feeding import Volume
from plimsoll_service.engine.estimate.outcome import take
from plimsoll_service.engine.hardware import Disks, Flags, Floats, Ints, known_or
from plimsoll_service.engine.units import HOURS_PER_MONTH

# Where a cloud sells no product of a class, the next of the list stands in for it.
STAND_INS = {
    "auto": ("ssd", "balanced", "efficiency", "hdd"),
    "nvme": ("ssd", "balanced", "efficiency", "hdd"),
    "ssd": ("ssd", "balanced", "efficiency", "hdd"),
    "balanced": ("balanced", "ssd", "efficiency", "hdd"),
    "efficiency": ("efficiency", "balanced", "hdd", "ssd"),
    "hdd": ("hdd", "efficiency", "balanced", "ssd"),
}
# A cloud without a known product: the common limits of a general-purpose SSD volume (gp3's included share).
PLAIN_MIB_S = 125.0
PLAIN_IOPS = 3000.0
# Space is ordered for its speed up to here, a few per cent of a GPU machine's price; S3's sets took as much.
FOR_SPEED_GIB = 500.0
# Seconds of one request by class: the middle of what Alibaba Cloud states of the products that S3 measured (standard
# SSD 0.5 to 2 ms, ultra ("efficiency") disk 1 to 3 ms, basic disk 5 to 10 ms); newer products of a class are quicker.
LATENCY_S = {"nvme": 1.25e-3, "ssd": 1.25e-3, "balanced": 1.25e-3, "efficiency": 2e-3, "hdd": 7.5e-3}


def product_rows(disks: Disks, clouds: tuple[str, ...], kind: str) -> Ints:
    """The row of ``disks`` that the class maps to, for each cloud; -1 where it sells none."""
    rows = [_product_row(disks, cloud, kind) for cloud in clouds]
    return np.array(rows, dtype=np.int32)


def _product_row(disks: Disks, cloud: str, kind: str) -> int:
    mine = disks.cloud.codes == disks.cloud.code_of(cloud)
    for wanted in STAND_INS[kind]:
        rows = np.flatnonzero(mine & (disks.type.codes == disks.type.code_of(wanted)))
        if len(rows):
            preferred = rows[disks.default[rows]]
            return int(preferred[0] if len(preferred) else rows[0])
    return -1


def limits(disks: Disks, row: Ints, size_gib: Floats, described: Flags | bool = False) -> Volume:
    """What volumes of those products move at that size, at the most that can be bought.

    Of a ``described`` machine the disk is not: it is taken as fast enough to be never waited for.
    """
    known = np.where(row >= 0, row, 0)
    latency = np.array([LATENCY_S[kind] for kind in disks.type.words])[disks.type.codes[known]]
    size = np.maximum(size_gib, disks.min_gib[known])
    mib_s = np.where(
        disks.provisioned[known],
        disks.throughput_max_mib_s[known],
        np.fmin(
            disks.throughput_max_mib_s[known],
            _grown(disks.throughput_base_mib_s, disks.throughput_per_gib_mib_s, known, size),
        ),
    )
    iops = np.where(
        disks.provisioned[known],
        np.fmin(disks.iops_max[known], _bought(disks, known, size)),
        np.fmin(disks.iops_max[known], _grown(disks.iops_base, disks.iops_per_gib, known, size)),
    )
    return Volume(
        mib_s=np.where(described, np.inf, np.where((row >= 0) & (mib_s > 0), mib_s, PLAIN_MIB_S)),
        iops=np.where(described, np.inf, np.where((row >= 0) & (iops > 0), iops, PLAIN_IOPS)),
        latency_s=np.where(described, 0.0, np.where(row >= 0, latency, LATENCY_S["ssd"])),
    )


@dataclass(frozen=True, eq=False)
class Terms:
    """What the size and the price of a volume follow from, a row a product and a last one for an unknown product."""

    mib_s_base: Floats
    mib_s_growth: Floats  # per GiB; infinite where nothing is gained by size
    iops_base: Floats
    iops_growth: Floats
    most_gib: Floats  # that are ordered for speed; 0 where it is bought apart
    min_gib: Floats
    usd_per_gib_month: Floats
    usd_per_iops_month: Floats  # beyond the included ones; 0 where they come with size
    usd_per_mib_s_month: Floats


def terms_of(disks: Disks) -> Terms:
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
    return Terms(*(np.append(column, last) for column, last in zip(columns, unknown, strict=True)))


def _growth(per_gib: Floats) -> Floats:
    return np.where(per_gib > 0, per_gib, np.inf)


def largest_gib(disks: Disks, row: Ints, size_gib: Floats) -> Floats:
    """The size beyond which a volume moves no more: what throughput and requests grow with is bought with space."""
    known = np.where(row >= 0, row, 0)
    return size_moving(take(terms_of(disks), row), size_gib, disks.iops_max[known], disks.throughput_max_mib_s[known])


def size_moving(terms: Terms, size_gib: Floats, iops: Floats, mib_s: Floats) -> Floats:
    """GiB of a volume that holds and moves so much, within ``FOR_SPEED_GIB`` where that is more than it holds.

    Products whose limits are bought apart keep their size.
    """
    for_mib_s = (mib_s - terms.mib_s_base) / terms.mib_s_growth
    wanted = np.fmax(for_mib_s, (iops - terms.iops_base) / terms.iops_growth)
    return np.fmax(size_gib, np.fmin(wanted, terms.most_gib))


def _grown(base: Floats, per_gib: Floats, row: Ints, size: Floats) -> Floats:
    grown: Floats = known_or(base)[row] + known_or(per_gib)[row] * size
    return grown


def _bought(disks: Disks, row: Ints, size: Floats) -> Floats:
    """IOPS that can be bought at that size: a provisioned product bounds them per GiB."""
    ratio = disks.iops_per_gib[row] * size
    return np.where(np.isnan(disks.iops_per_gib[row]), disks.iops_max[row], np.fmax(ratio, disks.iops_base[row]))


def hourly_usd(terms: Terms, size_gib: Floats, iops: Floats, mib_s: Floats) -> Floats:
    """USD an hour of a volume with what is bought beyond the included; 0 where the cloud has no known product."""
    space = np.maximum(np.ceil(size_gib), terms.min_gib) * terms.usd_per_gib_month
    requests = np.maximum(iops - terms.iops_base, 0) * terms.usd_per_iops_month
    throughput = np.maximum(mib_s - terms.mib_s_base, 0) * terms.usd_per_mib_s_month
    usd: Floats = (space + (requests + throughput)) / HOURS_PER_MONTH
    return usd
