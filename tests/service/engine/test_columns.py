"""Equal rows are computed once."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service.engine.columns import Groups, groups_of, groups_of_pairs

SPARSE = 10**9  # far beyond what a table of codes would be made for


@pytest.mark.parametrize("codes", [[3, 1, 3, 0], [SPARSE, 1, SPARSE, 0], [5, 5], []])
def test_each_kind_has_a_row_and_each_row_a_kind(codes: list[int]) -> None:
    """The row that stands for a kind has its code; there are as many kinds as codes."""
    column = np.array(codes, dtype=np.int64)
    found: Groups = groups_of(column)

    assert len(set(codes)) == len(found)
    assert codes == column[found.rows][found.of].tolist()


def test_a_pair_is_a_kind_where_both_are_the_same() -> None:
    """A pair of rows is one kind if both codes and values are equal."""
    found = groups_of_pairs(np.array([1, 1, 2, 1], dtype=np.int32), np.array([8.0, 4.0, 8.0, 8.0]))

    assert 3 == len(found)
    assert found.of[0] == found.of[3]
