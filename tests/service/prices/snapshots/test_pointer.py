"""Pointers as they stand in Redis."""

from __future__ import annotations

import pytest

from plimsoll_service.prices.snapshots import pointer
from plimsoll_service.prices.snapshots.pointer import Pointer

POINTER = Pointer(7, "d" * 64, "2026-11-21T07:30:00Z", "2026-11-21", 10, 1000)


def test_what_was_written_is_read():
    """A pointer comes back."""
    assert POINTER == pointer.load(pointer.dump(POINTER))


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        b"",
        b"\xff",
        b"null",
        b"[]",
        b"{}",
        pointer.dump(POINTER).replace(b"7", b'"7"', 1),
        pointer.dump(POINTER)[:-1] + b',"more":1}',
    ],
)
def test_anything_else_is_no_pointer(value):
    """Garbage is ``None``."""
    assert pointer.load(value) is None
