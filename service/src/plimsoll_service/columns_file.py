"""Tables of columns as one ``.npz`` file; equal content gives equal bytes, and a file is read whole."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeAlias

import numpy as np

from .engine.hardware import Coded, Floats

Array: TypeAlias = np.ndarray[Any, Any]
# The oldest time of a zip entry; a fixed time gives equal bytes for equal content.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
LIST_SEPARATOR = "|"
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")  # no cell may hold one
HASH_LENGTH = 8  # of the hash in a version
LARGEST_BYTES = 1 << 30  # unpacked: some hundred times the bundled catalog, and less than a machine's memory
KINDS = {"Floats": "f", "Flags": "b", "Ints": "iu"}  # of numpy's type codes


class NotColumns(ValueError):
    """The bytes are no such file, or lack the expected columns."""


def pack(arrays: Iterable[tuple[str, Array]], level: int) -> bytes:
    """Return the file with these arrays, compressed at a level of zlib."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for key, array in arrays:
            entry = zipfile.ZipInfo(f"{key}.npy", ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, npy(array), compresslevel=level)
    return buffer.getvalue()


def unpack(content: bytes, most_bytes: int | None = None) -> dict[str, Array]:
    """Return the file's arrays by name; raises ``NotColumns``, also where they take more bytes."""
    most_bytes = LARGEST_BYTES if most_bytes is None else most_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > most_bytes:
                raise NotColumns(f"unpacks to more than {most_bytes} bytes")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except NotColumns:
        raise
    except (OSError, ValueError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise NotColumns(str(error)) from error


def npy(array: Array) -> bytes:
    """Return an array in NumPy's own format."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def arrays_of(section: str, table: Any) -> Iterator[tuple[str, Array]]:
    """Yield the columns of a dataclass as named arrays."""
    for field in fields(table):
        yield from _column(f"{section}.{field.name}", getattr(table, field.name))


def tables_of(sections: Mapping[str, type], arrays: Mapping[str, Array], besides: Iterable[str] = ()) -> dict[str, Any]:
    """Return the tables of these names and types; raises ``NotColumns`` if one of their arrays or ``besides`` lacks."""
    missing = [key for key in besides if key not in arrays]
    missing += [key for name, table in sections.items() for key in _keys_of(name, table) if key not in arrays]
    if missing:
        raise NotColumns(f"has no {', '.join(missing)}")
    return {name: _table_of(name, table, arrays) for name, table in sections.items()}


def _keys_of(section: str, table: type) -> Iterator[str]:
    for field in fields(table):
        yield f"{section}.{field.name}"
        if field.type == "Coded":
            yield f"{section}.{field.name}.words"


def _table_of(section: str, table: type[Any], arrays: Mapping[str, Array]) -> Any:
    values: dict[str, Any] = {}
    for field in fields(table):
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


def coded(values: Iterable[str | None]) -> Coded:
    """A column of words, which are sorted: equal content gives equal codes. ``None`` and no word are unknown."""
    column = list(values)
    words_ = tuple(sorted({value for value in column if value}))
    code_by_word = {word: code for code, word in enumerate(words_)}
    return Coded(np.array([code_by_word.get(value or "", -1) for value in column], dtype=np.int32), words_)


def floats(values: Iterable[float | None]) -> Floats:
    """A column of numbers; ``None`` becomes NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


MADE: dict[str, Callable[[Sequence[Any]], Any]] = {
    "Coded": coded,
    "Floats": floats,
    "Flags": lambda values: np.array(values, dtype=np.bool_),
    "Ints": lambda values: np.array(values, dtype=np.int32),
}


def column_of(kind: str, values: Sequence[Any]) -> Any:
    """The values as a column of a field of that type."""
    return MADE.get(kind, tuple)(values)


def narrow(numbers: Array) -> Array:
    """Return the numbers in the smallest integer type, which compresses better."""
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    return numbers.astype(np.result_type(np.min_scalar_type(min(low, -1)), np.min_scalar_type(high)))


def text(words_: Iterable[str]) -> Array:
    """Return words as an array of bytes."""
    # Each word ends with a newline, so that no word and one empty word differ.
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
