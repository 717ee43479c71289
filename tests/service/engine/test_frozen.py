"""Frozen values of which answers are made."""

from __future__ import annotations

from plimsoll_service.engine.frozen import value


@value
class Pair:
    """Two numbers."""

    first: int
    second: int


@value
class Triple(Pair):
    """Three."""

    third: int = 3


def test_values_are_told_by_their_fields() -> None:
    """Equal fields make equal values with one hash; a derived value takes its base's fields first."""
    assert Pair(1, 2) == Pair(first=1, second=2) != Pair(2, 1)
    assert {Pair(1, 2), Pair(1, 2)} == {Pair(1, 2)}
    assert vars(Triple(1, 2)) == {"first": 1, "second": 2, "third": 3}
