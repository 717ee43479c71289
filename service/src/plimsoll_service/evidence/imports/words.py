"""Figures and words out of printed text."""

from __future__ import annotations

import re


def number(text: str) -> float | None:
    """The number that the text is (``64k`` is 64 × 1024), or ``None``."""
    factor = 1024.0 if text.lower().endswith("k") else 1.0
    try:
        return float(text[:-1] if factor > 1 else text) * factor
    except ValueError:
        return None


def whole(text: str) -> int | None:
    """The whole number that the text is, or ``None``."""
    value = number(text)
    return None if value is None else int(value)


def found(pattern: str, text: str) -> str | None:
    """What the pattern's group matches first, whatever the case, or ``None``."""
    match = re.search(pattern, text, re.IGNORECASE)
    return match[1] if match else None


def found_whole(pattern: str, text: str) -> int | None:
    """The whole number that the pattern's group matches first, or ``None``."""
    return whole(found(pattern, text) or "")
