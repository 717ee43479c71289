"""What one device of each accelerator costs where it is cheapest."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plimsoll_service.api.service import Service
from plimsoll_service.app import create_app
from plimsoll_service.portal.rented import rented
from plimsoll_service.settings import Settings


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The whole application, at its own prices."""
    return create_app(Settings()).test_client()


def test_the_lowest_price_of_a_device_is_that_of_its_machines(client: FlaskClient) -> None:
    """As the API lists them: what is retired or no longer sold does not count."""
    service: Service = client.application.extensions["plimsoll"]
    found = rented(service.catalog, service.prices.current().prices.offers)

    for name in ("H100-SXM", "T4", "V100-16GB"):
        offers = [
            (offer["purchase"], offer["cloud"], offer["usd_per_hour"] / machine["accelerator"]["count"])
            for machine in machines(client, name)
            for offer in json_of(client, f"/v1/instance-types/{machine['cloud']}/{machine['instance_type']}")["offers"]
            if offer["current"]
        ]
        assert found[name].clouds == len({cloud for _, cloud, _ in offers})
        for purchase in ("on_demand", "spot"):
            lowest = min((price for kind, _, price in offers if kind == purchase), default=None)
            assert getattr(found[name], purchase) == lowest


def test_what_nobody_rents_has_no_price(client: FlaskClient) -> None:
    """Only accelerators with an offer are told."""
    page = client.get("/accelerators").text

    assert '"T4": {' in page
    assert '"RTX-3070"' not in page


def machines(client: FlaskClient, accelerator: str) -> list[dict[str, Any]]:
    """The machines on sale that have the accelerator."""
    found: list[dict[str, Any]] = json_of(
        client, f"/v1/instance-types?accelerator={accelerator}&retired=false&limit=1000"
    )["items"]
    return found


def json_of(client: FlaskClient, address: str) -> dict[str, Any]:
    """The answer at the address."""
    found: dict[str, Any] = client.get(address).get_json()
    return found
