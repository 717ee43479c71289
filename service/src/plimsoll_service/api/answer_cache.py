"""Answers that were given before: the same question at the same prices has the same bytes.

They are found by the question as it was understood, and before that, without reading it, by the request as it came.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock

# Requests as they came, of up to a kilobyte with all that Python adds: more wordings than there is room for answers.
MOST_ALIASES = 256


@dataclass(frozen=True)
class Kept:
    """An answer as it is sent, and the validator by which callers ask whether it still holds."""

    body: bytes
    media_type: str
    etag: str


def kept(body: bytes, media_type: str) -> Kept:
    """An answer with its validator: a digest of its bytes, which are copied without what was allocated beyond them."""
    return Kept(bytes(memoryview(body)), media_type, sha256(body).hexdigest()[:32])


class AnswerCache:
    """The answers that were asked for last, up to so many bytes of them; threads share it."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._answers: OrderedDict[Hashable, Kept] = OrderedDict()
        self._questions: OrderedDict[Hashable, Hashable] = OrderedDict()
        self._lock = Lock()

    def find(self, question: Hashable) -> Kept | None:
        """The answer to a question."""
        with self._lock:
            return self._found(question)

    def find_by_request(self, request: Hashable) -> Kept | None:
        """The answer to the question that such a request was understood as."""
        with self._lock:
            question = self._questions.get(request)
            if question is None:
                return None
            self._questions.move_to_end(request)
            return self._found(question)

    def keep(self, question: Hashable, answer: Kept) -> None:
        """Keep an answer, and forget those that were asked for the longest ago where there is no room."""
        with self._lock:
            before = self._answers.pop(question, None)
            self._answers[question] = answer
            self._bytes += len(answer.body) - (0 if before is None else len(before.body))
            while self._bytes > self._most_bytes and self._answers:
                _, oldest = self._answers.popitem(last=False)
                self._bytes -= len(oldest.body)

    def alias(self, request: Hashable, question: Hashable) -> None:
        """Remember what a request was understood as."""
        with self._lock:
            self._questions[request] = question
            if len(self._questions) > MOST_ALIASES:
                self._questions.popitem(last=False)

    def _found(self, question: Hashable) -> Kept | None:
        answer = self._answers.get(question)
        if answer is not None:
            self._answers.move_to_end(question)
        return answer
