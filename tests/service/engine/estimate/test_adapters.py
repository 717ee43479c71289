"""Adapters on networks that are counted in samples: what is trained, and what frozen weights save."""

from __future__ import annotations

import pytest
from tests.service.engine.estimate.machines import machine, throughput
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.adapters import adapter_kernels, trained_parameters, work_share
from plimsoll_service.engine.demand.job import Job, profile_of
from plimsoll_service.engine.workload import Dataset, Query, Workload
from plimsoll_service.evidence import models

MODELS = ("sdxl", "flux.1-dev", "whisper-small", "bert-large", "vit-base", "flan-t5-xxl", "resnet50", "tacotron2")


def job(model: str, **said: object) -> Job:
    return job_of(Query(Workload("training", model=model, dataset=Dataset(samples=1e4), **said)))


@pytest.mark.parametrize("model", MODELS)
def test_adapters_are_a_small_part_of_any_network(model: str) -> None:
    """Hu et al. 2021: at rank 16, a few percent of the parameters are trained; all of them without adapters."""
    whole, adapted = job(model, method="full"), job(model, method="lora")
    profile = profile_of(whole)
    assert profile.parameters == trained_parameters(whole, profile)
    assert 0 < trained_parameters(adapted, profile) < 0.07 * profile.parameters


def test_adapters_of_whisper_are_as_many_as_peft_prints() -> None:
    """Rank 32 on two matrices of each attention, as rank 16 on four: 15,728,640 (huggingface/peft v0.6.2, 2023-11)."""
    adapted = job("whisper-large-v3", method="lora", lora_rank=16)
    assert 15_728_640 == pytest.approx(trained_parameters(adapted, profile_of(adapted)), rel=0.25)


def test_a_higher_rank_and_more_matrices_are_more_parameters() -> None:
    """Adapters grow with their rank and with the matrices that have them."""
    profile = models.find("sdxl")
    assert profile is not None
    low, high, everywhere = (
        trained_parameters(job("sdxl", method="lora", **said), profile)
        for said in ({}, {"lora_rank": 64}, {"lora_targets": "all"})
    )
    assert low < min(high, everywhere)


def test_frozen_weights_save_a_third_of_the_products() -> None:
    """The gradients of frozen weights are not computed; a network that is trained as a whole does all of its work."""
    adapted = job("sdxl", method="lora")
    assert work_share(adapted, profile_of(adapted), 3.0) == pytest.approx(2 / 3, rel=0.02)
    assert 1.0 == work_share(job("sdxl", method="full"), profile_of(adapted), 3.0)


SMALL = ("bert-base", "t5-small", "vit-base", "segformer-b5", "gpt2", "qwen2.5-0.5b", "llama-3.2-1b")


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("batch", [1, 2, 8])
@pytest.mark.parametrize("model", SMALL)
def test_adapters_cost_no_more_than_their_kernels(model: str, batch: int, count: float) -> None:
    """A small batch is slower with adapters by their kernels at most, on one device and on several."""
    on = machine(accelerator="H100-SXM", count=count, interconnect="nvlink", interconnect_gb_s=900, vcpus=96)
    of = {"model": model, "framework": "huggingface", "batch_size": batch, "dataset": Dataset(samples=1e4)}
    whole, attention, everywhere = (
        throughput(Workload("training", **of, **said), on)
        for said in ({"method": "full"}, {"method": "lora"}, {"method": "lora", "lora_targets": "all"})
    )
    kernels = adapter_kernels(job(model, method="lora"))
    assert 1 < kernels < 1.3
    assert whole <= 1.01 * kernels * attention
    assert whole <= 1.01 * adapter_kernels(job(model, method="lora", lora_targets="all")) * everywhere
