"""Tables of columns as one file."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service import columns_file
from plimsoll_service.columns_file import NotColumns


def test_what_was_packed_is_unpacked() -> None:
    """Packed arrays are unpacked under their names, and packing gives the same bytes each time."""
    arrays = [("a", np.arange(5)), ("b.words", columns_file.text(("x", "", "y z")))]
    content = columns_file.pack(arrays, 6)
    back = columns_file.unpack(content)

    assert content == columns_file.pack(arrays, 6)
    assert [0, 1, 2, 3, 4] == back["a"].tolist()
    assert ("x", "", "y z") == columns_file.words(back["b.words"])


def test_a_file_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes that unpack to very many are refused."""
    content = columns_file.pack([("a", np.zeros(100_000))], 9)
    monkeypatch.setattr(columns_file, "LARGEST_BYTES", 100_000)

    assert len(content) < 10_000
    with pytest.raises(NotColumns, match="unpacks to more than 100000 bytes"):
        columns_file.unpack(content)


def test_words_that_are_no_text_are_refused() -> None:
    """Bytes that are not UTF-8 are refused as words."""
    with pytest.raises(NotColumns, match="utf-8"):
        columns_file.words(np.array([255, 10], dtype=np.uint8))
