"""What the gate found, as values."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll.models import Answer, Recommendation


@dataclass(frozen=True)
class Failure:
    """A limit that the answer breaks, or why it cannot be judged; ``found`` and ``allowed`` are in the limit's unit."""

    limit: str
    text: str
    found: float | None = None
    allowed: float | None = None


@dataclass(frozen=True)
class Change:
    """A difference between the stored answer and that of now; ``percent`` where both are figures."""

    what: str
    before: str | float | None
    now: str | float | None
    text: str
    percent: float | None = None


@dataclass(frozen=True)
class Verdict:
    """A plan's answer, the limits that it breaks, and what changed since the stored one."""

    plan: str
    answer: Answer
    failures: tuple[Failure, ...]
    changes: tuple[Change, ...] = ()
    stored: Recommendation | None = None
    stored_version: str | None = None

    @property
    def passed(self) -> bool:
        """Whether no limit is broken."""
        return not self.failures
