"""``plimsoll regions``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll._words import Cells
from plimsoll.cli.listing import REGIONS, Listing, listing_options, show
from plimsoll.cli.options import SectionCommand
from plimsoll.resources import Region


def _cells(item: Region) -> Cells:
    return {
        "cloud": item.cloud,
        "region": item.name,
        "location": item.location or "",
        "restricted": "restricted" if item.restricted else "",
    }


@click.command(cls=SectionCommand, params=listing_options(REGIONS))
def regions(**options: Any) -> int:
    """List the clouds' regions."""
    return show(Listing(lambda client, wanted: client.regions(**wanted), _cells), options)
