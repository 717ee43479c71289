"""Lowest prices in `/v1/accelerators` and `/v1/instance-types`."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The whole application, at its own prices."""
    return create_app(Settings()).test_client()


def test_the_lowest_price_of_a_device_is_that_of_its_machines(client: FlaskClient) -> None:
    """As the API lists them: what is retired or no longer sold does not count."""
    found = accelerators(client)

    for name in ("H100-SXM", "T4", "V100-16GB"):
        offers = [
            (offer["purchase"], offer["cloud"], offer["usd_per_hour"] / machine["accelerator"]["count"])
            for machine in machines(client, name)
            for offer in json_of(client, f"/v1/instance-types/{machine['cloud']}/{machine['instance_type']}")["offers"]
            if offer["current"]
        ]
        lowest = {kind: min(price for other, _, price in offers if other == kind) for kind, *_ in offers}
        assert found[name]["clouds"] == sorted({cloud for _, cloud, _ in offers})
        assert found[name]["lowest_usd_per_hour"] == lowest


def test_the_lowest_price_of_a_machine_is_that_of_its_offers(client: FlaskClient) -> None:
    """In the list and on its own; machines without a current offer have none."""
    found = json_of(client, "/v1/instance-types?cloud=aws&family=g5,p2&limit=1000")["items"]

    for machine in found:
        own = json_of(client, f"/v1/instance-types/aws/{machine['instance_type']}")
        offers = [(offer["purchase"], offer["usd_per_hour"]) for offer in own["offers"] if offer["current"]]
        lowest = {kind: min(price for other, price in offers if other == kind) for kind, _ in offers}
        assert (lowest, lowest) == (machine["lowest_usd_per_hour"], own["lowest_usd_per_hour"])
    assert any(machine["lowest_usd_per_hour"] for machine in found)


def test_what_nobody_rents_has_no_price(client: FlaskClient) -> None:
    """An accelerator without an offer has neither prices nor clouds."""
    found = accelerators(client)["RTX-3070"]

    assert ({}, []) == (found["lowest_usd_per_hour"], found["clouds"])


@pytest.mark.parametrize("collection", ["accelerators", "instance-types"])
def test_a_list_at_earlier_prices_names_them(client: FlaskClient, collection: str) -> None:
    """The prices are those of the snapshot, which the next pages keep."""
    version = json_of(client, "/readyz")["catalog"]["version"]

    page = json_of(client, f"/v1/{collection}?limit=1&snapshot={version}")

    assert f"snapshot={version}" in page["next"]
    assert client.get(f"/v1/{collection}?snapshot=none").status_code == 404


def accelerators(client: FlaskClient) -> dict[str, dict[str, Any]]:
    """The accelerators by name."""
    return {one["name"]: one for one in json_of(client, "/v1/accelerators?limit=1000")["items"]}


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
