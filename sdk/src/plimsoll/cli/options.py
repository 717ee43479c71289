"""Options for click: made from fields, listed by section, with completion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from plimsoll.cli.completing import completing
from plimsoll.cli.fields import CONSTRAINTS, GROUP, LIMIT, MEASUREMENT, OBJECTIVE, WORKLOAD, Field
from plimsoll.cli.profiles import PROFILE_VARIABLE
from plimsoll.config import DEFAULT_URL, URL_VARIABLE


class SectionOption(click.Option):
    """An option that the help lists under ``section``."""

    def __init__(self, *names: str, section: str = "Options", **rest: Any) -> None:
        super().__init__(list(names), **rest)
        self.section = section


def _write_sections(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None:
            sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
    for title, records in sections.items():
        with formatter.section(title):
            formatter.write_dl(records)


class SectionCommand(click.Command):
    """A command whose help lists its options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section under its name."""
        _write_sections(self, ctx, formatter)


class SectionGroup(click.Group):
    """A group whose help lists its options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section under its name, then the commands."""
        _write_sections(self, ctx, formatter)
        self.format_commands(ctx, formatter)


def field_option(field: Field, section: str) -> SectionOption:
    """Return the option of a field; an option with several values may also be repeated."""
    if field.kind == "flag":
        names = f"{field.option}/--no-{field.option.removeprefix('--')}"
        return SectionOption(names, field.name, section=section, default=None, help=field.help)
    help_text = f"{field.help} ({', '.join(field.words)})" if field.words else field.help
    return SectionOption(
        field.option, field.name, section=section, type=str, shell_complete=completing(field.words, field.known),
        metavar="NUMBER" if field.kind == "count" else field.kind.upper(), multiple=field.kind == "texts",
        default=None, help=help_text,
    )  # fmt: skip


def question_options(*, limit: bool) -> list[click.Parameter]:
    """Return the options of a question."""
    file = SectionOption(
        "--workload", "-w", "workload_file", section="Workload", metavar="FILE", type=click.Path(allow_dash=True),
        help="A question or workload as JSON or YAML, - for standard input; options override its fields.",
    )  # fmt: skip
    measured = SectionOption(
        "--measurement", MEASUREMENT, section="Workload", metavar="FILE", multiple=True,
        type=click.Path(allow_dash=True),
        help="Your own measurements of this workload on any hardware, as JSON; they anchor the estimates.",
    )  # fmt: skip
    return [
        file,
        *_each(WORKLOAD, "Workload"),
        measured,
        *_each(CONSTRAINTS, "Constraints"),
        *_each((OBJECTIVE, LIMIT, GROUP) if limit else (OBJECTIVE,), "Answer"),
    ]


def output_option(formats: Sequence[str]) -> SectionOption:
    """Return the option for the output format; the first format is the default."""
    return SectionOption(
        "-o", "--output", "output", section="Answer", type=str, shell_complete=completing(formats), metavar="FORMAT",
        default=formats[0], show_default=True, help=f"One of {', '.join(formats)}.",
    )  # fmt: skip


def snapshot_option(more: str = "") -> SectionOption:
    """Return the option for the version of the prices."""
    return SectionOption(
        "--snapshot", section="Answer", metavar="VERSION",
        help="Prices of this version (catalog.version of an answer) instead of the current ones" + more + ".",
    )  # fmt: skip


def service_options() -> list[click.Parameter]:
    """Return the options that choose the service."""
    return [
        SectionOption(
            "--url", section="Service", metavar="URL",
            help=f"Address of the service.  [env var: {URL_VARIABLE}; default: {DEFAULT_URL}]",
        ),
        SectionOption(
            "--local", section="Service", is_flag=True,
            help="Answer in this process; needs the package plimsoll-service.",
        ),
        SectionOption(
            "--timeout", section="Service", metavar="SECONDS", type=click.FloatRange(min=0, min_open=True),
            help="Timeout for each part of an answer.  [default: 30]",
        ),
        SectionOption(
            "--profile", section="Service", metavar="NAME",
            help=f"Service of that name in ~/.config/plimsoll/config.toml.  [env var: {PROFILE_VARIABLE}]",
        ),
        SectionOption(
            "--debug", section="Service", is_flag=True,
            help="Write each call, its time and its request id to standard error, and where an error arose.",
        ),
    ]  # fmt: skip


def _each(fields: Iterable[Field], section: str) -> list[click.Parameter]:
    return [field_option(field, section) for field in fields]
