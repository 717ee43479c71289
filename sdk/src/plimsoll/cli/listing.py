"""Collections: their filters as options, and their items as a table, JSON, JSON lines or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

import click

from plimsoll import Client
from plimsoll._words import Cells
from plimsoll.cli import page
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.cells import RIGHT
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import check_format
from plimsoll.cli.fields import Field
from plimsoll.cli.options import SectionOption, field_option, output_option, service_options
from plimsoll.frames import rows_of

T = TypeVar("T")

FORMATS = ("table", "json", "jsonl", "csv", "yaml")

_PURCHASES = ("on_demand", "spot")
_FAMILIES = (
    "cnn", "detection", "segmentation", "rnn", "encoder", "decoder", "encoder_decoder", "moe", "diffusion",
    "recommender", "speech", "video", "mlp", "tree", "linear",
)  # fmt: skip
_BOUNDED = {
    "vcpus": "vCPUs",
    "sustained_cpu": "Share of the processor that can be used without a time limit, 0 to 1",
    "memory_gib": "Memory",
    "accelerator_count": "Accelerators",
    "accelerator_memory_gib": "Memory of one device",
    "network_gbps": "Network, in gigabits a second",
    "local_disk_gb": "Local disk",
}

INSTANCE_TYPES = (
    Field("cloud", "texts", "Any of these clouds.", known="clouds"),
    Field("family", "texts", "Any of these families, by the provider's own names."),
    Field("q", "text", "Part of the instance type's name."),
    Field("accelerator", "texts", "Any of these accelerators; none for machines without.", known="accelerators"),
    Field("interconnect", "texts", "Interconnect between a machine's devices; none for at most one device."),
    Field("architecture", "texts", "Any of these processor architectures.", ("x86_64", "arm64")),
    Field("cpu", "texts", "Any of these processors, by their names or microarchitectures."),
    Field("cpu_vendor", "texts", "Any of these processor vendors."),
    Field("local_disk_type", "texts", "Any of these kinds of local disk; none for machines without."),
    Field("retired", "flag", "Only retired instance types, or only those still sold."),
    *(
        Field(f"{bound}_{name}", "number", f"{what}, {words}.")
        for name, what in _BOUNDED.items()
        for bound, words in (("min", "at least"), ("max", "at most"))
    ),
)
ACCELERATORS = (
    Field("vendor", "texts", "Of any of these vendors."),
    Field("generation", "texts", "Of any of these generations."),
)
REGIONS = (
    Field("cloud", "texts", "Of any of these clouds.", known="clouds"),
    Field("restricted", "flag", "Only regions for some customers, or only those for all."),
)
MODELS = (Field("family", "texts", "Any of these families.", _FAMILIES),)
PRICES = (
    Field("cloud", "text", "The cloud.", known="clouds"),
    Field("region", "text", "The region.", known="regions"),
    Field("instance_type", "text", "The instance type.", known="instance_types"),
    Field("purchase", "text", "The purchase option.", _PURCHASES),
)
PRICE_CHANGES = (
    Field("cloud", "texts", "In any of these clouds.", known="clouds"),
    Field("region", "texts", "In any of these regions.", known="regions"),
    Field("instance_type", "texts", "Of any of these instance types.", known="instance_types"),
    Field("purchase", "texts", "Under any of these purchase options.", _PURCHASES),
    Field("change", "texts", "Any of these kinds of change.", ("added", "removed", "changed")),
    Field("min_percent", "number", "Price changes of at least this percentage, up or down."),
)


@dataclass(frozen=True)
class Listing(Generic[T]):
    """The request for a collection's items, and the cells of an item."""

    items: Callable[[Client, Mapping[str, Any]], Iterator[T]]
    cells: Callable[[T], Cells]


def listing_options(fields: tuple[Field, ...], *more: click.Parameter) -> list[click.Parameter]:
    """Return the options of a command that lists a collection."""
    limit = SectionOption(
        "--limit",
        "most",
        section="Answer",
        type=click.IntRange(min=1),
        metavar="NUMBER",
        help="Number of items, at most.",
    )
    return [
        *(field_option(field, "Filters") for field in fields),
        limit,
        output_option(FORMATS),
        *more,
        *service_options(),
    ]


def show(listing: Listing[T], options: dict[str, Any]) -> int:
    """Request the items, write them and return the exit status."""
    output, most = options.pop("output"), options.pop("most")
    check_format(output, FORMATS)
    service = service_of(options)
    with asking(service, place) as client:
        items = list(islice(listing.items(client, said(options)), most))
    _write(listing, items, output)
    return ANSWERED if items else NOTHING


def _write(listing: Listing[Any], items: list[Any], output: str) -> None:
    if output in page.DOCUMENTS:
        page.as_document([item.raw for item in items], output)
    elif output == "jsonl":
        page.as_json_lines(item.raw for item in items)
    elif output == "csv":
        page.as_csv(rows_of(items))
    elif items:
        page.table([listing.cells(item) for item in items], RIGHT)
    else:
        click.echo("nothing found", err=True)


def said(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters that have a value."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def place(pointer: str) -> str:
    """Return the option for a fault's query parameter."""
    return "--" + pointer.strip("/").replace("_", "-")
