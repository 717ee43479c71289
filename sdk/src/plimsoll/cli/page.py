"""Standard output: coloured on a terminal, plain elsewhere."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import click
import yaml

Row = Mapping[str, Any]
# Formats of whole documents.
DOCUMENTS = ("json", "yaml")

_GAP = "  "
# Columns that a narrow terminal can do without, the first of them first, and the column that may be folded then.
SPARE = (
    *("also called", "families", "interconnect", "sample", "cpu", "USD/h each", "throughput", "purchase"),
    *("USD a million", "performance per cost", "region", "basis", "rank", "cloud"),
)
FOLDED = "machine"
_LEAST_FOLDED = 25  # most instance types stand on one line


def wants_colour() -> bool:
    """Return whether standard output is a terminal whose user has not declined colour (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def heading(text: str) -> None:
    """Write the title of a section."""
    click.secho(text, bold=True, color=wants_colour())


def line(text: str = "") -> None:
    """Write a line of text."""
    click.echo(text, color=wants_colour())


def table(rows: Sequence[Mapping[str, str]], right: Iterable[str] = ()) -> None:
    """Write rows under their columns' names, without empty columns; columns in ``right`` are right-aligned.

    On a terminal, columns are left out until the rest fits its width, and named beneath.
    """
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if any(row.get(name) for row in rows)]
    if not sys.stdout.isatty():
        _aligned(rows, names, frozenset(right))
        return
    columns = shutil.get_terminal_size().columns
    shown = _fitting(rows, names, columns)
    if shown is None:
        _records(rows, names)
        return
    _drawn(rows, shown, frozenset(right), columns)
    if len(shown) < len(names):
        line(f"not shown at {columns} columns: {', '.join(name for name in names if name not in shown)}")


def as_json(document: Any) -> None:
    """Write an indented JSON document."""
    line(json.dumps(document, indent=2, ensure_ascii=False))


def as_yaml(document: Any) -> None:
    """Write a YAML document."""
    line(yaml.safe_dump(document, sort_keys=False, allow_unicode=True).rstrip())


def as_document(document: Any, output: str) -> None:
    """Write JSON, or YAML where ``output`` says so."""
    (as_yaml if output == "yaml" else as_json)(document)


def as_json_lines(documents: Iterable[Any]) -> None:
    """Write one JSON document per line."""
    for document in documents:
        line(json.dumps(document, ensure_ascii=False))


def as_csv(rows: Sequence[Row]) -> None:
    """Write CSV with a header line (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer.writerow(names)
    writer.writerows([_cell(row.get(name)) for name in names] for row in rows)
    click.echo(out.getvalue(), nl=False)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={_cell(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(_cell(each) for each in value)
    return format(value, ".6g") if isinstance(value, float) else str(value)


def _aligned(rows: Sequence[Mapping[str, str]], names: Sequence[str], right: frozenset[str]) -> None:
    widths = _widths(rows, names)
    for cells in (list(names), *([row.get(name, "") for name in names] for row in rows)):
        padded = (
            cell.rjust(width) if name in right else cell.ljust(width)
            for name, cell, width in zip(names, cells, widths, strict=True)
        )
        line(_GAP.join(padded).rstrip())


def _fitting(rows: Sequence[Mapping[str, str]], names: Sequence[str], columns: int) -> list[str] | None:
    """Return the columns that fit, of which one may be folded; ``None`` where the columns that are needed do not."""
    shown = list(names)
    for spare in (None, *SPARE):
        if spare in shown:
            shown.remove(spare)
        widths = dict(zip(shown, _widths(rows, shown), strict=True))
        needed = sum(widths.values()) + len(_GAP) * (len(shown) - 1)
        may_fold = spare == SPARE[-1] and FOLDED in widths
        if needed - (max(widths[FOLDED] - _LEAST_FOLDED, 0) if may_fold else 0) <= columns:
            return shown
    return None


def _drawn(rows: Sequence[Mapping[str, str]], names: Sequence[str], right: frozenset[str], columns: int) -> None:
    from rich import box  # slow to load, and used on terminals only
    from rich.console import Console
    from rich.table import Table

    colours: Any = "auto" if wants_colour() else None
    console = Console(markup=False, highlight=False, emoji=False, width=columns, color_system=colours)
    drawn = Table(box=box.SIMPLE_HEAD, header_style="bold cyan", show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    for place, name in enumerate(names):
        side: Literal["left", "right"] = "right" if name in right else "left"
        style = "bold" if place == 0 else ""
        drawn.add_column(name, justify=side, style=style, no_wrap=name != FOLDED, overflow="fold")
    for row in rows:
        drawn.add_row(*(row.get(name, "") for name in names))
    console.print(drawn)


def _records(rows: Sequence[Mapping[str, str]], names: Sequence[str]) -> None:
    """Write rows that are too wide for the terminal, each as a block with a line for each cell."""
    width = max(len(name) for name in names)
    for row in rows:
        for name in names:
            if row.get(name):
                line(f"{click.style(name.ljust(width), fg='cyan')}{_GAP}{row[name]}")
        line()


def _widths(rows: Sequence[Mapping[str, str]], names: Sequence[str]) -> list[int]:
    return [max(len(name), *(len(row.get(name, "")) for row in rows)) for name in names]
