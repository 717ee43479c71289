"""In which form a file of workloads or answers is written: CSV, JSON lines or Parquet, plain or compressed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from .faults import BulkError

CSV, JSONL, PARQUET = "csv", "jsonl", "parquet"
KINDS = (CSV, JSONL, PARQUET)
STANDARD = "-"  # standard input or output
_KIND_OF_SUFFIX = {".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL, ".parquet": PARQUET, ".pq": PARQUET}


@dataclass(frozen=True)
class Form:
    """A kind of file, and whether gzip is around it."""

    kind: str
    gzipped: bool = False


def form_of(path: str, stated: str | None, option: str) -> Form:
    """The form that is stated or that the name's ending tells; ``option`` is what states it."""
    name = PurePath(path)
    gzipped = name.suffix == ".gz"
    suffix = name.with_suffix("").suffix if gzipped else name.suffix
    kind = stated or _KIND_OF_SUFFIX.get(suffix.lower())
    if kind is None:
        known = ", ".join(_KIND_OF_SUFFIX)
        raise BulkError(f"{path}: the name does not tell the form ({known}, each with .gz): give {option}")
    if kind == PARQUET and gzipped:
        raise BulkError(f"{path}: Parquet compresses itself; it is not put into gzip")
    if kind == PARQUET and path == STANDARD:
        raise BulkError("Parquet cannot be streamed: give a file, or csv or jsonl")
    return Form(kind, gzipped)
