"""The circuit breaker."""

from __future__ import annotations

from plimsoll_service.prices.redis_access.breaker import Breaker


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_allows_everything_until_a_failure():
    """A breaker that has seen no failure never stands in the way."""
    breaker = Breaker(5.0, Clock())

    assert [True] * 3 == [breaker.allows() for _ in range(3)]


def test_while_open_it_allows_one_trial_an_interval():
    """After a failure one caller in each interval may try, the others may not."""
    clock = Clock()
    breaker = Breaker(5.0, clock)
    breaker.failed()

    allowed = []
    for clock.now in (0.0, 4.9, 5.0, 5.1, 9.9, 10.0, 10.1):
        allowed.append(breaker.allows())

    assert [False, False, True, False, False, True, False] == allowed


def test_only_the_first_failure_and_the_first_success_are_news():
    """A breaker says when it opens and when it closes, not at every call."""
    breaker = Breaker(5.0, Clock())

    news = [breaker.succeeded(), breaker.failed(), breaker.failed(), breaker.succeeded(), breaker.succeeded()]

    assert [False, True, False, True, False] == news


def test_a_success_closes_it():
    """After a success everything is allowed again."""
    breaker = Breaker(5.0, Clock())
    breaker.failed()

    breaker.succeeded()

    assert breaker.allows()
