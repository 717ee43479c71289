"""``plimsoll-service catalog``: build and export catalogs."""

from __future__ import annotations

import argparse
from pathlib import Path

from .catalog import commands
from .catalog.faults import CatalogError
from .exit_status import DONE, REFUSED, say


def add_catalog(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands on catalogs to the parser."""
    catalog = commands_.add_parser("catalog", help="build or export a catalog")
    actions = catalog.add_subparsers(title="actions", required=True, metavar="ACTION")
    build = actions.add_parser("build", help="build a directory of CSV files into a snapshot")
    build.add_argument(
        "input", type=_directory, help="directory with instance_types.csv, offers*.csv and optional files"
    )
    build.add_argument("output", type=Path, help="the snapshot (.npz) to write; set PLIMSOLL_CATALOG to use it")
    build.set_defaults(command=_reported, work=lambda call: commands.build(call.input, call.output))
    export = actions.add_parser("export", help="write a snapshot as a directory of CSV files")
    export.add_argument("output", type=Path, help="directory to write")
    export.add_argument("--source", type=Path, help="snapshot to read; default: the bundled one")
    export.set_defaults(command=_reported, work=lambda call: commands.export(call.output, call.source))


def _reported(call: argparse.Namespace) -> int:
    try:
        print(call.work(call))
    except (CatalogError, OSError) as error:
        return say(error, REFUSED)
    return DONE


def _directory(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no directory")
    return path
