"""Memory of a language model's trainer, and the effect of tuning on it."""

from __future__ import annotations

from tests.service.fitted import job_of

from plimsoll_service.engine.estimate.token_training.memory import (
    OPTIMIZER,
    SHARDED,
    TokenSoftware,
    adapter_parameters,
    token_software,
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


def test_adapters_lie_on_the_matrices_of_every_expert() -> None:
    """Rank 16 on four matrices of attention, and on three of each of 128 experts of 48 layers."""
    model = find("qwen3-30b-a3b")
    assert model is not None
    assert model.transformer is not None
    attention = 48 * ((2048 + 4096) * 2 + 2 * (2048 + 512))
    experts = 48 * 128 * 3 * (2048 + 768)
    expected = 16 * (attention + experts)
    assert expected == adapter_parameters(model.transformer, 16, "all")
