"""Answers that were given before: the same question at the same prices has the same bytes.

They are found by the question as it was understood, and before that, without reading it, by the request as it came.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import TypeAlias

Head: TypeAlias = list[tuple[str, str]]
MOST_ALIASES = 1024  # requests as they came, of a few hundred bytes each


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
        self._heads: dict[Hashable, Head] = {}
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
                forgotten, oldest = self._answers.popitem(last=False)
                self._heads.pop(forgotten, None)
                self._bytes -= len(oldest.body)

    def alias(self, request: Hashable, question: Hashable) -> None:
        """Remember what a request was understood as."""
        with self._lock:
            self._questions[request] = question
            if len(self._questions) > MOST_ALIASES:
                self._questions.popitem(last=False)

    def note_head(self, request: Hashable, head: Head) -> None:
        """Remember the headers under which such a request was answered, as long as the answer is kept."""
        with self._lock:
            question = self._questions.get(request)
            answer = self._answers.get(question)
            # Where other prices came into force meanwhile the head is that of another answer.
            if answer is not None and ("ETag", f'"{answer.etag}"') in head:
                self._heads[question] = head

    def find_with_head(self, request: Hashable) -> tuple[Kept, Head] | None:
        """The answer to such a request, and its headers; ``None`` where one of them is not known."""
        with self._lock:
            question = self._questions.get(request)
            answer = None if question is None else self._found(question)
            head = self._heads.get(question)
            if answer is None or head is None:
                return None
            self._questions.move_to_end(request)
            return answer, head

    def _found(self, question: Hashable) -> Kept | None:
        answer = self._answers.get(question)
        if answer is not None:
            self._answers.move_to_end(question)
        return answer
