"""Directories that the workers of one server share; those made here are removed with the server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

# Of this process: gunicorn reads its configuration anew at each HUP, and forgets what that knew.
_made: list[str] = []


def share(environment: MutableMapping[str, str], variable: str) -> None:
    """Let the variable name a directory: a new one, or the stated one, which is made if it is missing.

    ``SystemExit`` says in a line what is wrong with one that cannot be used.
    """
    named = environment.get(variable)
    if not named:
        environment[variable] = tempfile.mkdtemp(prefix="plimsoll-")
        _made.append(environment[variable])
        return
    try:
        Path(named).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"plimsoll-service: {variable}={named}: {error.strerror}") from error


def remove() -> None:
    """Remove the directories that were made here."""
    while _made:
        shutil.rmtree(_made.pop(), ignore_errors=True)
