"""Ranges of anchored estimates: the kind of each row, and the widths of both ends."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.anchoring import PROCESSORS, Left, Told, range_name, reach, widths_of
from tests.calibration.rows import row

TOKENS = {"metric": "tokens/s", "framework": "megatron", "method": "full"}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"model": "transformer-xl-base"}, "rnn_training"),
        ({"model": "llama-3-8b", **TOKENS}, "token_training"),
        ({"model": "mixtral-8x7b", **TOKENS}, "token_training_moe"),
        ({"model": "llama-3-8b", **TOKENS, "method": "lora"}, "token_training_adapters"),
        ({"accelerator": None, "cpu": "Ice Lake"}, PROCESSORS),
    ],
)
def test_a_row_shares_what_the_service_looks_up_for_its_question(facts: dict[str, object], expected: str) -> None:
    """A language model that is counted in samples is trained as other networks are."""
    assert expected == range_name(row(**facts))


def test_the_ends_of_a_range_are_as_wide_as_the_errors_on_their_side() -> None:
    """Errors that lie low widen the low end alone, and four fifths of them lie between both ends."""
    after = np.linspace(-0.4, 0.2, 101)
    left = Left(row(), "source", "cnn_training", 0.0, 0, (0.0, 0.0), (-0.2, 0.2))
    told = Told((left,) * len(after), after, after, np.full(len(after), 0.8), np.full(len(after), 0.9))

    low, high = widths_of(told)
    inside = (reach(told, 0) <= low) & (reach(told, 1) <= high)

    assert low > high
    assert 0.8 == pytest.approx(np.mean(inside), abs=0.02)
