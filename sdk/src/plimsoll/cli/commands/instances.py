"""``plimsoll instances``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll._words import Cells, accelerator
from plimsoll.cli.cells import figure
from plimsoll.cli.listing import INSTANCE_TYPES, Listing, listing_options, show
from plimsoll.cli.options import SectionCommand
from plimsoll.resources import InstanceType


def _cells(item: InstanceType) -> Cells:
    return {
        "cloud": item.cloud,
        "instance type": item.instance_type,
        "accelerator": accelerator(item.accelerator),
        "vCPUs": figure(item.vcpus),
        "GiB": figure(item.memory_gib),
        "cpu": item.cpu or "",
        "Gbit/s": figure(item.network_gbps),
        "interconnect": item.interconnect or "",
        "retired": "retired" if item.retired else "",
    }


_INSTANCES = Listing(lambda client, wanted: client.instance_types(**wanted), _cells)


@click.command(cls=SectionCommand, params=listing_options(INSTANCE_TYPES))
def instances(**options: Any) -> int:
    """List the catalog's instance types."""
    return show(_INSTANCES, options)
