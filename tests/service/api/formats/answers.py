"""Answers that recommend given machines of the catalog."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from tests.service.api.conftest import ANSWER, RECOMMENDATION
from tests.service.fitted import FITTED

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.format import Consumer, narrowed
from plimsoll_service.api.formats.machines import Machine, machines
from plimsoll_service.engine.answer import AcceleratorChoice, Answer
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.workload import Constraints, Dataset, Query, SpeculativeDecoding, Workload
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.sizing import Sizer

PURCHASES = ("on_demand", "spot")
NODES = (1, 3)
DISKS = ("ssd", "nvme", "hdd")
REGIONS = {"lambda": "global", "oci": "global", "runpod": "global", "hyperbolic": "default"}

_SERVING: dict[str, Any] = {"task": "inference", "framework": "vllm"}
# Services and jobs, of one machine and of several, of every engine that has a command line of its own.
WORKLOADS = {
    "service": Workload(**_SERVING, model="llama-3.1-70b", precision="fp8", concurrency=64),
    "replicas": Workload(
        **_SERVING, model="llama-3.1-8b", quantization="awq", kv_cache_precision="fp8", requests_per_second=60.0
    ),
    "replica of several machines": Workload(
        "inference", framework="sglang", model="deepseek-v3", requests_per_second=2.0
    ),
    "divided requests": Workload(**_SERVING, model="deepseek-v3", concurrency=120, input_tokens=8000),
    "drafted": Workload(
        **_SERVING, model="llama-3.1-70b", concurrency=32, speculative_decoding=SpeculativeDecoding("eagle3", 3)
    ),
    "tensorrt": Workload("inference", framework="tensorrt-llm", model="llama-3.1-8b", requests_per_second=20.0),
    "llama.cpp": Workload("inference", framework="llama.cpp", model="llama-3.1-8b", quantization="gguf", concurrency=4),
    "images served": Workload("inference", framework="pytorch", model="resnet50", requests_per_second=5000.0),
    "batch inference": Workload(**_SERVING, model="llama-3.1-8b", requests=100_000.0, deadline_hours=10.0),
    "training": Workload("training", model="resnet50", dataset=Dataset(name="imagenet-1k"), epochs=90.0),
    "training on several machines": Workload(
        "training", framework="fsdp", model="llama-3-8b", method="full", tokens=1e11, deadline_hours=100.0
    ),
    "experiments": Workload("training", model="resnet50", epochs=90.0, experiments=8, deadline_hours=24.0),
    "preprocessing": Workload("preprocessing"),
}


@lru_cache(maxsize=2)
def sizer(catalog: Catalog) -> Sizer:
    """The real engine."""
    return Sizer(catalog, FITTED, LivePrices(catalog))


@lru_cache(maxsize=256)
def answered(workload: str, form: str, catalog: Catalog, purchase: str = "on_demand") -> Answer:
    """The engine's answer to one of the workloads, as the service asks it for a format."""
    query = Query(WORKLOADS[workload], Constraints(purchase=(purchase,)))
    consumer = RECOMMENDATIONS[form].consumer
    return sizer(catalog).recommend(narrowed(query, consumer, form, catalog) if consumer else query)


def answer_of(machine: Machine, turn: int = 0) -> Answer:
    """An answer that recommends only this machine; ``turn`` varies purchase, nodes and disk."""
    named = machine.accelerator is not None
    disk = replace(RECOMMENDATION.sizing.disk, type=DISKS[turn % len(DISKS)])
    one = replace(
        RECOMMENDATION,
        cloud=machine.cloud,
        region=REGIONS.get(machine.cloud, "us-east-1"),
        instance_type=machine.instance_type,
        node_count=NODES[turn // 2 % len(NODES)],
        purchase=PURCHASES[turn % len(PURCHASES)],
        accelerator=AcceleratorChoice(machine.accelerator or "", machine.count, 16.0) if named else None,
        sizing=replace(RECOMMENDATION.sizing, disk=disk),
    )
    return replace(ANSWER, recommendations=(one,))


def launchable(consumer: Consumer, catalog: Catalog) -> list[Machine]:
    """Machines that a consumer can launch: the first of each family and accelerator count."""
    found: dict[tuple[str, str | None, float], Machine] = {}
    for machine in machines(catalog):
        if machine.cloud in consumer.clouds and consumer.launches(machine):
            found.setdefault((machine.cloud, machine.family, machine.count), machine)
    return list(found.values())
