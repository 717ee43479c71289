"""``/v1/evidence``: the published measurements behind the estimates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, request

from ..engine.hardware import Catalog
from ..engine.names import find, index
from ..evidence import models, published
from ..evidence.measurement import Measurement
from ..evidence.statements import frameworks
from .catalog_names import NamesByKind
from .data_files import EXAMPLES
from .flat import FlatQuery
from .operation import collection
from .pages import Window, as_item, listed
from .schemas import collections
from .schemas.collections import NONE
from .service import service

NAMED = ("model", "framework", "accelerator", "cpu", "cloud", "instance_type", "source")


class EvidenceNames(NamesByKind):
    """The names in the measurements, found by their usual spellings; a known name may have no measurement."""

    def __init__(self, rows: Collection[Measurement], catalog: Catalog) -> None:
        super().__init__({kind: sorted({getattr(row, kind) or "" for row in rows} - {""}) for kind in NAMED})
        accelerators = catalog.accelerators
        aliases = index(zip(accelerators.name, accelerators.aliases, strict=True))
        self._known: dict[str, Callable[[str], str | None]] = {
            "model": lambda name: getattr(models.find(name), "name", None),
            "framework": lambda name: frameworks().of(name).name or None,
            "accelerator": lambda name: find(name, aliases),
            "cloud": lambda name: find(name, index((cloud, ()) for cloud in catalog.clouds)),
        }

    def find(self, kind: str, name: str) -> str | None:
        """The table's own spelling, or ``None`` for an unknown name."""
        known = self._known.get(kind)
        return super().find(kind, name) or (None if known is None else known(name))

    def canonical(self, filters: Mapping[str, Any]) -> dict[str, Any]:
        """The filters in the table's spellings; `none` stands for rows without a value."""
        return {kind: self._wanted(kind, wanted) for kind, wanted in filters.items()}

    def _wanted(self, kind: str, wanted: Any) -> Any:
        if kind not in NAMED:
            return wanted
        return {None if name == NONE else self.find(kind, name) for name in wanted}


blueprint = Blueprint("evidence", __name__)
QUERY = FlatQuery(collections.EVIDENCE)
DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem(Measurement):
    """A published measurement with its source; `value` is in the unit of `metric`, of all devices together.

    `predicted_without_*` are in the same unit: predictions of fits that hold out the row's device, model or source.
    They are null where fits are not evaluated on the row.
    """

    source_title: str
    source_url: str
    source_licence: str
    predicted_without_device: float | None
    predicted_without_model: float | None
    predicted_without_source: float | None


@blueprint.get("/v1/evidence")
@collection("knowledge", EvidenceItem, QUERY, EXAMPLES["evidence"])
def list_evidence() -> Response:
    """Published measurements by model, software, machine, metric and source."""
    return listed(
        request, QUERY, published.version(), _rows, lambda listing: _names().faults(listing.filters, besides=(NONE,))
    )


def _rows(filters: dict[str, Any], window: Window) -> tuple[Sequence[EvidenceItem], int]:
    wanted = _names().canonical(filters)
    doubtful = wanted.pop(DOUBTFUL, None)
    found = [
        row
        for row in published.measurements()
        if all(getattr(row, name) in allowed for name, allowed in wanted.items())
        and doubtful in (None, bool(row.doubt))
    ]
    return [_item(row) for row in found[window.offset : window.end]], len(found)


def _item(row: Measurement) -> EvidenceItem:
    source = published.sources()[row.source]
    predicted = published.predictions().get(row.id, published.NONE)
    return as_item(
        EvidenceItem,
        row,
        source_title=source.title,
        source_url=source.url,
        source_licence=source.licence,
        predicted_without_device=predicted.device,
        predicted_without_model=predicted.model,
        predicted_without_source=predicted.source,
    )


def _names() -> EvidenceNames:
    return _names_in(service().catalog.version)


@lru_cache(maxsize=1)
def _names_in(_: str) -> EvidenceNames:
    return EvidenceNames(published.measurements(), service().catalog)
