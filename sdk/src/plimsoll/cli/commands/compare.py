"""``plimsoll compare``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll.cli import page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.cells import RIGHT, compared_cells
from plimsoll.cli.completing import complete_machine
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format
from plimsoll.cli.machines import machines_of
from plimsoll.cli.options import SectionCommand, output_option, question_options, service_options, snapshot_option
from plimsoll.cli.question import question_of
from plimsoll.frames import rows_of

FORMATS = ("table", "json", "csv", "yaml")

_PARAMS = [
    click.Argument(
        ["machines"], nargs=-1, required=True, metavar="MACHINE MACHINE...", shell_complete=complete_machine
    ),
    *question_options(limit=False),
    output_option(FORMATS),
    snapshot_option(),
    *service_options(),
]


@click.command(cls=SectionCommand, params=_PARAMS)
def compare(
    machines: tuple[str, ...], workload_file: str | None, output: str, snapshot: str | None, **options: Any
) -> int:
    """Compare 2 to 20 machines.

    Figures are relative to the first machine that fits. MACHINE is CLOUD/INSTANCE_TYPE or NAME=VALUE, with more
    NAME=VALUE after commas: aws/p3.2xlarge,node_count=2 or label=mine,accelerator=T4,count=2,usd_per_hour=0.9.
    """
    check_format(output, FORMATS)
    service = service_of(options)
    question = question_of(workload_file, options, machines)
    on = machines_of(machines)
    with asking(service, question.place) as client:
        answer = client.compare(
            question.workload, on, snapshot=question.prices(snapshot), **question.for_given_machines
        )
    if output in page.DOCUMENTS:
        page.as_document(answer.raw, output)
    elif output == "csv":
        page.as_csv(rows_of(answer))
    else:
        page.table([compared_cells(machine) for machine in answer.machines], RIGHT)
    return ANSWERED if any(machine.fits for machine in answer.machines) else NOTHING
