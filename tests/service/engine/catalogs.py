"""Catalogs for tests: the bundled one, parts of it, and made-up machines with given hardware."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np
from tests.service.fitted import market_of

from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.hardware import CONFIDENCES, PURCHASE_NAMES, Catalog, Coded, InstanceTypes, Offers, Regions
from plimsoll_service.engine.workload import Query

STAMP = CatalogStamp("test", "2026-11-01")
NAN = float("nan")
# Each with its cloud, and whether it is restricted.
REGIONS = (
    ("aws", "us-east-1", False), ("aws", "eu-west-1", False), ("aws", "us-gov-west-1", True),
    ("gcp", "us-central1", False), ("alibaba", "cn-hangzhou", True),
    ("gcp", "us-east1", False), ("alibaba", "ap-southeast-1", False),
)  # fmt: skip


@dataclass(frozen=True)
class Sale:
    """One offer of a machine."""

    usd_per_hour: float
    region: str = "us-east-1"
    purchase: str = "on_demand"
    current: bool = True
    confidence: str = "list"


@dataclass(frozen=True)
class Box:
    """A made-up instance type with its offers."""

    name: str = "box"
    sales: tuple[Sale, ...] = (Sale(3.0),)
    cloud: str = "aws"
    family: str = "p3"
    retired: bool = False
    vcpus: float = 8
    memory_gib: float = 61
    architecture: str = "x86_64"
    cpu_vendor: str = "Intel"
    processor: str = "Intel Xeon E5-2686 v4"
    sustained_cpu: float = 1
    accelerator: str | None = "V100-16GB"
    count: float = 1
    interconnect: str | None = None
    interconnect_gb_s: float = NAN
    network_gbps: float = 10
    local_disk_gb: float = 0
    disk_mib_s: float = 500
    boot_seconds: float = 40


BOX_WORDS = ("cloud", "family", "architecture", "cpu_vendor", "interconnect")
BOX_NUMBERS = tuple(item.name for item in fields(Box) if item.type == "float" and item.name != "count")


@cache
def bundled() -> Catalog:
    """The catalog that comes with the service."""
    return snapshot.load()


@cache
def bundled_market() -> Market:
    """The bundled catalog, joined."""
    return market_of(bundled())


@cache
def thinned_market() -> Market:
    """Every ninth type of the bundled catalog, and all with an accelerator of every second family."""
    types = bundled().instance_types
    rows = np.arange(len(types))
    wanted = (rows % 9 == 0) | ((types.accelerator >= 0) & (types.family.codes % 2 == 0))
    return market_of(take_types(bundled(), rows[wanted]))


def take_types(catalog: Catalog, rows: np.ndarray) -> Catalog:
    """The catalog with only those instance types, in that order, and their offers."""
    types, offers = catalog.instance_types, catalog.offers
    place = np.full(len(types), -1, dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    kept = np.flatnonzero(place[offers.instance_type] >= 0)
    kept = kept[np.argsort(place[offers.instance_type[kept]], kind="stable")]
    moved = _rows(offers, kept)
    return replace(
        catalog,
        instance_types=_rows(types, rows),
        offers=replace(moved, instance_type=place[moved.instance_type]),
        unpriced=catalog.unpriced[rows],
    )


def _rows(table, rows):
    """The given rows of every column of a table."""
    columns = {}
    for item in fields(table):
        column = getattr(table, item.name)
        if isinstance(column, Coded):
            columns[item.name] = Coded(column.codes[rows], column.words)
        else:
            columns[item.name] = tuple(column[row] for row in rows) if isinstance(column, tuple) else column[rows]
    return type(table)(**columns)


def catalog_of(*boxes: Box) -> Catalog:
    """Made-up machines with the bundled catalog's accelerators, processors and disks."""
    base = bundled()
    names = [region for _, region, _ in REGIONS]
    regions = Regions(
        cloud=coded([cloud for cloud, _, _ in REGIONS]),
        name=tuple(names),
        location=tuple(names),
        restricted=np.array([restricted for _, _, restricted in REGIONS]),
    )
    sales = [(row, sale) for row, box in enumerate(boxes) for sale in box.sales]
    offers = Offers(
        instance_type=ints(row for row, _ in sales),
        region=ints(names.index(sale.region) for _, sale in sales),
        purchase=ints(PURCHASE_NAMES.index(sale.purchase) for _, sale in sales),
        usd_per_hour=np.array([sale.usd_per_hour for _, sale in sales], dtype=np.float64),
        current=np.array([sale.current for _, sale in sales], dtype=bool),
        as_of=coded(["2026-11-01" for _ in sales]),
        source=coded(["made up" for _ in sales]),
        confidence=coded([sale.confidence for _, sale in sales], CONFIDENCES),
    )
    unpriced = ints(0 if box.sales else 1 for box in boxes)
    return replace(base, regions=regions, instance_types=_types(boxes, base), offers=offers, unpriced=unpriced)


def _types(boxes: Sequence[Box], base: Catalog) -> InstanceTypes:
    """The boxes as columns; numbers without a field of their own use the column's name."""
    accelerators, processors = base.accelerators, base.processors.name
    rows = ints(-1 if box.accelerator is None else accelerators.name.index(box.accelerator) for box in boxes)
    numbers = {
        item.name: np.array([getattr(box, item.name) for box in boxes], dtype=np.float64)
        for item in fields(InstanceTypes)
        if item.name in BOX_NUMBERS
    }
    words = {name: coded([getattr(box, name) for box in boxes]) for name in BOX_WORDS}
    share = np.array([min(box.count, 1.0) for box in boxes])
    return InstanceTypes(
        **numbers,
        **words,
        name=tuple(box.name for box in boxes),
        retired=np.array([box.retired for box in boxes], dtype=bool),
        withdrawn=ints(-1 for _ in boxes),
        processor=ints(processors.index(box.processor) for box in boxes),
        accelerator=rows,
        accelerator_count=np.array([box.count if box.accelerator else 0.0 for box in boxes]),
        accelerator_memory_gib=np.where(rows >= 0, accelerators.memory_gib[rows] * share, NAN),
        local_disk_type=coded(["nvme" if box.local_disk_gb else None for box in boxes]),
    )


def ints(values) -> np.ndarray:
    """A column of indexes."""
    return np.array(list(values), dtype=np.int32)


def coded(values, words: tuple[str, ...] = ()) -> Coded:
    """A column of words, in which ``None`` is unknown."""
    known = words or tuple(dict.fromkeys(value for value in values if value is not None))
    return Coded(ints(-1 if value is None else known.index(value) for value in values), known)


def made_up(*boxes: Box) -> Market:
    """A market of made-up machines."""
    return market_of(catalog_of(*boxes))


def ask(query: Query, market: Market) -> Answer:
    """The answer to an admitted query; raises ``Refused`` as the service does."""
    faults = faults_of(query, market)
    if faults:
        raise Refused(faults)
    return recommend(query, market, STAMP)
