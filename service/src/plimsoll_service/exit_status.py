"""Exit statuses of the commands, and how they state the reason."""

from __future__ import annotations

import sys

DONE, REFUSED, WRONG_CALL = 0, 1, 2


def say(reason: object, status: int) -> int:
    """Write the reason to standard error and answer the status."""
    sys.stderr.write(f"plimsoll-service: {reason}\n")
    return status
