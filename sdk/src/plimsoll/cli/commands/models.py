"""``plimsoll models``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from plimsoll import Client
from plimsoll._words import Cells, number
from plimsoll.cli.listing import MODELS, Listing, listing_options, show
from plimsoll.cli.options import SectionCommand
from plimsoll.resources import Model

_MILLION = 1e6


def _items(client: Client, wanted: Mapping[str, Any]) -> Iterator[Model]:
    filters = dict(wanted)
    part = str(filters.pop("part", "")).lower()
    for model in client.models(**filters):
        if any(part in name.lower() for name in (model.name, *model.aliases)):
            yield model


def _cells(item: Model) -> Cells:
    return {
        "model": item.name,
        "family": item.family or "",
        "million parameters": "" if item.parameters is None else number(item.parameters / _MILLION),
        "sample": item.sample or "",
        "also called": ", ".join(item.aliases),
    }


_PARAMS = [click.Argument(["part"], required=False), *listing_options(MODELS)]


@click.command(cls=SectionCommand, params=_PARAMS)
def models(**options: Any) -> int:
    """List the models that are known by name.

    With PART, only those with PART in a name.
    """
    return show(Listing(_items, _cells), options)
