"""``plimsoll bulk``."""

from __future__ import annotations

import click

from plimsoll import bulk as bulk_run
from plimsoll.cli.failures import Failure
from plimsoll.errors import NotInstalled

# The service parses its own options, including --help.
_PASSED_ON = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command(context_settings=_PASSED_ON, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bulk(arguments: tuple[str, ...]) -> int:
    """Size every line of a file of workloads on this machine; needs plimsoll-service."""
    try:
        return bulk_run.main(arguments)
    except NotInstalled as error:
        raise Failure(str(error)) from error
