"""The files of known models: what a row means, and which rows are refused."""

from __future__ import annotations

import pytest

from plimsoll_service.engine.models.stored import Stored
from plimsoll_service.engine.models.transformers import parameters_of
from plimsoll_service.evidence import models

ROW = {
    "name": "m", "aliases": "m-1|m one", "kind": "decoder", "layers": "2", "hidden_size": "64", "heads": "4",
    "kv_heads": "2", "head_size": "16", "feed_forward": "128", "vocabulary": "1000", "context_length": "512",
    "source": "a, 2026",
}  # fmt: skip


def test_a_row_without_parameters_has_those_of_its_dimensions() -> None:
    """Nothing is taken for a published size that no row states."""
    model = models.model_of(ROW, {})

    assert model.transformer is not None
    assert (model.parameters, model.aliases) == (parameters_of(model.transformer), ("m-1", "m one"))


def test_the_plan_sets_further_fields() -> None:
    """Shares are fractions; experts are a part of their own."""
    plan = "sliding_window=64|sliding_share=1/2|moe.experts=8|moe.active=2|moe.feed_forward=32|moe.moe_layers=2"
    model = models.model_of(ROW | {"plan": plan, "quantization": "fp8", "precision": "fp8"}, {})
    found = model.transformer

    assert found is not None
    assert found.moe is not None
    assert (found.sliding_window, found.sliding_share, found.moe.experts, model.family) == (64, 0.5, 8, "moe")
    assert model.published == Stored("fp8", "fp8")


def test_a_model_may_be_like_another_with_a_tower_beside_it() -> None:
    """The figures are the other's; name, context and tower are its own."""
    known = {"m": models.model_of(ROW, {})}
    row = {"name": "n", "like": "m", "context_length": "1024", "frozen_parameters": "7", "source": "b, 2026"}
    model = models.model_of(row, known)

    assert model.transformer is not None
    assert (model.name, model.parameters, model.frozen_parameters) == ("n", known["m"].parameters, 7.0)
    assert model.transformer.context_length == 1024


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "tree"},
        {"layers": "two"},
        {"vocabulary": ""},
        {"plan": "windows=3"},
        {"like": "nobody"},
        {"source": ""},
    ],
)
def test_a_faulty_row_is_refused(fault: dict[str, str]) -> None:
    """A row says all that its kind of model needs, and names no field that there is not."""
    with pytest.raises((KeyError, ValueError)):
        models.model_of(ROW | fault, {})


def test_a_network_has_the_figures_of_its_row() -> None:
    """Numbers are figures, fractions too; sides of an image have an x between them; other cells are words."""
    row = {
        "group": "small", "name": "n", "aliases": "", "family": "cnn", "sample": "an image",
        "reference.image_size": "28x28", "parameters": "7", "forward_flops": "3/2", "written_elements": "1",
        "stored_elements": "2", "kernels": "4", "script_batch": "32", "sequential": "true", "source": "a, 2026",
    }  # fmt: skip
    model = models.network_of(row)

    assert (model.reference.image_size, model.forward_flops, model.script_batch) == ((28, 28), 1.5, 32)
    assert (model.sequential, model.aliases, model.sample) == (True, (), "an image")
