"""Reference data: ``/v1/accelerators``, ``disks``, ``frameworks``, ``models``, ``regions`` and ``rules``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from ..engine.faults import Refused
from ..engine.hardware import PEAKS, Catalog, Offers
from ..engine.names import unknown
from ..evidence import models
from ..evidence.rules import Rule
from ..evidence.rules import load as load_rules
from ..evidence.statements import frameworks
from .data_files import EXAMPLES
from .flat import FlatQuery
from .formats import ONLY_JSON
from .lowest_prices import lowest
from .negotiate import PARAMETER as FORMAT
from .negotiate import answer, chosen
from .operation import collection, operation
from .pages import as_item, item_of, listed, listing_of, paged, windowed
from .replay import PARAMETER, STATUSES, book_of
from .schemas import collections
from .schemas.strict import StrictSchema
from .service import service

blueprint = Blueprint("reference_data", __name__)
ACCELERATORS = FlatQuery(collections.ACCELERATORS)
DISKS = FlatQuery(collections.DISKS)
FRAMEWORK_QUERY = FlatQuery(collections.ANY)
MODEL_QUERY = FlatQuery(collections.MODELS)
REGIONS = FlatQuery(collections.REGIONS)
RULE_QUERY = FlatQuery(collections.RULES)
_RULES = {rule.id: rule for rule in load_rules()}


@dataclass(frozen=True)
class AcceleratorItem:
    """One device; `precisions` are its dense peak rates in TFLOP/s (TOP/s for integers).

    `lowest_usd_per_hour` is the lowest price of one device by purchase option, and `clouds` are those that rent it.
    """

    name: str
    aliases: tuple[str, ...]
    vendor: str
    generation: str
    year: int
    memory_gib: float | None
    memory_type: str
    memory_bandwidth_gb_s: float | None
    precisions: dict[str, float]
    interconnect: str
    interconnect_gb_s: float | None
    power_w: float | None
    lowest_usd_per_hour: dict[str, float]
    clouds: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class DiskItem:
    """A volume product; its limits grow from `base` with size, up to `max`. Unknown values are null."""

    cloud: str
    product: str
    type: str | None
    default: bool
    provisioned: bool
    usd_per_gib_month: float | None
    usd_per_iops_month: float | None
    usd_per_mib_s_month: float | None
    iops_base: float | None
    iops_per_gib: float | None
    iops_max: float | None
    throughput_base_mib_s: float | None
    throughput_per_gib_mib_s: float | None
    throughput_max_mib_s: float | None
    min_gib: float | None
    max_gib: float | None
    as_of: str | None
    confidence: str
    source: str


@dataclass(frozen=True)
class FrameworkItem:
    """A framework or serving engine, with the tasks and model families that it runs."""

    name: str
    aliases: tuple[str, ...]
    tasks: tuple[str, ...]
    families: tuple[str, ...]
    newest_version: str | None
    source: str


@dataclass(frozen=True)
class ModelItem:
    """A model; `sample` defines one sample, `forward_flops_per_sample` counts a multiply-add as two."""

    name: str
    aliases: tuple[str, ...]
    family: str
    parameters: float
    active_parameters: float | None
    sample: str
    forward_flops_per_sample: float
    default_dataset: str | None
    source: str


@dataclass(frozen=True)
class RegionItem:
    """A region; a restricted one (governments, mainland China) is used only if the request names it."""

    cloud: str
    name: str
    location: str
    restricted: bool


_FRAMEWORKS = tuple(as_item(FrameworkItem, one, newest_version=one.version) for one in frameworks().rows)
_MODELS = tuple(
    as_item(ModelItem, model, forward_flops_per_sample=model.forward_flops) for model in models.load().models
)


@blueprint.get("/v1/accelerators")
@collection("catalog", AcceleratorItem, ACCELERATORS, EXAMPLES["few"], STATUSES)
def list_accelerators() -> Response:
    """Accelerators by device: a die of a K80, one GPU of a card, a Neuron chip."""
    listing = listing_of(request, ACCELERATORS)
    prices, table = book_of(listing.snapshot).prices, service().catalog.accelerators
    known = [
        {name: peak for name, peak in zip(PEAKS, peaks, strict=True) if not math.isnan(peak)}
        for peaks in table.peak_tflops.tolist()
    ]
    rented = _rented(service().catalog, prices.offers)
    items = [
        item_of(AcceleratorItem, table, row, precisions=peaks, **found)
        for row, (peaks, found) in enumerate(zip(known, rented, strict=True))
    ]
    return paged(request, listing, prices.version, windowed(items), {PARAMETER: prices.version})


@lru_cache(maxsize=2)  # the prices in force and those of a replay
def _rented(catalog: Catalog, offers: Offers) -> tuple[dict[str, Any], ...]:
    """The lowest prices of one device, and the clouds that rent it, of each accelerator."""
    types = catalog.instance_types
    device = types.accelerator[offers.instance_type]
    sold = offers.current & (device >= 0) & ~types.retired[offers.instance_type]
    kind, device = offers.instance_type[sold], device[sold]
    each = offers.usd_per_hour[sold] / types.accelerator_count[kind]  # below 1 where a machine has a part of a device
    clouds: list[set[str]] = [set() for _ in catalog.accelerators.name]
    for row, cloud in set(zip(device.tolist(), types.cloud.codes[kind].tolist(), strict=True)):
        clouds[row].add(types.cloud.words[cloud])
    return tuple(
        {"lowest_usd_per_hour": prices, "clouds": tuple(sorted(names))}
        for prices, names in zip(lowest(offers, sold, device, each, len(clouds)), clouds, strict=True)
    )


@blueprint.get("/v1/disks")
@collection("catalog", DiskItem, DISKS, EXAMPLES["few"], STATUSES)
def list_disks() -> Response:
    """Volume products of all clouds, with their limits and prices."""
    listing = listing_of(request, DISKS)
    prices = book_of(listing.snapshot).prices
    table = prices.disks
    items = [item_of(DiskItem, table, row, as_of=as_of or None) for row, as_of in enumerate(table.as_of)]
    return paged(request, listing, prices.version, windowed(items), {PARAMETER: prices.version})


@blueprint.get("/v1/frameworks")
@collection("knowledge", FrameworkItem, FRAMEWORK_QUERY, EXAMPLES["few"])
def list_frameworks() -> Response:
    """Frameworks and serving engines by name."""
    return listed(request, FRAMEWORK_QUERY, service().catalog.version, windowed(_FRAMEWORKS))


@blueprint.get("/v1/models")
@collection("knowledge", ModelItem, MODEL_QUERY, EXAMPLES["few"])
def list_models() -> Response:
    """Models by name, each with its definition of a sample."""
    return listed(request, MODEL_QUERY, service().catalog.version, windowed(_MODELS))


@blueprint.get("/v1/regions")
@collection("catalog", RegionItem, REGIONS, EXAMPLES["few"])
def list_regions() -> Response:
    """Regions of all clouds."""
    catalog = service().catalog
    items = [item_of(RegionItem, catalog.regions, row) for row in range(len(catalog.regions))]
    return listed(request, REGIONS, catalog.version, windowed(items))


@blueprint.get("/v1/rules")
@collection("knowledge", Rule, RULE_QUERY, EXAMPLES["few"])
def list_rules() -> Response:
    """All rules with their statements, reasons and sources."""
    return listed(request, RULE_QUERY, service().catalog.version, windowed(tuple(_RULES.values())))


@blueprint.get("/v1/rules/<id>")
@operation(
    "knowledge",
    validated=True,
    answers=Rule,
    problems=(404, 406, 422),
    paths={"id": "The id that reasons and warnings name."},
    example=EXAMPLES["rule"],
)
def show_rule(id: str) -> Response:  # noqa: A002 - the contract's name
    """One rule by its id."""
    _, faults = FlatQuery(StrictSchema()).document(request.args, beside=(FORMAT,))
    if faults:
        raise Refused(faults)
    form = chosen(request, ONLY_JSON)
    rule = _RULES.get(id)
    if rule is None:
        raise NotFound(unknown("rule", id, _RULES))
    return answer(form, rule, service().catalog)
