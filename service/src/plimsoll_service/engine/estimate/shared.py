"""What many structures keep together."""

from __future__ import annotations


class Shared:
    """Base of what several kinds of work keep: its arrays are counted once, where it is kept for all of them."""
