"""Answers are found by what was understood and by what was sent, as long as there is room for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from plimsoll_service.api import answer_cache
from plimsoll_service.api.answer_cache import AnswerCache, kept

JSON = "application/json"
ANSWER = kept(b"x" * 100, JSON)


def test_an_answer_is_found_by_its_question_and_by_requests_understood_as_it() -> None:
    """Both lead to one copy."""
    answers = AnswerCache(1000)

    answers.keep("question", ANSWER)
    answers.alias("request", "question")

    assert answers.find("question") is ANSWER
    assert answers.find_by_request("request") is ANSWER
    assert answers.find("another") is None
    assert answers.find_by_request("another") is None


def test_what_was_asked_for_the_longest_ago_makes_room() -> None:
    """Bytes count, not entries; a look counts as asking."""
    answers = AnswerCache(250)
    answers.keep("first", ANSWER)
    answers.keep("second", ANSWER)
    answers.alias("request", "second")
    answers.find("first")

    answers.keep("third", ANSWER)

    assert [answers.find(name) is ANSWER for name in ("first", "second", "third")] == [True, False, True]
    assert answers.find_by_request("request") is None


def test_an_answer_that_is_kept_twice_takes_its_room_once() -> None:
    """Two threads may have worked it out at once."""
    answers = AnswerCache(250)

    for _ in range(5):
        answers.keep("first", ANSWER)
    answers.keep("second", ANSWER)

    assert answers.find("first") is ANSWER


def test_what_is_larger_than_all_room_is_not_kept() -> None:
    """And nothing is left behind of it."""
    answers = AnswerCache(50)

    answers.keep("large", ANSWER)
    answers.keep("small", kept(b"y", JSON))

    assert answers.find("large") is None
    assert answers.find("small") is not None


def test_aliases_are_bounded(monkeypatch) -> None:
    """However many ways there are to ask one question."""
    monkeypatch.setattr(answer_cache, "MOST_ALIASES", 2)
    answers = AnswerCache(1000)
    answers.keep("question", ANSWER)

    for request in ("a", "b", "c"):
        answers.alias(request, "question")

    assert [answers.find_by_request(request) is ANSWER for request in ("a", "b", "c")] == [False, True, True]


def test_the_validator_is_of_the_bytes() -> None:
    """Equal bytes have equal validators, others have others."""
    assert kept(b"a", JSON).etag == kept(b"a", "text/csv").etag
    assert kept(b"a", JSON).etag != kept(b"b", JSON).etag


def test_threads_share_it() -> None:
    """Nothing is lost count of."""
    answers = AnswerCache(1000)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: (answers.keep(number % 20, ANSWER), answers.find(number % 7)), range(2000)))

    assert sum(answers.find(number) is not None for number in range(20)) == 10
