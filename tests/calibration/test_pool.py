"""Held-out errors as columns: their range, the novelty of each case, and scores of some of them."""

from __future__ import annotations

import math

import pytest
from calibration.pool import KNOWN_MODEL, MODELLED, NEW_MODEL, pool_of, score
from tests.calibration.residuals import residual


def test_a_held_out_device_with_a_sibling_has_a_known_model() -> None:
    """Another device of the generation, and other rows of the model, stayed in the fit."""
    both = [
        residual(),
        residual(measurement_id="a-2", device="V100-32GB", model="resnet101"),
    ]

    assert [KNOWN_MODEL, KNOWN_MODEL] == pool_of(both).novelty.tolist()


def test_a_held_out_device_alone_in_its_generation_is_modelled() -> None:
    """No device of the generation stayed in the fit."""
    both = [residual(), residual(measurement_id="a-2", device="A100-40GB", generation="Ampere")]

    assert [MODELLED, MODELLED] == pool_of(both).novelty.tolist()


def test_a_held_out_model_with_a_relative_is_a_new_model() -> None:
    """Another model of its family stayed in the fit, and its own device."""
    both = [
        residual(scheme="model", known_model=False, known_device=True),
        residual(measurement_id="a-2", scheme="model", model="resnet101", known_model=False, known_device=True),
    ]

    assert [NEW_MODEL, NEW_MODEL] == pool_of(both).novelty.tolist()


def test_another_laboratorys_run_of_the_same_is_a_known_model() -> None:
    """Model, device and software all stayed in the fit: only the laboratory was left out."""
    one = residual(scheme="source", known_device=True)

    assert [KNOWN_MODEL] == pool_of([one]).novelty.tolist()


def test_unknown_software_is_modelled() -> None:
    """Unknown software is modelled, on any device."""
    both = [
        residual(scheme="source", known_software=False, known_device=True),
        residual(scheme="source", source="b", known_software=False, known_device=True),
    ]

    assert [MODELLED, MODELLED] == pool_of(both).novelty.tolist()


@pytest.mark.parametrize(
    ("kind", "metric", "name"),
    [
        ("cnn_training", "samples/s", "cnn_training"),
        ("llm_training", "tokens/s", "token_training"),
        ("adapter_training", "tokens/s", "token_training_adapters"),
        ("classic_inference", "latency_ms", "inference_stock"),
        ("llm_serving", "tpot_ms", "tpot"),
        ("cpu_llm_serving", "output_tokens/s", "cpu_tokens_per_second"),
        ("memory", "peak_memory_gib", "memory"),
    ],
)
def test_each_residual_has_the_range_that_an_answer_would_give(kind: str, metric: str, name: str) -> None:
    """Kind and metric decide the range."""
    assert [name] == pool_of([residual(kind=kind, metric=metric)]).range_name.tolist()


def test_what_was_not_estimated_is_left_out() -> None:
    """A residual without a finite error is left out."""
    assert 0 == len(pool_of([residual(log_error=math.nan)]))


@pytest.mark.parametrize(("metric", "sign"), [("samples/s", -1), ("seconds", 1), ("latency_ms", 1), ("ttft_ms", -1)])
def test_a_time_whose_range_is_a_rates_counts_the_other_way_round(metric: str, sign: int) -> None:
    """A time that is estimated too long is a rate that is estimated too low."""
    kind = {"seconds": "tabular_training", "ttft_ms": "llm_serving"}.get(metric, "classic_inference")
    pool = pool_of([residual(kind=kind, metric=metric, log_error=0.5)])

    assert [0.5] == pool.error.tolist()
    assert [sign * 0.5] == pool.truth.tolist()


def test_sources_count_alike_once_they_have_ten_rows() -> None:
    """A source of 90 good rows does not hide one of 10 bad ones."""
    good = [residual(measurement_id=f"g-{index}", log_error=0.0) for index in range(90)]
    bad = [residual(measurement_id=f"b-{index}", source="b", log_error=math.log(1.5)) for index in range(10)]
    found = score(pool_of([*good, *bad]))

    assert found.mean_of_sources == pytest.approx(0.25)
    assert found.median == pytest.approx(0.0)


def test_a_source_of_few_rows_counts_in_proportion() -> None:
    """One row weighs a tenth of a source."""
    good = [residual(measurement_id=f"g-{index}", log_error=0.0) for index in range(10)]
    found = score(pool_of([*good, residual(source="b", log_error=math.log(2.1))]))

    assert found.mean_of_sources == pytest.approx(1.1 * 0.1 / 1.1)


def test_bias_is_of_estimated_over_measured() -> None:
    """An estimate that is too high has a positive bias."""
    assert score(pool_of([residual(log_error=0.3)])).bias == pytest.approx(0.3)
