"""``plimsoll accelerators``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll._words import Cells
from plimsoll.cli.cells import figure
from plimsoll.cli.listing import ACCELERATORS, Listing, listing_options, show
from plimsoll.cli.options import SectionCommand
from plimsoll.resources import Accelerator


def _cells(item: Accelerator) -> Cells:
    return {
        "accelerator": item.name,
        "vendor": item.vendor or "",
        "generation": item.generation or "",
        "GiB": figure(item.memory_gib),
        "GB/s": figure(item.memory_bandwidth_gb_s),
        "interconnect": item.interconnect or "",
        "also called": ", ".join(item.aliases),
    }


@click.command(cls=SectionCommand, params=listing_options(ACCELERATORS))
def accelerators(**options: Any) -> int:
    """List the accelerators that are known by name."""
    return show(Listing(lambda client, wanted: client.accelerators(**wanted), _cells), options)
