"""``plimsoll bulk``: files of workloads, sized by the service's engine on this machine; needs ``plimsoll-service``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from plimsoll.errors import NotInstalled


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the arguments, by default those of the process, and return the exit status.

    Raises ``NotInstalled`` where the service's package is missing.
    """
    try:
        from plimsoll_service.bulk.command import main as command
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "plimsoll_service":
            raise
        raise NotInstalled("bulk runs the service's engine: install plimsoll-service beside plimsoll") from error
    return command(arguments)


if __name__ == "__main__":
    sys.exit(main())
