"""What was asked for last is kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from plimsoll_service.engine.choice.kept import Kept


def test_a_thing_is_made_once() -> None:
    """Whoever asks again gets the same."""
    kept = Kept(2)

    assert kept.of("a", list) is kept.of("a", list)
    assert kept.of("a", list) is not kept.of("b", list)


def test_what_was_asked_for_the_longest_ago_goes_first() -> None:
    """Not what was made first."""
    kept = Kept(2)
    first, second = kept.of("a", list), kept.of("b", list)
    kept.of("a", list)
    kept.of("c", list)

    assert kept.of("a", list) is first
    assert kept.of("b", list) is not second


def test_threads_that_miss_at_once_get_the_same() -> None:
    """One of the equal results stays."""
    kept = Kept(8)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: (number % 3, id(kept.of(number % 3, list))), range(300)))

    assert len(set(found)) == 3
