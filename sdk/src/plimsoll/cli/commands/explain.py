"""``plimsoll explain``: an answer's reasons, assumptions and limits as sections of text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

from plimsoll._words import number, ranked_by
from plimsoll.cli import page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.cells import RIGHT, usd
from plimsoll.cli.completing import complete_machine
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format, refused
from plimsoll.cli.machines import machine_of
from plimsoll.cli.options import SectionCommand, output_option, question_options, service_options, snapshot_option
from plimsoll.cli.question import question_of
from plimsoll.figures import Need, Note, Sizing
from plimsoll.models import Alternative, Anchor, Answer, Assumption, HardwareEstimate

FORMATS = ("table", "json", "yaml")
_MOST_RANKS = 100  # the API's limit

_PARAMS = [
    click.Argument(["machine"], required=False, shell_complete=complete_machine),
    click.Option(
        ["--rank"], type=click.IntRange(1, _MOST_RANKS), default=1, show_default=True,
        help="Recommendation to explain, without MACHINE.",
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
    """Explain a recommendation, or why a machine is not recommended.

    Without MACHINE it explains the recommendation. With MACHINE it explains why that machine is not recommended.
    MACHINE is CLOUD/INSTANCE_TYPE or NAME=VALUE, with more NAME=VALUE after commas.
    """
    check_format(output, FORMATS)
    service = service_of(options)
    question = question_of(workload_file, options, (machine,) if machine else ())
    version, others = question.prices(snapshot), question.for_given_machines
    if machine is not None:
        on = machine_of(machine)
        with asking(service, question.place) as client:
            hardware = client.estimate(question.workload, on, snapshot=version, **others)
        page.as_document(hardware.raw, output) if output in page.DOCUMENTS else _hardware(machine, hardware)
        return ANSWERED
    with asking(service, question.place) as client:
        answer = client.recommend(question.workload, limit=rank, snapshot=version, **others)
    if answer.best and len(answer.recommendations) < rank:
        raise refused(f"--rank: there are {len(answer.recommendations)} recommendations, not {rank}")
    if output in page.DOCUMENTS:
        page.as_document(_document(answer, rank), output)
    else:
        _recommendation(answer, rank)
    return ANSWERED if answer.best else NOTHING


def _document(answer: Answer, rank: int) -> dict[str, Any]:
    """Return the answer's JSON with only the recommendation that is explained."""
    raw = dict(answer.raw)
    raw["recommendations"] = [each for each in raw["recommendations"] if each["rank"] == rank]
    return raw


def _recommendation(answer: Answer, rank: int) -> None:
    """Write the reasons for the recommendation of this rank, or the reasons why there is none."""
    if not answer.recommendations:
        page.heading(str(answer))
        _assumptions(answer.assumptions)
        return
    chosen = answer.recommendations[rank - 1]
    page.heading(str(chosen))
    page.line(ranked_by(answer.objective))
    _notes("Why", chosen.reasons)
    _notes("Warnings", chosen.warnings)
    _sizing(chosen.sizing)
    _section("Elsewhere", ({"region": each.region, "USD/h": usd(each.usd_per_hour)} for each in chosen.other_regions))
    _anchors(answer.anchors)
    _section("Same hardware", (_alternative(each) for each in chosen.alternatives))
    _assumptions(answer.assumptions)
    _section("Left out", ({"by": name, "candidates": f"{count:,}"} for name, count in answer.rejected.items()))
    _prices(answer.catalog.version, answer.catalog.prices_as_of)


def _alternative(one: Alternative) -> dict[str, str]:
    figures = {"hours": one.time_hours, "USD": one.cost_usd, "USD/h": one.usd_per_hour}
    machine = {
        "machine": f"{one.node_count} × {one.instance_type}",
        "region": one.region or "",
        "purchase": one.purchase or "",
    }
    return machine | {name: f"{value:,.4g}" for name, value in figures.items() if value is not None}


def _hardware(machine: str, found: HardwareEstimate) -> None:
    """Write the reasons why a given machine is not the recommendation."""
    page.heading(f"{machine}: {found}")
    if found.rank is not None:
        page.line(f"It is recommendation {found.rank}.")
    _section("Why not", ({"rule": each.rule, "": each.text} for each in found.why_not))
    _notes("How it was estimated", found.reasons)
    _notes("Warnings", found.warnings)
    _sizing(found.sizing)
    _anchors(found.anchors)
    _assumptions(found.assumptions)
    if found.catalog:
        _prices(found.catalog.version, found.catalog.prices_as_of)


def _notes(title: str, notes: Sequence[Note]) -> None:
    _section(title, ({"rule": note.rule, "": note.text, "source": note.source or ""} for note in notes))


def _anchors(anchors: Sequence[Anchor]) -> None:
    rows = (
        {
            "on": each.on,
            "figure": each.figure,
            "measured": number(each.said),
            "estimated without": "" if each.estimated_without is None else number(each.estimated_without),
            "": each.why or "",
        }
        for each in anchors
    )
    _section("Your measurements", rows)


def _assumptions(assumptions: Sequence[Assumption]) -> None:
    _section(
        "Assumed",
        (
            {"field": each.field, "value": json.dumps(each.value, ensure_ascii=False), "because": each.why}
            for each in assumptions
        ),
    )


def _sizing(sizing: Sizing | None) -> None:
    if sizing is None:
        return
    rows = [
        _need("vCPUs", sizing.vcpus),
        _need("memory, GiB", sizing.memory_gib),
        _need("accelerator memory, GiB a device", sizing.accelerator_memory_gib),
    ]
    _section("Needs", [row for row in rows if row])
    if sizing.disk and sizing.disk.size_gib:
        page.line(f"disk: {number(sizing.disk.size_gib)} GiB {sizing.disk.product or sizing.disk.type}")


def _need(name: str, need: Need | None) -> dict[str, str]:
    if need is None:
        return {}
    provided = "" if need.provided is None else number(need.provided)
    parts = ", ".join(f"{part} {number(size)}" for part, size in need.breakdown.items())
    return {"resource": name, "required": number(need.required), "provided": provided, "of which": parts}


def _section(title: str, rows: Iterable[dict[str, str]]) -> None:
    found = list(rows)
    if found:
        page.line()
        page.heading(title)
        page.table(found, RIGHT)


def _prices(version: str, as_of: str | None) -> None:
    page.line()
    page.line(f"prices {version}, as of {as_of}")
