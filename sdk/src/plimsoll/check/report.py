"""Verdicts as text, as JSON, and as the annotations that GitHub shows beside a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from plimsoll.check.verdict import Verdict


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


def document(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return all verdicts as plain JSON."""
    return {"passed": all(verdict.passed for verdict in verdicts), "plans": [_plan(verdict) for verdict in verdicts]}


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
