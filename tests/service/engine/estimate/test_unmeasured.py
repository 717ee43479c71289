"""Devices that no measurement supports: a cautious share of their peak, and ranges that are never narrower."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.service.engine.catalogs import ask, bundled_market
from tests.service.fitted import FITTED

from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.spreads import UNSTUDIED, UNSTUDIED_QUARTILE
from plimsoll_service.engine.workload import Constraints, Query, Workload

RESNET = Workload("training", model="resnet-50", epochs=1)
VIT = Workload("training", model="vit-b-16", epochs=1)
LLAMA = Workload("training", model="llama-3-8b", method="full", tokens=1e9)


def test_the_share_is_that_of_the_lower_quartile() -> None:
    """Of devices that run the programs of others; chips with a compiler of their own have a share of their own."""
    catalog, machines = bundled_market().catalog, bundled_market().machines
    every = machines.changed(basis=machines.basis * 0 + UNSTUDIED)
    share = dict(zip(catalog.instance_types.name, every.unmeasured_share().tolist(), strict=True))

    assert UNSTUDIED_QUARTILE == pytest.approx(0.571, abs=1e-3)
    assert UNSTUDIED_QUARTILE == share["Standard_ND96isr_MI300X_v5"]
    assert 1.0 == share["trn1.32xlarge"] == share["m7i.large"]
    assert {1.0} == set(machines.unmeasured_share().tolist())


@pytest.mark.parametrize("workload", [VIT, LLAMA])
def test_an_unmeasured_device_is_slower_than_its_datasheet_suggests(
    workload: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step takes 1/0.57 of the time; what else the run takes is unchanged."""
    query = Query(workload, Constraints(instance_types=("Standard_ND96isr_MI300X_v5",), max_nodes=1))
    cautious = ask(query, bundled_market()).recommendations[0].estimate.throughput.value
    monkeypatch.setattr(Machines, "unmeasured_share", lambda machines: machines.vcpus * 0 + 1)
    hopeful = ask(query, bundled_market()).recommendations[0].estimate.throughput.value

    assert cautious < 0.8 * hopeful


@pytest.mark.parametrize("name", sorted(FITTED.spreads.of_kind))
def test_a_modelled_range_is_never_narrower_than_a_measured_one(name: str) -> None:
    """Of the same kind of estimate: less evidence, a range at least as wide."""
    ends = FITTED.spreads.of(name)
    assert all(far.low <= near.low and far.high >= near.high for near, far in pairwise(ends))


def test_one_machine_that_was_measured_vouches_for_no_fleet() -> None:
    """Several are at most calibrated."""
    query = Query(
        replace(RESNET, epochs=90), Constraints(instance_types=("p4d.24xlarge",)), "time", limit=10, group="none"
    )
    basis = {one.node_count: one.estimate.basis for one in ask(query, bundled_market()).recommendations}

    assert "measured" == basis[1]
    assert {"calibrated"} == {basis[nodes] for nodes in basis if nodes > 1}
