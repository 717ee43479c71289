"""What a HUP changes: the workers that follow answer from the catalog, terms and keys of now."""

from __future__ import annotations

import gc
from typing import Any

from flask import Flask

from ..api.service import service
from ..engine.hardware import Catalog
from ..metrics import CATALOG_INFO


def reload(server: Any) -> None:
    """Put the application together anew; where a file is faulty the log says so, and the one of before stays."""
    before = server.app.callable
    server.app.callable = None
    gc.unfreeze()
    try:
        server.app.wsgi()
    except Exception as fault:  # whatever a file holds, a running service goes on
        server.log.error("nothing is reloaded: the catalog, the terms or the keys cannot be used: %s", fault)
        server.app.callable = before
        return
    _forget(_catalog_of(before), _catalog_of(server.app.callable))


def _forget(before: Catalog, now: Catalog) -> None:
    if before.version != now.version:
        CATALOG_INFO.labels(before.version, before.prices_as_of).set(0)


def _catalog_of(application: Flask) -> Catalog:
    with application.app_context():
        return service().catalog
