"""Files of coefficients: rounded figures, one entry for each line, and named differences within a tolerance."""

from __future__ import annotations

import json
from typing import Any

import pytest
from calibration.files import Written, differences, effects_of, fields_of, form_file, text_of

SPEED = Written("speed", 0.123456, 0.0512, 0.1)


def test_a_figure_is_one_line_with_its_error_and_start() -> None:
    """Each figure is one line, with its error and its start."""
    expected = """{
  "about": "Made up.",
  "coefficients": {
    "form": {
      "speed": {"value": 0.1235, "error": 0.05, "start": 0.1}
    }
  }
}
"""
    assert expected == text_of(form_file("Made up.", "form", fields_of([SPEED])))


def test_effects_that_round_to_nothing_are_left_out() -> None:
    """Effects below three decimals of a logarithm are left out."""
    effects = effects_of([SPEED, Written("none", 0.0004, 0.1, 0.0)])

    assert {"speed": {"value": 0.123, "error": 0.05}} == effects


def test_words_stand_one_a_line_and_numbers_side_by_side() -> None:
    """Words and numbers have a fixed layout, and text and content agree."""
    document = {"about": "x", "words": ["a", "b"], "ends": [0.5, 2.0], "none": {}}
    text = text_of(document)

    assert document == json.loads(text)
    assert ['    "a",', '    "b"', '  "ends": [0.5, 2.0],'] == [
        line for line in text.split("\n") if '"a"' in line or line.strip() == '"b"' or "0.5" in line
    ]


def document(compute: float = 0.8, host: float = 1.7e-05, laptop: float = -0.26, error: float = 0.05) -> dict[str, Any]:
    """A file with two coefficients and an effect."""
    roofline = {"compute_fp32": {"value": compute, "error": error, "start": 0.7}, "host_s": {"value": host, "start": 1}}
    return {
        "about": "Made up.",
        "coefficients": {"roofline": roofline},
        "levels": {"laptop": {"value": laptop, "error": 0.1}},
    }


def test_equal_values_do_not_differ() -> None:
    """Errors and words are not compared."""
    assert [] == differences(document(), document(error=0.06) | {"about": "Written anew."})


@pytest.mark.parametrize("new", [{"compute": 0.803}, {"host": 1.705e-05}, {"laptop": -0.263}])
def test_what_another_linear_algebra_may_change_is_no_difference(new: dict[str, float]) -> None:
    """Half a percent of a coefficient and 0.005 of an effect are no difference."""
    assert [] == differences(document(), document(**new))


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ({"compute": 0.81}, "coefficients.roofline.compute_fp32: committed 0.8, refitted 0.81"),
        ({"host": 1.8e-05}, "coefficients.roofline.host_s: committed 1.7e-05, refitted 1.8e-05"),
        ({"laptop": -0.28}, "levels.laptop: committed -0.26, refitted -0.28"),
    ],
)
def test_a_changed_value_is_named_with_both_values(new: dict[str, float], expected: str) -> None:
    """A changed value is named with both values."""
    assert [expected] == differences(document(), document(**new))


def test_missing_and_new_values_are_told() -> None:
    """A value that only one side has is a difference, too."""
    renamed = {**document(), "levels": {"laptop two": {"value": -0.26}}}

    assert ["levels.laptop: -0.26 is no longer fitted", "levels.laptop two: -0.26 is not committed"] == differences(
        document(), renamed
    )


def test_words_are_compared_as_they_are() -> None:
    """Lists of names and strings have no tolerance."""
    old = {"serving": {"software": ["vllm stock"], "cells": {"a": "A100 H100"}}}

    assert ["serving.cells.a: committed A100 H100, refitted A100"] == differences(
        old, {"serving": old["serving"] | {"cells": {"a": "A100"}}}
    )
    assert 2 == len(differences(old, {"serving": old["serving"] | {"software": ["vllm tuned"]}}))


def test_an_effect_too_small_to_write_is_no_difference() -> None:
    """An entry of a table near 0 may appear or disappear; a large one, or a small coefficient, may not."""
    assert [] == differences({"levels": {}}, {"levels": {"a": {"value": 0.0041}}})
    assert 1 == len(differences({"levels": {"a": {"value": 0.2}}}, {"levels": {}}))
    assert 1 == len(differences({}, {"roofline": {"step": {"value": 0.001, "start": 0.002}}}))
