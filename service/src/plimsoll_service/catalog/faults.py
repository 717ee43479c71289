"""Faults of catalog data: a whole catalog that cannot be used, or single rows that cannot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class CatalogError(Exception):
    """The catalog cannot be read or built; ``faults`` names everything that is wrong with it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


@dataclass(frozen=True, order=True)
class RejectedRow:
    """A row that was left out: its file, its line (the header is line 1) and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"
