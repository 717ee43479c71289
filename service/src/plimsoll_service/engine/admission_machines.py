"""What is wrong with constraints and given hardware: unknown names, half-described machines."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine import names
from plimsoll_service.engine.admission_terms import known_family, term_faults
from plimsoll_service.engine.choice.market import Market, row_of
from plimsoll_service.engine.choice.own_machines import OWN_CLOUD
from plimsoll_service.engine.faults import Fault
from plimsoll_service.engine.processor_names import find_processor
from plimsoll_service.engine.workload import Constraints, Hardware

NAMED_LISTS = {
    "clouds": "cloud",
    "regions": "region",
    "architectures": "architecture",
    "cpu_vendors": "processor vendor",
    "accelerators": "accelerator",
}


def constraint_faults(constraints: Constraints, market: Market) -> Iterator[Fault]:
    """Names that nothing bears; ``own`` is the cloud of machines of one's own, a request's or the operator's."""
    for field, what in NAMED_LISTS.items():
        spellings = market.spellings[what]
        for place, name in enumerate(getattr(constraints, field) or ()):
            mine = field == "clouds" and names.key(name) == OWN_CLOUD
            if not mine and names.find(name, spellings) is None:
                yield Fault(f"/constraints/{field}/{place}", names.unknown(what, name, spellings.values()))
    for field in ("instance_types", "instance_families", "exclude"):
        for place, name in enumerate(getattr(constraints, field) or ()):
            yield from _machine_name(field, place, name, market)
    yield from term_faults(constraints, market)
    low, high = constraints.min_accelerators, constraints.max_accelerators
    if low is not None and high is not None and low > high:
        yield Fault("/constraints/min_accelerators", "min_accelerators exceeds max_accelerators")


def _machine_name(field: str, place: int, name: str, market: Market) -> Iterator[Fault]:
    """An instance type or family, as the field takes it."""
    known_type = names.find(name, market.spellings["instance type"]) is not None
    if field == "instance_types" and not known_type:
        text = names.unknown("instance type", name, market.spellings["instance type"].values())
        yield Fault(f"/constraints/{field}/{place}", text)
    elif field != "instance_types" and not known_family(name, market) and not (field == "exclude" and known_type):
        text = names.unknown("instance family", name, market.spellings["instance family"].values())
        yield Fault(f"/constraints/{field}/{place}", text)


def hardware_faults(one: Hardware, market: Market, at: str, *, served: bool = False) -> Iterator[Fault]:
    """What is wrong with given hardware, of the catalog or described; ``served``: a language model is, on it."""
    in_catalog = one.cloud is not None or one.instance_type is not None
    if in_catalog:
        yield from _catalog_machine(one, market, at)
    else:
        yield from _bare(one, market, at)
    devices = _devices(one, market)
    if devices is not None:
        yield from _splits(one, max(devices, 1.0), at, served)


def _splits(one: Hardware, devices: float, at: str, served: bool) -> Iterator[Fault]:
    """Layers are shared inside a machine, stages of serving too; else stages and experts lie on all machines."""
    tensor, together = one.tensor_parallel or 1, devices * one.node_count
    if tensor > devices:
        yield Fault(f"{at}/tensor_parallel", f"a model is split over the devices of one machine: at most {devices:g}")
    elif served and tensor * (one.pipeline_parallel or 1) > devices:
        text = f"a replica is served by one machine: tensor_parallel × pipeline_parallel exceed its {devices:g} devices"
        yield Fault(f"{at}/pipeline_parallel", text)
    elif tensor * (one.pipeline_parallel or 1) > together:
        text = f"tensor_parallel × pipeline_parallel exceed the {together:g} devices"
        yield Fault(f"{at}/pipeline_parallel", text)
    if (one.expert_parallel or 1) > together:
        yield Fault(f"{at}/expert_parallel", f"experts lie on the devices: at most {together:g}")


def _devices(one: Hardware, market: Market) -> float | None:
    """Devices of one machine, where the machine is known."""
    if one.instance_type is None:
        return 0.0 if one.accelerator is None else one.count or 1.0
    cloud = names.find(one.cloud, market.spellings["cloud"]) if one.cloud else None
    row = row_of(market, cloud or "", one.instance_type)
    return None if row is None else float(market.catalog.instance_types.accelerator_count[row])


def _catalog_machine(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    for name in ("cloud", "instance_type"):
        if getattr(one, name) is None:
            yield Fault(f"{at}/{name}", "a machine of the catalog needs cloud and instance_type")
    for item in ("accelerator", "count", "cpu", "vcpus", "memory_gib"):
        if getattr(one, item) is not None:
            yield Fault(
                f"{at}/{item}", "the catalog says this of an instance type; leave it out, or describe bare hardware"
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
        yield Fault(at, "name a machine: cloud and instance_type, or accelerator and count, or cpu or vcpus")
    if one.accelerator is not None and names.find(one.accelerator, market.spellings["accelerator"]) is None:
        yield Fault(
            f"{at}/accelerator", names.unknown("accelerator", one.accelerator, market.catalog.accelerators.name)
        )
    if one.count is not None and one.accelerator is None:
        yield Fault(f"{at}/count", "count needs accelerator")
    if one.cpu is not None and find_processor(one.cpu, market.spellings["processor"]) is None:
        yield Fault(f"{at}/cpu", names.unknown("processor", one.cpu, market.spellings["processor"].values()))
    for name in ("region", "purchase"):
        if getattr(one, name) is not None:
            yield Fault(f"{at}/{name}", f"{name} needs a machine of the catalog: cloud and instance_type")


def own_faults(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """A machine of the user's own is bare and has a price."""
    if one.cloud is not None or one.instance_type is not None:
        yield Fault(at, "own machines are described, not named: accelerator and count, or cpu, vcpus and memory_gib")
        return
    yield from hardware_faults(one, market, at)
    if one.usd_per_hour is None:
        yield Fault(f"{at}/usd_per_hour", "what does an hour of it cost? an unknown price is never guessed")
    if one.node_count != 1:
        yield Fault(f"{at}/node_count", "give max_nodes: how many there are")
