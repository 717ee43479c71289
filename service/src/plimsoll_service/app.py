"""The application: the only place where the layers are put together."""

from __future__ import annotations

import logging

import structlog
from flask import Flask

from . import portal
from .api import observe, problems
from .api.blueprints import BLUEPRINTS
from .api.service import Service, attach
from .catalog import snapshot
from .metrics import CATALOG_INFO
from .prices.build import cached_lookups, price_source
from .settings import Settings
from .sizing import Sizer


def create_app(settings: Settings) -> Flask:
    """The service as these settings say; raises ``CatalogError`` where the catalog cannot be used."""
    configure_logging(settings.log_level)
    catalog = snapshot.load(settings.catalog_path)
    prices = price_source(settings, catalog)
    CATALOG_INFO.labels(catalog.version, catalog.prices_as_of).set(1)
    sizer = Sizer(catalog, prices)
    lookups = cached_lookups(settings)
    service = Service(catalog, prices, lookups, sizer, metrics_directory=settings.metrics_directory)
    return assemble(settings, service)


def assemble(settings: Settings, service: Service) -> Flask:
    """The application around a service that is put together already."""
    app = contract()
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.config[portal.FRAME_ANCESTORS] = settings.frame_ancestors
    attach(app, service)
    observe.register(app)
    problems.register(app)
    return app


def contract() -> Flask:
    """All routes and nothing behind them: enough to write their contract from."""
    app = Flask(__name__, static_folder=None)
    for blueprint in (*BLUEPRINTS, portal.blueprint):
        app.register_blueprint(blueprint)
    return app


def from_environment() -> Flask:
    """What gunicorn serves."""
    return create_app(Settings.from_environment())


def configure_logging(level: str) -> None:
    """One JSON line an event, on standard output."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )
