"""A provider on the loopback for each test, and retries that do not wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import stamina
from tests.service.prices.feeds.loopback import Provider


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that serves nothing yet."""
    found = Provider()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """Retries happen as often as usual, but at once."""
    with stamina.set_testing(True, attempts=6, cap=True):
        yield
