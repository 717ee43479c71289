"""The catalog as one ``.npz`` file: read whole or not at all, written in one step."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from plimsoll_service.catalog.faults import CatalogError
from plimsoll_service.catalog.integrity import faults_of
from plimsoll_service.engine.hardware import (
    Accelerators,
    Catalog,
    Coded,
    Disks,
    InstanceTypes,
    Offers,
    Processors,
    Regions,
)

BUNDLED = Path(__file__).parent / "data" / "catalog.npz"
SECTIONS: dict[str, type] = {
    "regions": Regions,
    "accelerators": Accelerators,
    "processors": Processors,
    "disks": Disks,
    "instance_types": InstanceTypes,
    "offers": Offers,
}
HASH_LENGTH = 8
COMPRESSION_LEVEL = 9
# The oldest time a zip entry can carry; a fixed one keeps the file's bytes a function of its content.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
LIST_SEPARATOR = "|"


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
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            catalog = _from_arrays({key: arrays[key] for key in arrays.files})
    except KeyError as error:
        raise CatalogError([f"{name}: {error.args[0]}"]) from error
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise CatalogError([f"{name}: is not a catalog snapshot: {error}"]) from error
    faults = faults_of(catalog)
    if faults:
        raise CatalogError(f"{name}: {fault}" for fault in faults)
    return catalog


def save(catalog: Catalog, path: Path) -> None:
    """Write ``catalog`` to ``path`` in one step: readers see the old file or the new one, never a part."""
    faults = faults_of(catalog)
    if faults:
        raise CatalogError(faults)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(dumps(catalog))
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def dumps(catalog: Catalog) -> bytes:
    """The snapshot's bytes, a function of the catalog's content alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL) as archive:
        for key, array in _arrays(catalog):
            entry = zipfile.ZipInfo(f"{key}.npy", ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _npy(array), compresslevel=COMPRESSION_LEVEL)
    return buffer.getvalue()


def stamped(catalog: Catalog) -> Catalog:
    """``catalog`` with its date (of the newest price) and its version: that date and a hash of the content."""
    dates = [word for word in catalog.offers.as_of.words if word]
    newest = max(dates) if dates else ""
    dated = replace(catalog, prices_as_of=newest, version="")
    digest = hashlib.sha256()
    for key, array in _arrays(dated):
        digest.update(key.encode())
        digest.update(_npy(array))
    return replace(dated, version=f"{newest or 'undated'}-{digest.hexdigest()[:HASH_LENGTH]}")


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _arrays(catalog: Catalog) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    yield "version", _text((catalog.version,))
    yield "prices_as_of", _text((catalog.prices_as_of,))
    yield "clouds", _text(catalog.clouds)
    yield "unpriced", _narrow(catalog.unpriced)
    for section in SECTIONS:
        table = getattr(catalog, section)
        for field in fields(table):
            yield from _column(f"{section}.{field.name}", getattr(table, field.name))


def _column(key: str, value: Any) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    if isinstance(value, Coded):
        yield key, _narrow(value.codes)
        yield f"{key}.words", _text(value.words)
    elif isinstance(value, tuple):
        yield key, _text(tuple(LIST_SEPARATOR.join(item) if isinstance(item, tuple) else item for item in value))
    else:
        yield key, _narrow(value) if value.dtype == np.int32 else value


def _narrow(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The smallest integer type that holds every number: it compresses better."""
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    return numbers.astype(np.result_type(np.min_scalar_type(min(low, -1)), np.min_scalar_type(high)))


def _text(words: tuple[str, ...]) -> np.ndarray[Any, Any]:
    # The closing newline of each word tells no word from one empty word.
    return np.frombuffer("".join(f"{word}\n" for word in words).encode(), dtype=np.uint8)


def _words(array: np.ndarray[Any, Any]) -> tuple[str, ...]:
    return tuple(array.tobytes().decode().split("\n")[:-1])


def _from_arrays(arrays: dict[str, np.ndarray[Any, Any]]) -> Catalog:
    missing = [key for key in _expected_keys() if key not in arrays]
    if missing:
        raise KeyError(f"has no {', '.join(missing)}")
    sections = {name: _section(name, table, arrays) for name, table in SECTIONS.items()}
    return Catalog(
        version=_words(arrays["version"])[0],
        prices_as_of=_words(arrays["prices_as_of"])[0],
        clouds=_words(arrays["clouds"]),
        unpriced=arrays["unpriced"].astype(np.int32),
        **sections,
    )


def _expected_keys() -> Iterator[str]:
    yield from ("version", "prices_as_of", "clouds", "unpriced")
    for name, table in SECTIONS.items():
        for field in fields(table):
            yield f"{name}.{field.name}"
            if field.type == "Coded":
                yield f"{name}.{field.name}.words"


def _section(name: str, table: type, arrays: dict[str, np.ndarray[Any, Any]]) -> Any:
    values: dict[str, Any] = {}
    for field in fields(table):
        array = arrays[f"{name}.{field.name}"]
        if field.type == "Coded":
            values[field.name] = Coded(array.astype(np.int32), _words(arrays[f"{name}.{field.name}.words"]))
        elif field.type == "tuple[tuple[str, ...], ...]":
            values[field.name] = tuple(tuple(filter(None, item.split(LIST_SEPARATOR))) for item in _words(array))
        elif field.type == "tuple[str, ...]":
            values[field.name] = _words(array)
        else:
            values[field.name] = array.astype(np.int32) if field.type == "Ints" else array
    return table(**values)
