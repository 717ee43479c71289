"""Health, metrics, request ids and the reference."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from plimsoll_service.api.service import Service
from plimsoll_service.app import assemble
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quotes import Lookups
from plimsoll_service.settings import Settings


def test_a_running_process_is_healthy(client: FlaskClient) -> None:
    """A running process answers 200, whatever its state."""
    assert client.get("/healthz").json == {"status": "ok"}


def test_a_service_with_a_catalog_is_ready(client: FlaskClient, catalog: Catalog) -> None:
    """A ready service names its catalog."""
    assert client.get("/readyz").json == {
        "status": "ready",
        "catalog": {
            "version": catalog.version,
            "prices_as_of": catalog.prices_as_of,
            "instance_types": len(catalog.instance_types),
            "offers": len(catalog.offers),
        },
    }


def test_a_service_without_offers_is_not_ready(catalog: Catalog) -> None:
    """A service without offers answers 503."""
    none = np.zeros(0, dtype=np.int64)
    columns = {
        name: replace(column, codes=column.codes[none]) if hasattr(column, "codes") else column[none]
        for name, column in vars(catalog.offers).items()
    }
    empty = replace(catalog, offers=replace(catalog.offers, **columns))
    app = assemble(Settings(), Service(empty, LivePrices(empty), Lookups(), None))

    response = app.test_client().get("/readyz")

    assert (response.status_code, response.json["status"]) == (503, "not ready")


def test_metrics_count_requests_by_route(client: FlaskClient) -> None:
    """Made-up paths share one label, so that they cannot fill the metrics."""
    client.get("/v1/instance-types/aws/p3.2xlarge")
    client.get("/made/up")

    text = client.get("/metrics").text

    assert 'route="/v1/instance-types/<cloud>/<name>"' in text
    assert 'route="none"' in text
    assert "/made/up" not in text


def test_a_request_id_is_taken_over(client: FlaskClient) -> None:
    """A caller's request id is repeated in the answer and in the log."""
    with capture_logs() as events:
        response = client.get("/healthz", headers={"X-Request-Id": "trace-1"})

    assert response.headers["X-Request-Id"] == "trace-1"
    assert [event["request_id"] for event in events] == ["trace-1"]


@pytest.mark.parametrize("given", ["", "a b", "x" * 200, "é"])
def test_a_request_without_a_fit_id_gets_one(client: FlaskClient, given: str) -> None:
    """A request id that could be misread in a log is replaced."""
    response = client.get("/healthz", headers={"X-Request-Id": given})

    assert re.fullmatch("[0-9a-f]{32}", response.headers["X-Request-Id"])


def test_each_request_is_one_event(client: FlaskClient) -> None:
    """Each request is one event with method, path, status and time, also after an error."""
    with capture_logs() as events:
        client.get("/nowhere")

    assert [(event["event"], event["path"], event["status"]) for event in events] == [("request", "/nowhere", 404)]
