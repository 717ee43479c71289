"""States that each trainer keeps for a parameter."""

from __future__ import annotations

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.training_states import states_of
from plimsoll_service.engine.estimate.token_training.memory import trained_of
from plimsoll_service.engine.workload import Query, Workload

MIXED, PURE = 16.0, 8.0


@pytest.mark.parametrize(
    ("framework", "precision", "expected"),
    [
        ("deepspeed", "bf16", MIXED),
        ("huggingface", "bf16", MIXED),
        ("pytorch", "bf16", MIXED),
        ("torchtitan", "bf16", MIXED),
        ("llm-foundry", "fp16", MIXED),
        ("jax", "bf16", MIXED),
        ("megatron", "bf16", MIXED + 2),
        ("torchtune", "bf16", PURE),
        ("litgpt", "bf16", PURE),
        ("torchtune", "mixed", MIXED),
        ("deepspeed", "fp32", MIXED),
    ],
)
def test_most_trainers_keep_weights_and_moments_in_fp32(framework: str, precision: str, expected: float) -> None:
    """With AdamW: 16 bytes (Rajbhandari et al. 2020), and half as many where all is in 16 bits."""
    work = Workload("training", model="mistral-7b", framework=framework, method="full", precision=precision, tokens=1e8)
    job = job_of(Query(work))
    trained = trained_of(job)
    actual = trained.weight_bytes + trained.gradient_bytes + trained.optimizer_bytes
    assert expected == actual
    assert expected == states_of(job).each("adamw")
