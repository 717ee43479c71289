"""Faults of given machines: of the catalog, described, and the user's own."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine import names
from plimsoll_service.engine.choice.market import Market, row_of
from plimsoll_service.engine.choice.rounding import counted
from plimsoll_service.engine.faults import Fault
from plimsoll_service.engine.hardware_names import find_processor
from plimsoll_service.engine.workload import Hardware


def hardware_faults(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """Faults of given hardware, from the catalog or described."""
    in_catalog = one.cloud is not None or one.instance_type is not None
    if in_catalog:
        yield from _catalog_machine(one, market, at)
    else:
        yield from _bare(one, market, at)
    devices = _devices(one, market)
    if devices is not None:
        yield from _splits(one, max(devices, 1.0), at)


def _splits(one: Hardware, devices: float, at: str) -> Iterator[Fault]:
    """Faults of splits: tensors stay on one machine; stages and experts use all of them."""
    tensor, together = one.tensor_parallel or 1, devices * one.node_count
    if tensor > devices:
        yield Fault(
            f"{at}/tensor_parallel",
            f"tensor_parallel splits a model over the devices of one machine: at most {devices:g}",
        )
    elif tensor * (one.pipeline_parallel or 1) > together:
        text = f"tensor_parallel × pipeline_parallel exceeds the {counted(together, 'device')}"
        yield Fault(f"{at}/pipeline_parallel", text)
    if (one.expert_parallel or 1) > together:
        yield Fault(
            f"{at}/expert_parallel", f"expert_parallel spreads the experts over the devices: at most {together:g}"
        )


def _devices(one: Hardware, market: Market) -> float | None:
    """Devices of one machine; ``None`` if the machine is unknown."""
    if one.instance_type is None:
        return 0.0 if one.accelerator is None else one.count or 1.0
    cloud = names.find(one.cloud, market.spellings["cloud"]) if one.cloud else None
    row = row_of(market, cloud or "", one.instance_type)
    return None if row is None else float(market.catalog.instance_types.accelerator_count[row])


def _catalog_machine(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    for name in ("cloud", "instance_type"):
        if getattr(one, name) is None:
            yield Fault(f"{at}/{name}", "a machine from the catalog requires cloud and instance_type")
    for item in ("accelerator", "count", "cpu", "vcpus", "memory_gib"):
        if getattr(one, item) is not None:
            yield Fault(
                f"{at}/{item}",
                "the catalog states this for the instance type; omit it, or omit cloud and instance_type",
            )
    cloud = names.find(one.cloud, market.spellings["cloud"]) if one.cloud else None
    if one.cloud is not None and cloud is None:
        yield Fault(f"{at}/cloud", names.unknown("cloud", one.cloud, market.catalog.clouds))
    if (
        cloud is not None
        and one.instance_type is not None
        and (cloud, names.key(one.instance_type)) not in market.type_rows
    ):
        types = market.catalog.instance_types
        mine = [name for row, name in enumerate(types.name) if types.cloud[row] == cloud]
        yield Fault(f"{at}/instance_type", names.unknown(f"instance type of {cloud}", one.instance_type, mine))
    if one.region is not None and names.find(one.region, market.spellings["region"]) is None:
        yield Fault(f"{at}/region", names.unknown("region", one.region, market.catalog.regions.name))


def _bare(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    if one.accelerator is None and one.cpu is None and one.vcpus is None:
        yield Fault(at, "name a machine: state cloud and instance_type, or accelerator and count, or cpu or vcpus")
    if one.accelerator is not None and names.find(one.accelerator, market.spellings["accelerator"]) is None:
        yield Fault(
            f"{at}/accelerator", names.unknown("accelerator", one.accelerator, market.catalog.accelerators.name)
        )
    if one.count is not None and one.accelerator is None:
        yield Fault(f"{at}/count", "count requires accelerator")
    if one.cpu is not None and find_processor(one.cpu, market.spellings["processor"]) is None:
        yield Fault(f"{at}/cpu", names.unknown("processor", one.cpu, market.spellings["processor"].values()))
    for name in ("region", "purchase"):
        if getattr(one, name) is not None:
            yield Fault(f"{at}/{name}", f"{name} requires a machine from the catalog; state cloud and instance_type")


def own_faults(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """Faults of a machine of the user's own, which is described and has a price."""
    if one.cloud is not None or one.instance_type is not None:
        yield Fault(at, "describe your own machine with accelerator and count, or with cpu, vcpus and memory_gib")
        return
    yield from hardware_faults(one, market, at)
    if one.usd_per_hour is None:
        yield Fault(f"{at}/usd_per_hour", "state the price of the machine per hour; an unknown price is never guessed")
    if one.node_count != 1:
        yield Fault(f"{at}/node_count", "state max_nodes instead, the number of machines that you have")
