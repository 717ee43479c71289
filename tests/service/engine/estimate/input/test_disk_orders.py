"""Ordered disks: the same for some candidates as for all, and none beside a machine's own drive."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.candidates import candidates_among
from plimsoll_service.engine.choice.estimating import Estimates, estimated_of, prepared_of
from plimsoll_service.engine.columns import take
from plimsoll_service.engine.estimate import work
from plimsoll_service.engine.estimate.input.disk_orders import holding_usd, hourly_usd, product_rows, size_moving
from plimsoll_service.engine.machines import machines_of
from plimsoll_service.engine.workload import Dataset, Query, Workload

READS = Workload("training", model="resnet50", dataset=Dataset(size_bytes=1.5e11, samples=1_281_167), epochs=3)
MOVES_NOTHING = Workload("training", model="resnet50")
SOME = 300  # machines, of every cloud


def estimated(workload: Workload) -> Estimates:
    """Machines of the catalog, one candidate each."""
    catalog, job = bundled(), job_of(Query(workload))
    clouds = catalog.instance_types.cloud
    rows = np.linspace(0, len(clouds.codes) - 1, SOME).astype(np.int32)
    products = product_rows(catalog.disks, clouds.words, "auto")
    with np.errstate(all="ignore"):
        those = candidates_among(machines_of(catalog), clouds.codes, rows, np.ones(SOME), products)
        known = prepared_of(job, those, catalog.disks)
        return estimated_of(job, known, work.plan(known.estimate, work.plan_key(job, known.estimate)))


def test_some_order_what_they_would_among_all() -> None:
    """Prices and sizes in the asked rows are the same; of other rows the price of a volume is unknown."""
    one = estimated(READS)
    rows = np.arange(0, SOME, 3)
    with np.errstate(all="ignore"):
        every, few = one.orders.of(one.outcome), one.orders.of(one.outcome, rows)
    assert np.array_equal(every.usd_per_hour[rows], few.usd_per_hour[rows])
    assert np.array_equal(every.size_gib[rows], few.size_gib[rows])
    others = np.setdiff1d(np.arange(SOME), rows)
    assert np.isnan(few.usd_per_hour[others][~one.outcome.local_disk[others]]).all()


def test_a_drive_of_the_machine_s_own_costs_the_volume_beside_it() -> None:
    """It is as large as it must be; the machine starts from a volume without the data, which costs less than with."""
    one = estimated(READS)
    with np.errstate(all="ignore"):
        ordered = one.orders.of(one.outcome)
    local = np.flatnonzero(one.outcome.local_disk[:])
    assert len(local)
    with_data = holding_usd(one.orders.terms, one.outcome.disk.size_gib.values).take(one.outcome.disk.size_gib.of)
    assert ordered.usd_per_hour[local].any()
    assert np.all(ordered.usd_per_hour[local] <= with_data[local])
    assert np.array_equal(ordered.size_gib[local], one.outcome.disk.size_gib[local])


@pytest.mark.parametrize("workload", [READS, MOVES_NOTHING])
def test_a_volume_holds_at_least_what_is_needed(workload: Workload) -> None:
    """More is ordered only where speed comes with size."""
    one = estimated(workload)
    with np.errstate(all="ignore"):
        ordered = one.orders.of(one.outcome)
    assert np.all(ordered.size_gib[:] >= one.outcome.disk.size_gib[:])


def test_what_moves_no_more_than_is_included_costs_as_by_the_formula() -> None:
    """Every candidate's volume has the size and the price that its need alone would tell."""
    one = estimated(READS)
    own, volume, of = one.orders.drives.own, one.orders.drives.volume, one.orders.drives.of
    with np.errstate(all="ignore"):
        ordered, need, sold = one.orders.of(one.outcome), one.outcome.disk, take(one.orders.terms, of)
        iops = np.fmin(np.fmax(need.iops[:], 0.0), volume.iops.take(of))
        mib_s = np.fmin(np.fmax(need.throughput_mib_s[:], 0.0), np.fmin(volume.mib_s, own.disk_mib_s).take(of))
        size = size_moving(sold, need.size_gib[:], iops, mib_s)
        paid = hourly_usd(sold, size, iops, mib_s)
    volumes = ~one.outcome.local_disk[:]
    assert np.array_equal(size[volumes], ordered.size_gib[:][volumes])
    assert np.array_equal(paid[volumes], ordered.usd_per_hour[volumes])
    assert 0 < np.count_nonzero(mib_s > sold.mib_s_base) < len(of)
