"""Errors of held-out rows: the knowledge that the fit kept, and the file of predictions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from calibration.results import drifts, held_out_table, labels, residuals_of
from tests.calibration.residuals import residual
from tests.calibration.rows import row

from plimsoll_service.evidence import published
from plimsoll_service.evidence.published import HeldOut, read_predictions

BASE = replace(
    published.measurements()[0], model="resnet50", accelerator="V100-16GB", framework="pytorch", tuning="stock"
)
ROWS = (
    replace(BASE, id="a", source="one"),
    replace(BASE, id="b", source="two", accelerator="A100-40GB"),
    replace(BASE, id="c", source="two", model="vgg16", framework="mxnet"),
)

KINDS = ["cnn_training"] * len(ROWS)


def test_what_another_group_has_too_is_known() -> None:
    """The model of a held-out source's row may still be known from others."""
    found = residuals_of(ROWS, KINDS, {}, "source", np.zeros(3))
    assert [True, True, False] == [one.known_model for one in found]
    assert [True, False, True] == [one.known_device for one in found]
    assert [True, True, False] == [one.known_software for one in found]


def test_what_is_left_out_is_never_known() -> None:
    """All rows of a held-out group are unknown to the fit."""
    found = residuals_of(ROWS, KINDS, {"V100-16GB": "Volta"}, "device", np.zeros(3))
    assert not any(one.known_device for one in found)
    assert ["Volta", "", "Volta"] == [one.generation for one in found]


def test_labels_name_the_group() -> None:
    """A label is the device, model or source of each row."""
    assert ["one", "two", "two"] == list(labels(ROWS, "source"))
    assert ["resnet50", "resnet50", "vgg16"] == list(labels(ROWS, "model"))


MEASURED = {"a-1": row(id="a-1", value=100.0)}


def test_a_prediction_is_the_measured_value_by_its_error() -> None:
    """A prediction is by held-out group, and empty if no fit was judged by it."""
    errors = [residual(log_error=math.log(1.2)), residual(scheme="source", log_error=math.log(0.5))]

    assert read_predictions(held_out_table(errors, MEASURED).splitlines()) == {
        "a-1": HeldOut(device=120.0, source=50.0)
    }


def test_what_is_not_bundled_not_finite_or_a_ratio_is_left_out() -> None:
    """Rows of other tables, errors without a value, and speed-ups over one device are left out."""
    errors = [residual(measurement_id="b-1"), residual(log_error=math.nan), residual(kind="scaling")]

    assert read_predictions(held_out_table(errors, MEASURED).splitlines()) == {}


def test_a_refit_agrees_but_for_rounding() -> None:
    """Changed, new and missing predictions are counted and named."""
    committed = "id,device,model,source\na-1,100,,\na-2,50,,\n"

    assert drifts(committed, "id,device,model,source\na-1,101,,\na-2,50,,\n") == []
    assert "2 predictions differ, among them a-2, a-1" in drifts(committed, "id,device,model,source\na-1,130,,\n")[0]
    assert (
        "1 predictions differ, among them a-1" in drifts(committed, "id,device,model,source\na-1,100,7,\na-2,50,,\n")[0]
    )
