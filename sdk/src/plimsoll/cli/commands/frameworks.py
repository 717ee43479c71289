"""``plimsoll frameworks``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll._words import Cells
from plimsoll.cli.listing import Listing, listing_options, show
from plimsoll.cli.options import SectionCommand
from plimsoll.resources import Framework


def _cells(item: Framework) -> Cells:
    return {
        "framework": item.name,
        "tasks": ", ".join(item.tasks),
        "newest version": item.newest_version or "",
        "families": ", ".join(item.families),
        "also called": ", ".join(item.aliases),
    }


@click.command(cls=SectionCommand, params=listing_options(()))
def frameworks(**options: Any) -> int:
    """List the frameworks and serving engines that are known by name."""
    return show(Listing(lambda client, wanted: client.frameworks(**wanted), _cells), options)
