"""Constraints on the machine as masks over the catalog, each under the name that ``rejected`` counts it by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from plimsoll_service.engine import names
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.hardware import Coded, Flags, Floats
from plimsoll_service.engine.workload import Constraints


def machine_masks(constraints: Constraints, market: Market) -> Iterator[tuple[str, Flags]]:
    """(name, rows that pass) of each stated constraint that depends on the instance type alone."""
    types = market.catalog.instance_types
    coded: tuple[tuple[str, tuple[str, ...] | None, Coded, str], ...] = (
        ("clouds", constraints.clouds, types.cloud, "cloud"),
        ("architectures", constraints.architectures, types.architecture, "architecture"),
        ("cpu_vendors", constraints.cpu_vendors, types.cpu_vendor, "processor vendor"),
    )
    for name, wanted, column, kind in coded:
        if wanted:
            yield name, _any_of(column, wanted, market.spellings[kind])
    if constraints.instance_types:
        yield "instance_types", _named(constraints.instance_types, market, families=False)
    if constraints.instance_families:
        yield "instance_families", in_families(constraints.instance_families, market)
    if constraints.exclude:
        yield "exclude", ~_named(constraints.exclude, market)
    if not constraints.retired:
        yield "retired", ~types.retired | asked_for(constraints, market)
    yield from _accelerator_masks(constraints, market)
    if constraints.min_vcpus is not None:
        yield "min_vcpus", types.vcpus >= constraints.min_vcpus
    if constraints.min_memory_gib is not None:
        yield "min_memory_gib", types.memory_gib >= constraints.min_memory_gib


def _accelerator_masks(constraints: Constraints, market: Market) -> Iterator[tuple[str, Flags]]:
    types = market.catalog.instance_types
    has = types.accelerator >= 0
    if constraints.accelerators:
        wanted = {names.find(name, market.spellings["accelerator"]) for name in constraints.accelerators}
        rows = [row for row, name in enumerate(market.catalog.accelerators.name) if name in wanted]
        yield "accelerators", np.isin(types.accelerator, rows)
    if constraints.min_accelerators is not None:
        yield "min_accelerators", types.accelerator_count >= constraints.min_accelerators
    if constraints.max_accelerators is not None:
        yield "max_accelerators", types.accelerator_count <= constraints.max_accelerators
    if constraints.min_accelerator_memory_gib is not None:
        enough = np.nan_to_num(types.accelerator_memory_gib) >= constraints.min_accelerator_memory_gib
        yield "min_accelerator_memory_gib", has & enough
    if constraints.interconnect == "nvlink":
        linked = np.isin(types.interconnect.codes, [types.interconnect.code_of(word) for word in ("nvlink", "fabric")])
        yield "interconnect", linked


def asked_for(constraints: Constraints, market: Market) -> Flags:
    """Types whose own name or family is among the wanted: that asks for a retired one."""
    wanted = (*(constraints.instance_types or ()), *(constraints.instance_families or ()))
    return _named(wanted, market)


def in_families(families: Iterable[str], market: Market) -> Flags:
    """Types of those families; ``n1`` is also the whole series of ``n1-highcpu``."""
    column = market.catalog.instance_types.family
    keys = [names.key(family) for family in families]
    series = [family.lower() + "-" for family in families]
    codes = [
        code
        for code, word in enumerate(column.words)
        if names.key(word) in keys or any(word.lower().startswith(prefix) for prefix in series)
    ]
    return np.isin(column.codes, codes)


def _named(wanted: Iterable[str], market: Market, families: bool = True) -> Flags:
    """Types whose name (or family) is one of ``wanted``."""
    wanted = tuple(wanted)
    found = np.zeros(len(market.catalog.instance_types), dtype=bool)
    for name in wanted:
        found[list(market.rows_of_name.get(names.key(name), ()))] = True
    return found | in_families(wanted, market) if families and wanted else found


def _any_of(column: Coded, wanted: Iterable[str], spellings: dict[str, str]) -> Flags:
    codes = [column.code_of(names.find(word, spellings) or word) for word in wanted]
    return np.isin(column.codes, codes)


def region_mask(constraints: Constraints, market: Market) -> Flags:
    """Regions that may be used: the named ones, else all but government and mainland China."""
    regions = market.catalog.regions
    if not constraints.regions:
        return ~regions.restricted
    wanted = {names.key(name) for name in constraints.regions}
    return np.array([names.key(name) in wanted for name in regions.name], dtype=bool)


def offer_prices(constraints: Constraints, market: Market) -> Floats:
    """Prices of all offers after the discounts that apply to them; the larger of two discounts counts."""
    prices = market.offers.usd_per_hour
    if not constraints.discounts:
        return prices
    types = market.catalog.instance_types
    percent = np.zeros(len(types))
    for discount in constraints.discounts:
        rows = _any_of(types.cloud, (discount.cloud,), market.spellings["cloud"])
        if discount.families is not None:
            rows &= in_families(discount.families, market)
        percent[rows] = np.maximum(percent[rows], discount.percent)
    discounted: Floats = prices * (1 - percent[market.offers.instance_type] / 100)
    return discounted


def quota_nodes(constraints: Constraints, market: Market) -> Floats:
    """The most machines of each type that the quotas allow."""
    types = market.catalog.instance_types
    most = np.full(len(types), np.inf)
    for quota in constraints.quotas or ():
        rows = _any_of(types.cloud, (quota.cloud,), market.spellings["cloud"])
        if quota.families is not None:
            rows &= in_families(quota.families, market)
        most[rows] = np.minimum(most[rows], quota.max_nodes)
    return most
