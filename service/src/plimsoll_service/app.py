"""The application: the only place that connects the layers."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import Any

import orjson
import structlog
from flask import Flask

from . import portal, tracing
from .api import (
    answer_cache,
    docs,
    evidence,
    health,
    instance_types,
    named_hardware,
    pricing_agreements,
    problems,
    recommendations,
    reference_data,
    request_middleware,
    request_record,
)
from .api import prices as price_lists
from .api.guard import install as guard
from .api.guard.limits import Counts
from .api.service import Service, attach
from .catalog import snapshot
from .catalog.faults import CatalogError
from .engine.choice.pricing_agreements import NO_TERMS
from .evidence import coefficients
from .metrics import CATALOG_INFO
from .prices.build import live_quotes, price_source
from .prices.quotes import Lookups
from .prices.redis_link import shared_counts
from .settings import Settings, SettingsError
from .sizing import Sizer

# Every resource of the contract, and the page.
RESOURCES = (
    recommendations, named_hardware, instance_types, reference_data, price_lists, evidence, health, docs, portal,
)  # fmt: skip
# The extension to call in a process that is to follow new prices: threads do not outlive a fork.
WATCH = "plimsoll.watch"
# The level of which the service logs nothing.
SILENT = "critical"


def create_app(settings: Settings) -> Flask:
    """The service with these settings.

    Raises ``CatalogError``, ``PricingAgreementsError`` or ``KeyFileError`` where what they name is faulty.
    """
    configure_logging(settings.log_level)
    tracing.configure(settings.traces_endpoint)
    return _put_together(settings)


def embedded(settings: Settings) -> Flask:
    """The service inside another program: requests are not logged, other events only if that program set up structlog.

    Who calls is that program itself, so that neither keys nor limits hold. Raises ``SettingsError`` where what the
    settings name is faulty.
    """
    if not structlog.is_configured():
        configure_logging(SILENT)
    try:
        app = _put_together(replace(settings, api_keys_path=None, rate_limit=None))
    except (CatalogError, pricing_agreements.PricingAgreementsError) as error:
        raise SettingsError(str(error)) from error
    app.config[request_middleware.UNLOGGED] = True
    return app


def _put_together(settings: Settings) -> Flask:
    catalog = snapshot.load(settings.catalog_path)
    terms = pricing_agreements.installed(settings.terms_path, catalog)
    mark = "" if terms == NO_TERMS else f"+terms.{pricing_agreements.digest(terms)}"
    prices = price_source(settings, catalog, mark)
    CATALOG_INFO.labels(catalog.version, catalog.prices_as_of).set(1)
    sizer = Sizer(catalog, coefficients.load(), prices, terms)
    lookups = Lookups(live_quotes(settings, catalog))
    service = Service(catalog, prices, lookups, sizer, metrics_directory=settings.metrics_directory)
    app = assemble(settings, service, _shared_counts(settings))
    app.extensions[WATCH] = prices.watch
    app.before_request(prices.watch)  # for processes that nobody told to begin
    return app


def _shared_counts(settings: Settings) -> Counts | None:
    try:
        return shared_counts(settings.redis_url, settings.redis_namespace) if settings.redis_url else None
    except ValueError:
        return None  # the prices have said it


def assemble(settings: Settings, service: Service, shared: Counts | None = None) -> Flask:
    """The application around a given service; limits are counted in ``shared``, if it is given."""
    app = contract()
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.config[recommendations.BATCH_SECONDS] = settings.batch_seconds
    app.config[portal.FRAME_ANCESTORS] = settings.frame_ancestors
    attach(app, service)
    problems.register(app)
    guard.register(app, settings, shared)
    at_once = guard.lets_everybody_in(settings) and not tracing.active()
    answer_cache.register(app, service.prices, settings.answer_cache_bytes, at_once=at_once)
    request_middleware.register(app)
    return app


def contract() -> Flask:
    """All routes without a service behind them: enough to write their contract."""
    app = Flask(__name__, static_folder=None)
    for resource in RESOURCES:
        app.register_blueprint(resource.blueprint)
    return app


def from_environment() -> Flask:
    """Application that gunicorn serves."""
    return create_app(Settings.from_environment())


def configure_logging(level: str) -> None:
    """Write one JSON line for each event to standard output."""
    structlog.configure(
        processors=[
            request_record.add_ids,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_serialized),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(),  # a line in one piece, also where several workers write
        cache_logger_on_first_use=False,
    )


def _serialized(event: Any, **options: Any) -> str:
    """The JSON of a log line; values that the fast encoder refuses, such as half a surrogate pair, go the slow way."""
    try:
        return orjson.dumps(event, default=options["default"]).decode()
    except TypeError:
        return json.dumps(event, **options)
