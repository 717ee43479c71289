"""Verdicts as text, as JSON, as a comment in Markdown, and as the annotations that GitHub shows beside a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plimsoll._words import number, span
from plimsoll.check.verdict import Verdict, usd_per_hour
from plimsoll.figures import Range

# HTML comments are not shown.
COMMENT_MARK = "<!-- plimsoll check -->"


def text_lines(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of one verdict; the first is its outcome."""
    yield f"{verdict.plan}: {'passed' if verdict.passed else 'FAILED'}"
    for failure in verdict.failures:
        yield f"  broken   {failure.limit}: {failure.text}"
    if verdict.answer.best is not None:
        yield f"  now      {verdict.answer.best}"
    if verdict.stored is not None:
        yield f"  stored   {verdict.stored}"
    for change in verdict.changes:
        yield f"  changed  {change.text}"


@dataclass(frozen=True)
class Total:
    """A sum over plans: cost of the jobs or hourly price of the services, now and of the answers that were stored.

    ``stored`` is ``None`` where a plan has no stored answer. The ends of ``now`` are those of all plans together.
    """

    of: str
    unit: str
    plans: int
    now: Range
    stored: float | None

    @property
    def percent(self) -> float | None:
        """Increase over the stored answers."""
        return (self.now.value / self.stored - 1) * 100 if self.stored else None

    @property
    def counted(self) -> str:
        """Number of plans, with their kind."""
        return f"{self.plans} {self.of}{'s' if self.plans > 1 else ''}"

    @property
    def cost(self) -> str:
        """The sum with its unit."""
        return f"{span(self.now)} {self.unit}"

    def __str__(self) -> str:
        before = "" if self.stored is None else f", instead of {number(self.stored)}"
        return f"{self.cost} for {self.counted}{before}{_moved(self.percent)}"


def totals(verdicts: Sequence[Verdict]) -> tuple[Total, ...]:
    """Return the totals of the plans with a recommendation: of jobs, which have a cost, and of services."""
    found = [(verdict.answer.best, verdict.stored) for verdict in verdicts]
    jobs = [(best.estimate.cost_usd, stored.estimate.cost_usd if stored else None) for best, stored in found if best]
    others = [
        (usd_per_hour(best), usd_per_hour(stored) if stored else None)
        for best, stored in found
        if best and best.estimate.cost_usd is None
    ]
    return (*_total("job", "USD", jobs), *_total("service", "USD an hour", others))


def _total(of: str, unit: str, pairs: Sequence[tuple[Range | None, Range | None]]) -> Iterator[Total]:
    known = [(now, stored) for now, stored in pairs if now is not None]
    if known:
        ends = (sum(getattr(now, end) for now, _ in known) for end in ("value", "low", "high"))
        before = [stored.value for _, stored in known if stored]
        yield Total(of, unit, len(known), Range(*ends), sum(before) if len(before) == len(known) else None)


def _moved(percent: float | None) -> str:
    return "" if percent is None or not round(percent, 1) else f" ({percent:+.1f}%)"


def total_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the line of each total, where there is more than one plan."""
    if len(verdicts) > 1:
        yield from (f"total: {total}" for total in totals(verdicts))


def document(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return all verdicts as plain JSON."""
    return {
        "passed": all(verdict.passed for verdict in verdicts),
        "plans": [_plan(verdict) for verdict in verdicts],
        "totals": [asdict(total) for total in totals(verdicts)],
    }


def markdown(verdicts: Sequence[Verdict]) -> str:
    """Return a comment for a pull request; a later run finds it by its first line."""
    failed = [verdict for verdict in verdicts if not verdict.passed]
    outcome = f"{len(failed)} of {len(verdicts)} plans failed" if failed else "passed"
    lines = [COMMENT_MARK, f"### Machine cost: {outcome}", ""]
    lines += ["| plan | machine | cost | change | hours | result |", "| --- | --- | ---: | ---: | ---: | --- |"]
    lines += [_row(verdict) for verdict in verdicts]
    lines += [
        f"| **total** of {each.counted} | | {each.cost} | {_moved(each.percent).strip(' ()')} | | |"
        for each in totals(verdicts)
        if len(verdicts) > 1
    ]
    for verdict in verdicts:
        notes = [f"- **{_cell(each.limit)}**: {_cell(each.text)}" for each in verdict.failures]
        notes += [f"- {_cell(each.text)}" for each in verdict.changes]
        if notes:
            lines += ["", f"<details><summary>{_cell(verdict.plan)}</summary>", "", *notes, "", "</details>"]
    versions = dict.fromkeys(verdict.answer.catalog.version for verdict in verdicts)
    return "\n".join([*lines, "", f"Prices: {', '.join(versions)}", ""])


def _row(verdict: Verdict) -> str:
    best, result = verdict.answer.best, "passed" if verdict.passed else "**failed**"
    if best is None:
        return f"| {_cell(verdict.plan)} | none | | | | {result} |"
    (total,) = totals([verdict])
    place = ", ".join(part.replace("_", " ") for part in (best.cloud, best.region, best.purchase) if part)
    machine = f"{best.node_count} × {best.instance_type or best.label or 'own machine'} ({place})"
    cells = (total.cost, _moved(total.percent).strip(" ()"), span(best.estimate.time_hours), result)
    return f"| {_cell(verdict.plan)} | {_cell(machine)} | {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """Return the text without what Markdown, HTML or GitHub reads as more than text."""
    plain = " ".join(text.split())
    for sign in ("\\", "|", "`", "*", "_", "[", "]", "<", ">", "@", "#"):
        plain = plain.replace(sign, f"&#{ord(sign)};") if sign in "<>@#" else plain.replace(sign, f"\\{sign}")
    return plain


def github_commands(verdicts: Sequence[Verdict], file: str) -> Iterator[str]:
    """Yield a GitHub workflow command for each broken limit, and a notice for each plan's answer.

    https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
    """
    for verdict in verdicts:
        for failure in verdict.failures:
            yield _command("error", file, f"{verdict.plan}: {failure.limit}", failure.text)
        if verdict.answer.best is not None:
            lines = [str(verdict.answer.best), *(change.text for change in verdict.changes)]
            outcome = "passed" if verdict.passed else "failed"
            yield _command("notice", file, f"{verdict.plan}: {outcome}", "\n".join(lines))
    for line in total_lines(verdicts):
        yield _command("notice", file, "total", line)


def _plan(verdict: Verdict) -> dict[str, Any]:
    recommendations = verdict.answer.raw.get("recommendations") or [None]
    return {
        "plan": verdict.plan,
        "passed": verdict.passed,
        "failures": [asdict(failure) for failure in verdict.failures],
        "changes": [asdict(change) for change in verdict.changes],
        "snapshot": {"stored": verdict.stored_version, "now": verdict.answer.catalog.version},
        "recommendation": recommendations[0],
    }


def _command(level: str, file: str, title: str, message: str) -> str:
    return f"::{level} file={_property(file)},title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
