"""Assumptions about incompletely described machines and ambiguous accelerator names."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

import numpy as np

from .. import names
from ..answer import Assumption
from ..demand import kind
from ..demand.job import Job
from ..estimate.spot import INTERRUPTIONS_PER_HOUR
from ..hardware import UNIFIED
from ..hardware_names import by_generation
from ..units import GB
from ..workload import Constraints, CustomModel, Dataset, Disk, Hardware, OwnMeasurement, SpeculativeDecoding, Workload
from .charged import said_of_spot, without_spot_prices
from .market import Market
from .own_machines import CUSTOMARY_GBPS, GENERIC_ARM, described_types, vcpus_of_processor
from .staging import SEPARATOR, data_place

VENDOR_WORDS = ("nvidia", "tesla")  # they tell no variants apart

UNSTATED_RATE = "per machine, if the price feed states none; 15% per day, the upper end for preemptible machines of GCE"

ON_CHIP = "the chip has Arm cores; the median of those in the catalog"
NEAREST_TO_BOARD = "the nearest processor to that of the board"
OF_DEVICE = ("accelerators of its generation", "this accelerator")
MOST_CORES = "the most cores of such a processor; state vcpus to change this"
PER_DEVICE, ALONE = "enough for the input of every device; state vcpus to change this", "a typical machine"


def assumed_of_job(job: Job, market: Market, on: Sequence[Hardware] = ()) -> tuple[Assumption, ...]:
    """Return all assumptions of a query: workload, given machines, constraints, spot capacity."""
    constraints = job.query.constraints
    spot = "spot" in (constraints.purchase or ()) or any(one.purchase == "spot" for one in on)
    return (
        *job.assumptions,
        *_of_place(job, market),
        *(() if on else (*_of_nodes(job), *_of_clouds(constraints, market))),
        *assumed_of_hardware(on, market),
        *assumed_of_constraints(constraints, market),
        *(_of_interruptions(job, market) if spot else ()),
    )


def _of_place(job: Job, market: Market) -> Iterator[Assumption]:
    place = data_place(job, market)
    if place is not None and place.namesakes:
        named = [f"{cloud}{SEPARATOR}{place.name}" for cloud in place.namesakes]
        why = f"several clouds have a region of this name; write {' or '.join(named)} for the other"
        yield Assumption("dataset.region", f"{place.cloud}{SEPARATOR}{place.name}", why)


def _of_nodes(job: Job) -> Iterator[Assumption]:
    """The one machine of an HPC job, and the one device. Rules: hpc-over-a-network, hpc-devices."""
    if job.kind != kind.HPC:
        return
    if job.query.constraints.max_nodes is None:
        yield Assumption("constraints.max_nodes", 1, "whether the program runs on several machines is unknown")
    if job.one_device and job.query.constraints.max_accelerators is None:
        known = "whether the program uses several devices is unknown"
        why = f"{known}; several are taken where the limits need them, or for half the time and a tenth less money"
        yield Assumption("constraints.max_accelerators", 1, why)


def _of_clouds(constraints: Constraints, market: Market) -> Iterator[Assumption]:
    """The named clouds that are left where spot alone is allowed. Rule: spot-price-unknown."""
    unknown = without_spot_prices(constraints, market)
    if unknown and set(constraints.purchase or ()) == {"spot"}:
        left = [one for one in constraints.clouds or () if one not in unknown]
        why = f"the catalog has no spot price of {' or '.join(unknown)}, and spot alone is allowed"
        yield Assumption("constraints.clouds", left, f"{why}{said_of_spot(unknown)}")


def _of_interruptions(job: Job, market: Market) -> Iterator[Assumption]:
    if job.workload.interruptions_per_hour is not None or job.serves:
        return
    if market.has_unrated_spot:
        yield Assumption("interruptions_per_hour", INTERRUPTIONS_PER_HOUR, UNSTATED_RATE)


def assumed_of_constraints(constraints: Constraints, market: Market) -> tuple[Assumption, ...]:
    """Return assumptions for ambiguous accelerator names and for omitted figures of own machines."""
    found: list[Assumption] = []
    asked = constraints.accelerators or ()
    allowed = {names.find(name, market.spellings["accelerator"]) for name in asked}
    for place, name in enumerate(asked):
        for taken in _variant(f"constraints.accelerators.{place}", name, market):
            found.append(replace(taken, why=taken.why + _others(str(taken.value), allowed, market)))
    for place, one in enumerate(constraints.own_machines or ()):
        found.extend(_of_machine(f"constraints.own_machines.{place}", one, market))
    return tuple(found)


def assumed_of_hardware(on: Sequence[Hardware], market: Market) -> tuple[Assumption, ...]:
    """Return assumptions for ambiguous names and omitted figures of given machines; a single machine is no list."""
    places = ["on"] if len(on) == 1 else [f"on.{place}" for place in range(len(on))]
    return tuple(found for at, one in zip(places, on, strict=True) for found in _of_machine(at, one, market))


def _of_machine(at: str, one: Hardware, market: Market) -> Iterator[Assumption]:
    if one.instance_type is not None:
        return
    types = described_types((one,), market)
    why = ALONE if one.accelerator is None else PER_DEVICE
    if one.accelerator is not None:
        yield from _variant(f"{at}.accelerator", one.accelerator, market)
        if one.count is None:
            yield Assumption(f"{at}.count", float(types.accelerator_count[0]), "one device")
    if one.cpu is None and types.processor[0] >= 0:
        name = market.catalog.processors.name[int(types.processor[0])]
        known = vcpus_of_processor(one, market) is not None
        usual = NEAREST_TO_BOARD if known else "the most common processor in the catalog"
        yield Assumption(f"{at}.cpu", name, ON_CHIP if name == GENERIC_ARM else usual)
    elif one.cpu is not None and by_generation(one.cpu, market.spellings["processor"]):
        taken = market.catalog.processors.name[int(types.processor[0])]
        nearest = "its model number shows the generation, or the nearest one that a cloud offers"
        yield Assumption(f"{at}.cpu", taken, f"no cloud offers {one.cpu!r}; {nearest}")
    if one.vcpus is None:
        whole = "the cores of the board" if one.cpu is None else MOST_CORES
        cores = why if vcpus_of_processor(one, market) is None else whole
        yield Assumption(f"{at}.vcpus", float(types.vcpus[0]), cores)
    if one.memory_gib is None:
        chip, interconnects = int(types.accelerator[0]), market.catalog.accelerators.interconnect
        shared = chip >= 0 and interconnects[chip] == UNIFIED
        whole = "the memory that the device and its processor share" if shared else "4 GiB per vCPU"
        yield Assumption(f"{at}.memory_gib", float(types.memory_gib[0]), whole)
    if one.network_gbps is None and not np.isnan(types.network_gbps[0]):
        network = float(types.network_gbps[0])
        sold = bool((market.catalog.instance_types.accelerator == types.accelerator[0]).any())
        fastest = one.accelerator is not None and network > CUSTOMARY_GBPS
        offered = f"the fastest network that a cloud offers with {OF_DEVICE[sold]}"
        yield Assumption(f"{at}.network_gbps", network, offered if fastest else "a typical cluster network")
    yield Assumption(f"{at}.disk", "fast enough", "the disk of a described machine never limits the estimate")


def _variant(field: str, spelled: str, market: Market) -> Iterator[Assumption]:
    """Assumed variant if the name is that of a whole generation (A100: 40 or 80 GB, SXM or PCIe)."""
    taken = names.find(spelled, market.spellings["accelerator"])
    if taken is None:
        return
    plain = names.key(spelled)
    for word in VENDOR_WORDS:
        plain = plain.removeprefix(word)
    if plain == names.key(taken.partition("-")[0]) and any(name != taken for name in _variants(taken, market)):
        yield Assumption(field, taken, f"{spelled!r} names several variants; this is the usual one")


def _variants(name: str, market: Market) -> list[str]:
    generation = name.partition("-")[0]
    return [other for other in market.catalog.accelerators.name if f"{other}-".startswith(f"{generation}-")]


def _others(taken: str, allowed: Container[str | None], market: Market) -> str:
    """The words that tell how to allow the other variants that a cloud rents; empty where there is none."""
    rented = set(market.catalog.instance_types.accelerator.tolist())
    rows = {name: row for row, name in enumerate(market.catalog.accelerators.name)}
    others = [name for name in _variants(taken, market) if rows[name] in rented and name not in allowed]
    return f"; to allow others, name them: {', '.join(others)}" if others else ""


PLAIN = frozenset({str, int, float, bool})  # shown as they are


def echo(workload: Workload) -> dict[str, object]:
    """Return the fields of the workload for JSON, in their order."""
    shown: dict[str, object] = {}
    for name, value in vars(workload).items():
        if value is None or (name == "requests_per_second" and workload.requests_per_second_by_hour is not None):
            continue  # the peak of a day is no statement of its own
        if name == "deadline_hours":
            shown["deadline"] = f"{value:.6g}h"
        elif type(value) in PLAIN:
            shown[name] = value
        elif (said := _said(value)) not in ({}, None):
            shown[name] = said
    return shown


def _said(value: object) -> object:
    """Contract form of a field with several parts; empty if none of them is set."""
    if isinstance(value, CustomModel):
        return value.name if value.config is None else str(value.config.get("model_type", value.name))
    if isinstance(value, Dataset):
        return _dataset(value)
    if isinstance(value, Disk):
        return {"type": value.type}
    if isinstance(value, SpeculativeDecoding | OwnMeasurement | Hardware):
        one_machine = isinstance(value, Hardware) and value.node_count == 1
        stated = {name: said for name, said in vars(value).items() if said is not None}
        return {name: _said(said) for name, said in stated.items() if not (one_machine and name == "node_count")}
    return [_said(one) for one in value] if isinstance(value, tuple) else value


def _dataset(dataset: Dataset) -> dict[str, object]:
    size = None if dataset.size_bytes is None else f"{dataset.size_bytes / GB:.6g}GB"
    shown = {"size": size} | vars(dataset)
    return {name: value for name, value in shown.items() if value is not None and name != "size_bytes"}
