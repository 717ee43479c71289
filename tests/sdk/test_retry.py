"""Retries of a call: the policy's arithmetic."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from plimsoll import Retry
from plimsoll._retry import retry_after_seconds, wait_seconds

NOW = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0),
        ("120", 120),
        ("-3", 0),
        ("Wed, 01 May 2024 12:00:30 GMT", 30),
        ("Wed, 01 May 2024 12:00:30 -0000", 30),
        ("Wed, 01 May 2024 11:00:00 GMT", 0),
        ("soon", None),
        ("", None),
        ("1.5", None),
        ("9" * 5000, None),
        ("9" * 400, math.inf),
        ("Wed, 01 May 99999999999 12:00:00 GMT", math.inf),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(header: str | None, seconds: float | None) -> None:
    """Both forms of the header count; any other value counts as absent."""
    assert seconds == retry_after_seconds(header, NOW)


def test_jitter_spreads_over_the_whole_bound() -> None:
    """The wait is the share of the bound that the jitter draws."""
    assert [wait_seconds(Retry(base_seconds=4), 1, None, jitter) for jitter in (0.0, 0.5)] == [0.0, 2.0]


def test_jitter_comes_on_top_of_the_wait_asked() -> None:
    """The jitter is added, so that clients with the same Retry-After do not all return together."""
    assert wait_seconds(Retry(base_seconds=4), 1, 10, 0.5) == 12.0


def test_many_attempts_do_not_overflow() -> None:
    """A patient policy reaches its cap and stays there."""
    assert wait_seconds(Retry(attempts=10_000, cap_seconds=8), 9_999, None, 1.0) == 8.0


@pytest.mark.parametrize("wrong", [{"attempts": 0}, {"base_seconds": -1}, {"cap_seconds": -1}])
def test_a_policy_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    """A mistake is reported when the policy is made."""
    with pytest.raises(ValueError, match="Retry"):
        Retry(**wrong)
