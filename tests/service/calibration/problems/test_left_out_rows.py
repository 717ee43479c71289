"""Residuals say what the fold's kept rows still know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.calibration.problems.left_out_rows import Described, labels, residuals_of
from plimsoll_service.evidence import table

BASE = replace(table.load()[0], model="resnet50", accelerator="V100-16GB", framework="pytorch", tuning="stock")
ROWS = (
    replace(BASE, id="a", source="one"),
    replace(BASE, id="b", source="two", accelerator="A100-40GB"),
    replace(BASE, id="c", source="two", model="vgg16", framework="mxnet"),
)


def test_what_another_group_has_too_is_known() -> None:
    """Leaving a source out, the model of its row may still be among the others'."""
    found = residuals_of(Described(ROWS, "cnn_training", ["cnn"] * 3, {}), "source", np.zeros(3))
    assert [True, True, False] == [one.known_model for one in found]
    assert [True, False, True] == [one.known_device for one in found]
    assert [True, True, False] == [one.known_software for one in found]


def test_what_is_left_out_is_never_known() -> None:
    """All its rows are in one group."""
    found = residuals_of(Described(ROWS, "cnn_training", ["cnn"] * 3, {"V100-16GB": "Volta"}), "device", np.zeros(3))
    assert not any(one.known_device for one in found)
    assert ["Volta", "", "Volta"] == [one.generation for one in found]


def test_labels_name_the_group() -> None:
    """Device, model or source of each row."""
    assert ["one", "two", "two"] == list(labels(ROWS, "source"))
    assert ["resnet50", "resnet50", "vgg16"] == list(labels(ROWS, "model"))
