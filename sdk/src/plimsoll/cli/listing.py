"""Collections: asked for to the end, or as far as was wished, and written as a table, JSON, JSON lines or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

import click

from plimsoll import Client
from plimsoll._rows import rows_of
from plimsoll.cli import filters, page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.cells import RIGHT, Cells
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format
from plimsoll.cli.fields import Field
from plimsoll.cli.options import SectionOption, field_option, output_option, service_options

T = TypeVar("T")

FORMATS = ("table", "json", "jsonl", "csv")


@dataclass(frozen=True)
class Listing(Generic[T]):
    """How the items of a collection are asked for, and shown to people."""

    items: Callable[[Client, Mapping[str, Any]], Iterator[T]]
    cells: Callable[[T], Cells]


def listing_options(fields: tuple[Field, ...], *more: click.Parameter) -> list[click.Parameter]:
    """The options of a command that lists a collection."""
    limit = SectionOption(
        "--limit", "most", section="Answer", type=click.IntRange(min=1), metavar="NUMBER", help="List so many at most."
    )
    return [
        *(field_option(field, "Filters") for field in fields),
        limit,
        output_option(FORMATS),
        *more,
        *service_options(),
    ]


def show(listing: Listing[T], options: dict[str, Any]) -> int:
    """Ask for the items that the options want and write them; nothing found is a status of its own."""
    output, most = options.pop("output"), options.pop("most")
    check_format(output, FORMATS)
    service = service_of(options)
    with asking(service, filters.place) as client:
        items = list(islice(listing.items(client, filters.said(options)), most))
    _write(listing, items, output)
    return ANSWERED if items else NOTHING


def _write(listing: Listing[Any], items: list[Any], output: str) -> None:
    if output == "json":
        page.as_json([item.raw for item in items])
    elif output == "jsonl":
        page.as_json_lines(item.raw for item in items)
    elif output == "csv":
        page.as_csv(rows_of(items))
    elif items:
        page.table([listing.cells(item) for item in items], RIGHT)
    else:
        click.echo("nothing found", err=True)
