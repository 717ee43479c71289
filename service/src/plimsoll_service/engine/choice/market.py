"""The catalog as the choice sees it: machines joined once, offers sliced by type, names indexed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine import names
from plimsoll_service.engine.estimate.machines import Machines, machines_of
from plimsoll_service.engine.hardware import Catalog, Floats, Ints, Offers


@dataclass(frozen=True, eq=False)
class Market:
    """A catalog with all that depends on it alone."""

    catalog: Catalog
    machines: Machines
    offers: Offers
    first_offer: Ints  # per type, its first row in offers; one longer than the types
    region_cloud: Ints
    spellings: dict[str, dict[str, str]]  # kind of name → key → name as the catalog writes it
    type_rows: dict[tuple[str, str], int]  # (cloud, key of the name) → row
    name_order: Ints  # rank of each type by cloud and name: the last tie-break


def market_of(catalog: Catalog, offers: Offers | None = None) -> Market:
    """Joins and indexes a catalog, with other offers than its own where given (sorted by type, too)."""
    types = catalog.instance_types
    chosen = catalog.offers if offers is None else offers
    first = np.searchsorted(chosen.instance_type, np.arange(len(types) + 1)).astype(np.int32)
    keys = [(types.cloud[row] or "", name) for row, name in enumerate(types.name)]
    order = np.empty(len(keys), dtype=np.int32)
    order[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys), dtype=np.int32)
    return Market(
        catalog=catalog,
        machines=machines_of(catalog),
        offers=chosen,
        first_offer=first,
        region_cloud=catalog.regions.cloud.codes,
        spellings=_spellings(catalog),
        type_rows={(cloud, names.key(name)): row for row, (cloud, name) in enumerate(keys)},
        name_order=order,
    )


def _spellings(catalog: Catalog) -> dict[str, dict[str, str]]:
    types, accelerators = catalog.instance_types, catalog.accelerators
    processors = catalog.processors
    micro = sorted(set(processors.microarchitecture))
    return {
        "cloud": _plain(catalog.clouds),
        "region": _plain(catalog.regions.name),
        "instance type": _plain(types.name),
        "instance family": _plain(types.family.words),
        "architecture": names.index([(word, ARCHITECTURE_ALIASES.get(word, ())) for word in types.architecture.words]),
        "processor vendor": _plain(types.cpu_vendor.words),
        "accelerator": names.index(zip(accelerators.name, accelerators.aliases, strict=True)),
        "processor": names.index([(name, ()) for name in (*processors.name, *micro)]),
    }


ARCHITECTURE_ALIASES = {"x86_64": ("amd64", "x64", "intel64"), "arm64": ("aarch64", "arm")}


def _plain(words: Iterable[str]) -> dict[str, str]:
    return names.index((word, ()) for word in words)


def cheapest(market: Market, allowed: np.ndarray, prices: Floats) -> Ints:
    """Per type the row of its cheapest allowed offer (the first in the catalog's order among equals); -1 for none."""
    types = len(market.catalog.instance_types)
    masked = np.where(allowed, prices, np.inf)
    best = np.full(types, -1, dtype=np.int32)
    starts = market.first_offer[:-1]
    filled = np.flatnonzero(market.first_offer[1:] > starts)
    if not len(filled):
        return best
    lowest = np.minimum.reduceat(masked, starts[filled])
    of_type = np.full(types, np.inf)
    of_type[filled] = lowest
    hits = np.flatnonzero(allowed & (masked == of_type[market.offers.instance_type]))
    kinds, firsts = np.unique(market.offers.instance_type[hits], return_index=True)
    best[kinds] = hits[firsts]
    return best
