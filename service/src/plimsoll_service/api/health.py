"""``/healthz``, ``/readyz`` and ``/metrics``: what those who run the service ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST

from ..metrics import exposition
from .encode import encode
from .operation import operation
from .service import service

blueprint = Blueprint("health", __name__)
_UNAVAILABLE = 503
_JSON = "application/json"


@dataclass(frozen=True)
class Health:
    """The process answers."""

    status: Literal["ok"]


@dataclass(frozen=True)
class LoadedCatalog:
    """The catalog in use, with its number of instance types and offers."""

    version: str
    prices_as_of: str
    instance_types: int
    offers: int


@dataclass(frozen=True)
class Readiness:
    """The service can answer, from this catalog."""

    status: Literal["ready"]
    catalog: LoadedCatalog


@dataclass(frozen=True)
class NotReady:
    """The service has nothing to answer from."""

    status: Literal["not ready"]
    reason: str


@blueprint.get("/healthz")
@operation("operations", answers=Health)
def healthz() -> Response:
    """Whether the process answers."""
    return Response(encode(Health("ok")), mimetype=_JSON)


@blueprint.get("/readyz")
@operation("operations", answers=Readiness, unavailable=NotReady)
def readyz() -> Response:
    """Whether the service can answer, and from which catalog and prices."""
    catalog, prices = service().catalog, service().prices.current().prices
    types, offers = len(catalog.instance_types), len(prices.offers)
    if not (types and offers):
        return Response(encode(NotReady("not ready", "the catalog is empty")), status=_UNAVAILABLE, mimetype=_JSON)
    loaded = LoadedCatalog(prices.version, prices.as_of, types, offers)
    return Response(encode(Readiness("ready", loaded)), mimetype=_JSON)


@blueprint.get("/metrics")
@operation("operations", media_types=("text/plain",))
def metrics() -> Response:
    """Prometheus metrics of all workers."""
    return Response(exposition(service().metrics_directory), content_type=CONTENT_TYPE_LATEST)
