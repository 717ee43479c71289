"""Many questions of one file, answered in order, with progress on standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from plimsoll import Answer, ApiError
from plimsoll._rows import recommendation_row
from plimsoll._words import nothing
from plimsoll.cli import page
from plimsoll.cli.asking import Service, asking
from plimsoll.cli.cells import RIGHT, Cells, recommendation_cells
from plimsoll.cli.exit_status import ANSWERED, NOTHING, REFUSED
from plimsoll.cli.failures import refused, words_of
from plimsoll.cli.question import Question, question_from

T = TypeVar("T")
Result = Answer | ApiError

FORMATS = ("table", "json", "jsonl", "csv")


def questions(documents: Sequence[Any], file: str | None, options: Mapping[str, Any]) -> list[Question]:
    """The question of each document, with the options over all of them."""
    asked = [question_from(document, f"{file}: {at}", options) for at, document in enumerate(documents, start=1)]
    own = [f"  {each.file}: /snapshot: say it by --snapshot" for each in asked if each.snapshot is not None]
    if own:
        raise refused("\n".join(["a list of questions is answered under the prices of one version:", *own]))
    return asked


def recommend(service: Service, asked: Sequence[Question], output: str, snapshot: str | None) -> int:
    """Answer all of them; the worst of their statuses."""
    if output not in FORMATS:
        raise refused(f"--output: for a list of questions it is one of {', '.join(FORMATS)}, not '{output}'")
    with asking(service, quiet=True) as client:
        stream = client.recommend_many((question.members for question in asked), snapshot=snapshot)
        results = _writing(_with_progress(stream, len(asked)), asked, output)
    return max((_status(result) for result in results), default=ANSWERED)


def _writing(results: Iterable[Result], asked: Sequence[Question], output: str) -> list[Result]:
    if output == "jsonl":
        return [_line(result) for result in results]
    found = list(results)
    if output == "json":
        page.as_json([_raw(result) for result in found])
    elif output == "csv":
        page.as_csv([{"line": at, **_row(result)} for at, result in enumerate(found, start=1)])
    else:
        page.table(
            [{"line": str(at), **_cells(result, asked[at - 1])} for at, result in enumerate(found, start=1)], RIGHT
        )
    return found


def _line(result: Result) -> Result:
    page.as_json_lines([_raw(result)])
    return result


def _raw(result: Result) -> Any:
    if isinstance(result, Answer):
        return result.raw
    faults = [{"pointer": fault.pointer, "detail": fault.detail} for fault in result.errors]
    return {"status": result.status, "title": result.title, "detail": result.detail, "errors": faults}


def _row(result: Result) -> dict[str, Any]:
    if isinstance(result, ApiError):
        return {"refused": result.detail or result.title}
    return recommendation_row(result.best) if result.best else {}


def _cells(result: Result, question: Question) -> Cells:
    if isinstance(result, ApiError):
        return {"note": " ".join(words_of(result, question.place).split())}
    if result.best is None:
        return {"note": nothing(result)}
    return {name: cell for name, cell in recommendation_cells(result.best).items() if name != "rank"}


def _status(result: Result) -> int:
    if isinstance(result, ApiError):
        return REFUSED
    return ANSWERED if result.best else NOTHING


def _with_progress(results: Iterator[T], total: int) -> Iterator[T]:
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console  # slow to load, and for terminals alone
    from rich.progress import track

    yield from track(results, "asking", total, console=Console(stderr=True), transient=True)
