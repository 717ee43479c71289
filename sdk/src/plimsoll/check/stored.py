"""Stored answers: the JSON that ``plimsoll recommend -o json`` and the service write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plimsoll._decode import decode
from plimsoll.errors import BadAnswer
from plimsoll.models import Answer, Recommendation


@dataclass(frozen=True)
class Stored:
    """The answer that was stored, and its first recommendation."""

    answer: Answer
    best: Recommendation

    @property
    def version(self) -> str:
        """The version of the prices that it rests on."""
        return self.answer.catalog.version

    @property
    def machine(self) -> dict[str, Any] | None:
        """Its machine as an estimate takes it; ``None`` for a machine of one's own, which no catalog has."""
        if self.best.instance_type is None or self.best.cloud == "own":
            return None
        named = {"region": self.best.region, "purchase": self.best.purchase}
        return {
            "cloud": self.best.cloud,
            "instance_type": self.best.instance_type,
            "node_count": self.best.node_count,
            **{name: value for name, value in named.items() if value is not None},
        }


def stored_answer(document: Any) -> Stored:
    """The answer of a document; raises ``ValueError`` where it is none, or recommends nothing."""
    if not isinstance(document, Mapping):
        raise ValueError("no answer: an object expected")
    try:
        answer = decode(Answer, document)
    except BadAnswer as error:
        raise ValueError(f"no answer: {error}") from error
    if answer.best is None:
        raise ValueError("the stored answer recommends nothing")
    return Stored(answer, answer.best)
