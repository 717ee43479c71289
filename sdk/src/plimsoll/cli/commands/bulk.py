"""``plimsoll bulk``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll import bulk as bulk_run
from plimsoll.cli.completing import completing
from plimsoll.cli.failures import Failure
from plimsoll.cli.options import SectionCommand, SectionOption, snapshot_option
from plimsoll.errors import NotInstalled

_KINDS = ("csv", "jsonl", "parquet")


def _form(name: str, section: str) -> SectionOption:
    return SectionOption(
        f"--{name}-format", section=section, metavar="FORMAT", shell_complete=completing(_KINDS),
        help=f"One of {', '.join(_KINDS)}, if the {name}'s name does not show it.",
    )  # fmt: skip


_PARAMS = [
    click.Argument(["input"], type=click.Path(allow_dash=True)),
    click.Argument(["output"], type=click.Path(allow_dash=True)),
    _form("input", "Files"),
    _form("output", "Files"),
    SectionOption("--processes", section="Run", metavar="NUMBER", help="Processes.  [default: one for each core]"),
    SectionOption(
        "--chunk", section="Run", metavar="LINES",
        help="Lines answered and written together.  [default: 10,000, or 1,000 whole answers]",
    ),
    snapshot_option(),
    SectionOption("--quiet", section="Run", is_flag=True, help="No progress on standard error."),
]  # fmt: skip


@click.command(cls=SectionCommand, params=_PARAMS)
def bulk(**options: Any) -> int:
    """Size every line of a file of workloads on this machine.

    INPUT and OUTPUT are files of CSV, JSON lines or Parquet, the first two also with .gz, or - for standard input and
    output. The same command resumes a run that ended early. It needs the package plimsoll-service.
    """
    files = [options.pop("input"), options.pop("output")]
    said = {name: value for name, value in options.items() if value not in (None, False)}
    named = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}") for name, value in said.items()]
    try:
        return bulk_run.main([*named, "--", *files])
    except NotInstalled as error:
        raise Failure(str(error)) from error
