"""Fitted figures as files: rounded, with error and start, one entry a line."""

from __future__ import annotations

import json

from plimsoll_service.calibration.writing import Written, coefficients, effects_of, fields_of, text_of

SPEED = Written("speed", 0.123456, 0.0512, 0.1)


def test_a_figure_is_one_line_with_its_error_and_start() -> None:
    """A changed figure is a changed line."""
    expected = """{
  "about": "Made up.",
  "coefficients": {
    "form": {
      "speed": {"value": 0.1235, "error": 0.05, "start": 0.1}
    }
  }
}
"""
    assert expected == text_of(coefficients("Made up.", "form", fields_of([SPEED])))


def test_effects_that_round_to_nothing_are_left_out() -> None:
    """Three decimals of a logarithm."""
    effects = effects_of([SPEED, Written("none", 0.0004, 0.1, 0.0)])

    assert {"speed": {"value": 0.123, "error": 0.05}} == effects


def test_words_stand_one_a_line_and_numbers_side_by_side() -> None:
    """Text and content say the same."""
    document = {"about": "x", "words": ["a", "b"], "ends": [0.5, 2.0], "none": {}}
    text = text_of(document)

    assert document == json.loads(text)
    assert ['    "a",', '    "b"', '  "ends": [0.5, 2.0],'] == [
        line for line in text.split("\n") if '"a"' in line or line.strip() == '"b"' or "0.5" in line
    ]
