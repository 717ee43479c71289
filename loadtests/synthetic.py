"""Synthetic catalogs, larger than any real one, made from a real one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from plimsoll_service.engine.hardware import Catalog, Coded, Floats, Ints

CHEAPEST, DEAREST = 0.8, 1.6  # of the copied price: about what one GPU costs at the cheap and at the large clouds
MEMORY_STEPS = 16  # GiB by which machines of the same processors and devices differ


def resold(catalog: Catalog, times: int, seed: int = 1) -> Catalog:
    """Every machine sold under ``times`` names, each with prices of its own."""
    types, offers = len(catalog.instance_types), len(catalog.offers)
    number = np.arange(types * times, dtype=np.int32) % times
    rows = np.repeat(np.arange(types, dtype=np.int32), times)
    instance_types = taken(catalog.instance_types, rows)
    names = tuple(f"{name}~{copy}" if copy else name for name, copy in zip(instance_types.name, number, strict=True))
    each = np.concatenate([np.arange(offers, dtype=np.int32)] * times)
    copy = np.repeat(np.arange(times, dtype=np.int32), offers)
    owner = catalog.offers.instance_type[each] * times + copy
    order = np.argsort(owner, kind="stable")
    factors = np.random.default_rng(seed).uniform(CHEAPEST, DEAREST, len(names))
    sold = taken(catalog.offers, each[order])
    prices: Floats = sold.usd_per_hour * np.where(copy[order] > 0, factors[owner[order]], 1.0)
    return replace(
        catalog,
        instance_types=replace(instance_types, name=names),
        offers=replace(sold, instance_type=owner[order].astype(np.int32), usd_per_hour=prices),
        unpriced=catalog.unpriced[rows],
    )


def varied(catalog: Catalog, times: int, seed: int = 1) -> Catalog:
    """The same with machines that differ: each copy has some more memory than its original."""
    whole = resold(catalog, times, seed)
    more = np.arange(len(whole.instance_types)) % times * float(MEMORY_STEPS)
    types = replace(whole.instance_types, memory_gib=whole.instance_types.memory_gib + more)
    return replace(whole, instance_types=types)


def taken(table: Any, rows: Ints) -> Any:
    """The given rows of every column of a table."""
    return type(table)(**{item.name: _of(getattr(table, item.name), rows) for item in fields(table)})


def _of(column: Any, rows: Ints) -> Any:
    if isinstance(column, Coded):
        return Coded(column.codes[rows], column.words)
    return tuple(column[row] for row in rows) if isinstance(column, tuple) else column[rows]
