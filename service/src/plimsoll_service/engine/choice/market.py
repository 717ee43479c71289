"""Catalog in the form that the choice needs: machines joined once, offers sliced by type, names indexed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .. import names
from ..coefficients import Coefficients
from ..demand.job import Job
from ..estimate.input.disk_orders import disk_sellers, product_rows
from ..hardware import ON_DEMAND, PURCHASE_NAMES, RESERVED, SPOT, Catalog, Flags, Floats, Ints, Offers
from ..hardware_names import accelerator_spellings
from ..machines import Machines, machines_of
from ..prices import Prices, bundled
from ..units import SECONDS_PER_HOUR
from .nameplates import Nameplate, nameplate_of


@dataclass(frozen=True, eq=False)
class Sold:
    """Offers under one purchase option: the cheapest allowed one of each type, and whether the type is sold at all."""

    cheapest: Ints  # row of the offers; -1 where none is allowed
    offered: Flags  # under this one, in any region


@dataclass(frozen=True, eq=False)
class Market:
    """A catalog with everything derived from it and from the current prices, and the coefficients of estimates."""

    catalog: Catalog
    coefficients: Coefficients
    machines: Machines
    no_machines: Machines  # not a row of them
    nameplates: tuple[Nameplate, ...]  # one a type
    prices: Prices
    offers: Offers
    current: Flags  # offers that a newcomer can order now
    first_offer: Ints  # per type, its first row in offers; one longer than the types
    offers_by_region: Ints  # all offers, those of a region together
    first_in_region: Ints  # per region, where its offers begin there; one longer than the regions
    spellings: dict[str, dict[str, str]]  # kind of name → key → name as the catalog writes it
    type_rows: dict[tuple[str, str], int]  # (cloud, name, or key of the name) → row
    rows_of_region: dict[str, tuple[int, ...]]  # name in lower case, or key of the name → rows of the regions
    rows_of_name: dict[str, tuple[int, ...]]  # name, or key of the name → rows, in whatever cloud
    priced: Flags  # types with an offer under any purchase option, in any region
    sold: tuple[Sold, ...]  # one a purchase option, for the questions that name no region, terms or retired type
    name_order: Ints  # rank of each type by cloud and name: the last tie-break
    volumes_stay: Flags  # of types, when their spot capacity is interrupted
    listings: Flags  # of types: single hosts of a marketplace
    billed: Floats  # hours that each start of a type is billed at least, and in whose multiples: shape (2, types)

    @cached_property
    def has_unrated_spot(self) -> bool:
        """Whether the interruption rate of any offer on spot is unknown."""
        spot = self.offers.purchase == SPOT
        return bool(np.isnan(self.prices.interruptions_per_hour[spot]).any())

    @cached_property
    def spot_clouds(self) -> frozenset[str]:
        """Clouds with at least one known spot price."""
        clouds, types = self.catalog.instance_types.cloud, self.offers.instance_type[self.offers.purchase == SPOT]
        return frozenset(clouds[row] or "" for row in np.unique(types).tolist())

    @cached_property
    def disk_sellers(self) -> Ints:
        """Place of each type's disks among the products."""
        types = self.catalog.instance_types
        return disk_sellers(types.cloud, types.family)

    def products(self, job: Job) -> Ints:
        """Return the row of the disks for the job's disk class, by ``disk_sellers``; -1 if none is sold."""
        clouds = self.catalog.instance_types.cloud.words
        return product_rows(self.prices.disks, clouds, job.workload.disk.type or "auto")


def market_of(catalog: Catalog, coefficients: Coefficients, prices: Prices | None = None) -> Market:
    """Join and index a catalog; ``prices`` replace its own."""
    types = catalog.instance_types
    in_force = bundled(catalog) if prices is None else prices
    keys = [(types.cloud[row] or "", name) for row, name in enumerate(types.name)]
    order = np.empty(len(keys), dtype=np.int32)
    order[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys), dtype=np.int32)
    by_name: dict[str, list[int]] = {}
    for row, (_, name) in enumerate(keys):
        for spelling in {name, names.key(name)}:  # two names may have one key: each is also found as it is spelled
            by_name.setdefault(spelling, []).append(row)
    machines = machines_of(catalog)
    terms = [coefficients.clouds.of(cloud) for cloud, _ in keys]
    billed = [one.billing_of(name) for one, name in zip(terms, types.name, strict=True)]
    return Market(
        catalog=catalog,
        coefficients=coefficients,
        machines=machines,
        no_machines=machines.take(np.empty(0, dtype=np.int32)),
        nameplates=tuple(nameplate_of(machines, row, catalog, one.marketplace) for row, one in enumerate(terms)),
        spellings=_spellings(catalog),
        type_rows={(cloud, names.key(name)): row for row, (cloud, name) in enumerate(keys)}
        | {key: row for row, key in enumerate(keys)},
        rows_of_region=_rows_of_region(catalog.regions.name),
        rows_of_name={key: tuple(rows) for key, rows in by_name.items()},
        name_order=order,
        volumes_stay=np.array([one.volumes_stay for one in terms], dtype=bool),
        listings=np.array([one.marketplace for one in terms], dtype=bool),
        billed=np.array(billed).reshape(-1, 2).T / SECONDS_PER_HOUR,
        **_of_prices(catalog, in_force),
    )


def _rows_of_region(regions: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for row, name in enumerate(regions):
        for spelling in {name.lower(), names.key(name)}:  # two names may have one key, as types have
            found.setdefault(spelling, []).append(row)
    return {spelling: tuple(rows) for spelling, rows in found.items()}


def row_of(market: Market, cloud: str, name: str) -> int | None:
    """Return the row of a cloud's instance type; of two similar names, the exact spelling; ``None`` for none."""
    return market.type_rows.get((cloud, name), market.type_rows.get((cloud, names.key(name))))


def repriced(market: Market, prices: Prices) -> Market:
    """Return the same catalog at other prices, without computing the common parts again."""
    if prices.offers is market.offers:
        return replace(market, prices=prices)
    return replace(market, **_of_prices(market.catalog, prices))


def _of_prices(catalog: Catalog, prices: Prices) -> dict[str, Any]:
    """What of a market depends on the prices, by name."""
    offers, first = prices.offers, _first_offers(catalog, prices.offers)
    by_region, first_in_region = _by_region(catalog, offers)
    current = current_offers(catalog, offers)
    return {
        "prices": prices,
        "offers": offers,
        "current": current,
        "first_offer": first,
        "offers_by_region": by_region,
        "first_in_region": first_in_region,
        "priced": priced(offers, first, current),
        "sold": _sold(catalog, offers, current, first),
    }


def current_offers(catalog: Catalog, offers: Offers) -> Flags:
    """Return the offers that a newcomer can order: still sold, and not on demand where a reservation is needed."""
    reserved = catalog.withdrawn_as(RESERVED)[offers.instance_type] & (offers.purchase == ON_DEMAND)
    current: Flags = offers.current & ~reserved
    return current


def _first_offers(catalog: Catalog, offers: Offers) -> Ints:
    return np.searchsorted(offers.instance_type, np.arange(len(catalog.instance_types) + 1)).astype(np.int32)


def _by_region(catalog: Catalog, offers: Offers) -> tuple[Ints, Ints]:
    """Offers by region, and the start of each region."""
    order = np.argsort(offers.region, kind="stable").astype(np.int32)
    sizes = np.bincount(offers.region, minlength=len(catalog.regions.name))
    return order, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)


def _sold(catalog: Catalog, offers: Offers, current: Flags, first: Ints) -> tuple[Sold, ...]:
    unrestricted = ~catalog.regions.restricted[offers.region]
    return tuple(sold(offers, first, code, current, unrestricted) for code in range(len(PURCHASE_NAMES)))


def priced(offers: Offers, first: Ints, current: Flags) -> Flags:
    """Return the types with a ``current`` offer."""
    return np.bincount(offers.instance_type[current], minlength=len(first) - 1) > 0


def sold(offers: Offers, first: Ints, purchase: int, current: Flags, allowed: Flags) -> Sold:
    """Return the ``current`` offers under a purchase option in the ``allowed`` regions."""
    types = len(first) - 1
    bought = current & (offers.purchase == purchase)
    return Sold(
        cheapest=cheapest(np.where(bought & allowed, offers.usd_per_hour, np.inf), first),
        offered=np.bincount(offers.instance_type[bought], minlength=types) > 0,
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
        "accelerator": accelerator_spellings(accelerators),
        "processor": names.index([(name, ()) for name in (*processors.name, *micro)]),
    }


ARCHITECTURE_ALIASES = {"x86_64": ("amd64", "x64", "intel64"), "arm64": ("aarch64", "arm")}


def _plain(words: Iterable[str]) -> dict[str, str]:
    return names.index((word, ()) for word in words)


def cheapest(usd_per_hour: Floats, first: Ints) -> Ints:
    """Return the position of each type's lowest price, the first of equals; -1 where a type has none below infinity.

    ``first`` is the start of each type's prices.
    """
    best = np.full(len(first) - 1, -1, dtype=np.int32)
    filled = np.flatnonzero(first[1:] > first[:-1])
    lowest = np.full(len(first) - 1, np.inf)
    lowest[filled] = np.minimum.reduceat(usd_per_hour, first[:-1][filled])
    lows = np.flatnonzero((usd_per_hour == np.repeat(lowest, np.diff(first))) & (usd_per_hour < np.inf))[::-1]
    best[np.searchsorted(first, lows, side="right") - 1] = lows  # written backwards, so that the first of equals stays
    return best
