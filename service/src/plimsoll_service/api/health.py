"""``/healthz``, ``/readyz`` and ``/metrics``, for operators of the service."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from flask import Blueprint, Response, current_app
from prometheus_client import CONTENT_TYPE_LATEST

from ..metrics import exposition, show_age
from .encode import encode
from .operation import operation
from .service import service

blueprint = Blueprint("health", __name__)
_UNAVAILABLE = 503
# Key of the extension that tells whether the server is about to stop, if the server has one.
STOPS = "plimsoll.stops"
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
    """The service can answer with this catalog."""

    status: Literal["ready"]
    catalog: LoadedCatalog


@dataclass(frozen=True)
class NotReady:
    """The service cannot answer."""

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
    """Whether the service can answer, with the catalog and prices in use."""
    catalog, prices = service().catalog, service().prices.current().prices
    types, offers = len(catalog.instance_types), len(prices.offers)
    stops = current_app.extensions.get(STOPS)
    if stops is not None and stops():
        return _not_ready("the service is about to stop")
    if not (types and offers):
        return _not_ready("the catalog is empty")
    loaded = LoadedCatalog(prices.version, prices.as_of, types, offers)
    return Response(encode(Readiness("ready", loaded)), mimetype=_JSON)


def _not_ready(reason: str) -> Response:
    return Response(encode(NotReady("not ready", reason)), status=_UNAVAILABLE, mimetype=_JSON)


@blueprint.get("/metrics")
@operation("operations", media_types=("text/plain",))
def metrics() -> Response:
    """Prometheus metrics of all workers."""
    # The age grows even without a feed.
    show_age(service().prices.current().prices.as_of, time.time())
    return Response(exposition(service().metrics_directory), content_type=CONTENT_TYPE_LATEST)
