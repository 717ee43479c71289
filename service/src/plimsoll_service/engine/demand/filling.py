"""A workload while its gaps are being filled, and the list of what was filled."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from plimsoll_service.engine.answer import Assumption
from plimsoll_service.engine.workload import Workload


@dataclass
class Filling:
    """The workload while it is being filled, and what was filled so far."""

    workload: Workload
    assumptions: list[Assumption] = field(default_factory=list)

    def take(self, name: str, value: object, why: str) -> None:
        """Fills a field that the user left out."""
        if getattr(self.workload, name) is None:
            filled: dict[str, Any] = {name: value}
            self.workload = replace(self.workload, **filled)
            self.note(name, value, why)

    def note(self, name: str, value: object, why: str) -> None:
        """Lists an assumption that stands in no field of the workload."""
        self.assumptions.append(Assumption(name, value, why))
