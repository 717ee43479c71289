"""Candidates are the machines that may do a job, in the numbers that may be rented."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.service.api.published import moved, rows_of
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.candidates import Candidates, candidates_of
from plimsoll_service.engine.choice.market import Market, repriced
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.demand.kind_of_work import without_amounts
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

MARKET = bundled_market()
TRAINING = Workload("training", model="resnet50")
BOX = Hardware(label="box", accelerator="A100-80GB", count=4, vcpus=64, memory_gib=512, max_nodes=2)


def candidates(workload: Workload, market: Market = MARKET, **constraints: object) -> Candidates:
    """Candidates for the work."""
    job = job_of(Query(workload, Constraints(**constraints)))
    own = own_machines(job.query.constraints.own_machines or (), market)
    with np.errstate(all="ignore"):
        return candidates_of(without_amounts(job), market, own)


def test_numbers_of_machines_go_up_to_each_machine_s_limit() -> None:
    """Own machines come as many as there are; those without devices alone."""
    found = candidates(TRAINING, own_machines=(BOX,))
    alone = ~found.machines.has_accelerator()

    assert found.nodes[found.described].tolist() == [1.0, 2.0]
    assert set(found.nodes[alone]) == {1.0}
    assert max(found.nodes) == 16.0


def test_own_machines_stand_behind_the_catalog_s() -> None:
    """Own machines follow the catalog's, with their own figures."""
    found = candidates(TRAINING, own_machines=(BOX,))

    assert set(found.machines.vcpus[found.described]) == {64.0}
    assert set(found.machines.count[found.described]) == {4.0}
    assert (found.machines.catalog_row[found.described] == -1).all()


def test_machines_do_not_train_together_over_a_network_that_nobody_states() -> None:
    """Larger numbers of them are counted, not tried; as many as there are experiments never talk to each other."""
    together, apart = (candidates(replace(TRAINING, experiments=many)) for many in (1, 4))
    unknown, apart_unknown = (np.isnan(one.machines.network_gbps) for one in (together, apart))
    split = unknown & together.machines.has_accelerator()

    assert set(together.nodes[unknown]) == {1.0}
    assert set(apart.nodes[apart_unknown]) == {1.0, 2.0, 3.0, 4.0}
    # Of the counts up to 16 all but one, and all but four.
    assert together.rejected["network"] == 7 * split.sum()
    assert apart.rejected["network"] == 4 * split.sum()


def test_data_are_prepared_apart_whatever_the_network() -> None:
    """Machines that never talk to each other need none."""
    found = candidates(Workload("preprocessing", dataset=Dataset(size_bytes=1e12), output_format="webdataset"))

    assert "network" not in found.rejected
    assert max(found.nodes[np.isnan(found.machines.network_gbps)]) == 16.0


def test_what_has_no_price_is_not_tried() -> None:
    """A type that nobody sells is counted for each number of machines, and is no candidate."""
    offers = MARKET.offers
    sold = np.flatnonzero(offers.instance_type != offers.instance_type[0])
    fewer = repriced(MARKET, replace(moved(bundled(), 1), offers=rows_of(offers, sold)))
    work = Workload("preprocessing", dataset=Dataset(size_bytes=1e12))
    before, after = (candidates(work, one) for one in (MARKET, fewer))
    numbers = int((before.row == offers.instance_type[0]).sum())

    assert set(before.row) - set(after.row) == {offers.instance_type[0]}
    assert after.rejected["price"] == before.rejected["price"] + numbers
