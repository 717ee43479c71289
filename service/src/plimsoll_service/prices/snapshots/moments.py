"""Moments as snapshots write them: UTC, ISO 8601, to the second. Their text sorts by time."""

from __future__ import annotations

from datetime import UTC, datetime

FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def text(moment: datetime) -> str:
    """The moment as text, without fractions of a second."""
    return moment.astimezone(UTC).strftime(FORMAT)


def parsed(word: str) -> datetime:
    """The moment of a text; raises ``ValueError``."""
    return datetime.strptime(word, FORMAT).replace(tzinfo=UTC)


def is_moment(word: str) -> bool:
    """Return whether a text is a moment."""
    try:
        parsed(word)
    except ValueError:
        return False
    return True
