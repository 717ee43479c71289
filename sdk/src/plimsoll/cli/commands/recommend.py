"""``plimsoll recommend``: one question, or a list of them in batches."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click

from plimsoll import Answer, ApiError, Client
from plimsoll._words import Cells, ranked_by
from plimsoll.cli import page
from plimsoll.cli.asking import Service, asking, service_of
from plimsoll.cli.cells import RIGHT, recommendation_cells
from plimsoll.cli.documents import read_document
from plimsoll.cli.exit_status import ANSWERED, NOTHING, REFUSED
from plimsoll.cli.failures import problem_of, refused, words_of
from plimsoll.cli.options import SectionCommand, output_option, question_options, service_options, snapshot_option
from plimsoll.cli.question import Question, question_from
from plimsoll.frames import rows_of

T = TypeVar("T")
Result = Answer | ApiError

# The service's formats, and YAML of its JSON; it refuses others and names its own.
FORMATS = (
    *("table", "json", "yaml", "csv", "env", "tfvars", "skypilot", "kubernetes", "sagemaker"),
    *("karpenter", "vertex", "azureml", "dstack", "slurm", "ray", "aws_batch", "kueue", "runs_on"),
)
_BATCH_FORMATS = ("table", "json", "jsonl", "csv", "yaml")

_PARAMS = [*question_options(limit=True), output_option(FORMATS), snapshot_option(), *service_options()]


@click.command(cls=SectionCommand, params=_PARAMS)
def recommend(workload_file: str | None, output: str, snapshot: str | None, **options: Any) -> int:
    """Recommend machines for a workload.

    A FILE with a list of questions, or JSON lines, is answered in batches.
    """
    service = service_of(options)
    document = {"workload": {}} if workload_file is None else read_document(workload_file)
    if workload_file is not None and isinstance(document, list):
        return _recommend_many(service, _questions(document, workload_file, options), output, snapshot)
    question = question_from(document, workload_file, options)
    version = question.prices(snapshot)
    with asking(service, question.place) as client:
        answer = client.recommend(question.workload, snapshot=version, **question.arguments)
        text = None if output in ("table", *page.DOCUMENTS) else _written(client, question, answer, output)
    _show(answer, output, text)
    return ANSWERED if answer.best else NOTHING


def _written(client: Client, question: Question, answer: Answer, output: Any) -> str:
    # Asked again with the same prices: a text does not tell whether there is a recommendation.
    version = answer.catalog.version
    text: str = client.recommend(question.workload, snapshot=version, format=output, **question.arguments)
    return text


def _show(answer: Answer, output: str, text: str | None) -> None:
    if output in page.DOCUMENTS:
        page.as_document(answer.raw, output)
    elif text is not None:
        click.echo(text, nl=False)
    elif answer.best:
        _table(answer)
    if answer.best is None:
        click.echo(str(answer), err=output != "table")


def _table(answer: Answer) -> None:
    page.table([recommendation_cells(each) for each in answer.recommendations], RIGHT)
    if sys.stdout.isatty():
        assumed = ", ".join(f"{each.field} {json.dumps(each.value, ensure_ascii=False)}" for each in answer.assumptions)
        page.line(f"assumed: {assumed or 'nothing'}")
        page.line(ranked_by(answer.objective))
        page.line(f"prices {answer.catalog.version}, as of {answer.catalog.prices_as_of}")


def _questions(documents: Sequence[Any], file: str | None, options: Mapping[str, Any]) -> list[Question]:
    asked = [question_from(document, f"{file}: {at}", options) for at, document in enumerate(documents, start=1)]
    own = [f"  {each.file}: /snapshot: say it by --snapshot" for each in asked if each.snapshot is not None]
    if own:
        raise refused("\n".join(["a list of questions is answered under the prices of one version:", *own]))
    return asked


def _recommend_many(service: Service, asked: Sequence[Question], output: str, snapshot: str | None) -> int:
    """Write the answers to all questions and return the worst exit status."""
    if output not in _BATCH_FORMATS:
        raise refused(f"--output: for a list of questions it is one of {', '.join(_BATCH_FORMATS)}, not '{output}'")
    with asking(service, quiet=True) as client:
        stream = client.recommend_many((question.whole for question in asked), snapshot=snapshot)
        results = _writing(_with_progress(stream, len(asked)), asked, output)
    return max((_status(result) for result in results), default=ANSWERED)


def _writing(results: Iterable[Result], asked: Sequence[Question], output: str) -> list[Result]:
    if output == "jsonl":
        return [_line(result) for result in results]
    found = list(results)
    if output in page.DOCUMENTS:
        page.as_document([_raw(result) for result in found], output)
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
    return result.raw if isinstance(result, Answer) else problem_of(result)


def _row(result: Result) -> dict[str, Any]:
    if isinstance(result, ApiError):
        return {"refused": result.detail or result.title}
    return rows_of(result.best)[0] if result.best else {}


def _cells(result: Result, question: Question) -> Cells:
    if isinstance(result, ApiError):
        return {"note": " ".join(words_of(result, question.place).split())}
    if result.best is None:
        return {"note": str(result)}
    return {name: cell for name, cell in recommendation_cells(result.best).items() if name != "rank"}


def _status(result: Result) -> int:
    if isinstance(result, ApiError):
        return REFUSED
    return ANSWERED if result.best else NOTHING


def _with_progress(results: Iterator[T], total: int) -> Iterator[T]:
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console  # slow to load, and used on terminals only
    from rich.progress import track

    yield from track(results, "asking", total, console=Console(stderr=True), transient=True)
