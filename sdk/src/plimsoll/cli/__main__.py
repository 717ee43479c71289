"""``python -m plimsoll.cli``."""

from plimsoll.cli import main

main()
