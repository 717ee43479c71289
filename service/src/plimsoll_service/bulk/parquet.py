"""Reading and writing of Parquet by row batches. Only this module imports pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import orjson

from . import BulkError
from .lines import COLUMNS

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise BulkError("Parquet needs pyarrow: pip install 'plimsoll-service[bulk]'") from error

ROWS_AT_ONCE = 4096
_TYPES = {str: pa.string(), float: pa.float64(), int: pa.int64()}


def opened(path: str) -> AbstractContextManager[Any]:
    """Open a file for reading by batches; raises ``BulkError`` where it is not Parquet."""
    try:
        file: AbstractContextManager[Any] = pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise BulkError(f"{path}: {error}") from error
    return file


def cells_of_batches(file: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the values of each row."""
    for batch in file.iter_batches(ROWS_AT_ONCE):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def write(spool: Path, target: Path) -> None:
    """Write rows that were spooled as JSON lines to a Parquet file."""
    schema = pa.schema([(column.name, _TYPES[column.type]) for column in COLUMNS])
    with spool.open("rb") as lines, pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for rows in _batches(lines):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema), row_group_size=ROWS_AT_ONCE)


def _batches(lines: Any) -> Iterator[list[Any]]:
    rows: list[Any] = []
    for line in lines:
        rows.append(orjson.loads(line))
        if len(rows) == ROWS_AT_ONCE:
            yield rows
            rows = []
    if rows:
        yield rows
