"""The catalog as one ``.npz`` file, which is read whole and written in one step."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from .. import columns_file
from ..columns_file import HASH_LENGTH, Array, NotColumns
from ..engine.hardware import Accelerators, Catalog, Disks, InstanceTypes, Offers, Processors, Regions, Withdrawn
from ..whole_file import PUBLIC, write_whole
from .faults import CatalogError
from .integrity import faults_of

BUNDLED = Path(__file__).parent / "data" / "catalog.npz"
SECTIONS: dict[str, type] = {
    "regions": Regions,
    "accelerators": Accelerators,
    "processors": Processors,
    "disks": Disks,
    "withdrawn": Withdrawn,
    "instance_types": InstanceTypes,
    "offers": Offers,
}
COMPRESSION_LEVEL = 9


def load(path: Path | None = None) -> Catalog:
    """Read a snapshot (the bundled one by default); raises ``CatalogError`` with every fault of it."""
    source = path or BUNDLED
    try:
        content = source.read_bytes()
    except OSError as error:
        raise CatalogError([f"{source}: cannot be read: {error.strerror or error}"]) from error
    return loads(content, str(source))


def loads(content: bytes, name: str = "snapshot") -> Catalog:
    """Read a snapshot's bytes; raises ``CatalogError`` with every fault, each beginning with ``name``."""
    try:
        catalog = _from_arrays(columns_file.unpack(content))
    except NotColumns as error:
        raise CatalogError([f"{name}: is not a catalog snapshot: {error}"]) from error
    faults = faults_of(catalog)
    if faults:
        raise CatalogError(f"{name}: {fault}" for fault in faults)
    return catalog


def save(catalog: Catalog, path: Path) -> None:
    """Write ``catalog`` to ``path`` in one step: readers see the old file or the new one."""
    faults = faults_of(catalog)
    if faults:
        raise CatalogError(faults)
    write_whole(path, dumps(catalog), PUBLIC)


def dumps(catalog: Catalog) -> bytes:
    """Return the snapshot's bytes; equal catalogs give equal bytes."""
    return columns_file.pack(_arrays(catalog), COMPRESSION_LEVEL)


def stamped(catalog: Catalog) -> Catalog:
    """Return ``catalog`` with its date (of the newest price) and its version: the date and a hash of the content."""
    dates = [word for word in catalog.offers.as_of.words if word]
    newest = max(dates) if dates else ""
    dated = replace(catalog, prices_as_of=newest, version="")
    digest = hashlib.sha256()
    for key, array in _arrays(dated):
        digest.update(key.encode())
        digest.update(columns_file.npy(array))
    return replace(dated, version=f"{newest or 'undated'}-{digest.hexdigest()[:HASH_LENGTH]}")


def _arrays(catalog: Catalog) -> Iterator[tuple[str, Array]]:
    yield "version", columns_file.text((catalog.version,))
    yield "prices_as_of", columns_file.text((catalog.prices_as_of,))
    yield "clouds", columns_file.text(catalog.clouds)
    yield "unpriced", columns_file.narrow(catalog.unpriced)
    for section in SECTIONS:
        yield from columns_file.arrays_of(section, getattr(catalog, section))


def _from_arrays(arrays: dict[str, Array]) -> Catalog:
    sections = columns_file.tables_of(SECTIONS, arrays, ("version", "prices_as_of", "clouds", "unpriced"))
    return Catalog(
        version=_word(arrays["version"]),
        prices_as_of=_word(arrays["prices_as_of"]),
        clouds=columns_file.words(arrays["clouds"]),
        unpriced=arrays["unpriced"].astype(np.int32),
        **sections,
    )


def _word(array: Array) -> str:
    return "".join(columns_file.words(array)[:1])
