"""Lists of what the service knows by name: ``plimsoll instances``, ``models``, ``accelerators`` and so on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from plimsoll import Client
from plimsoll._words import Cells, accelerator, number
from plimsoll.cli.cells import figure
from plimsoll.cli.listing import ACCELERATORS, INSTANCE_TYPES, MODELS, REGIONS, Listing, listing_options, show
from plimsoll.cli.options import SectionCommand
from plimsoll.resources import Accelerator, Framework, InstanceType, Model, Region

_MILLION = 1e6


def _instance_type(item: InstanceType) -> Cells:
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


@click.command(cls=SectionCommand, params=listing_options(INSTANCE_TYPES))
def instances(**options: Any) -> int:
    """List the catalog's instance types."""
    return show(Listing(lambda client, wanted: client.instance_types(**wanted), _instance_type), options)


def _models(client: Client, wanted: Mapping[str, Any]) -> Iterator[Model]:
    filters = dict(wanted)
    part = str(filters.pop("part", "")).lower()
    for model in client.models(**filters):
        if any(part in name.lower() for name in (model.name, *model.aliases)):
            yield model


def _model(item: Model) -> Cells:
    return {
        "model": item.name,
        "family": item.family or "",
        "million parameters": "" if item.parameters is None else number(item.parameters / _MILLION),
        "sample": item.sample or "",
        "also called": ", ".join(item.aliases),
    }


@click.command(cls=SectionCommand, params=[click.Argument(["part"], required=False), *listing_options(MODELS)])
def models(**options: Any) -> int:
    """List the models that are known by name.

    With PART, only those with PART in a name.
    """
    return show(Listing(_models, _model), options)


def _accelerator(item: Accelerator) -> Cells:
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
    return show(Listing(lambda client, wanted: client.accelerators(**wanted), _accelerator), options)


def _region(item: Region) -> Cells:
    return {
        "cloud": item.cloud,
        "region": item.name,
        "location": item.location or "",
        "restricted": "restricted" if item.restricted else "",
    }


@click.command(cls=SectionCommand, params=listing_options(REGIONS))
def regions(**options: Any) -> int:
    """List the clouds' regions."""
    return show(Listing(lambda client, wanted: client.regions(**wanted), _region), options)


def _framework(item: Framework) -> Cells:
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
    return show(Listing(lambda client, wanted: client.frameworks(**wanted), _framework), options)
