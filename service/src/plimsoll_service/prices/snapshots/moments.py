"""Moments in time as snapshots write them: UTC, ISO 8601, to the second, so that their order is that of their text."""

from __future__ import annotations

from datetime import UTC, datetime

FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def text(moment: datetime) -> str:
    """The moment as written, its fraction of a second left out."""
    return moment.astimezone(UTC).strftime(FORMAT)


def parsed(word: str) -> datetime:
    """The moment that was written; raises ``ValueError``."""
    return datetime.strptime(word, FORMAT).replace(tzinfo=UTC)


def is_moment(word: str) -> bool:
    """Whether ``parsed`` takes it."""
    try:
        parsed(word)
    except ValueError:
        return False
    return True
