"""Memory after failures of generated tests."""

from __future__ import annotations

import weakref

import numpy as np
import pytest
from tests.generated import without_traces


def test_a_failure_keeps_no_arrays_of_the_test() -> None:
    """A stored failure does not keep the arrays of the test and its helpers."""
    arrays = []

    def worked_out() -> np.ndarray:
        array = np.zeros(8)
        arrays.append(weakref.ref(array))
        return array

    def fail(array: np.ndarray) -> None:
        of_a_helper = worked_out()
        assert len(array) < len(of_a_helper)

    with pytest.raises(AssertionError) as failure:
        without_traces(lambda: fail(worked_out()))()
    assert failure.value.__traceback__ is not None
    assert len(arrays) == 2
    assert [True, True] == [array() is None for array in arrays]
