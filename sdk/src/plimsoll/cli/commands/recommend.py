"""``plimsoll recommend``."""

from __future__ import annotations

import json
from typing import Any

import click

from plimsoll import Answer, Client
from plimsoll._words import nothing
from plimsoll.cli import batch, page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.cells import RIGHT, recommendation_cells
from plimsoll.cli.documents import read_document
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.options import SectionCommand, output_option, question_options, service_options, snapshot_option
from plimsoll.cli.question import Question, question_from

# Those of the service, which refuses others and says which there are.
FORMATS = (
    *("table", "json", "csv", "env", "tfvars", "skypilot", "kubernetes", "sagemaker"),
    *("karpenter", "vertex", "azureml", "dstack"),
)

_PARAMS = [*question_options(limit=True), output_option(FORMATS), snapshot_option(), *service_options()]


@click.command(cls=SectionCommand, params=_PARAMS)
def recommend(workload_file: str | None, output: str, snapshot: str | None, **options: Any) -> int:
    """Which machines to rent for a workload.

    A FILE that holds a list of questions (or JSON lines) is answered in batches.
    """
    service = service_of(options)
    document = {"workload": {}} if workload_file is None else read_document(workload_file)
    if workload_file is not None and isinstance(document, list):
        return batch.recommend(service, batch.questions(document, workload_file, options), output, snapshot)
    question = question_from(document, workload_file, options)
    version = question.prices(snapshot)
    with asking(service, question.place) as client:
        answer = client.recommend(question.workload, snapshot=version, **question.arguments)
        text = None if output in ("table", "json") else _written(client, question, answer, output)
    _show(answer, output, text)
    return ANSWERED if answer.best else NOTHING


def _written(client: Client, question: Question, answer: Answer, output: str) -> str:
    # Asked again under the same prices: the text of a format does not tell whether there is a recommendation.
    version = answer.catalog.version
    return client.recommend(question.workload, snapshot=version, format=output, **question.arguments)


def _show(answer: Answer, output: str, text: str | None) -> None:
    if output == "json":
        page.as_json(answer.raw)
    elif text is not None:
        click.echo(text, nl=False)
    elif answer.best:
        _table(answer)
    if answer.best is None:
        click.echo(nothing(answer), err=output != "table")


def _table(answer: Answer) -> None:
    page.table([recommendation_cells(each) for each in answer.recommendations], RIGHT)
    if page.wants_colour():
        assumed = ", ".join(f"{each.field} {json.dumps(each.value, ensure_ascii=False)}" for each in answer.assumptions)
        page.line(f"assumed: {assumed or 'nothing'}")
        page.line(f"prices {answer.catalog.version}, as of {answer.catalog.prices_as_of}")
