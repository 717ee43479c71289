"""The command line ``plimsoll``; it needs the extra ``cli``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn

from plimsoll.cli.exit_status import INTERRUPTED, REFUSED

_NEEDED = ("click", "rich", "yaml")


def main() -> None:
    """Run the command line and end the process with its status."""
    try:
        from plimsoll.cli.app import plimsoll
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        sys.stderr.write("plimsoll: the command line needs more packages: pip install 'plimsoll-sdk[cli]'\n")
        sys.exit(REFUSED)
    try:
        plimsoll(prog_name="plimsoll")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _leave_at_once()
        raise


def _leave_at_once() -> NoReturn:
    """End the process without waiting for threads, which may wait for a slow service."""
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(INTERRUPTED)
