"""``python -m plimsoll_service.bulk``."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
