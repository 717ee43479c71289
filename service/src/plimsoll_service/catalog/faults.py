"""Faults of catalog data: a whole catalog that cannot be used, or single rows that cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


class CatalogError(Exception):
    """The catalog cannot be read or built; ``faults`` are all the reasons."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


@dataclass(frozen=True, order=True)
class RejectedRow:
    """A rejected row: its file, its line (the header is line 1), the reason and its cells."""

    file: str
    line: int
    reason: str
    cells: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"
