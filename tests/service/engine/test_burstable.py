"""Burstable instance types count with their baseline, and have a warning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, ask, bundled_market, catalog_of, made_up

from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.machines import machines_of
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload
from plimsoll_service.evidence.rules import load as load_rules

RULE = "burstable-baseline"
SHARE = 0.2
FULL = Box(name="full", accelerator=None, family="m5", vcpus=8, memory_gib=64)
BURSTABLE = replace(FULL, name="burstable", family="t3", sustained_cpu=SHARE)
COMPUTE = Query(Workload(task="hpc", precision="fp64", flops=1e16, memory_gib=4), group="none")
SERVING = Query(Workload(task="inference", model="resnet-50", requests_per_second=1.0))


def rules_of(notes) -> set[str]:
    """Rules that the notes name."""
    return {note.rule for note in notes}


def test_cores_are_those_that_can_be_used_all_the_time() -> None:
    """A share of 0.2 leaves a fifth of cores, compute and memory traffic; the vCPUs stay as rented."""
    machines = machines_of(catalog_of(FULL, BURSTABLE))
    for column in (machines.cores, machines.cpu_tflops, machines.cpu_bandwidth_gb_s):
        assert column[1] == pytest.approx(SHARE * column[0])

    assert machines.vcpus.tolist() == [8, 8]
    assert machines.sockets[0] == machines.sockets[1]


def test_work_that_processors_bound_runs_at_the_share() -> None:
    """A fifth of the processors does a fifth of the work."""
    answer = ask(COMPUTE, made_up(FULL, BURSTABLE))
    rates = {one.instance_type: one.estimate.throughput.value for one in answer.recommendations}

    assert rates["burstable"] == pytest.approx(SHARE * rates["full"])


def test_at_the_same_price_the_full_machine_wins() -> None:
    """A burstable type is no bargain at a full machine's price."""
    first, second = ask(COMPUTE, made_up(BURSTABLE, FULL)).recommendations

    assert (first.instance_type, second.instance_type) == ("full", "burstable")


def test_a_burstable_machine_is_warned_of() -> None:
    """The warning names the baseline; a machine with all of its vCPUs has none."""
    found = {one.instance_type: one.warnings for one in ask(COMPUTE, made_up(FULL, BURSTABLE)).recommendations}
    texts = [note.text for note in found["burstable"] if note.rule == RULE]

    assert texts == ["the baseline is 20% of 8 vCPUs; the estimate counts only this share"]
    assert RULE not in rules_of(found["full"])


def test_a_machine_whose_accelerator_works_is_not_warned_of() -> None:
    """Processors that only feed a device are not what bounds the work."""
    (found,) = ask(SERVING, made_up(Box(sustained_cpu=SHARE))).recommendations

    assert RULE not in rules_of(found.warnings)


def test_machines_of_ones_own_are_whole() -> None:
    """Own machines have all of their vCPUs."""
    own = own_machines((Hardware(cpu="Skylake", vcpus=8, memory_gib=32, usd_per_hour=1.0),), bundled_market())

    assert own.types is not None
    assert own.types.sustained_cpu.tolist() == [1]


def test_the_rule_is_published() -> None:
    """The rule that the warning names can be looked up."""
    (rule,) = (rule for rule in load_rules() if rule.id == RULE)

    assert rule.phase == "estimate"
    assert rule.statement
    assert rule.source


def test_burstable_types_that_are_recommended_for_preprocessing_say_so() -> None:
    """In the bundled catalog a burstable type is among the answers only with its warning."""
    workload = Workload(task="preprocessing", dataset=Dataset(name="imagenet-1k", format="jpeg"), output_format="lmdb")
    families = ("t2", "t3", "t3a", "t4g")
    market = bundled_market()
    answer = ask(Query(workload, Constraints(clouds=("aws",), instance_families=families), limit=20), market)
    names = market.catalog.instance_types.name
    shares = dict(zip(names, market.catalog.instance_types.sustained_cpu, strict=True))

    assert answer.recommendations
    assert np.all([shares[one.instance_type] < 1 for one in answer.recommendations])
    assert all(RULE in rules_of(one.warnings) for one in answer.recommendations)
