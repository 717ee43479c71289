"""The table of measurements, from the project's own tables and folders of raw figures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gathered.measurements.build import build
from gathered.measurements.read import gathered_measurements
from plimsoll_service.evidence.measurement import EvidenceError


def main(arguments: list[str] | None = None) -> int:
    """Write the files of the project's own tables and the given folders; return 1 with the reason for a faulty row."""
    parser = argparse.ArgumentParser(prog="python -m gathered.measurements", description=__doc__)
    parser.add_argument("figures", type=Path, nargs="*", help="folders of compressed CSV files of published figures")
    parser.add_argument("--output", type=Path, help="directory to write; default: the bundled table")
    call = parser.parse_args(arguments)
    try:
        sys.stdout.write(f"{build(call.output, gathered_measurements(*call.figures))}\n")
    except EvidenceError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
