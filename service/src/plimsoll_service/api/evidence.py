"""``/v1/evidence``: the published measurements that the estimates rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, request

from ..evidence import published
from ..evidence.measurement import Measurement
from .evidence_names import EvidenceNames
from .examples import EVIDENCE
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .operation import operation
from .pages import Window, listed
from .schemas.collections import EvidenceListingSchema
from .service import service

blueprint = Blueprint("evidence", __name__)
QUERY = FlatQuery(EvidenceListingSchema())
DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem(Measurement):
    """A published measurement with its source; `value` is in the unit of `metric`, of all devices together.

    `predicted_without_*` are in the same unit: what the calibration's fit says that has seen no measurement of the
    row's device, model or source. Null where the fits are not judged by the row.
    """

    source_title: str
    source_url: str
    source_licence: str
    predicted_without_device: float | None
    predicted_without_model: float | None
    predicted_without_source: float | None


@blueprint.get("/v1/evidence")
@operation(
    "knowledge",
    answers=EvidenceItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=EVIDENCE,
    validated=True,
)
def list_evidence() -> Response:
    """Published measurements by model, software, machine, metric and source."""
    return listed(request, QUERY, published.version(), _rows, lambda listing: _names().faults(listing.filters))


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
    columns = {field.name: getattr(row, field.name) for field in fields(row)}
    return EvidenceItem(
        **columns,
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
