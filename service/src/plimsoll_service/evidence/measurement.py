"""A published measurement (workload, software, machine and figure), and its form as a row of CSV files."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, get_args, get_type_hints

# Measured figures with their units; throughput is that of all devices together.
METRICS = (
    "samples/s",
    "tokens/s",
    "output_tokens/s",
    "prefill_tokens/s",
    "ttft_ms",
    "tpot_ms",
    "latency_ms",
    "peak_memory_gib",
    "largest_batch",
    "fits",
    "seconds",
)
# Arrival of requests: one at a time; a fixed number at once; all at once; at a constant or random rate; as fast as
# they are served; under a latency target (MLPerf's Server); one fixed batch.
LOADS = ("single", "closed", "saturated", "rate", "offline", "server", "static")


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure with its source; ``None`` where a column has no meaning for the row or is not known.

    ``value`` is in the unit of ``metric``: samples as the model's profile counts them, tokens for language-model
    training, GiB of one device for memory, 0 for ``fits`` where it ran out of it; ``seconds`` are of a whole fit.
    ``batch_size`` is per device and forward pass, ``memory_gib`` and ``vcpus`` of one machine, ``device_count`` of all
    machines (1 on processors). ``spread`` is the full range over the median, where several machines were merged.
    A row with a ``doubt`` is not fitted.
    """

    id: str
    source: str
    task: str
    model: str
    printed_model: str
    framework: str
    framework_version: str | None
    tuning: str
    date: str
    precision: str
    batch_size: int | None
    sequence_length: int | None
    image_size: tuple[int, ...] | None
    input_tokens: int | None
    output_tokens: int | None
    concurrency: float | None
    load: str | None
    method: str | None
    optimizer: str | None
    activation_recomputation: str | None
    compiled: bool | None
    packed: bool | None
    global_batch_size: int | None
    tensor_parallel: int | None
    pipeline_parallel: int | None
    expert_parallel: int | None
    context_parallel: int | None
    attention_data_parallel: bool
    accelerator: str | None
    cpu: str | None
    device_count: int
    node_count: int
    vcpus: int | None
    memory_gib: float | None
    cloud: str | None
    instance_type: str | None
    metric: str
    value: float
    printed_value: str
    printed_unit: str
    spread: float | None
    doubt: str
    max_running: int | None = None  # requests that the engine was set to run at once
    network_gbps: float | None = None  # between machines, where stated
    steps: int | None = None  # denoising steps of an image
    rows: int | None = None  # of a table that a tree or linear learner fits
    features: int | None = None
    trees: int | None = None
    depth: int | None = None


COLUMNS = tuple(field.name for field in fields(Measurement))
TRUE, FALSE = "yes", "no"
SIDES = "x"
# Values of empty cells; the other columns need one.
_EMPTY: dict[str, Any] = {
    name: kind() if kind in (str, bool) else None
    for name, kind in get_type_hints(Measurement).items()
    if kind in (str, bool) or type(None) in get_args(kind)
}
_WORDS = {"metric": METRICS, "load": LOADS, "task": ("training", "inference"), "tuning": ("stock", "tuned")}


class EvidenceError(Exception):
    """Evidence that cannot be read, with the file, the line and the reason."""


def rows_of(file: Traversable) -> list[dict[str, str]]:
    """The rows of a CSV file; cells beyond the header's come under the name ``surplus``."""
    with file.open(encoding="utf-8") as text:
        return list(csv.DictReader(text, restkey="surplus", restval="", strict=True))


def cells_of(kind: type, row: Mapping[str, str]) -> dict[str, Any]:
    """The cells of a row that are not empty, as fields of that class."""
    readers = readers_of(kind)
    return {name: readers[name](cell) for name, cell in row.items() if cell}


WORDS = {"true": True, "false": False, TRUE: True, FALSE: False}


@cache
def readers_of(kind: type) -> dict[str, Callable[[str], Any]]:
    """The reader of each field of a class, by the field's name."""
    return {name: reader_of(type_) for name, type_ in get_type_hints(kind).items()}


def reader_of(kind: Any) -> Callable[[str], Any]:
    """Function that reads a cell of a field of that type; fractions may be written as such."""
    kinds = {kind, *get_args(kind)}
    if bool in kinds:
        return WORDS.__getitem__
    if kind == tuple[str, ...]:
        return lambda cell: tuple(cell.split("|"))
    if kind == tuple[float, ...]:
        return lambda cell: tuple(float(Fraction(part)) for part in cell.split("|"))
    if float in kinds:
        return lambda cell: float(Fraction(cell) if "/" in cell else cell)
    if tuple[int, ...] in kinds:
        return lambda cell: tuple(map(int, cell.split(SIDES)))
    return int if int in kinds else str


def read(file: Iterable[str], name: str) -> list[Measurement]:
    """Return the rows of an open file; raises ``EvidenceError`` for an unknown column or a faulty cell."""
    reader = csv.DictReader(file)
    unknown = set(reader.fieldnames or ()) - set(COLUMNS)
    if unknown:
        raise EvidenceError(f"{name}: unknown columns {', '.join(sorted(unknown))}")
    return [_measurement(row, f"{name}, line {line}") for line, row in enumerate(reader, start=2)]


def _measurement(row: dict[str, str], where: str) -> Measurement:
    try:
        return Measurement(**{name: value_of(name, row.get(name) or "") for name in COLUMNS})
    except ValueError as error:
        raise EvidenceError(f"{where}: {error}") from error


def value_of(name: str, text: str) -> Any:
    """Return the cell's value; raises ``ValueError`` where it is not of the column's type or words."""
    if not text:
        if name in _EMPTY:
            return _EMPTY[name]
        raise ValueError(f"{name} is missing")
    if text not in _WORDS.get(name, (text,)):
        raise ValueError(f"{name} {text!r} is none of {', '.join(_WORDS[name])}")
    try:
        return readers_of(Measurement)[name](text)
    except KeyError:
        raise ValueError(f"{name} {text!r} is neither {TRUE} nor {FALSE}") from None
