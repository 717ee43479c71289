"""Gathered price lists and measured machines as a catalog's input tables: ``python -m gathered.catalog FROM TO``."""

from __future__ import annotations

import sys
from pathlib import Path

from gathered.catalog.run import run
from plimsoll_service.catalog.commands import Report, count
from plimsoll_service.catalog.faults import CatalogError


def main(figures: Path, output: Path) -> Report:
    """Write the tables; raises ``CatalogError`` where a file of the figures is missing."""
    found = run(figures, output)
    return Report(
        instance_types=count(row["cloud"] for row in found.instance_types),
        offers=count(offer["cloud"] for offer in found.offers),
        rejected=tuple(found.rejected),
    )


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{main(*map(Path, sys.argv[1:]))}\n")
    except CatalogError as error:
        sys.exit(str(error))
