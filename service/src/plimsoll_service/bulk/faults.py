"""What ends a bulk run, in words for whoever started it."""

from __future__ import annotations


class BulkError(Exception):
    """The run cannot begin or go on; what was answered so far stays."""
