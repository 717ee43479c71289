"""Every field of given hardware, of a discount and of a quota changes the answer, or is refused."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from tests.service.engine.catalogs import ask, bundled, bundled_market
from tests.service.engine.field_changes import BASES
from tests.service.fitted import FITTED

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.answer import HardwareEstimate
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.workload import Constraints, Discount, Hardware, Query, Quota, Workload
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.sizing import Sizer

SIZER = Sizer(bundled(), FITTED, LivePrices(bundled()))
NAMED = Hardware(cloud="aws", instance_type="g5.12xlarge")
BARE = Hardware(
    accelerator="A100-80GB", count=4, vcpus=32, memory_gib=200, network_gbps=25, usd_per_hour=10, node_count=2
)
HOST = Hardware(cpu="Skylake", vcpus=32, memory_gib=128, usd_per_hour=1)
# Field → the machine before, and the machine after.
HARDWARE: dict[str, tuple[Hardware, Hardware]] = {
    "cloud": (NAMED, replace(NAMED, cloud="gcp", instance_type="g2-standard-4")),
    "instance_type": (NAMED, replace(NAMED, instance_type="g5.48xlarge")),
    "region": (NAMED, replace(NAMED, region="ap-northeast-1")),
    "purchase": (NAMED, replace(NAMED, purchase="spot")),
    "node_count": (replace(BARE, memory_gib=400), replace(BARE, memory_gib=400, node_count=4)),  # what fits has a cost
    "accelerator": (BARE, replace(BARE, accelerator="T4")),
    "count": (BARE, replace(BARE, count=1)),
    "cpu": (HOST, replace(HOST, cpu="AWS Graviton4")),
    "vcpus": (HOST, replace(HOST, vcpus=4)),
    "memory_gib": (BARE, replace(BARE, memory_gib=90)),
    "network_gbps": (BARE, replace(BARE, network_gbps=1)),
    "usd_per_hour": (BARE, replace(BARE, usd_per_hour=11)),
    "tensor_parallel": (BARE, replace(BARE, tensor_parallel=4)),
    "pipeline_parallel": (BARE, replace(BARE, pipeline_parallel=2)),
    "expert_parallel": (BARE, replace(BARE, expert_parallel=2)),
}
LANGUAGE = ("tensor_parallel", "pipeline_parallel", "expert_parallel")


def judged(workload: Workload, on: Hardware, **constraints: object) -> HardwareEstimate | None:
    """The answer for a given machine without its copy of the question; ``None`` if it is refused."""
    query = Query(workload, Constraints(**constraints))
    if faults_of(query, bundled_market(), (on,)):
        return None
    return replace(SIZER.estimate(query, on), workload={}, assumptions=())


def test_every_field_has_its_change() -> None:
    """A new field of given hardware needs an entry; label and count of own machines are tested below."""
    assert {item.name for item in fields(Hardware)} == {*HARDWARE, "label", "max_nodes"}


@pytest.mark.parametrize("name", HARDWARE)
def test_every_field_of_given_hardware_counts(name: str) -> None:
    """Another value gives another answer."""
    workload = BASES[kind.SERVING if name in LANGUAGE else kind.SAMPLE_TRAINING]
    if name in ("cpu", "vcpus"):
        workload = BASES[kind.INFERENCE]
    before, after = (judged(workload, on) for on in HARDWARE[name])
    assert before is not None
    assert after != before


@pytest.mark.parametrize("what", BASES)
@pytest.mark.parametrize("name", ["cloud", "instance_type", "region", "purchase", "node_count", "usd_per_hour"])
def test_what_is_rented_counts_for_every_kind_of_work(name: str, what: str) -> None:
    """Place, purchase option, count and price of the machine change the answer for each kind, or are refused."""
    before, after = (judged(BASES[what], on) for on in HARDWARE[name])
    assert before is not None
    assert after != before


def test_a_label_names_the_row_of_a_comparison() -> None:
    """The caller's own word stands for the machine."""
    table = SIZER.compare(Query(BASES[kind.INFERENCE]), (replace(BARE, label="mine"), BARE))
    assert ["mine", "A100-80GB"] == [one.label for one in table.machines]


@pytest.mark.parametrize("what", [kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.PREPROCESSING])
def test_max_nodes_is_how_many_own_machines_there_are(what: str) -> None:
    """Two of the user's machines may share work that can be split; more than there are may not."""
    one = replace(BARE, node_count=1, usd_per_hour=0.001, label="mine")

    def most(own: Hardware) -> int:
        query = Query(BASES[what], Constraints(own_machines=(own,)), "cost", limit=100, group="none")
        return max(rank.node_count for rank in ask(query, bundled_market()).recommendations if rank.cloud == "own")

    assert (1, 2) == (most(one), most(replace(one, max_nodes=2)))


@pytest.mark.parametrize("on", [NAMED, BARE])
def test_max_nodes_of_one_given_machine_is_refused(on: Hardware) -> None:
    """A single given machine has ``node_count``, not ``max_nodes``."""
    assert judged(BASES[kind.SAMPLE_TRAINING], replace(on, max_nodes=3)) is None


DISCOUNTS = {
    "cloud": Discount("gcp", 50),
    "percent": Discount("aws", 80),
    "families": Discount("aws", 50, ("p4d",)),
}
QUOTAS = {"cloud": Quota("gcp", 1), "max_nodes": Quota("aws", 3), "families": Quota("aws", 1, ("p4d",))}


@pytest.mark.parametrize("name", [item.name for item in fields(Discount)])
def test_every_field_of_a_discount_counts(name: str) -> None:
    """Cloud, percent and families each change the prices."""
    workload = BASES[kind.SAMPLE_TRAINING]
    first, second = (
        ask(Query(workload, Constraints(discounts=(one,)), limit=100), bundled_market()).recommendations
        for one in (Discount("aws", 50), DISCOUNTS[name])
    )
    assert first != second


@pytest.mark.parametrize("name", [item.name for item in fields(Quota)])
def test_every_field_of_a_quota_counts(name: str) -> None:
    """Cloud, count and families each change what is rejected."""
    workload = BASES[kind.SAMPLE_TRAINING]
    first, second = (
        ask(Query(workload, Constraints(quotas=(one,))), bundled_market()).rejected["quota"]
        for one in (Quota("aws", 1), QUOTAS[name])
    )
    assert first != second
