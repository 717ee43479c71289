"""Each constraint alone: which machines pass it, and under which name the others are counted."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up

from plimsoll_service.engine.answer import Answer
from plimsoll_service.engine.choice.named_hardware import type_row
from plimsoll_service.engine.hardware import RESERVED
from plimsoll_service.engine.workload import Constraints, Dataset, Discount, Hardware, Objective, Query, Quota, Workload

MARKET = made_up(
    Box("p3.2xlarge", (Sale(3.0), Sale(2.8, "eu-west-1"), Sale(0.9, purchase="spot"))),
    Box("p3.16xlarge", (Sale(24.0),), vcpus=64, memory_gib=488, count=8, interconnect="nvlink", interconnect_gb_s=300),
    Box("p3dn.24xlarge", (Sale(31.0),), family="p3dn", vcpus=96, memory_gib=768, accelerator="V100-32GB", count=8),
    Box("g4dn.xlarge", (Sale(0.5),), family="g4dn", vcpus=4, memory_gib=16, accelerator="T4"),
    Box(
        "m7g.large", (Sale(0.1),), family="m7g", architecture="arm64", cpu_vendor="AWS", accelerator=None, memory_gib=64
    ),
    Box("p2.xlarge", (Sale(0.2),), family="p2", accelerator="K80", retired=True),
    Box("n1-standard-8", (Sale(0.4, "us-central1"),), cloud="gcp", family="n1-standard", accelerator=None),
    Box("gov.only", (Sale(0.1, "us-gov-west-1"),), family="gov"),
    Box("no.price", (), family="dear"),
    Box("gone.here", (Sale(0.01, current=False), Sale(5.0, "eu-west-1")), family="gone"),
)
WORK = Workload("training", model="resnet-50", framework_version="2.4")  # of PyTorch, with wheels for Kepler
ALL = {
    "p3.2xlarge", "p3.16xlarge", "p3dn.24xlarge", "g4dn.xlarge", "m7g.large", "n1-standard-8", "gone.here",
}  # fmt: skip


def answer(**constraints: object) -> Answer:
    constraints.setdefault("max_nodes", 1)
    return ask(Query(WORK, Constraints(**constraints), objective="cost", limit=100, group="none"), MARKET)


def names(**constraints: object) -> set[str]:
    return {one.instance_type for one in answer(**constraints).recommendations}


def test_unconstrained_is_all_that_is_sold() -> None:
    """Without constraints everything is listed that is priced, in use and outside restricted regions."""
    assert ALL == names()
    assert {"price": 1, "regions": 1, "retired": 1} == answer().rejected


@pytest.mark.parametrize(
    ("constraint", "value", "expected"),
    [
        ("clouds", ("GCP",), {"n1-standard-8"}),
        ("regions", ("eu-west-1",), {"p3.2xlarge", "gone.here"}),
        ("architectures", ("aarch64",), {"m7g.large"}),
        ("cpu_vendors", ("aws",), {"m7g.large"}),
        ("instance_types", ("P3.2XLARGE", "g4dn.xlarge"), {"p3.2xlarge", "g4dn.xlarge"}),
        ("instance_families", ("p3",), {"p3.2xlarge", "p3.16xlarge"}),
        ("instance_families", ("n1",), {"n1-standard-8"}),
        ("exclude", ("p3", "m7g.large", "gone", "n1"), {"p3dn.24xlarge", "g4dn.xlarge"}),
        ("exclude_clouds", ("GCP",), ALL - {"n1-standard-8"}),
        ("accelerators", ("T4", "nvidia-tesla-v100"), ALL - {"m7g.large", "n1-standard-8", "p3dn.24xlarge"}),
        ("min_accelerators", 2, {"p3.16xlarge", "p3dn.24xlarge"}),
        ("max_accelerators", 0, {"m7g.large", "n1-standard-8"}),
        ("min_vcpus", 64, {"p3.16xlarge", "p3dn.24xlarge"}),
        ("min_memory_gib", 500, {"p3dn.24xlarge"}),
        ("min_accelerator_memory_gib", 20, {"p3dn.24xlarge"}),
        ("interconnect", "nvlink", {"p3.16xlarge"}),
        ("interconnect", "any", ALL),
        ("purchase", ("spot",), {"p3.2xlarge"}),
        ("retired", True, ALL | {"p2.xlarge"}),
        ("max_usd_per_hour", 0.6, {"g4dn.xlarge", "m7g.large", "n1-standard-8"}),
    ],
)
def test_each_constraint_alone(constraint: str, value: object, expected: set[str]) -> None:
    """Candidates that fail a constraint are left out and counted under its name."""
    found = answer(**{constraint: value})
    assert expected == {one.instance_type for one in found.recommendations}
    if ALL - expected:
        assert found.rejected[constraint] > 0


@pytest.mark.parametrize("named", [{"instance_types": ("p2.xlarge",)}, {"instance_families": ("p2",)}])
def test_naming_a_retired_type_asks_for_it(named: dict[str, tuple[str, ...]]) -> None:
    """Its name or its family is enough, and the answer warns."""
    found = answer(**named).recommendations
    assert ["p2.xlarge"] == [one.instance_type for one in found]
    assert "retired-types" in {note.rule for note in found[0].warnings}


OPEN_QUESTIONS = [
    Workload("training", model="resnet-50"),
    Workload("training", model="llama-3.1-8b", method="lora", tokens=1e8),
    Workload("training", model="xgboost", dataset=Dataset(samples=1e6)),
    Workload("inference", model="resnet-50", requests_per_second=100.0),
    Workload("inference", model="llama-3.1-8b", concurrency=16),
    Workload("preprocessing", dataset=Dataset(name="imagenet-1k")),
    Workload("hpc", flops=1e18),
]


@pytest.mark.parametrize("workload", OPEN_QUESTIONS, ids=lambda one: f"{one.task} {one.model or ''}".strip())
@pytest.mark.parametrize("objective", ["cost", "time"])
def test_no_default_answer_has_a_withdrawn_type(workload: Workload, objective: Objective) -> None:
    """A new customer can order every machine of an answer, under its purchase option."""
    query = Query(workload, Constraints(purchase=("on_demand", "spot")), objective=objective, limit=100)
    market = bundled_market()
    catalog, found = market.catalog, ask(query, market)
    machines = [*found.recommendations, *found.frontier]
    rows = np.array([market.type_rows[one.cloud, one.instance_type] for one in machines])
    on_demand = np.array([one.purchase == "on_demand" for one in machines])

    assert len(rows) > 0
    assert not catalog.instance_types.retired[rows].any()
    assert not (catalog.withdrawn_as(RESERVED)[rows] & on_demand).any()


@pytest.mark.parametrize(("purchase", "expected"), [("on_demand", False), ("spot", True)])
def test_type_that_needs_a_reservation_is_not_offered_on_demand(purchase: str, expected: bool) -> None:
    """Its spot offers stay: anybody can order them."""
    constraints = Constraints(clouds=("gcp",), accelerators=("H100-SXM",), max_nodes=1, purchase=(purchase,))
    found = ask(Query(WORK, constraints, limit=100), bundled_market())

    assert expected == ("a3-highgpu-1g" in {one.instance_type for one in found.recommendations})
    assert expected == ("purchase" not in found.rejected)


def test_named_type_that_needs_a_reservation_warns() -> None:
    """Its name asks for it, as for a retired type."""
    constraints = Constraints(instance_types=("a3-highgpu-1g",), max_nodes=1)
    [one] = ask(Query(WORK, constraints), bundled_market()).recommendations

    assert ["you need a capacity reservation to run it on demand"] == [
        note.text.partition(" (source: ")[0] for note in one.warnings if note.rule == "retired-types"
    ]


def test_restricted_regions_must_be_named() -> None:
    """Government regions are used only where the question names them."""
    assert "gov.only" not in names()
    assert {"gov.only"} == names(regions=("us-gov-west-1",))


ALIKE = made_up(
    Box("p3.2xlarge", (Sale(3.0, "us-east-1"),)),
    Box("n1-standard-8+v100", (Sale(2.0, "us-east1"),), cloud="gcp", family="n1-standard"),
    Box("ecs.g7ne.xlarge", (Sale(0.4, "ap-southeast-1"),), cloud="alibaba", family="ecs.g7ne", vcpus=4),
    Box("ecs.g7nex.large", (Sale(0.2, "ap-southeast-1"),), cloud="alibaba", family="ecs.g7nex", vcpus=2),
)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"regions": ("us-east-1",)}, {"p3.2xlarge"}),
        ({"regions": ("US-EAST-1",)}, {"p3.2xlarge"}),
        ({"regions": ("us-east1",)}, {"n1-standard-8+v100"}),
        ({"regions": ("us east 1",)}, {"p3.2xlarge", "n1-standard-8+v100"}),
        ({"regions": ("us-east-1", "us-east1")}, {"p3.2xlarge", "n1-standard-8+v100"}),
        ({"regions": ("us-east1",), "clouds": ("aws",)}, {"p3.2xlarge"}),
        ({"instance_types": ("ecs.g7ne.xlarge",)}, {"ecs.g7ne.xlarge"}),
        ({"instance_types": ("ecs.g7nex.large",)}, {"ecs.g7nex.large"}),
    ],
)
def test_of_names_that_look_alike_the_one_that_is_spelled_so_is_meant(
    stated: dict[str, tuple[str, ...]], expected: set[str]
) -> None:
    """Spellings are forgiven only where nothing is called just that, in the clouds that are asked for."""
    found = ask(Query(WORK, Constraints(max_nodes=1, **stated), limit=100, group="none"), ALIKE)
    assert expected == {one.instance_type for one in found.recommendations}


@pytest.mark.parametrize(("name", "vcpus"), [("ecs.g7ne.xlarge", 4), ("ecs.g7nex.large", 2), ("ECS G7nex large", 2)])
def test_a_given_machine_is_the_one_that_is_spelled_so(name: str, vcpus: int) -> None:
    """Two types whose names differ in punctuation alone are not taken for one another."""
    row = type_row(ALIKE, Hardware(cloud="alibaba", instance_type=name))
    assert vcpus == ALIKE.catalog.instance_types.vcpus[row]


def test_an_offer_no_longer_sold_is_not_used() -> None:
    """The cheaper offer of a region that stopped selling the type answers only a question that names it."""
    assert [5.0] == [
        one.price.usd_per_hour for one in answer(exclude=("p3", "p3dn", "g4dn", "m7g", "n1")).recommendations
    ]
    assert [0.01] == [one.price.usd_per_hour for one in answer(instance_types=("gone.here",)).recommendations]


def test_each_machine_stands_at_its_cheapest_allowed_region() -> None:
    """The others are listed with it, in the order of their price."""
    first = answer(instance_types=("p3.2xlarge",)).recommendations[0]
    assert ("eu-west-1", 2.8) == (first.region, first.price.usd_per_hour)
    assert [("us-east-1", 3.0)] == [(one.region, one.usd_per_hour) for one in first.other_regions]


def test_a_discount_takes_percent_off_its_families() -> None:
    """Of two discounts the larger counts; other families keep their price."""
    found = answer(discounts=(Discount("aws", 10), Discount("aws", 30, ("g4dn",)))).recommendations
    prices = {one.instance_type: one.price.usd_per_hour for one in found}
    assert (0.35, 2.52, 0.4) == tuple(
        pytest.approx(prices[name]) for name in ("g4dn.xlarge", "p3.2xlarge", "n1-standard-8")
    )


def test_a_quota_bounds_the_machines_of_a_family() -> None:
    """More machines than the quota are counted as such; a quota of none forbids the family."""
    found = answer(max_nodes=4, quotas=(Quota("aws", 2, ("p3",)), Quota("aws", 0, ("g4dn",))))
    nodes = {name: [one.node_count for one in found.recommendations if one.instance_type == name] for name in ALL}
    assert 2 == max(nodes["p3.2xlarge"])
    assert 4 == max(nodes["p3dn.24xlarge"])
    assert [] == nodes["g4dn.xlarge"]
    assert 2 + 2 + 4 == found.rejected["quota"]


@pytest.mark.parametrize("work", [WORK, Workload("preprocessing", dataset=Dataset(size_bytes=1e10))])
def test_own_machines_alone_are_a_cloud_to_ask_for(work: Workload) -> None:
    """However dear they are; beside other clouds the name changes nothing."""
    mine = Hardware(label="rack 7", accelerator="V100", count=1, vcpus=8, memory_gib=61, usd_per_hour=900)

    def names(*clouds: str) -> list[str]:
        asked = Query(work, Constraints(clouds=clouds, own_machines=(mine,)))
        return [one.instance_type for one in ask(asked, bundled_market()).recommendations]

    assert names("own") == ["rack 7"]
    assert names("Own", "aws") == names("aws") != []


def test_without_own_machines_there_are_none_to_ask_for() -> None:
    """To ask for other clouds would do."""
    found = ask(Query(WORK, Constraints(clouds=("own",))), bundled_market())

    assert found.recommendations == ()
    assert [one.constraint for one in found.relax] == ["clouds"]


def test_own_machines_compete_at_their_stated_price() -> None:
    """They carry their label, and are answered as a cloud of their own."""
    mine = Hardware(label="rack 7", accelerator="V100", count=1, vcpus=8, memory_gib=61, usd_per_hour=0.02)
    first = answer(own_machines=(mine,)).recommendations[0]
    assert ("own", "rack 7", "rack 7", 0.02) == (
        first.cloud,
        first.instance_type,
        first.label,
        first.price.usd_per_hour,
    )


def test_own_machines_are_as_many_as_there_are() -> None:
    """``max_nodes`` of an own machine is how many the user has: one, unless said."""
    mine = Hardware(accelerator="V100", vcpus=8, memory_gib=61, usd_per_hour=0.02, network_gbps=25)
    more = Hardware(
        label="pair", accelerator="V100", vcpus=8, memory_gib=61, usd_per_hour=0.02, network_gbps=25, max_nodes=2
    )
    found = answer(max_nodes=16, own_machines=(mine, more)).recommendations
    most = {name: max(one.node_count for one in found if one.instance_type == name) for name in ("V100", "pair")}
    assert {"V100": 1, "pair": 2} == most


def test_an_unpriced_type_is_counted_and_never_shown() -> None:
    """No price, no recommendation: not at 0, not guessed."""
    found = answer(instance_types=("no.price",))
    assert ((), {"price": 1}) == (
        found.recommendations,
        {name: count for name, count in found.rejected.items() if name == "price"},
    )


def test_no_own_machine_is_filtered_by_words_of_the_catalog() -> None:
    """A constraint on instance families leaves the user's own machines alone."""
    mine = Hardware(accelerator="T4", vcpus=8, memory_gib=61, usd_per_hour=0.02)
    found = answer(own_machines=(mine,), instance_families=("p3",)).recommendations
    assert {"own", "aws"} == {one.cloud for one in found}


def test_prices_are_finite() -> None:
    """A type without an offer has no price at all, rather than 0."""
    assert np.all(MARKET.offers.usd_per_hour > 0)


SURE_AND_UNSURE = made_up(
    Box("listed", (Sale(4.0), Sale(3.0, "eu-west-1", confidence="derived"))),
    Box("old", (Sale(1.0, confidence="undated"),), family="p4"),
    Box("spotty", (Sale(5.0), Sale(2.0, purchase="spot", confidence="estimated")), family="g5"),
)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (None, {("listed", "on_demand", 3.0), ("old", "on_demand", 1.0), ("spotty", "on_demand", 5.0),
                ("spotty", "spot", 2.0)}),
        (("list",), {("listed", "on_demand", 4.0), ("spotty", "on_demand", 5.0)}),
        (("list", "derived"), {("listed", "on_demand", 3.0), ("spotty", "on_demand", 5.0)}),
        (("estimated", "undated"), {("old", "on_demand", 1.0), ("spotty", "spot", 2.0)}),
    ],
)  # fmt: skip
def test_prices_have_an_allowed_confidence(
    wanted: tuple[str, ...] | None, expected: set[tuple[str, str, float]]
) -> None:
    """Each machine is had at its cheapest price of such a confidence; one without is counted under the constraint."""
    constraints = Constraints(max_nodes=1, purchase=("on_demand", "spot"), price_confidence=wanted)
    found = ask(Query(WORK, constraints, objective="cost", limit=100, group="none"), SURE_AND_UNSURE)

    assert expected == {(one.instance_type, one.purchase, one.price.usd_per_hour) for one in found.recommendations}
    assert 3 - len({name for name, _, _ in expected}) == found.rejected.get("price_confidence", 0)


def test_confidence_and_region_are_counted_apart() -> None:
    """A type that is not sold in the region at all fails the region, not the confidence."""
    constraints = Constraints(max_nodes=1, regions=("eu-west-1",), price_confidence=("list",))

    assert {"regions": 2, "price_confidence": 1} == ask(Query(WORK, constraints), SURE_AND_UNSURE).rejected


@pytest.mark.parametrize(
    ("wanted", "expected"), [(("list",), {"mine", "listed", "spotty"}), (("derived",), {"listed"})]
)
def test_stated_price_of_an_own_machine_counts_as_listed(wanted: tuple[str, ...], expected: set[str]) -> None:
    """The user knows it."""
    own = Hardware(accelerator="V100-16GB", vcpus=8, memory_gib=61, usd_per_hour=2.0, label="mine")
    constraints = Constraints(max_nodes=1, own_machines=(own,), price_confidence=wanted)
    found = ask(Query(WORK, constraints, limit=100, group="none"), SURE_AND_UNSURE)

    assert expected == {one.label or one.instance_type for one in found.recommendations}


def test_region_beside_is_at_an_allowed_price_too() -> None:
    """Other regions of a machine are those whose price has such a confidence."""
    query = Query(WORK, Constraints(max_nodes=1, instance_types=("listed",), price_confidence=("list",)))
    [one] = ask(query, SURE_AND_UNSURE).recommendations

    assert ("us-east-1", ()) == (one.region, one.other_regions)


@pytest.mark.parametrize(("accelerator", "passes"), [("L40S", False), ("H100-SXM", True)])
def test_own_machines_need_the_links_that_are_asked_for(accelerator: str, passes: bool) -> None:
    """Four cards on PCIe have no NVLink."""
    rack = Hardware(label="rack", accelerator=accelerator, count=4, vcpus=64, memory_gib=512, usd_per_hour=1.0)
    query = Query(WORK, Constraints(own_machines=(rack,), interconnect="nvlink", max_nodes=1), limit=100, group="none")
    assert passes == ("rack" in {one.instance_type for one in ask(query, bundled_market()).recommendations})


def test_inference_on_one_device_needs_no_link() -> None:
    """Machines with several cards on PCIe are left out, a card alone is not."""
    query = Query(Workload("inference", model="resnet-50"), Constraints(interconnect="nvlink"), limit=100, group="none")
    found = {one.instance_type for one in ask(query, MARKET).recommendations}
    assert "g4dn.xlarge" in found
    assert "p3dn.24xlarge" not in found
