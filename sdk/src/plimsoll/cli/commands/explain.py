"""``plimsoll explain``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll.cli import explained, page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format, refused
from plimsoll.cli.machines import machine_of
from plimsoll.cli.options import SectionCommand, output_option, question_options, service_options, snapshot_option
from plimsoll.cli.question import question_of

FORMATS = ("table", "json")
_MOST_RANKS = 100  # the contract's

_PARAMS = [
    click.Argument(["machine"], required=False),
    click.Option(
        ["--rank"], type=click.IntRange(1, _MOST_RANKS), default=1, show_default=True,
        help="Which recommendation to explain, where no MACHINE is named.",
    ),
    *question_options(limit=False),
    output_option(FORMATS),
    snapshot_option(),
    *service_options(),
]  # fmt: skip


@click.command(cls=SectionCommand, params=_PARAMS)
def explain(
    machine: str | None, rank: int, workload_file: str | None, output: str, snapshot: str | None, **options: Any
) -> int:
    """Why this machine, and why not that one.

    Without MACHINE the recommendation is explained; else why MACHINE is not it. MACHINE is CLOUD/INSTANCE_TYPE or
    NAME=VALUE, more NAME=VALUE after commas.
    """
    check_format(output, FORMATS)
    service = service_of(options)
    question = question_of(workload_file, options, (machine,) if machine else ())
    version, others = question.prices(snapshot), question.for_given_machines
    if machine is not None:
        on = machine_of(machine)
        with asking(service, question.place) as client:
            hardware = client.estimate(question.workload, on, snapshot=version, **others)
        page.as_json(hardware.raw) if output == "json" else explained.hardware(machine, hardware)
        return ANSWERED
    with asking(service, question.place) as client:
        answer = client.recommend(question.workload, limit=rank, snapshot=version, **others)
    if answer.best and len(answer.recommendations) < rank:
        raise refused(f"--rank: there are {len(answer.recommendations)} recommendations, not {rank}")
    page.as_json(explained.document(answer, rank)) if output == "json" else explained.recommendation(answer, rank)
    return ANSWERED if answer.best else NOTHING
