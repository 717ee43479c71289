"""From rows to columns and back: the pieces of which every table of the catalog is made."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from plimsoll_service.engine.hardware import Coded, Floats


def coded(values: Iterable[str | None]) -> Coded:
    """A column of words; the words are sorted, so that equal content gives equal codes."""
    column = list(values)
    words = tuple(sorted({value for value in column if value}))
    index = {word: code for code, word in enumerate(words)}
    return Coded(np.array([index.get(value or "", -1) for value in column], dtype=np.int32), words)


def floats(values: Iterable[float | None]) -> Floats:
    """A column of numbers; ``None`` becomes NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
