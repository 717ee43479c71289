"""Tables of columns as one ``.npz`` file: whose bytes are a function of its content, and that is read whole or not."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeAlias, TypeVar

import numpy as np

from plimsoll_service.engine.hardware import Coded

Array: TypeAlias = np.ndarray[Any, Any]
Table = TypeVar("Table")
# The oldest time a zip entry can carry; a fixed one keeps the file's bytes a function of its content.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
LIST_SEPARATOR = "|"
LARGEST_BYTES = 1 << 30  # unpacked: some hundred times what is bundled, and less than a machine's memory
KINDS = {"Floats": "f", "Flags": "b", "Ints": "iu"}  # of numpy's type codes


class NotColumns(ValueError):
    """The bytes are no such file, or their columns are not those asked for."""


def pack(arrays: Iterable[tuple[str, Array]], level: int) -> bytes:
    """The file with these arrays, compressed at a level of zlib's."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for key, array in arrays:
            entry = zipfile.ZipInfo(f"{key}.npy", ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, npy(array), compresslevel=level)
    return buffer.getvalue()


def unpack(content: bytes) -> dict[str, Array]:
    """The file's arrays by name; raises ``NotColumns``."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST_BYTES:
                raise NotColumns(f"unpacks to more than {LARGEST_BYTES} bytes")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except NotColumns:
        raise
    except (OSError, ValueError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise NotColumns(str(error)) from error


def npy(array: Array) -> bytes:
    """One array in numpy's own format."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def arrays_of(section: str, table: Any) -> Iterator[tuple[str, Array]]:
    """The columns of a dataclass as named arrays."""
    for field in fields(table):
        yield from _column(f"{section}.{field.name}", getattr(table, field.name))


def keys_of(section: str, table: type) -> Iterator[str]:
    """The names of the arrays that ``arrays_of`` gives for a table of this type."""
    for field in fields(table):
        yield f"{section}.{field.name}"
        if field.type == "Coded":
            yield f"{section}.{field.name}.words"


def table_of(section: str, table: type[Table], arrays: Mapping[str, Array]) -> Table:
    """A table out of named arrays, all of which are there; raises ``NotColumns`` where one is of another kind."""
    values: dict[str, Any] = {}
    for field in fields(table):  # type: ignore[arg-type]
        key = f"{section}.{field.name}"
        array = arrays[key]
        if field.type == "Coded":
            values[field.name] = Coded(_integers(key, array), words(arrays[f"{key}.words"]))
        elif field.type == "tuple[tuple[str, ...], ...]":
            values[field.name] = tuple(tuple(filter(None, item.split(LIST_SEPARATOR))) for item in words(array))
        elif field.type == "tuple[str, ...]":
            values[field.name] = words(array)
        elif field.type == "Ints":
            values[field.name] = _integers(key, array)
        else:
            values[field.name] = _of_kind(key, array, KINDS[str(field.type)])
    return table(**values)


def narrow(numbers: Array) -> Array:
    """The numbers in a small integer type that holds every one of them: it compresses better."""
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    return numbers.astype(np.result_type(np.min_scalar_type(min(low, -1)), np.min_scalar_type(high)))


def text(words_: Iterable[str]) -> Array:
    """Words as an array of bytes."""
    # The closing newline of each word tells no word from one empty word.
    return np.frombuffer("".join(f"{word}\n" for word in words_).encode(), dtype=np.uint8)


def words(array: Array) -> tuple[str, ...]:
    """Value that ``text`` encodes; raises ``NotColumns``."""
    try:
        return tuple(array.tobytes().decode().split("\n")[:-1])
    except UnicodeDecodeError as error:
        raise NotColumns(str(error)) from error


def _column(key: str, value: Any) -> Iterator[tuple[str, Array]]:
    if isinstance(value, Coded):
        yield key, narrow(value.codes)
        yield f"{key}.words", text(value.words)
    elif isinstance(value, tuple):
        yield key, text(LIST_SEPARATOR.join(item) if isinstance(item, tuple) else item for item in value)
    else:
        yield key, narrow(value) if value.dtype == np.int32 else value


def _integers(key: str, array: Array) -> Array:
    return _of_kind(key, array, KINDS["Ints"]).astype(np.int32)


def _of_kind(key: str, array: Array, kinds: str) -> Array:
    if array.dtype.kind not in kinds:
        raise NotColumns(f"{key} is of type {array.dtype}")
    return array
