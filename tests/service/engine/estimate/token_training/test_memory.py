"""Memory of a language model's trainer, and the effect of tuning on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.clusters import Splits
from plimsoll_service.engine.demand.job import dimensions_of
from plimsoll_service.engine.estimate.token_training.memory import (
    COMPILED_LOSS,
    OPTIMIZER,
    PLAIN_LOSS,
    RECOMPUTED_LAYERS,
    SHARDED,
    TokenSoftware,
    activation_bytes,
    adapter_parameters,
    place,
    token_software,
    trained_of,
)
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.models import find


def of(framework: str | None, tuning: str | None = None) -> TokenSoftware:
    work = Workload("training", model="llama-3-8b", framework=framework, tuning=tuning, tokens=1e9)
    return token_software(job_of(Query(work)))


def test_plain_scripts_are_eager_and_copy_where_it_fits() -> None:
    """Plain scripts have no kernels of the vendor and no fused loss."""
    assert of("pytorch") == TokenSoftware()


def test_tuned_scripts_take_the_vendors_kernels() -> None:
    """Without a trainer's name ``tuned`` is what the vendor publishes."""
    tuned = of("pytorch", "tuned")
    assert tuned.vendor
    assert tuned.compiled
    assert tuned.loss_bytes < of("pytorch").loss_bytes


def test_a_trainer_stays_itself_when_tuned() -> None:
    """A trainer with ``tuned`` is compiled, but does not become the vendor's."""
    assert of("torchtune", "tuned").compiled
    assert not of("torchtune", "tuned").vendor


def test_megatron_is_the_vendors_whatever_is_said() -> None:
    """Its optimizer states are spread, its pipelines interleaved."""
    for tuning in (None, "stock", "tuned"):
        assert of("megatron", tuning).vendor
        assert OPTIMIZER == of("megatron", tuning).shardings[0]


def test_fully_sharded_trainers_never_copy() -> None:
    """They spread weights, gradients and states over all devices."""
    for name in ("llm-foundry", "torchtitan", "torchtune", "litgpt"):
        assert (SHARDED,) == of(name).shardings


def test_the_loss_is_compiled_since_that_release() -> None:
    """Torchtitan keeps logits and their gradient alone since 2025-04-01, and without a version; before, fp32 copies."""
    work = Workload("training", model="llama-3-8b", framework="torchtitan", tokens=1e9)
    versions = (None, "torch 2.6", "torch 2.8.0a0 (25.05)")
    found = [token_software(job_of(Query(replace(work, framework_version=one)))).loss_bytes for one in versions]
    assert [COMPILED_LOSS, PLAIN_LOSS, COMPILED_LOSS] == found


def test_selective_recomputation_keeps_every_other_product() -> None:
    """Of a layer: its input, attention, query, value, gate and down, in 16 bits; and one layer that is recomputed."""
    job = job_of(Query(Workload("training", model="llama-3-8b", framework="torchtitan", tokens=1e9)))
    one = np.ones(1)
    on_one = place(dimensions_of(job), one, one, Splits(), SHARDED, None)
    none, some = (activation_bytes(job, trained_of(job), on_one, mode) for mode in ("none", "selective"))
    kept = 32 * 2 * (4 * 4096 + 1024 + 14336)
    assert kept + RECOMPUTED_LAYERS * none[0] / 32 == pytest.approx(some[0])


def test_adapters_lie_on_the_matrices_of_every_expert() -> None:
    """Rank 16 on four matrices of attention, and on three of each of 128 experts of 48 layers."""
    model = find("qwen3-30b-a3b")
    assert model is not None
    assert model.transformer is not None
    attention = 48 * ((2048 + 4096) * 2 + 2 * (2048 + 512))
    experts = 48 * 128 * 3 * (2048 + 768)
    expected = 16 * (attention + experts)
    assert expected == adapter_parameters(model.transformer, 16, "all")


def test_jax_has_a_compiled_loss_and_maxtext_the_vendors_kernels() -> None:
    """XLA compiles the loss of every program; MaxText comes with the kernels that ``tuned`` names."""
    assert of("jax") == TokenSoftware(COMPILED_LOSS, keeps_gradients=True, keeps_on_host=True)
    assert of("maxtext") == of("maxtext", "tuned") == of("jax", "tuned")
    assert of("maxtext").vendor


def test_each_worker_of_a_device_holds_a_copy_unless_they_share_the_layers() -> None:
    """Eight workers on four devices of two share each layer; else a device has a copy for each of its workers."""
    dims, sixteen = dimensions_of(job_of(Query(Workload("training", model="llama-3-8b", tokens=1e9)))), np.array([16.0])
    alone, shared = (place(dims, sixteen, sixteen, Splits(), OPTIMIZER, most, np.array([2.0])) for most in (None, 8))

    assert [(1.0, 2.0), (4.0, 1.0)] == [(one.tensor.item(), one.copies.item()) for one in (alone, shared)]
