"""Reasons against given hardware: every kind of reason, and none if it is the recommendation."""

from __future__ import annotations

import re

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, made_up
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.evaluate import Evaluated, evaluate, relative
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.models.families import MODEL_FAMILIES
from plimsoll_service.engine.workload import Constraints, CustomModel, Hardware, Query, Quota, Task, Workload
from plimsoll_service.evidence.rules import load as load_rules

WORK = Workload("training", model="resnet-50", epochs=10)
MARKET = made_up(
    Box("good", (Sale(1.0),)),
    Box("dear", (Sale(9.0),)),
    Box("old", (Sale(1.0),), retired=True, family="p2"),
    Box("small", (Sale(0.2),), memory_gib=1),
    Box("unpriced", ()),
    Box("inference", (Sale(0.2),), accelerator="Inferentia", family="inf1"),
    Box("unspecified", (Sale(0.2),), accelerator="Gaudi", family="dl1"),
)


def judged(name: str, workload: Workload = WORK, node_count: int = 1, **constraints: object) -> Evaluated:
    return judge(Hardware(cloud="aws", instance_type=name, node_count=node_count), workload, **constraints)


def judge(on: Hardware, workload: Workload = WORK, objective: str = "cost", **constraints: object) -> Evaluated:
    constraints.setdefault("max_nodes", 1)
    job = job_of(Query(workload, Constraints(**constraints), objective))
    return evaluate(job, MARKET, on, select(job, MARKET, own_machines((), MARKET)))


def rules(one: Evaluated) -> set[str]:
    return {reason.rule for reason in one.why_not}


def test_the_recommendation_has_no_reason_against_it() -> None:
    """The first of the ranking has rank 1 and nothing to explain."""
    one = judged("good")
    assert (1, (), True) == (one.rank, one.why_not, one.fits)


def test_what_is_beaten_says_by_which_machine() -> None:
    """A possible machine has its rank and the name of the leader."""
    one = judged("dear")
    assert (2, {"beaten"}) == (one.rank, rules(one))
    assert "1 × aws good" in one.why_not[0].text


@pytest.mark.parametrize(
    ("name", "asked", "rule"),
    [
        ("dear", {"max_usd_per_hour": 2.0}, "budget-at-high-end"),
        ("old", {}, "retired-types"),
        ("good", {"min_vcpus": 64}, "machine-constraint"),
        ("good", {"purchase": ("spot",)}, "machine-constraint"),
        ("good", {"price_confidence": ("undated",)}, "machine-constraint"),
        ("good", {"quotas": (Quota("aws", 0),)}, "quota"),
        ("unpriced", {}, "no-price-no-recommendation"),
        ("small", {}, "host-memory"),
        ("inference", {}, "software-runs-on"),
        ("old", {"instance_families": ("p3",)}, "family-names"),
        ("good", {"interconnect": "nvlink"}, "nvlink-asked"),
        ("unspecified", {}, "known-specification-only"),
    ],
)
def test_each_constraint_has_its_reason(name: str, asked: dict[str, object], rule: str) -> None:
    """Constraints, quota, price, memory and software each answer "why not" under a rule of their own."""
    one = judged(name, **asked)
    assert rule in rules(one)
    assert one.rank is None


@pytest.mark.parametrize(
    ("workload", "rule", "words"),
    [
        (
            Workload("training", model="resnet-50", deadline_hours=0.1),
            "deadline-at-high-end",
            r"takes [0-9.]+ h, at most [0-9.]+ h; the deadline is 0.1 h",
        ),
        (
            Workload("training", model="resnet-50", budget_usd=0.1),
            "budget-at-high-end",
            r"costs [0-9.]+ USD, at most [0-9.]+ USD; the budget is 0.1 USD",
        ),
        (
            Workload("inference", model="resnet-50", latency_ms=0.5),
            "latency-at-high-end",
            r"the p95 latency is [0-9.]+ ms, at most [0-9.]+ ms; the target is 0.5 ms",
        ),
        (
            Workload("inference", model="resnet-50", requests_per_second=1e6),
            "rate-at-low-end",
            r"serves [0-9.]+ requests per second, at least [0-9.]+; the load is 1,000,000",
        ),
        (
            Workload("inference", model="llama-3-8b", concurrency=9999, precision="int4"),
            "rate-at-low-end",
            r"the maximum concurrency is [0-9,]+, at least [0-9,]+; the requested concurrency is 9999",
        ),
        (Workload("training", model="resnet-50", precision="fp8"), "precision-supported", ""),
    ],
)
def test_each_limit_has_its_reason(workload: Workload, rule: str, words: str) -> None:
    """Deadline, budget, latency, rate and precision likewise, with what the machine comes to."""
    one = judged("good", workload)
    texts = [reason.text for reason in one.why_not if reason.rule == rule]
    assert texts
    assert any(re.search(words, text) for text in texts)
    assert one.rank is None


def test_users_beyond_the_unfavourable_end_are_told_how_many_are_expected() -> None:
    """Thirty users of a 70B model on two cards miss the target at its end alone: about as many more are expected."""
    users = Workload("inference", model="llama-3.1-70b", framework="vllm", concurrency=30, tpot_ms=100.0)
    one = judge(Hardware(accelerator="RTX-PRO-6000", count=2, vcpus=48, memory_gib=512), users)
    [text] = [reason.text for reason in one.why_not if reason.rule == "rate-at-low-end"]
    expected, least = (int(word) for word in re.findall(r"is ([0-9]+), at least ([0-9]+)", text)[0])

    assert least < 30 <= expected


def test_a_rate_that_is_missed_whatever_the_targets_has_the_ends_of_the_capacity() -> None:
    """Four L40S carry 3.5 requests a second in the middle and 2.7 at the low end; neither is within the targets."""
    load = Workload("inference", model="qwen2.5-32b-instruct-AWQ", requests_per_second=3, input_tokens=1500,
                    output_tokens=300, latency_ms=2000, tpot_ms=60)  # fmt: skip
    on = Hardware(accelerator="L40S", count=1, vcpus=8, memory_gib=64, node_count=4)
    one = judge(on, load, max_nodes=4)
    assert one.estimate is not None
    assert one.estimate.capacity is not None
    [text] = [reason.text for reason in one.why_not if reason.rule == "rate-at-low-end"]
    [said] = re.findall(r"serves ([0-9.]+) requests per second, at least ([0-9.]+)", text)

    expected = one.estimate.capacity.value / 300, one.estimate.capacity.low / 300
    assert pytest.approx(expected, rel=0.01) == tuple(float(figure) for figure in said)


def test_too_many_machines() -> None:
    """More machines than ``max_nodes`` allows are named as such."""
    assert "machine-constraint" in rules(judged("good", node_count=4))


def test_what_does_not_fit_has_no_estimate() -> None:
    """Too little memory: what is short, by how much, and sizing all the same."""
    one = judged("small")
    assert (False, None, ["memory_gib"]) == (one.fits, one.estimate, [short.resource for short in one.short])
    assert one.short[0].required > one.short[0].available
    assert one.sizing.memory_gib.required > 1


def test_bare_hardware_without_a_price() -> None:
    """Throughput and time without cost; the price is the reason."""
    one = judge(Hardware(accelerator="V100", count=1, vcpus=8, memory_gib=61))
    assert one.estimate.time_hours is not None
    assert (None, None) == (one.price, one.estimate.cost_usd)
    assert {"no-price-no-recommendation"} == rules(one)


def test_bare_hardware_with_a_price_is_ranked() -> None:
    """A stated price lets it compete: cheaper than the leader, it would be the first."""
    one = judge(Hardware(accelerator="V100", count=1, vcpus=8, memory_gib=61, usd_per_hour=0.01))
    assert (1, ()) == (one.rank, one.why_not)


@pytest.mark.parametrize("name", ["good", "dear"])
def test_the_estimate_is_that_of_the_recommendation(name: str) -> None:
    """A machine of the catalog is estimated alike as given hardware and as a recommendation."""
    answer = ask(Query(WORK, Constraints(max_nodes=1), "cost", limit=10, group="none"), MARKET)
    listed = next(one for one in answer.recommendations if one.instance_type == name)
    one = judged(name)
    assert (listed.estimate, listed.sizing, listed.price, listed.rank) == (
        one.estimate,
        one.sizing,
        one.price,
        one.rank,
    )


def test_every_reason_names_a_rule_of_the_registry() -> None:
    """Every reason against a machine names a rule that can be looked up."""
    known = {rule.id for rule in load_rules()}
    said = set()
    for name in ("good", "dear", "old", "small", "unpriced", "inference"):
        said |= rules(judged(name, Workload("training", model="resnet-50", deadline_hours=1.0, budget_usd=1.0)))
    assert said <= known


def test_a_split_that_is_not_followed_is_a_warning() -> None:
    """Copies of a network are not split, which is said; serving follows tensors, training by tokens all degrees."""
    split = {"accelerator": "A100", "count": 8, "vcpus": 64, "memory_gib": 500}
    train = judge(Hardware(**split, tensor_parallel=8, pipeline_parallel=2))
    assert [f"the estimate does not follow {name}" for name in ("tensor_parallel 8", "pipeline_parallel 2")] == [
        note.text for note in train.warnings if note.rule == "parallelism-not-modelled"
    ]
    tokens = Workload("training", model="llama-3-8b", tokens=1e9)
    by_tokens = judge(Hardware(**split, tensor_parallel=4, pipeline_parallel=2), tokens)
    assert "parallelism-not-modelled" not in {note.rule for note in by_tokens.warnings}
    serve = judge(Hardware(**split, tensor_parallel=8), Workload("inference", model="llama-3-8b"))
    assert "parallelism-not-modelled" not in {note.rule for note in serve.warnings}
    assert 8 == serve.estimate.serving.tensor_parallel


def test_a_constraint_is_named_with_what_it_asks() -> None:
    """The words of a reason are those of the question."""
    assert "does not satisfy constraints.min_vcpus (64)" in [one.text for one in judged("good", min_vcpus=64).why_not]


def test_memory_that_is_short_is_more_than_what_may_be_used() -> None:
    """Only the part of a device's memory that the software can use is available."""
    one = judge(
        Hardware(accelerator="V100", count=1, vcpus=8, memory_gib=61), Workload("inference", model="llama-3-8b")
    )
    assert not one.fits
    assert one.short[0].required > one.short[0].available


def test_a_region_that_is_not_allowed_is_named() -> None:
    """A machine asked about in one region is no answer where only another is allowed."""
    on = Hardware(cloud="aws", instance_type="good", region="us-east-1")
    assert "does not satisfy constraints.regions (eu-west-1)" in [
        one.text for one in judge(on, regions=("eu-west-1",)).why_not
    ]
    assert () == judge(on, regions=("US East 1",)).why_not


def test_a_device_without_a_published_rate_lacks_nothing_else() -> None:
    """Neither its price nor its memory is blamed for the figure that nobody published."""
    assert {"known-specification-only"} == rules(judged("unspecified"))


@pytest.mark.parametrize("batch", [None, 4])
def test_a_language_model_is_not_trained_without_a_device(batch: int | None) -> None:
    """Processors lack an accelerator, whatever the batch: an answer, and not a failure."""
    found = judge(Hardware(vcpus=16), Workload("training", model="llama-3-8b", batch_size=batch))
    assert (False, ["accelerators"]) == (found.fits, [one.resource for one in found.short])


@pytest.mark.parametrize("task", ["training", "inference"])
@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_a_model_of_any_family_is_judged(family: str, task: Task) -> None:
    """A family and the number of parameters are a description that is enough, on a device and without one."""
    workload = Workload(task, model=CustomModel(family=family, parameters=1e8))
    assert [True, False] == [
        judge(on, workload).estimate is not None
        for on in (Hardware(accelerator="A100", count=1, memory_gib=512), Hardware(vcpus=1, memory_gib=0.01))
    ]


@pytest.mark.parametrize(
    ("framework", "accelerator", "text"),
    [
        ("megatron", "TPU-v5e", "Megatron-LM does not run on TPU-v5e"),
        ("unsloth", "TPU-v5e", "Unsloth does not run on TPU-v5e"),
        ("nemo", "MI300X", "NeMo does not run on MI300X"),
    ],
)
def test_software_that_does_not_run_there_is_named(framework: str, accelerator: str, text: str) -> None:
    """The machine does not fit, and the reason is the program that was named."""
    workload = Workload("training", framework=framework, model="llama-3.2-1b", tokens=1e9)
    found = judge(Hardware(accelerator=accelerator, count=1, vcpus=32, memory_gib=256), workload)

    assert (False, ("software", text)) == (found.fits, (found.short[0].resource, found.short[0].available))
    assert text in [reason.text for reason in found.why_not]


def test_software_that_must_be_ported_runs_on_named_hardware() -> None:
    """The machine fits, with a warning."""
    found = judge(Hardware(accelerator="TPU-v5e", count=1, vcpus=32, memory_gib=256), Workload("training"))
    assert found.fits
    assert "ported-software" in {note.rule for note in found.warnings}


@pytest.mark.parametrize("usd_per_hour", [None, 0.0, 1.0])
def test_a_machine_that_carries_nothing_has_no_ratios_to_it(usd_per_hour: float | None) -> None:
    """Processors that miss the latency carry no load: no other machine is so many times as fast, nor as cheap."""
    wanted = Workload(
        "inference", model="qwen2.5-32b", input_tokens=4000, output_tokens=300, latency_ms=300, requests_per_second=5
    )
    slow = judge(Hardware(cpu="AMD EPYC 7763", vcpus=32, memory_gib=120, usd_per_hour=usd_per_hour), wanted)
    fast = judge(Hardware(accelerator="H100-SXM", count=4, vcpus=64, memory_gib=500, usd_per_hour=8.0), wanted)

    compared = relative(fast, slow, {})

    assert slow.fits
    assert fast.fits
    assert (None, None) == (compared.relative_performance, compared.performance_per_cost)
    assert (compared.relative_cost is None) == (not usd_per_hour)


def test_a_ratio_of_costs_to_a_machine_without_a_price_is_explained() -> None:
    """A price of one's own is compared to none: the row says for which machine no price is known."""
    workload = Workload("training", model="resnet50")
    bare = judge(Hardware(accelerator="V100-16GB", count=1, vcpus=8, memory_gib=61), workload)
    own = judge(Hardware(accelerator="T4", count=1, vcpus=8, memory_gib=32, usd_per_hour=0.5), workload)

    first, other = (relative(one, bare, {"no-price-no-recommendation": "source"}) for one in (bare, own))

    assert (None, None) == (other.relative_cost, other.performance_per_cost)
    assert [("no-price-no-recommendation", "source")] == [
        (note.rule, note.source) for note in other.warnings if "no price is known for V100-16GB" in note.text
    ]
    assert not any("relative_cost" in note.text for note in first.warnings)
    assert not any("relative_cost" in note.text for note in relative(own, own, {}).warnings)
