"""``/v1/models``: what the engine knows of models."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from ..engine.models import MODELS
from .examples import FEW
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .operation import operation
from .pages import listed, windowed
from .schemas.collections import ModelListingSchema
from .service import service

blueprint = Blueprint("models", __name__)
QUERY = FlatQuery(ModelListingSchema())


@dataclass(frozen=True)
class ModelItem:
    """A model; ``sample`` says what one sample is, ``forward_flops_per_sample`` counts a multiply-add as two."""

    name: str
    aliases: tuple[str, ...]
    family: str
    parameters: float
    active_parameters: float | None
    sample: str
    forward_flops_per_sample: float
    default_dataset: str | None
    source: str


@blueprint.get("/v1/models")
@operation(
    "knowledge",
    validated=True,
    answers=ModelItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=FEW,
)
def list_models() -> Response:
    """Models by name, with what one sample of each is."""
    return listed(request, QUERY, service().catalog.version, windowed(_ITEMS))


_ITEMS = tuple(
    ModelItem(
        name=model.name,
        aliases=model.aliases,
        family=model.family,
        parameters=model.parameters,
        active_parameters=model.active_parameters,
        sample=model.sample,
        forward_flops_per_sample=model.forward_flops,
        default_dataset=model.default_dataset,
        source=model.source,
    )
    for model in MODELS
)
