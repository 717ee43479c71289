"""``plimsoll check``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from plimsoll import Answer, Client, HardwareEstimate, ValidationError
from plimsoll.check import Limits, Plan, PlanFaults, Stored, Verdict, judge, plans_of, report, stored_answer
from plimsoll.check.plan import LIMITS, limit_of
from plimsoll.check.verdict import End
from plimsoll.cli import page
from plimsoll.cli.asking import Service, asking, service_of
from plimsoll.cli.documents import read_document
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format, refused
from plimsoll.cli.options import SectionCommand, SectionOption, output_option, service_options, snapshot_option

FORMATS = ("text", "json", "yaml", "github", "markdown")
# The version that means "that of the stored answer".
BASELINE = "baseline"
_ENDS = ("high", "value")


def _limit(name: str, unit: str, help_text: str) -> SectionOption:
    return SectionOption("--" + name.replace("_", "-"), name, section="Limits", metavar=unit, help=help_text)


_PARAMS = [
    click.Argument(["plan"], type=click.Path(allow_dash=True)),
    _limit("max_cost", "USD", "Cost of the job."),
    _limit("max_usd_per_hour", "USD", "Hourly price of the whole recommendation."),
    _limit("max_hours", "HOURS", "Duration of the job."),
    _limit("max_increase", "PERCENT", "Increase in cost over the stored answer, such as 10%."),
    SectionOption(
        "--at", "end", section="Limits", type=click.Choice(_ENDS), default=_ENDS[0], show_default=True,
        help="Compare limits with the high end of the range, as the service does for deadlines, or with the estimate.",
    ),
    SectionOption(
        "--accept", section="Answer", is_flag=True, help="Store the new answers as the plans' baselines instead."
    ),
    output_option(FORMATS),
    snapshot_option(f"; {BASELINE} for those of the stored answer"),
    *service_options(),
]  # fmt: skip


@click.command(cls=SectionCommand, params=_PARAMS)
def check(plan: str, output: str, snapshot: str | None, end: End, accept: bool, **options: Any) -> int:
    """Fail if an answer breaks a cost limit.

    PLAN is a file with a workload. It may also have constraints, an objective, limits, a snapshot, and as baseline the
    file of a stored answer. A file may hold several plans by name under plans. If both PLAN and an option set a limit,
    the lower one applies.
    """
    check_format(output, FORMATS)
    service, limits = service_of(options), _limits(options)
    plans = [replace(each, limits=each.limits.stricter(limits)) for each in _plans(plan)]
    baselines = [Path(plan).parent / each.baseline if each.baseline else None for each in plans]
    if accept:
        return _accept(service, plan, plans, baselines, snapshot)
    stored = [None if path is None else _stored(path) for path in baselines]
    verdicts = [
        _verdict(service, plan, each, before, snapshot, end) for each, before in zip(plans, stored, strict=True)
    ]
    _report(verdicts, output, plan)
    return ANSWERED if all(verdict.passed for verdict in verdicts) else NOTHING


def _limits(options: dict[str, Any]) -> Limits:
    said, faults = {}, []
    for name in LIMITS:
        value = options.pop(name)
        try:
            said[name] = None if value is None else limit_of(name, value)
        except ValueError as error:
            faults.append(f"  --{name.replace('_', '-')}: {error}")
    if faults:
        raise refused("\n".join(["the limits cannot be read:", *faults]))
    return Limits(**said)


def _plans(file: str) -> tuple[Plan, ...]:
    try:
        return plans_of(read_document(file))
    except PlanFaults as error:
        raise refused(
            "\n".join(["the plan cannot be read:", *(f"  {file}: {fault}" for fault in error.faults)])
        ) from error


def _stored(path: Path) -> Stored:
    if not path.exists():
        raise refused(f"{path}: there is no stored answer; store the new one with --accept")
    try:
        return stored_answer(read_document(str(path)))
    except ValueError as error:
        raise refused(f"{path}: {error}") from error


def _answer(client: Client, plan: Plan, stored: Stored | None, snapshot: str | None) -> Answer:
    version = plan.snapshot if snapshot is None else snapshot
    if version == BASELINE:
        if stored is None:
            raise refused(f"--snapshot {BASELINE}: {plan.name} has no stored answer")
        version = stored.version
    answer: Answer = client.recommend(**plan.question, snapshot=version)
    return answer


def _verdict(service: Service, file: str, plan: Plan, stored: Stored | None, snapshot: str | None, end: End) -> Verdict:
    with asking(service, _place(file, plan)) as client:
        answer = _answer(client, plan, stored, snapshot)
        machine = _stored_machine(client, plan, stored, answer.catalog.version) if stored else None
    return judge(plan.name, answer, plan.limits, stored, machine, end)


def _stored_machine(client: Client, plan: Plan, stored: Stored, version: str) -> HardwareEstimate | None:
    """Return the new estimate on the stored answer's machine; ``None`` where the catalog no longer has it."""
    if stored.machine is None:
        return None
    question = {name: value for name, value in plan.question.items() if name != "limit"}
    try:
        return client.estimate(on=stored.machine, snapshot=version, **question)
    except ValidationError:
        return None


def _accept(
    service: Service, file: str, plans: Sequence[Plan], baselines: Sequence[Path | None], snapshot: str | None
) -> int:
    missing = [plan.name for plan, path in zip(plans, baselines, strict=True) if path is None]
    if missing:
        raise refused(f"{file}: no baseline is named to store the answer of {', '.join(missing)} in")
    status = ANSWERED
    for plan, path in zip(plans, baselines, strict=True):
        with asking(service, _place(file, plan)) as client:
            answer = _answer(client, plan, None, snapshot)
        if answer.best and path:
            _store(answer, path)
            click.echo(f"{plan.name}: stored in {path}", err=True)
        else:
            click.echo(f"{plan.name}: not stored: {answer}", err=True)
            status = NOTHING
    return status


def _store(answer: Answer, path: Path) -> None:
    try:
        path.write_text(json.dumps(answer.raw, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise refused(f"{path}: cannot be written: {error.strerror or error}") from error


def _place(file: str, plan: Plan) -> Callable[[str], str]:
    return lambda pointer: f"{file}: {plan.name}: {pointer}"


def _report(verdicts: Sequence[Verdict], output: str, file: str) -> None:
    if output in page.DOCUMENTS:
        page.as_document(report.document(verdicts), output)
    elif output == "markdown":
        page.line(report.markdown(verdicts).rstrip())
    elif output == "github":
        for line in report.github_commands(verdicts, file):
            page.line(line)
    else:
        for verdict in verdicts:
            outcome, *rest = report.text_lines(verdict)
            page.heading(outcome)
            for line in rest:
                page.line(line)
        for line in report.total_lines(verdicts):
            page.heading(line)
