"""Constraints on the machine as masks over the catalog, each under its name in ``rejected``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from .. import names
from ..columns import EVERY
from ..hardware import Coded, Flags, Floats, InstanceTypes, Places
from ..workload import Constraints
from .market import Market, priced

UNDATED = "undated"


def machine_masks(constraints: Constraints, market: Market, training: bool) -> Iterator[tuple[str, Flags]]:
    """Yield (name, rows that pass) of each stated constraint that depends on the instance type alone."""
    types = market.catalog.instance_types
    for name, column, kind in (
        ("clouds", types.cloud, "cloud"),
        ("architectures", types.architecture, "architecture"),
        ("cpu_vendors", types.cpu_vendor, "processor vendor"),
        ("exclude_clouds", types.cloud, "cloud"),
    ):
        if wanted := getattr(constraints, name):
            found = _any_of(column, wanted, market.spellings[kind])
            yield name, ~found if name == "exclude_clouds" else found
    if constraints.instance_types:
        yield "instance_types", named_types(constraints.instance_types, market)
    if constraints.instance_families:
        yield "instance_families", in_families(constraints.instance_families, market)
    if constraints.exclude:
        yield "exclude", ~_named(constraints.exclude, market)
    if not constraints.retired:
        yield "retired", ~types.retired | asked_for(constraints, market)
    yield from figure_masks(constraints, types, market)
    if constraints.interconnect == "nvlink":
        yield "interconnect", linked(types) if training else linked(types) | alone(types)


def figure_masks(constraints: Constraints, types: InstanceTypes, market: Market) -> Iterator[tuple[str, Flags]]:
    """Yield (name, rows that pass) of each stated constraint on devices, processors and memory of any machines."""
    if constraints.accelerators:
        yield "accelerators", _with_any(constraints.accelerators, types, market)
    device_gib = np.where(types.accelerator >= 0, np.nan_to_num(types.accelerator_memory_gib), -np.inf)
    for name, column in (
        ("min_accelerators", types.accelerator_count),
        ("max_accelerators", types.accelerator_count),
        ("min_accelerator_memory_gib", device_gib),
        ("min_vcpus", types.vcpus),
        ("min_memory_gib", types.memory_gib),
    ):
        asked = getattr(constraints, name)
        if asked is not None:
            yield name, column <= asked if name.startswith("max_") else column >= asked


def linked(types: InstanceTypes) -> Flags:
    """Return the types whose devices are connected by NVLink or a fabric of their maker."""
    return np.isin(types.interconnect.codes, [types.interconnect.code_of(word) for word in ("nvlink", "fabric")])


def alone(types: InstanceTypes) -> Flags:
    """Return the types with one device, or a share of one, which needs no connection."""
    return (types.accelerator >= 0) & (types.accelerator_count <= 1)


def _with_any(wanted: Iterable[str], types: InstanceTypes, market: Market) -> Flags:
    """Types with any of the named accelerators."""
    meant = {names.find(name, market.spellings["accelerator"]) for name in wanted}
    rows = [row for row, name in enumerate(market.catalog.accelerators.name) if name in meant]
    return np.isin(types.accelerator, rows)


def asked_by_device(constraints: Constraints, market: Market) -> Flags:
    """Return the types with an accelerator that is requested by name."""
    return _with_any(constraints.accelerators or (), market.catalog.instance_types, market)


def asked_for(constraints: Constraints, market: Market) -> Flags:
    """Return the types that are requested by name or family, which includes retired ones."""
    wanted = (*(constraints.instance_types or ()), *(constraints.instance_families or ()))
    return _named(wanted, market)


def in_families(families: Iterable[str], market: Market) -> Flags:
    """Return the types of those families; ``n1`` includes the whole series, such as ``n1-highcpu``."""
    column = market.catalog.instance_types.family
    keys = [names.key(family) for family in families]
    series = [family.lower() + "-" for family in families]
    codes = [
        code
        for code, word in enumerate(column.words)
        if names.key(word) in keys or any(word.lower().startswith(prefix) for prefix in series)
    ]
    return np.isin(column.codes, codes)


def named_types(wanted: Iterable[str], market: Market) -> Flags:
    """Return the types of those names, in any cloud."""
    found = np.zeros(len(market.catalog.instance_types), dtype=bool)
    for name in wanted:
        found[list(market.rows_of_name.get(name) or market.rows_of_name.get(names.key(name), ()))] = True
    return found


def _named(wanted: Iterable[str], market: Market) -> Flags:
    """Types whose name or family is one of ``wanted``."""
    wanted = tuple(wanted)
    found = named_types(wanted, market)
    return found | in_families(wanted, market) if wanted else found


def of_cloud(cloud: str, market: Market) -> Flags:
    """Return the types of a cloud."""
    return _any_of(market.catalog.instance_types.cloud, (cloud,), market.spellings["cloud"])


def _any_of(column: Coded, wanted: Iterable[str], spellings: dict[str, str]) -> Flags:
    codes = [column.code_of(names.find(word, spellings) or word) for word in wanted]
    return np.isin(column.codes, codes)


def retired_too(constraints: Constraints) -> bool:
    """Whether offers that are no longer sold are asked for."""
    return bool(constraints.instance_types or constraints.instance_families or constraints.retired)


def orderable(constraints: Constraints, market: Market) -> Flags:
    """Return the eligible offers: those still sold, and all offers of named types."""
    if not retired_too(constraints):
        return market.current
    named = asked_for(constraints, market) | bool(constraints.retired)
    return market.current | named[market.offers.instance_type]


def has_price(constraints: Constraints, market: Market) -> Flags:
    """Return the types with a price in any region, under any purchase option."""
    if not retired_too(constraints):
        return market.priced
    return priced(market.offers, market.first_offer, orderable(constraints, market))


def region_mask(constraints: Constraints, market: Market) -> Flags:
    """Return the allowed regions: the named ones, else all except government regions and mainland China."""
    regions = market.catalog.regions
    if not constraints.regions:
        return ~regions.restricted
    mine = np.ones(len(regions), dtype=bool)
    if constraints.clouds:  # regions of other clouds are not meant, even with similar names
        mine = _any_of(regions.cloud, constraints.clouds, market.spellings["cloud"])
    wanted = names.meant(constraints.regions, {regions.name[row] for row in np.flatnonzero(mine)})
    return np.array([name in wanted for name in regions.name], dtype=bool)


def confidence_mask(constraints: Constraints, market: Market, rows: slice | Places = EVERY) -> Flags:
    """Return which of the offers in ``rows`` have an allowed confidence; one of unknown confidence is undated."""
    column, wanted = market.offers.confidence, constraints.price_confidence
    codes = column.codes[rows]
    if not wanted:
        return np.ones(len(codes), dtype=bool)
    found: Flags = np.isin(codes, [column.code_of(word) for word in wanted])
    return found | (codes < 0) if UNDATED in wanted else found


def quota_nodes(constraints: Constraints, market: Market) -> Floats:
    """Return the largest number of machines of each type that the quotas allow."""
    types = market.catalog.instance_types
    most = np.full(len(types), np.inf)
    for quota in constraints.quotas or ():
        rows = of_cloud(quota.cloud, market)
        if quota.families is not None:
            rows &= in_families(quota.families, market)
        most[rows] = np.minimum(most[rows], quota.max_nodes)
    return most
