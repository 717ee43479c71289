"""The command line ``plimsoll``; it needs the extra ``cli``."""

from __future__ import annotations

import sys

_NEEDED = ("click", "rich", "yaml")
_WRONG_CALL = 2


def main() -> None:
    """Run the command line and end the process with its status."""
    try:
        from plimsoll.cli.app import plimsoll
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        sys.stderr.write("plimsoll: the command line needs more packages: pip install 'plimsoll[cli]'\n")
        sys.exit(_WRONG_CALL)
    plimsoll(prog_name="plimsoll")
