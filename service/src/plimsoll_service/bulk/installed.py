"""What lines are sized with: the installation, at the prices of one version."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import lru_cache

import structlog

from ..api.pricing_agreements import PricingAgreementsError
from ..api.service import Service, service
from ..app import create_app
from ..catalog.faults import CatalogError
from ..engine.workload import Query, Workload
from ..prices.source import SnapshotUnavailable, UnknownSnapshot
from ..settings import Settings
from . import BulkError
from .answering import Answering


def in_force(settings: Settings) -> str:
    """Version of the current prices; raises ``BulkError``."""
    return _service(settings).prices.current().prices.version


@lru_cache(maxsize=1)
def installed(settings: Settings, version: str) -> Answering:
    """Return what answers lines at the prices of a version; raises ``BulkError``.

    It is cached, so that forked processes share it with their parent.
    """
    found = _service(settings)
    try:
        prices = found.prices.at(version).prices
    except UnknownSnapshot as unknown:
        raise BulkError(unknown.why or f"prices of version {version!r} are not kept here") from unknown
    except SnapshotUnavailable as unavailable:
        raise BulkError(f"it is unknown now whether prices of version {version!r} are kept") from unavailable
    found.sizer.faults(Query(Workload("training")), prices=prices)  # makes the market at these prices, to be shared
    return Answering(found.sizer, prices)


@lru_cache(maxsize=1)
def _service(settings: Settings) -> Service:
    try:
        app = create_app(replace(settings, log_level="error"))
    except (CatalogError, PricingAgreementsError) as error:
        raise BulkError(str(error)) from error
    # Standard output may be the output of the answers.
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
    with app.app_context():
        return service()
