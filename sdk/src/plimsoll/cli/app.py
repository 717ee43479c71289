"""The command ``plimsoll``; each subcommand is loaded when it is called."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Any

import click

from plimsoll._version import __version__
from plimsoll.cli.exit_status import BROKEN_PIPE, INTERRUPTED
from plimsoll.cli.failures import refused

# In the order of the help.
COMMANDS = (
    "recommend",
    "estimate",
    "compare",
    "explain",
    "check",
    "measurement",
    "describe",
    "instances",
    "prices",
    "models",
    "accelerators",
    "regions",
    "frameworks",
    "bulk",
)


# Commands that are not in the module of their name.
_MODULES = dict.fromkeys(("estimate", "compare"), "given") | dict.fromkeys(
    ("instances", "models", "accelerators", "regions", "frameworks"), "known"
)


class Commands(click.Group):
    """The subcommands, and the exit status of each way to end early."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the subcommand of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"plimsoll.cli.commands.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        _prepare_output()
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            _drop_output()  # the reader has closed the pipe
            ctx.exit(BROKEN_PIPE)
        except OSError as error:
            _drop_output()
            raise refused(f"the answer cannot be written: {error.strerror or error}") from error
        ctx.exit(status)


def _drop_output() -> None:
    # Python would report the error again when it flushes at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_output() -> None:
    if sys.stdout is None:
        raise refused("standard output is closed")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for the rest of the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the locale lacks (the dash of a range) must not lose the answer.
            stream.reconfigure(errors="replace")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, package_name="plimsoll")
def plimsoll() -> None:
    """Size, price and explain cloud instances for machine-learning workloads.

    Exit status: 0 answered; 1 no recommendation, does not fit, nothing found or a limit broken; 2 wrong command line or
    refused question; 3 the service cannot be reached or cannot answer.
    """
