"""Names of the evidence's things as filters spell them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..engine import frameworks, models
from ..engine.faults import Fault
from ..engine.hardware import Catalog
from ..engine.names import find, index, unknown
from ..evidence.measurement import Measurement
from .schemas.collections import NONE

NAMED = ("model", "framework", "accelerator", "cpu", "cloud", "instance_type", "source")


class EvidenceNames:
    """Finds what the measurements name by its usual spellings; a name may be known without a measurement."""

    def __init__(self, rows: Collection[Measurement], catalog: Catalog) -> None:
        self._own = {kind: sorted({getattr(row, kind) or "" for row in rows} - {""}) for kind in NAMED}
        self._spellings = {kind: index((name, ()) for name in names) for kind, names in self._own.items()}
        accelerators = catalog.accelerators
        aliases = index(zip(accelerators.name, accelerators.aliases, strict=True))
        self._known: dict[str, Callable[[str], str | None]] = {
            "model": _model,
            "framework": _framework,
            "accelerator": lambda name: find(name, aliases),
            "cloud": lambda name: find(name, index((cloud, ()) for cloud in catalog.clouds)),
        }

    def find(self, kind: str, name: str) -> str | None:
        """The table's own spelling, or ``None`` for a name that neither it nor the catalog knows."""
        return find(name, self._spellings[kind]) or self._known.get(kind, _nothing)(name)

    def canonical(self, filters: Mapping[str, Any]) -> dict[str, Any]:
        """The filters with own spellings; `none` stands for rows without."""
        return {kind: self._wanted(kind, wanted) for kind, wanted in filters.items()}

    def faults(self, filters: Mapping[str, Any]) -> tuple[Fault, ...]:
        """A fault for every name that nothing goes by."""
        return tuple(
            Fault(f"/{kind}", unknown(kind.replace("_", " "), name, self._own[kind]))
            for kind in NAMED
            for name in filters.get(kind, ())
            if name != NONE and self.find(kind, name) is None
        )

    def _wanted(self, kind: str, wanted: Any) -> Any:
        if kind not in NAMED:
            return wanted
        return {None if name == NONE else self.find(kind, name) for name in wanted}


def _model(name: str) -> str | None:
    found = models.find(name)
    return found.name if found else None


def _framework(name: str) -> str | None:
    found = frameworks.find(name)
    return found.name if found else None


def _nothing(_: str) -> str | None:
    return None
