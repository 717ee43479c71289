"""The options that filter collections: the query parameters of their routes, under the same names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plimsoll.cli.fields import Field

_PURCHASES = ("on_demand", "spot")
_FAMILIES = (
    "cnn", "detection", "segmentation", "rnn", "encoder", "decoder", "encoder_decoder", "moe", "diffusion",
    "recommender", "speech", "mlp", "tree", "linear",
)  # fmt: skip
_BOUNDED = {
    "vcpus": "vCPUs",
    "sustained_cpu": "Share of the processor that may be used all the time, 0 to 1",
    "memory_gib": "Memory",
    "accelerator_count": "Accelerators",
    "accelerator_memory_gib": "Memory of one device",
    "network_gbps": "Network, in gigabits a second",
    "local_disk_gb": "Local disk",
}

INSTANCE_TYPES = (
    Field("cloud", "texts", "Any of these clouds."),
    Field("family", "texts", "Any of these families, by the provider's own names."),
    Field("q", "text", "Part of the instance type's name."),
    Field("accelerator", "texts", "Any of these accelerators; none for machines without."),
    Field("interconnect", "texts", "How the devices of a machine are wired; none for one device or none."),
    Field("architecture", "texts", "Any of these processor architectures.", ("x86_64", "arm64")),
    Field("cpu", "texts", "Any of these processors, by their names or microarchitectures."),
    Field("cpu_vendor", "texts", "Any of these processor vendors."),
    Field("local_disk_type", "texts", "Any of these kinds of local disk; none for machines without."),
    Field("retired", "flag", "Retired instance types, or those that are still sold."),
    *(
        Field(f"{bound}_{name}", "number", f"{what}, {words}.")
        for name, what in _BOUNDED.items()
        for bound, words in (("min", "at least"), ("max", "at most"))
    ),
)
MODELS = (Field("family", "texts", "Any of these families.", _FAMILIES),)
PRICES = (
    Field("cloud", "text", "The cloud."),
    Field("region", "text", "The region."),
    Field("instance_type", "text", "The instance type."),
    Field("purchase", "text", "The purchase option.", _PURCHASES),
)
PRICE_CHANGES = (
    Field("cloud", "texts", "In any of these clouds."),
    Field("region", "texts", "In any of these regions."),
    Field("instance_type", "texts", "Of any of these instance types."),
    Field("purchase", "texts", "Under any of these purchase options.", _PURCHASES),
    Field("change", "texts", "Any of these kinds of change.", ("added", "removed", "changed")),
    Field("min_percent", "number", "Prices that moved so far at least, up or down."),
)


def said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The filters that were given, as the client takes them."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def place(pointer: str) -> str:
    """The option of the query parameter that a fault is about."""
    return "--" + pointer.strip("/").replace("_", "-")
