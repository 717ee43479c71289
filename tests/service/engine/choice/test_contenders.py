"""Jobs of many kinds have the same candidates, and share them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.api.published import moved, rows_of
from tests.service.engine.catalogs import bundled

from plimsoll_service.engine.choice.contenders import Field, field_of
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.market import market_of, repriced
from plimsoll_service.engine.choice.own import own_machines
from plimsoll_service.engine.choice.shelf import shelf_of
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

MARKET = market_of(bundled())
TRAINING = Workload("training", model="resnet50")
BOX = Hardware(label="box", accelerator="A100-80GB", count=4, vcpus=64, memory_gib=512, max_nodes=2)


def field(workload: Workload, kept: Kept, **constraints: object) -> Field:
    """Who may do the work."""
    job = job_of(Query(workload, Constraints(**constraints)))
    own = own_machines(job.query.constraints.own_machines or (), MARKET)
    with np.errstate(all="ignore"):
        return field_of(job, MARKET, own, shelf_of(job, MARKET), kept)


def test_other_models_have_the_same_line_up() -> None:
    """Whatever their batches."""
    kept = Kept()
    first, second = field(TRAINING, kept), field(Workload("training", model="vgg16", batch_size=8), kept)

    assert first.lineup is second.lineup


@pytest.mark.parametrize(
    "other", [{"clouds": ("aws",)}, {"max_nodes": 4}, {"own_machines": (BOX,)}, {"min_memory_gib": 64.0}]
)
def test_other_constraints_have_another_line_up(other: dict[str, object]) -> None:
    """Where they leave other machines, or other numbers of them."""
    kept = Kept()

    assert field(TRAINING, kept).lineup is not field(TRAINING, kept, **other).lineup


def test_terms_of_sale_change_no_line_up() -> None:
    """They decide what machines cost."""
    kept = Kept()

    assert field(TRAINING, kept).lineup is field(TRAINING, kept, purchase=("spot",)).lineup


def test_numbers_of_machines_go_up_to_each_machine_s_limit() -> None:
    """Own machines come as many as there are; those without devices alone."""
    found = field(TRAINING, Kept(), own_machines=(BOX,)).contenders
    alone = ~found.machines.has_accelerator()

    assert found.nodes[found.described].tolist() == [1.0, 2.0]
    assert set(found.nodes[alone]) == {1.0}
    assert max(found.nodes) == 16.0


def test_own_machines_stand_behind_the_catalog_s() -> None:
    """With their own figures."""
    found = field(TRAINING, Kept(), own_machines=(BOX,)).contenders

    assert set(found.machines.vcpus[found.described]) == {64.0}
    assert set(found.machines.count[found.described]) == {4.0}
    assert (found.machines.catalog_row[found.described] == -1).all()


def test_machines_do_not_train_together_over_a_network_that_nobody_states() -> None:
    """Larger numbers of them are counted, not tried; as many as there are experiments never talk to each other."""
    together, apart = (field(replace(TRAINING, experiments=many), Kept()) for many in (1, 4))
    unknown, apart_unknown = (np.isnan(one.lineup.machines.network_gbps) for one in (together, apart))
    split = unknown & together.lineup.machines.has_accelerator()
    types = np.ones(len(split)) if together.lineup.types is None else together.lineup.types

    assert set(together.lineup.nodes[unknown]) == {1.0}
    assert set(apart.lineup.nodes[apart_unknown]) == {1.0, 2.0, 3.0, 4.0}
    # Of the counts up to 16 all but one, and all but four.
    assert together.rejected["network"] == 7 * types[split].sum()
    assert apart.rejected["network"] == 4 * types[split].sum()


def test_data_are_prepared_apart_whatever_the_network() -> None:
    """Machines that never talk to each other need none."""
    found = field(Workload("preprocessing", dataset=Dataset(size_bytes=1e12)), Kept())

    assert "network" not in found.rejected
    assert max(found.lineup.nodes[np.isnan(found.lineup.machines.network_gbps)]) == 16.0


def test_what_has_no_price_is_not_tried() -> None:
    """A type that nobody sells is counted for each number of machines, and is no candidate."""
    offers = MARKET.offers
    sold = np.flatnonzero(offers.instance_type != offers.instance_type[0])
    fewer = repriced(MARKET, replace(moved(bundled(), 1), offers=rows_of(offers, sold)))
    job = job_of(Query(Workload("preprocessing", dataset=Dataset(size_bytes=1e12))))
    before, after = (shelf_of(job, one) for one in (MARKET, fewer))

    assert set(before.types) - set(after.types) == {offers.instance_type[0]}
    unsold, more = before.lost[-1], after.lost[-1]
    assert unsold.constraint == more.constraint == "price"
    assert more.plain + more.accelerated == unsold.plain + unsold.accelerated + 1
