"""The fit of a module's problem."""

from __future__ import annotations

from typing import Any

import pytest
from calibration.fitting import Fit, fit


@pytest.fixture(scope="module")
def found(problem: Any) -> Fit:
    """The fit, made once for all tests of a module."""
    return fit(problem)
