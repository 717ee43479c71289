"""``/v1/frameworks``: the software that the engine knows."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from ..engine.frameworks import FRAMEWORKS
from .examples import FEW
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .operation import operation
from .pages import listed, windowed
from .schemas.collections import ListingSchema
from .service import service

blueprint = Blueprint("frameworks", __name__)
QUERY = FlatQuery(ListingSchema())


@dataclass(frozen=True)
class FrameworkItem:
    """A framework or serving engine, and which tasks and model families it can run."""

    name: str
    aliases: tuple[str, ...]
    tasks: tuple[str, ...]
    families: tuple[str, ...]
    newest_version: str | None
    source: str


@blueprint.get("/v1/frameworks")
@operation(
    "knowledge",
    validated=True,
    answers=FrameworkItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=FEW,
)
def list_frameworks() -> Response:
    """Frameworks and serving engines by name."""
    return listed(request, QUERY, service().catalog.version, windowed(_ITEMS))


_ITEMS = tuple(
    FrameworkItem(
        name=framework.name,
        aliases=framework.aliases,
        tasks=framework.tasks,
        families=framework.families,
        newest_version=framework.version,
        source=framework.source,
    )
    for framework in FRAMEWORKS
)
