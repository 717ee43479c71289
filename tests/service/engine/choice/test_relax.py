"""Limits to relax if no candidate is left: each relaxed limit really leaves a candidate."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up

from plimsoll_service.api.schemas.quantities import hours_of
from plimsoll_service.engine.answer import Relax
from plimsoll_service.engine.demand.job import DEFAULT_MAX_NODES
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Hardware, Query, Workload

WORK = Workload("training", model="resnet-50", epochs=10)
LIMIT_FIELDS = {
    "deadline": "deadline_hours",
    "budget": "budget_usd",
    "latency": "latency_ms",
    "tpot": "tpot_ms",
    "end_to_end": "end_to_end_ms",
    "requests_per_second": "requests_per_second",
    "concurrency": "concurrency",
}
BOXES = (Box("v", (Sale(3.0),)), Box("t", (Sale(0.5),), accelerator="T4", family="g4dn"))
MARKET = made_up(*BOXES)


def relaxed(query: Query, market=MARKET) -> dict[str, object]:
    answer = ask(query, market)
    assert () == answer.recommendations
    return {one.constraint: one.to for one in answer.relax}


@pytest.mark.parametrize(
    ("name", "workload"),
    [
        ("deadline", replace(WORK, deadline_hours=0.05)),
        ("budget", replace(WORK, budget_usd=0.05)),
        ("latency", Workload("inference", model="resnet-50", latency_ms=0.1)),
        ("end_to_end", Workload("inference", model="resnet-50", end_to_end_ms=0.1)),
    ],
)
def test_the_least_limit_that_would_do(name: str, workload: Workload) -> None:
    """The value offered is enough, and a hundredth less is not."""
    to = relaxed(Query(workload))[name]
    value = hours_of(to) if name == "deadline" else float(str(to))
    for given, expected in ((value, True), (value * 0.98 - 0.02, False)):
        loosened = Query(replace(workload, **{LIMIT_FIELDS[name]: given}))
        assert expected == bool(ask(loosened, MARKET).recommendations)


@pytest.mark.parametrize("given", [0.01, 0.4])
def test_the_least_price_an_hour_that_would_do(given: float) -> None:
    """``max_usd_per_hour`` is loosened to what the cheapest machine costs with its disk."""
    query = Query(WORK, Constraints(max_usd_per_hour=given))
    value = relaxed(query)["max_usd_per_hour"]
    assert ask(Query(WORK, Constraints(max_usd_per_hour=value)), MARKET).recommendations
    assert not ask(Query(WORK, Constraints(max_usd_per_hour=value - 0.02)), MARKET).recommendations


@pytest.mark.parametrize(
    ("name", "value"),
    [("accelerators", ("A100",)), ("instance_families", ("g5",)), ("min_vcpus", 5000.0), ("clouds", ("azure",))],
)
def test_a_constraint_that_leaves_nothing_is_named(name: str, value: object) -> None:
    """A constraint on the machine is offered to be dropped, with what the job would then cost."""
    query = Query(WORK, Constraints(**{name: value}))
    market = made_up(*BOXES, Box("other", (), cloud="azure", family="g5"))
    answer = ask(query, market)
    assert [name] == [one.constraint for one in answer.relax]
    without = ask(Query(WORK, objective="cost"), market).recommendations[0]
    assert without.estimate.cost_usd.value == answer.relax[0].cost_usd


def test_two_constraints_that_only_fail_together_are_both_named() -> None:
    """Of two constraints that only fail together, either may be dropped, so both are named."""
    market = made_up(*BOXES)
    query = Query(WORK, Constraints(accelerators=("T4",), instance_families=("p3",)))
    assert {"accelerators", "instance_families"} == set(relaxed(query, market))


def test_an_answer_needs_no_relaxation() -> None:
    """An answer with a recommendation suggests no relaxation."""
    assert () == ask(Query(WORK), MARKET).relax


def test_the_cheapest_loosening_comes_first() -> None:
    """Relaxations are in the order of what the job would cost."""
    query = Query(replace(WORK, deadline_hours=0.01), Constraints(min_vcpus=4))
    costs = [one.cost_usd for one in ask(query, MARKET).relax]
    assert sorted(costs) == costs


def test_a_rate_is_loosened_to_what_the_price_an_hour_allows() -> None:
    """The rate offered is below the asked one, and can be had for ``max_usd_per_hour``."""
    serve = Workload("inference", model="tinyllama-1.1b", requests_per_second=1000)
    constraints = Constraints(max_usd_per_hour=6.5)
    value = float(str(relaxed(Query(serve, constraints))["requests_per_second"]))
    assert value < 1000
    assert ask(Query(replace(serve, requests_per_second=value), constraints), MARKET).recommendations


SERVE = Workload("inference")
WITHOUT = [
    Query(replace(SERVE, model="sdxl", requests_per_second=263.12), Constraints(accelerators=("A100", "T4"))),
    Query(
        replace(
            SERVE, model="qwen2.5-14b", precision="bf16", requests_per_second=491.01,
            input_tokens=2000, output_tokens=1000, latency_ms=110.0,
        )
    ),
    Query(
        replace(SERVE, model="llama-3.1-8b", concurrency=300, input_tokens=30000, output_tokens=1, latency_ms=1000.0)
    ),
    Query(
        Workload("preprocessing", tuning="stock", dataset=Dataset(size_bytes=5e12, format="text"), deadline_hours=1.0)
    ),
    Query(replace(WORK, deadline_hours=0.02, budget_usd=1e5), Constraints(max_usd_per_hour=1e5)),
    Query(replace(WORK, deadline_hours=0.02), objective="time"),
    Query(replace(WORK, deadline_hours=0.02), objective="performance_per_cost"),
    Query(
        Workload(
            "training", framework="fsdp", model="llama-3.3-70b", method="full", sequence_length=4096, epochs=3,
            dataset=Dataset(samples=5e4), deadline_hours=12.0, budget_usd=50.0,
        ),
        Constraints(clouds=("aws",), accelerators=("A10G",), max_nodes=1),
        objective="cost",
    ),
    Query(
        Workload("inference", model="phi-4", framework="neuron", input_tokens=500, output_tokens=16),
        Constraints(cpu_vendors=("Intel",), instance_families=("n1", "c6i"), min_accelerator_memory_gib=40.0),
    ),
    Query(Workload("training", model="llama-3.1-8b", tokens=1e6), Constraints(max_accelerators=0)),
]  # fmt: skip
# No limit of theirs alone is enough.
SEVERAL = [
    Query(
        Workload(
            "hpc", precision="fp32", flops=3e20, bytes=4e18, memory_gib=24, deadline_hours=120.0, budget_usd=1500.0
        ),
        Constraints(clouds=("aws", "gcp", "azure", "runpod"), max_nodes=4),
        objective="cost",
    ),
    Query(
        replace(
            SERVE, framework="vllm", model="llama-3.1-70b", precision="bf16", requests_per_second=5,
            input_tokens=16000, output_tokens=500, latency_ms=150.0, tpot_ms=6.0,
        ),
        Constraints(clouds=("aws", "gcp", "azure")),
        objective="cost",
    ),
    Query(
        replace(SERVE, model="llama-3.1-70b", requests_per_second=50, latency_ms=50.0), Constraints(max_usd_per_hour=1)
    ),
    Query(replace(WORK, deadline_hours=0.01, budget_usd=0.01), objective="time"),
]  # fmt: skip


def loosened(query: Query, one: Relax) -> Query:
    """The query with the offered change."""
    for constraint, value in ({one.constraint: one.to} | one.together).items():
        to = hours_of(str(value)) if constraint == "deadline" else value
        if constraint in LIMIT_FIELDS or constraint == "tuning":
            name = LIMIT_FIELDS.get(constraint, constraint)
            query = replace(query, workload=replace(query.workload, **{name: to}))
        else:
            query = replace(query, constraints=replace(query.constraints, **{constraint: to}))
    return query


@pytest.mark.parametrize("query", WITHOUT + SEVERAL)
def test_what_is_offered_does(query: Query) -> None:
    """Asked again with any one of the values, something is left: first what was named, at the cost that was said."""
    answer = ask(query, bundled_market())

    assert () == answer.recommendations
    assert answer.relax
    for one in answer.relax:
        again = ask(loosened(query, one), bundled_market())
        assert again.recommendations, one
        first = again.recommendations[0]
        assert f"{first.node_count} × {first.cloud} {first.instance_type}" in one.choice
        if one.cost_usd is not None:
            assert (first.estimate.cost_usd.value, True) == (one.cost_usd, " h" in one.choice)


@pytest.mark.parametrize("query", SEVERAL)
def test_limits_that_only_do_together_are_loosened_together(query: Query) -> None:
    """One way names all that are missed; each of them is needed, and a load is not among them."""
    (way,) = ask(query, bundled_market()).relax

    assert way.together
    assert "requests_per_second" not in {way.constraint, *way.together}
    values = {way.constraint: way.to} | way.together
    for name in values:
        (first, to), *others = ((other, value) for other, value in values.items() if other != name)
        assert (
            () == ask(loosened(query, Relax(first, to, None, together=dict(others))), bundled_market()).recommendations
        )


def test_a_load_is_lowered_where_no_machines_carry_it() -> None:
    """It is the last thing to give up, and the rest is what the machines then need."""
    work = replace(SERVE, model="sdxl", requests_per_second=47, latency_ms=8.2)
    query = Query(work, Constraints(clouds=("azure",), max_nodes=1))
    way = next(one for one in ask(query, bundled_market()).relax if one.together)

    assert ("latency", {"requests_per_second"}) == (way.constraint, set(way.together))
    assert 1 <= float(str(way.together["requests_per_second"])) < 47
    assert ask(loosened(query, way), bundled_market()).recommendations


def test_no_accelerators_at_all_is_a_constraint_to_drop() -> None:
    """Zero of them is something that was asked for."""
    assert "max_accelerators" in relaxed(WITHOUT[-1], bundled_market())


def test_a_deadline_below_an_hour_is_in_minutes() -> None:
    """A hundredth of an hour is half a minute: too coarse for work of ten."""
    to = str(relaxed(Query(replace(WORK, epochs=1, deadline_hours=0.01)))["deadline"])

    assert to.endswith("m")
    assert hours_of(to) < 1


@pytest.mark.parametrize("purchase", [None, ("on_demand",)])
def test_spot_is_offered_where_the_budget_is_too_small_for_any_other_price(purchase: tuple[str, ...] | None) -> None:
    """The machines are the same ones, bought as they may be interrupted; where spot is allowed, it is not offered."""
    market = made_up(Box("v", (Sale(3.0), Sale(0.6, purchase="spot"))))
    cost = ask(Query(WORK), market).recommendations[0].estimate.cost_usd
    assert cost is not None
    query = Query(replace(WORK, budget_usd=0.6 * cost.value), Constraints(purchase=purchase))
    offered = relaxed(query, market)["purchase"]

    assert offered == ["on_demand", "spot"]
    assert ask(replace(query, constraints=Constraints(purchase=("on_demand", "spot"))), market).recommendations
    assert "purchase" not in relaxed(Query(replace(WORK, budget_usd=0.01), Constraints(purchase=("spot",))), market)


def test_porting_is_offered_where_nothing_else_runs_the_software() -> None:
    """The permission has a price too; where it would not help, it is not offered."""
    chips, gpus = made_up(Box(accelerator="Trainium1")), made_up(Box(accelerator="V520"))
    assert ({"allow_porting": True}, {}) == (relaxed(Query(WORK), chips), relaxed(Query(WORK), gpus))


@pytest.mark.parametrize(("method", "what"), [("full", "optimizer"), ("qlora", "parameters")])
def test_states_go_to_the_host_where_the_devices_do_not_hold_them(method: str, what: str) -> None:
    """The fewest states that suffice are named: the optimizer's, else the weights too; and they do suffice."""
    card = Hardware(label="box", accelerator="RTX-4090", count=2, vcpus=32, memory_gib=128, usd_per_hour=0.5)
    model = "llama-3.1-70b" if method == "qlora" else "llama-3.2-3b"
    work = Workload("training", framework="huggingface", model=model, method=method, tokens=1e7, sequence_length=2048)
    query = Query(work, Constraints(clouds=("own",), own_machines=(card,)))

    assert what == relaxed(query, bundled_market())["offload"]
    assert ask(replace(query, workload=replace(work, offload=what)), bundled_market()).recommendations
    assert "offload" not in relaxed(replace(query, workload=replace(work, offload="none")), bundled_market())


def test_converters_on_every_vcpu_where_one_process_is_too_slow() -> None:
    """One machine of many vCPUs does with tuned converters what several do with stock ones; so many are named."""
    work = Workload(
        "preprocessing",
        dataset=Dataset(size_bytes=1e12, samples=1e7, format="jpeg"),
        output_format="webdataset",
        image_size=(256,),
        deadline_hours=8.0,
        tuning="stock",
    )
    found = relaxed(Query(work, Constraints(max_nodes=1)), bundled_market())

    assert "tuned" == found["tuning"]
    assert int(str(found["max_nodes"])) > 1
    assert ask(Query(replace(work, tuning="tuned"), Constraints(max_nodes=1)), bundled_market()).recommendations


def test_converters_use_every_vcpu_where_nothing_is_said_and_one_process_is_too_slow() -> None:
    """An answer that says what it took is worth more than none; what is stated stays."""
    data = Dataset(size_bytes=1e13, samples=9e7, format="jpeg")
    work = Workload("preprocessing", dataset=data, output_format="webdataset", image_size=(256,), deadline_hours=2.0)
    query = Query(work, Constraints(max_nodes=1))
    answer = ask(query, bundled_market())
    stock = ask(replace(query, workload=replace(work, tuning="stock")), bundled_market())

    assert answer.recommendations
    assert ["tuned"] == [one.value for one in answer.assumptions if one.field == "tuning"]
    assert () == stock.recommendations


HPC = Workload("hpc", precision="fp64", flops=5e19, bytes=1e18, memory_gib=60, deadline_hours=24.0)


@pytest.mark.parametrize("most", [None, 1, 5])
def test_an_hpc_job_may_be_offered_more_machines(most: int | None) -> None:
    """The one machine of an HPC job, and any stated number, can be loosened like every limit."""
    found = ask(Query(HPC, Constraints(max_nodes=most)), bundled_market())
    more = next(one for one in found.relax if one.constraint == "max_nodes")
    assert int(str(more.to)) > (most or 1)

    again = ask(Query(HPC, Constraints(max_nodes=int(str(more.to))), objective="cost"), bundled_market())
    assert more.cost_usd == again.recommendations[0].estimate.cost_usd.value


def test_a_later_deadline_that_costs_much_less_is_offered_too() -> None:
    """The shortest one belongs to the dearest machines."""
    found = ask(Query(HPC, Constraints(max_nodes=5)), bundled_market())
    later, soonest = (one for one in found.relax if one.constraint == "deadline")

    assert later.cost_usd < 0.8 * soonest.cost_usd
    assert hours_of(str(later.to)) > hours_of(str(soonest.to))


def test_a_slower_answer_that_costs_much_less_is_offered_too() -> None:
    """The shortest latency takes many machines that hardly reach it; a few seconds more are cheap."""
    work = replace(SERVE, framework="pytorch", model="xtts-v2", requests_per_second=2, latency_ms=500.0)
    found = ask(Query(work, Constraints(clouds=("aws", "azure")), objective="cost"), bundled_market())
    soonest, later = (one for one in found.relax if one.constraint == "latency")

    asked = Query(work, Constraints(clouds=("aws", "azure")), objective="cost")
    answers = (ask(loosened(asked, one), bundled_market()).recommendations[0] for one in (soonest, later))
    dear, cheap = (first.price.usd_per_hour for first in answers)
    assert float(str(later.to)) > float(str(soonest.to))
    assert cheap < 0.8 * dear


def test_a_run_of_many_machines_is_offered_the_least_time_among_equal_costs() -> None:
    """More machines cost the same as fewer for longer: the deadline that was stated decides."""
    work = Workload(
        "training", framework="megatron", model="llama-3.1-70b", method="full", precision="bf16",
        tokens=1.4e12, sequence_length=8192, deadline_hours=120.0, budget_usd=20000.0,
    )  # fmt: skip
    (way,) = ask(Query(work, Constraints(clouds=("aws",)), objective="cost"), bundled_market()).relax

    assert ("deadline", ["budget"]) == (way.constraint, list(way.together))
    assert f"({DEFAULT_MAX_NODES} × " in way.choice, "fewer take longer at the same cost"


def test_a_refusal_by_the_range_alone_says_what_narrows_it() -> None:
    """The estimate meets the deadline, or the budget, and its wide range does not: a measurement decides."""
    work = Workload("hpc", precision="fp64", flops=2e18, memory_gib=64)
    on = Constraints(clouds=("aws",), max_accelerators=0)
    for name, asked in (("deadline", replace(work, deadline_hours=40.0)), ("budget", replace(work, budget_usd=400.0))):
        answer = ask(Query(asked, on), bundled_market())
        told = [one.choice for one in answer.relax if one.constraint == name]

        assert () == answer.recommendations
        assert told
        assert all("a measurement of your own" in str(one) for one in told)
    assert "its estimate meets the budget" in str(told[0])


def test_a_load_is_relaxed_as_little_as_can_be() -> None:
    """The load named is carried; a twentieth more is not."""
    work = Workload("inference", model="resnet50", requests_per_second=9000.0, latency_ms=30.0)
    on = Constraints(instance_types=("g4dn.xlarge",), max_nodes=2)
    answer = ask(Query(work, on), bundled_market())
    (most,) = (float(str(one.to)) for one in answer.relax if one.constraint == "requests_per_second")

    carried, more = (
        bool(ask(Query(replace(work, requests_per_second=rate), on), bundled_market()).recommendations)
        for rate in (most, 1.05 * most)
    )
    assert (True, False) == (carried, more)


def test_a_target_that_an_estimate_meets_says_so() -> None:
    """A machine that misses it at the end of its range alone may be worth a measurement."""
    work = Workload(
        "inference", framework="vllm", model="Qwen2.5-32B-Instruct-AWQ", input_tokens=800, output_tokens=300,
        concurrency=12, tpot_ms=50.0,
    )  # fmt: skip
    asked = Query(work, Constraints(instance_types=("g6e.xlarge",), max_nodes=1), objective="cost")
    told = {one.constraint: one.choice for one in ask(asked, bundled_market()).relax}
    slow = ask(replace(asked, workload=replace(work, tpot_ms=20.0)), bundled_market()).relax

    assert "ms; its estimate meets the limit" in told["tpot"]
    assert not any("its estimate meets" in one.choice for one in slow if one.constraint == "tpot")


OWN_CARDS = Constraints(clouds=("own",), own_machines=(
    Hardware(label="two 3090", accelerator="RTX-3090", count=2, vcpus=32, memory_gib=128, usd_per_hour=0.3),
    Hardware(label="one 5090", accelerator="RTX-5090", count=1, vcpus=32, memory_gib=64, usd_per_hour=0.4),
))  # fmt: skip


@pytest.mark.parametrize(
    ("framework", "expected"),
    [
        ("vllm", {"precision": "fp8", "quantization": "awq"}),
        ("tgi", {"precision": "fp8", "quantization": "awq"}),
        ("huggingface", {"quantization": "bitsandbytes"}),
    ],
)
def test_weights_in_fewer_bits_are_offered_where_16_do_not_fit(framework: str, expected: dict[str, str]) -> None:
    """Gemma 3 27B takes 51 GiB in BF16 (google/gemma-3-27b-it, 27.4 billion parameters), two RTX 3090 have 48."""
    work = Workload("inference", framework=framework, model="gemma-3-27b", concurrency=2, input_tokens=500,
                    output_tokens=100, tpot_ms=500)  # fmt: skip
    found = relaxed(Query(work, OWN_CARDS), bundled_market())

    assert expected == {name: to for name, to in found.items() if name in ("precision", "quantization")}


def test_fewer_bits_name_what_the_weights_take() -> None:
    """27.4 billion parameters: 51 GiB in BF16, half of it in FP8."""
    work = Workload("inference", framework="vllm", model="gemma-3-27b", concurrency=2, input_tokens=500,
                    output_tokens=100)  # fmt: skip
    choices = {one.constraint: one.choice for one in ask(Query(work, OWN_CARDS), bundled_market()).relax}

    assert re.search(r"the weights take 2\d(\.\d)? GiB instead of 5\d(\.\d)? GiB", choices["precision"])


def test_weights_that_are_stated_in_few_bits_are_left_alone() -> None:
    """Nothing is offered in place of a stated format."""
    work = Workload("inference", framework="vllm", model="llama-3.1-405b", quantization="awq", concurrency=1,
                    input_tokens=500, output_tokens=100)  # fmt: skip

    assert not {"precision", "quantization"} & relaxed(Query(work, OWN_CARDS), bundled_market()).keys()


def test_what_the_margin_alone_leaves_out_is_named() -> None:
    """A device that has the memory, but not the margin of a recommendation, is named with what the work costs there."""
    work = Workload(
        "training",
        model=CustomModel(family="mlp", parameters=7e8),
        dataset=Dataset(samples=1e6, size_bytes=1e10),
        epochs=1,
    )
    boxes = (Box("t", (Sale(0.5),), accelerator="T4", family="g4dn"),)
    answer = ask(Query(work, Constraints(max_nodes=1)), made_up(*boxes))
    found = {one.constraint: one for one in answer.relax}
    expected = ((), True, True)
    actual = (
        answer.recommendations,
        found["memory_margin"].cost_usd is not None,
        "less to spare than the margin" in found["memory_margin"].choice,
    )
    assert expected == actual
