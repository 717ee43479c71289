"""Fits the coefficients to the measurements and writes them with the report: ``python -m calibration``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from calibration import command, refused
from plimsoll_service.catalog import snapshot
from plimsoll_service.evidence import published
from plimsoll_service.evidence.measurement import EvidenceError


def main(arguments: list[str] | None = None) -> int:
    """Fit, or check the committed coefficients; return 1 with the reason where that fails."""
    call = _parser().parse_args(arguments)
    try:
        if call.refused:
            sys.stdout.write(f"{refused.summary(published.measurements(), snapshot.load())}\n")
            return 0
        if not call.anchors:
            sys.stdout.write(f"{command.calibrate(command.PROBLEMS, call.cloud_runs, call.out, check=call.check)}\n")
        sys.stdout.write(f"{command.anchors(call.out, check=call.check)}\n")
    except (command.CalibrationError, EvidenceError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except ModuleNotFoundError as error:
        sys.stderr.write(f"the report needs {error.name}; install requirements/dev.txt\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m calibration", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a refit gives other values")
    parser.add_argument(
        "--anchors",
        action="store_true",
        help="fit only how far a user's own measurement tells of other hardware, from the predictions of the last fit",
    )
    parser.add_argument(
        "--refused", action="store_true", help="only count the published runs that are said not to fit their machine"
    )
    parser.add_argument(
        "--cloud-runs",
        type=Path,
        nargs="+",
        default=(),
        metavar="FILE",
        help="measurements on rented instances; without them, their coefficients stay as they are",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=Path("docs"), help="directory of the report; default: docs"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
