"""What volumes cost: the catalog's products at the prices of their reference region, and every region's factor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plimsoll_service.engine.hardware import Catalog, Coded, Disks, Flags, Floats, Ints
from plimsoll_service.prices.snapshots.coding import rows_named
from plimsoll_service.prices.snapshots.table import VolumeColumns

# The region that a cloud's own documentation prices its volumes in, and that the catalog's disk prices are of.
REFERENCE_REGIONS = {"alibaba": "cn-hangzhou", "aws": "us-east-1", "azure": "eastus", "gcp": "us-central1"}


def disk_prices(volumes: VolumeColumns, catalog: Catalog) -> tuple[Disks, Floats]:
    """The catalog's disks at these prices, and what a region's volumes cost over them, of shape (disks, regions).

    A product costs what its reference region asks: of a cloud that has none, the region that prices most products. One
    that is not priced there keeps the catalog's price.
    """
    factors = np.ones((len(catalog.disks), len(catalog.regions)))
    if not len(volumes):
        return catalog.disks, factors
    disk = rows_named(catalog.disks.cloud, catalog.disks.product, volumes.cloud, volumes.product)
    region = rows_named(catalog.regions.cloud, catalog.regions.name, volumes.cloud, volumes.region)
    known = np.flatnonzero((disk >= 0) & (region >= 0)).astype(np.int32)
    reference = known[_of_reference(volumes, known)]
    disks = _at(catalog.disks, disk[reference], volumes, reference)
    ratio = volumes.usd_per_gib_month[known] / disks.usd_per_gib_month[disk[known]]
    sound = np.isfinite(ratio)  # a product that the catalog knows no price of has none to compare with
    factors[disk[known][sound], region[known][sound]] = ratio[sound]
    return disks, factors


def _of_reference(volumes: VolumeColumns, rows: Ints) -> Flags:
    """Which of these rows are of their cloud's reference region."""
    clouds, regions = volumes.cloud.words, volumes.region.words
    counts = np.zeros((len(clouds), len(regions)), dtype=np.int64)
    np.add.at(counts, (volumes.cloud.codes[rows], volumes.region.codes[rows]), 1)
    most = counts.argmax(axis=1)  # the first by name among equals
    named = [REFERENCE_REGIONS.get(cloud) for cloud in clouds]
    chosen = np.array([most[code] if name is None else _code(regions, name) for code, name in enumerate(named)])
    found: Flags = volumes.region.codes[rows] == chosen[volumes.cloud.codes[rows]]
    return found


def _code(words: tuple[str, ...], word: str) -> int:
    return words.index(word) if word in words else -1


def _at(disks: Disks, rows: Ints, volumes: VolumeColumns, priced: Ints) -> Disks:
    """The disks with these rows at the prices of these volumes; a part that is not sold apart stays as it was."""
    columns: dict[str, Floats] = {}
    for name in ("usd_per_gib_month", "usd_per_iops_month", "usd_per_mib_s_month"):
        column, new = getattr(disks, name).copy(), getattr(volumes, name)[priced]
        column[rows] = np.where(np.isnan(new), column[rows], new)
        columns[name] = column
    texts = {
        name: _replaced(getattr(disks, name), rows, getattr(volumes, name), priced)
        for name in ("as_of", "source", "confidence")
    }
    return replace(disks, **columns, **texts)  # type: ignore[arg-type]


def _replaced(words: tuple[str, ...], rows: Ints, column: Coded, priced: Ints) -> tuple[str, ...]:
    changed = dict(zip(rows.tolist(), priced.tolist(), strict=True))
    return tuple(column[changed[row]] or "" if row in changed else word for row, word in enumerate(words))
