"""Sizes and durations."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from plimsoll_service.api.schemas.bounds import MOST_BYTES, MOST_GIB, MOST_MILLISECONDS, MOST_MINUTES
from plimsoll_service.api.schemas.quantities import Deadline, Duration, Size

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
DEADLINE = Deadline(now=lambda: NOON)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("240GB", 240e9),
        ("93 GiB", 93 * 2.0**30),
        ("1.5 tb", 1.5e12),
        ("2e3 MB", 2e9),
        ("512KiB", 512 * 1024.0),
        ("7B", 7.0),
    ],
)
def test_a_size_is_decimal_unless_its_unit_is_binary(text: str, expected: float) -> None:
    """GB are 10^9 bytes and GiB are 2^30, in any case and with any space."""
    assert Size("bytes", MOST_BYTES, bare=False).deserialize(text) == expected


def test_a_size_of_a_field_with_a_unit_may_be_a_bare_number() -> None:
    """`memory_gib: 61` is 61 GiB, and `"61 GiB"` is the same."""
    field = Size("gib", MOST_GIB)

    assert [field.deserialize(61), field.deserialize("61 GiB")] == [61.0, 61.0]


@pytest.mark.parametrize(
    "value", [240, "240", "GB", "2 apples", "-1GB", "0GB", "1e40GB", "NaNGB", "5iB", True, None, [], "1" * 500]
)
def test_what_is_no_size_is_refused(value: object) -> None:
    """A size must have a unit, be above 0, and lie within bounds."""
    with pytest.raises(ValidationError):
        Size("bytes", MOST_BYTES, bare=False).deserialize(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("48h", 48.0),
        ("48 h", 48.0),
        ("2d", 48.0),
        ("90m", 1.5),
        ("6 days", 144.0),
        ("1 Day", 24.0),
        ("2 weeks", 336.0),
        ("90 minutes", 1.5),
        ("1.5 hours", 1.5),
        ("PT36H", 36.0),
        ("P1DT12H", 36.0),
        ("PT30M", 0.5),
        ("2026-01-02T12:00:00Z", 24.0),
        ("2026-01-02T12:00:00+02:00", 22.0),
    ],
)
def test_a_deadline_is_hours_from_now(text: str, expected: float) -> None:
    """Durations and times with their zone give the same hours."""
    assert DEADLINE.deserialize(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    "value",
    [
        48,
        "48",
        "P",
        "PT",
        "2026-01-02T12:00:00",
        "2025-12-31T12:00:00Z",
        "tomorrow",
        "0h",
        "9999999h",
        False,
        "days",
        "six days",
        "6 dayss",
        "6 day s",
        "3 months",
        "0 days",
    ],
)
def test_what_is_no_deadline_is_refused(value: object) -> None:
    """A bare number, a time without a zone and a time that has passed are refused."""
    with pytest.raises(ValidationError):
        DEADLINE.deserialize(value)


def test_a_duration_is_read_in_the_unit_of_its_field() -> None:
    """Two hours are 120 minutes."""
    field = Duration("minutes", MOST_MINUTES)

    assert [field.deserialize("2h"), field.deserialize(120)] == [120.0, 120.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2s", 2000),
        ("0.05s", 50),
        ("PT2S", 2000),
        ("1m", 60_000),
        ("7ms", 7),
        ("PT0.3S", 300),
        ("2 seconds", 2000),
        ("7 milliseconds", 7),
    ],
)
def test_a_duration_means_the_number_that_it_is_to_the_last_digit(text: str, expected: int) -> None:
    """The same duration in another spelling has the same answer, byte for byte."""
    assert expected == Duration("ms", MOST_MILLISECONDS).deserialize(text)


@given(st.text())
def test_no_text_breaks_a_quantity(text: str) -> None:
    """Any text is a quantity or a fault."""
    for field in (Size("bytes", MOST_BYTES), Duration("minutes", MOST_MINUTES), DEADLINE):
        try:
            value = field.deserialize(text)
        except ValidationError:
            continue
        assert value > 0
