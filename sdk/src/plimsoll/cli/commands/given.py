"""``plimsoll estimate`` and ``plimsoll compare``: a workload on given machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from plimsoll import Client, Comparison, HardwareEstimate
from plimsoll._words import Cells
from plimsoll.cli import page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.cells import RIGHT, compared_cells, hardware_cells
from plimsoll.cli.completing import complete_machine
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format
from plimsoll.cli.machines import machines_of
from plimsoll.cli.options import SectionCommand, output_option, question_options, service_options, snapshot_option
from plimsoll.cli.question import question_of
from plimsoll.frames import rows_of

FORMATS = ("table", "json", "csv", "yaml")

A = TypeVar("A", HardwareEstimate, Comparison)
_OPTIONS = [*question_options(limit=False), output_option(FORMATS), snapshot_option(), *service_options()]


@click.command(cls=SectionCommand, params=[click.Argument(["machine"], shell_complete=complete_machine), *_OPTIONS])
def estimate(machine: str, **options: Any) -> int:
    """Estimate a workload on MACHINE.

    MACHINE is CLOUD/INSTANCE_TYPE or NAME=VALUE, with more NAME=VALUE after commas: aws/p3.2xlarge,node_count=2 or
    accelerator=T4,count=2,vcpus=16.
    """

    def ask(client: Client, on: list[Any], asked: dict[str, Any]) -> HardwareEstimate:
        return client.estimate(on=on[0], **asked)

    answer = _answered((machine,), options, ask, lambda found: [{"machine": machine, **hardware_cells(found)}])
    return ANSWERED if answer.fits else NOTHING


_MACHINES = click.Argument(
    ["machines"], nargs=-1, required=True, metavar="MACHINE MACHINE...", shell_complete=complete_machine
)


@click.command(cls=SectionCommand, params=[_MACHINES, *_OPTIONS])
def compare(machines: tuple[str, ...], **options: Any) -> int:
    """Compare 2 to 20 machines.

    Figures are relative to the first machine that fits. MACHINE is CLOUD/INSTANCE_TYPE or NAME=VALUE, with more
    NAME=VALUE after commas: aws/p3.2xlarge,node_count=2 or label=mine,accelerator=T4,count=2,usd_per_hour=0.9.
    """

    def ask(client: Client, on: list[Any], asked: dict[str, Any]) -> Comparison:
        return client.compare(on=on, **asked)

    answer = _answered(machines, options, ask, lambda found: [compared_cells(each) for each in found.machines])
    return ANSWERED if any(each.fits for each in answer.machines) else NOTHING


def _answered(
    machines: tuple[str, ...],
    options: dict[str, Any],
    ask: Callable[[Client, list[Any], dict[str, Any]], A],
    rows: Callable[[A], list[Cells]],
) -> A:
    """Ask about the machines, write the answer and return it."""
    output, snapshot, file = (options.pop(name) for name in ("output", "snapshot", "workload_file"))
    check_format(output, FORMATS)
    service = service_of(options)
    question = question_of(file, options, machines)
    on = machines_of(machines)
    asked = {"workload": question.workload, "snapshot": question.prices(snapshot), **question.for_given_machines}
    with asking(service, question.place) as client:
        answer = ask(client, on, asked)
    if output in page.DOCUMENTS:
        page.as_document(answer.raw, output)
    elif output == "csv":
        page.as_csv(rows_of(answer))
    else:
        page.table(rows(answer), RIGHT)
    return answer
