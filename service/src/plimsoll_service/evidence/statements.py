"""What is stated rather than fitted, read once: frameworks, data sets, limits, terms of clouds, where software runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from math import inf
from typing import Any

from ..engine.clouds import Cloud, CloudTable, Egress, Tier
from ..engine.coefficients import Traffic
from ..engine.datasets import DatasetTable, KnownDataset
from ..engine.frameworks import WHISPER, Framework, FrameworkTable, Releases
from ..engine.models.batch_limits import BatchLimit, BatchLimits
from ..engine.models.families import LANGUAGE_MODELS, NEURAL, TABULAR, TEXT_TRANSFORMERS
from ..engine.sockets import Socket, Sockets
from ..engine.support import STATUSES, Program, Support, SupportTable
from .measurement import EvidenceError, cells_of, rows_of

FIGURES = ("samples", "tokens", "validation_samples", "features")  # columns of numbers
YES = "yes"


# Families and models that the table of frameworks names together.
TOGETHER = {
    "neural networks": NEURAL, "tabular learners": TABULAR, "text transformers": TEXT_TRANSFORMERS,
    "language models": LANGUAGE_MODELS, "Whisper": WHISPER,
}  # fmt: skip


@lru_cache(maxsize=1)
def frameworks() -> FrameworkTable:
    """The frameworks and serving engines."""
    return FrameworkTable(tuple(_framework(row, releases()) for row in _rows("frameworks.csv")))


def _framework(row: Mapping[str, str], known: Mapping[str, Releases]) -> Framework:
    cells = cells_of(Framework, row)
    for name in ("families", "models", "beside"):
        cells[name] = _members(row[name], TOGETHER)
    return Framework(**cells, releases=known.get(row["name"]) or known.get(row["base"], ()))


@lru_cache(maxsize=1)
def releases() -> Mapping[str, Releases]:
    """The releases of each project that lists them, the oldest first; those between take the one before."""
    found: dict[str, list[tuple[tuple[int, ...], float]]] = {}
    for row in _rows("framework_releases.csv"):
        numbers = tuple(map(int, row["release"].split(".")))
        found.setdefault(row["framework"], []).append((numbers, float(row["year"])))
    return found


def datasets() -> DatasetTable:
    """The known data sets."""
    return DatasetTable(tuple(map(_dataset, _rows("datasets.csv"))))


def batch_limits() -> BatchLimits:
    """The largest sensible global batches, by kind of training."""
    return {row.pop("kind"): BatchLimit(**_filled(row)) for row in _rows("batch_limits.csv")}


def traffic() -> Mapping[str, Traffic]:
    """The bytes that networks move per written element."""
    return {row["name"]: Traffic(float(row["training"]), float(row["inference"])) for row in _rows("traffic.csv")}


def sockets() -> Sockets:
    """The sockets of processors, by patterns of their product numbers; a clock that is left open is NaN."""
    return Sockets(tuple(map(_socket, _rows("sockets.csv"))))


def _socket(row: Mapping[str, str]) -> tuple[re.Pattern[str], Socket]:
    figures = (float(row[name] or "nan") for name in Socket._fields)
    return re.compile(row["product_number"], re.IGNORECASE), Socket(*figures)


def _rows(name: str) -> list[dict[str, str]]:
    return rows_of(resources.files(__package__) / name)


def _filled(row: Mapping[str, str]) -> dict[str, Any]:
    """The cells that are not empty; numbers as such."""
    return {name: _figure(cell) if name in FIGURES else cell for name, cell in row.items() if cell}


def _figure(cell: str) -> float:
    return int(cell) if cell.isdigit() else float(cell)


def _dataset(row: Mapping[str, str]) -> KnownDataset:
    cells = _filled(row)
    for name in ("bytes", "validation_bytes"):
        pairs = (pair.split("=") for pair in cells.get(name, "").split("|") if pair)
        cells[name] = tuple((form, _figure(size)) for form, size in pairs)
    cells["aliases"] = tuple(filter(None, row["aliases"].split("|")))
    if "image_size" in cells:
        cells["image_size"] = tuple(map(int, cells["image_size"].split("|")))
    return KnownDataset(**cells)


def clouds() -> CloudTable:
    """The terms of the clouds, and the continents."""
    by_cloud: dict[str, list[dict[str, str]]] = {}
    for row in _rows("clouds.csv"):
        by_cloud.setdefault(row["cloud"], []).append(row)
    clouds = {name: _cloud(*rows) for name, rows in by_cloud.items()}
    return CloudTable(clouds, {row["country"]: row["continent"] for row in _rows("countries.csv")})


def _cloud(own: Mapping[str, str], *elsewhere: Mapping[str, str]) -> Cloud:
    """The terms of a cloud by its own row, followed by those of its egress from other continents."""
    seconds: dict[str, Any] = {name: float(own[name] or 0.0) for name in own if name.endswith("_seconds")}
    return Cloud(
        egress=_egress(own) if own["internet"] else None,
        by_continent={row["continent"]: _egress(row) for row in elsewhere},
        marketplace=own["marketplace"] == YES,
        volumes_stay=own["volumes_stay"] == YES,
        usd_per_million_reads=float(own["usd_per_million_reads"] or 0.0),
        **seconds,
    )


def _egress(row: Mapping[str, str]) -> Egress:
    tiers = (tier.split(":") for tier in row["internet"].split("|"))  # price of a GB up to so many
    internet = tuple(Tier(float(top or inf), float(usd)) for top, usd in tiers)
    return Egress(internet, float(row["near"]), float(row["far"]))


def programs() -> tuple[Program, ...]:
    """The programs whose support differs from that of their framework."""
    return tuple(Program(**cells_of(Program, row)) for row in _rows("programs.csv"))


SUPPORT, GROUPS = "support.csv", "support_groups.csv"
# Groups that the table names itself.
BUILT_FOR_ARM, OVERFLOW_IN_FP16 = "built for Arm", "overflow in FP16"


def support() -> SupportTable:
    """The published statements on where software runs; raises ``EvidenceError`` for a faulty row."""
    groups = {row["group"]: tuple(row["members"].split("|")) for row in _rows(GROUPS)}
    rows = enumerate(_rows(SUPPORT), start=2)
    statements = tuple(statement_of(line, row, groups) for line, row in rows)
    arm, overflow = frozenset(groups[BUILT_FOR_ARM]), groups[OVERFLOW_IN_FP16]
    return SupportTable(statements, programs(), frameworks(), arm, overflow)


def statement_of(line: int, row: dict[str, str], groups: Mapping[str, tuple[str, ...]]) -> Support:
    """The statement of one row, its groups written out; raises ``EvidenceError``."""
    if row.keys() != set(Support._fields):
        raise EvidenceError(f"{SUPPORT}, line {line}: the cells must be {', '.join(Support._fields)}")
    if row["status"] not in STATUSES or not (row["program"] and row["on"] and row["source"]):
        raise EvidenceError(f"{SUPPORT}, line {line}: program, on, source and one of {', '.join(STATUSES)} are needed")
    cells: dict[str, Any] = row | {"status": STATUSES.index(row["status"])}
    return Support(**cells | {name: _members(row[name], groups) for name in ("on", "models")})


def _members(cell: str, groups: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(word for name in cell.split("|") if name for word in groups.get(name, (name,)))
