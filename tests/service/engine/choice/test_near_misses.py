"""A near miss: a tenth cheaper, or sooner under ``time``, and within the limits at its estimate alone."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import ask, bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Answer, Recommendation
from plimsoll_service.engine.choice.charged import SHORT
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.near_misses import LESS, at_the_middle
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.rounding import said
from plimsoll_service.engine.choice.selection import prepared_in, select
from plimsoll_service.engine.estimate.work import least_nodes
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

TEXTS = Workload("inference", model="flan-t5-xl", requests_per_second=20, sequence_length=128, latency_ms=4000)


def near_miss(answer: Answer) -> str:
    """The first choice's note on a near miss; empty if it has none."""
    return next((note.text for note in answer.recommendations[0].reasons if note.rule == "cheaper-but-unsure"), "")


def test_a_service_names_what_answers_in_time_at_its_estimate_alone() -> None:
    """It costs at least a tenth less; its latency is within the target at the middle and beyond it at the high end."""
    answer = ask(Query(TEXTS), bundled_market())
    found = re.search(
        r"at ([\d.,]+) USD per hour has a p95 latency of ([\d,]+) ms, at most ([\d,]+) ms", near_miss(answer)
    )
    first = answer.recommendations[0].estimate.expected_usd_per_hour

    assert found is not None
    assert first is not None
    cost, middle, high = (float(one.replace(",", "")) for one in found.groups())
    assert cost < LESS * first
    assert middle <= 4000 < high


def test_a_rate_is_served_at_the_middle_of_the_range_alone() -> None:
    """The machines that the estimate alone would need, with the rate at both."""
    served = Workload("inference", model="bert-large", framework="neuron", requests_per_second=500)
    found = re.search(
        r"serves up to ([\d,]+) requests per second, at least ([\d,]+)", near_miss(ask(Query(served), bundled_market()))
    )

    assert found is not None
    middle, least = (float(one.replace(",", "")) for one in found.groups())
    assert least < 500 <= middle


def test_a_near_miss_is_no_less_proven_than_the_first_choice() -> None:
    """A chip whose range reaches down to a tenth of the load is no hint; cards that miss by a few percent are one."""
    chat = Workload(
        "inference", model="qwen2.5-32b", framework="vllm", requests_per_second=1, input_tokens=2000,
        output_tokens=400, latency_ms=1500, tpot_ms=50,
    )  # fmt: skip
    answer = ask(Query(chat, Constraints(clouds=("aws", "gcp", "azure"))), bundled_market())

    assert answer.recommendations[0].runs.status == "supported"
    assert "TPU" not in near_miss(answer)
    assert "has a p95 time per token" in near_miss(answer)


def test_a_marketplaces_listing_is_a_near_miss_too() -> None:
    """A marketplace's listing can be a near miss, although nobody knows how long its host stays."""
    chat = Workload(
        "inference", model="gpt-oss-120b", framework="vllm", input_tokens=1000, output_tokens=300, concurrency=16,
        tpot_ms=15.0,
    )  # fmt: skip
    assert re.match(
        r"1 × H100-SXM \(1 × hyperbolic .*has a p95 time per token", near_miss(ask(Query(chat), bundled_market()))
    )


@pytest.mark.parametrize("tpot", [12.0, 20.0, 25.0, 40.0])
def test_what_is_named_costs_a_tenth_less_an_hour(tpot: float) -> None:
    """A near miss is priced without the factors that count only in the ranking, such as that for a marketplace."""
    chat = Workload(
        "inference", model="gpt-oss-120b", framework="vllm", input_tokens=1000, output_tokens=300, concurrency=8,
        tpot_ms=tpot,
    )  # fmt: skip
    answer = ask(Query(chat), bundled_market())
    first, found = answer.recommendations[0], re.search(r" at ([\d.,]+) USD per hour", near_miss(answer))
    if found is not None:
        assert float(found[1].replace(",", "")) <= LESS * first.price.usd_per_hour * first.node_count * 1.001


@pytest.mark.parametrize("price", [9.0, 0.0])
def test_fewer_of_the_same_own_machine_are_a_near_miss(price: float) -> None:
    """Four are sure of a load that three carry at the estimate; of those that cost nothing, fewer are less too."""
    box = Hardware(
        label="box", accelerator="H100-SXM", count=4, vcpus=96, memory_gib=1000, usd_per_hour=price, max_nodes=6
    )
    chat = Workload(
        "inference", model="llama-3.1-70b", framework="vllm", precision="fp8", input_tokens=1500, output_tokens=400,
        requests_per_second=18, tpot_ms=60,
    )  # fmt: skip
    answer = ask(Query(chat, Constraints(clouds=("own",), own_machines=(box,))), bundled_market())

    assert 4 == answer.recommendations[0].node_count
    assert re.match(r"12 × H100-SXM \(3 × own box\) at \d+ USD per hour serves up to", near_miss(answer))


def test_an_own_machine_that_is_left_out_is_told_why() -> None:
    """One box cannot carry the load, the other does not hold the model; what is listed needs no word."""
    boxes = (
        Hardware(label="slow", accelerator="A100-80GB-SXM", count=4, usd_per_hour=6.0),
        Hardware(label="small", accelerator="RTX-4090", count=2, usd_per_hour=1.0),
        Hardware(label="many", accelerator="A100-80GB-SXM", count=8, usd_per_hour=9.0, max_nodes=20),
    )
    served = Workload("inference", model="llama-3.1-70b", framework="vllm", requests_per_second=20)
    answer = ask(Query(served, constraints=Constraints(own_machines=boxes)), bundled_market())
    texts = [note.text for note in answer.recommendations[0].reasons if note.rule == "own-machine-left-out"]

    assert 2 == len(texts)
    assert re.fullmatch(
        r"4 × A100-80GB \(1 × own slow\): serves .* requests per second, at least .*; the load is 20", texts[0]
    )
    assert re.fullmatch(r".* \(1 × own small\): needs .* GiB of memory on each device; 24 GiB are usable", texts[1])


@pytest.mark.parametrize(
    ("framework", "told"),
    [("deepspeed", "; with offload optimizer it fits and takes .* h for .* USD"), ("unsloth", "")],
)
def test_an_own_machine_that_holds_too_little_is_told_what_the_host_can_hold(framework: str, told: str) -> None:
    """States in the host's memory are the remedy where the software keeps them there, and nobody said not to."""
    box = Hardware(label="box", accelerator="RTX-3090", count=1, vcpus=16, memory_gib=128, usd_per_hour=0.3)
    work = Workload("training", framework=framework, model="llama-3.2-3b", method="full", tokens=1e7)
    for workload, remedy in ((work, told), (replace(work, offload="none"), "")):
        answer = ask(Query(workload, constraints=Constraints(own_machines=(box,))), bundled_market())
        [text] = [note.text for note in answer.recommendations[0].reasons if note.rule == "own-machine-left-out"]
        assert re.fullmatch(rf".*: needs .* GiB of memory on each device; 24 GiB are usable{remedy}", text)


def test_under_time_a_job_names_what_is_sooner_within_the_budget_at_its_estimate_alone() -> None:
    """At least a tenth sooner on no more machines; the budget holds at the middle of its cost, but not at the end."""
    vit = Workload("training", "pytorch", model="vit-base", precision="bf16", epochs=300, budget_usd=520)
    query = Query(vit, Constraints(clouds=("aws", "gcp", "azure")), "time")
    answer = ask(query, bundled_market())
    figures = r".* \(1 × .*\).* takes ([\d.]+) h, at most [\d.]+ h, and costs ([\d.]+) USD, at most ([\d.]+) USD"
    found = re.fullmatch(figures, near_miss(answer))
    hours = answer.recommendations[0].estimate.time_hours

    assert found is not None
    assert hours is not None
    sooner, cost, most = map(float, found.groups())
    assert sooner < LESS * hours.value
    assert cost <= 520 < most


def test_without_a_limit_there_is_none_to_miss() -> None:
    """Without a stated rate or latency, there is no limit to miss."""
    unlimited = replace(TEXTS, requests_per_second=None, latency_ms=None)
    assert near_miss(ask(Query(unlimited), bundled_market())) == ""


def test_the_middle_has_no_range_but_that_of_memory() -> None:
    """Every spread of a rate is 1, and memory keeps its range."""
    known = bundled_market().coefficients
    middle = at_the_middle(known)

    ends = {
        (one.low, one.high) for name in known.spreads.of_kind if name != "memory" for one in middle.spreads.of(name)
    }
    assert {(1.0, 1.0)} == ends
    assert known.spreads.of_memory == middle.spreads.of_memory


def test_stock_converters_name_what_tuned_ones_take() -> None:
    """The figures are those of the answer for tuned converters."""
    images = Dataset(size_bytes=1e12, samples=1e7, format="jpeg")
    work = Workload("preprocessing", dataset=images, output_format="webdataset", deadline_hours=8.0)
    stock, tuned = (
        ask(Query(replace(work, tuning=tuning), objective="cost"), bundled_market()).recommendations[0]
        for tuning in ("stock", "tuned")
    )
    texts = [note.text for note in stock.reasons if note.rule == "stock-converter"]

    machines = f"{tuned.node_count} × {tuned.cloud} {tuned.instance_type}"
    assert any(machines in text and f"{said(tuned.estimate.cost_usd.value, SHORT)} USD" in text for text in texts)


def test_a_load_that_is_carried_too_slowly_is_told_by_its_latency() -> None:
    """The rate within the targets falls short too, but the machines keep up with the load."""
    served = Workload(
        "inference", framework="vllm", model="llama-3.3-70b", quantization="fp8", requests_per_second=4,
        input_tokens=3000, output_tokens=400, latency_ms=1500, tpot_ms=50, max_model_len=32768,
    )  # fmt: skip
    asked = Query(served, Constraints(clouds=("aws",), accelerators=("RTX-PRO-6000",)), objective="cost")
    found = re.search(
        r"p95 time per token of ([\d.]+) ms, at most ([\d.]+) ms", near_miss(ask(asked, bundled_market()))
    )

    assert found is not None
    middle, high = (float(one) for one in found.groups())
    assert middle <= 50 < high


def test_own_machines_that_are_alike_are_told_how_to_share_the_work() -> None:
    """Two entries of one machine each are two choices; one entry of two machines meets the deadline."""
    box = Hardware(accelerator="RTX-A6000", count=2, vcpus=32, memory_gib=128, usd_per_hour=0.0, label="box")
    work = Workload(
        "training", framework="pytorch", model="t5-large", method="full", sequence_length=512, epochs=3,
        dataset=Dataset(samples=3e5), deadline_hours=8.0,
    )  # fmt: skip

    def first(*boxes: Hardware) -> Recommendation:
        return ask(Query(work, constraints=Constraints(own_machines=boxes)), bundled_market()).recommendations[0]

    told = [note.text for note in first(box, replace(box, label="other")).reasons if "max_nodes" in note.text]
    assert 2 == len(told)
    assert "box" == first(replace(box, max_nodes=2)).label


def test_a_near_miss_that_does_not_hold_gives_way_to_the_next() -> None:
    """Two cheaper fleets miss the targets at their middle too; the third holds there."""
    work = Workload(
        "inference", framework="sglang", model="deepseek-v3", input_tokens=4000, output_tokens=800, concurrency=100,
        tpot_ms=32, latency_ms=5000,
    )  # fmt: skip
    answer = ask(Query(work, Constraints(clouds=("aws", "gcp", "azure")), objective="cost"), bundled_market())
    [named] = [note.text for note in answer.recommendations[0].reasons if note.rule == "cheaper-but-unsure"]
    assert "24 × H200 (3 × aws" in named


def test_a_near_miss_may_divide_its_requests() -> None:
    """One node of four devices meets the target at its middle, with data-parallel attention as when it is named."""
    work = Workload(
        "inference", framework="sglang", model="deepseek-v3", input_tokens=3000, output_tokens=800,
        requests_per_second=3, latency_ms=2500, tpot_ms=50,
    )  # fmt: skip
    answer = ask(Query(work), bundled_market())
    found = re.search(r"at ([\d.]+) USD per hour has a p95 time per token of ([\d.]+) ms, at most ([\d.]+) ms$",
                      near_miss(answer))  # fmt: skip
    first = answer.recommendations[0].estimate.expected_usd_per_hour

    assert found is not None
    assert first is not None
    cost, middle, high = map(float, found.groups())
    assert cost < LESS * first
    assert middle <= 50 < high


def test_shards_on_several_machines_are_shards_on_one() -> None:
    """Where one process a machine would take several machines, converters on every core are taken, and it says so."""
    speech = Workload(
        "preprocessing", dataset=Dataset(size_bytes=1e12, format="wav"), output_format="array", deadline_hours=12
    )
    asked = Query(speech, Constraints(clouds=("gcp", "aws")))
    answer, stock = (
        ask(one, bundled_market()) for one in (asked, replace(asked, workload=replace(speech, tuning="stock")))
    )
    first, several = answer.recommendations[0], stock.recommendations[0]
    [tuning] = [one.value for one in answer.assumptions if one.field == "tuning"]

    assert (tuning, first.node_count) == ("tuned", 1)
    assert several.node_count > 1
    assert first.estimate.cost_usd.value < several.estimate.cost_usd.value


def test_answers_of_converters_say_how_tables_and_texts_are_handled() -> None:
    """Two gibibytes of memory hold blocks of a table alone, an array of text holds tokens; one process waits."""
    work = Workload("preprocessing", dataset=Dataset(size_bytes=6e10, format="csv"), output_format="parquet")
    text = replace(work, dataset=Dataset(size_bytes=3e11, format="text"), output_format="array")
    images = replace(work, dataset=Dataset(name="imagenet-1k", format="jpeg"), output_format="tfrecord")
    told = [
        " ".join(note.text for note in ask(Query(one), bundled_market()).recommendations[0].reasons)
        for one in (work, text, replace(images, image_size=(256,)))
    ]

    assert "the table is read in blocks" in told[0]
    assert "arrays of text hold its tokens" in told[1]
    assert "limited by" not in told[2]  # the disk adds less than the processor takes
    assert re.search("CPU compute takes [5-8]\\d% of the time; the disk adds [1-4]\\d% of the time; the one", told[2])


@pytest.mark.parametrize("load", [{"requests_per_second": 10.0}, {"concurrency": 200}], ids=str)
@pytest.mark.parametrize("model", ["llama-3-70b", "llama-3.1-405b", "mixtral-8x7b"])
def test_no_load_takes_fewer_machines_than_the_least(model: str, load: dict[str, float]) -> None:
    """What rules out a near miss before it is looked for: machines that meet the limits are as many, or more."""
    chat = Workload("inference", model=model, input_tokens=1000, output_tokens=300, latency_ms=2000, **load)
    market, kept, own = bundled_market(), Kept(), own_machines((), bundled_market())
    job = job_of(Query(chat))
    middle = replace(job, coefficients=at_the_middle(job.coefficients))
    least = least_nodes(middle, prepared_in(middle, market, own, kept).estimate)
    chosen = select(middle, market, own, kept)
    meeting = chosen.options.candidate[chosen.feasible]

    assert len(meeting)
    assert (chosen.estimates.nodes[meeting] >= least[meeting]).all()
    assert np.isinf(least).any()
