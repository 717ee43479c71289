"""Answers at old prices from a real Redis: the same bytes from every worker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plimsoll_service.app import configure_logging, create_app
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog
from plimsoll_service.prices.feeds.feed import FeedRequest, Fetched, OfferQuote
from plimsoll_service.prices.redis_link import connect
from plimsoll_service.prices.refreshing.refresh import refresh
from plimsoll_service.prices.snapshots.store import SnapshotStore
from plimsoll_service.settings import Settings

ANSWERS = 240
CLOUD, REGION = "aws", "us-east-1"
TTL = timedelta(hours=24)
NOTICE_SECONDS = 20.0  # a worker looks about once a second
EXAMPLES = [json.loads(path.read_text()) for path in sorted((Path(__file__).parents[1] / "examples").glob("*.json"))]
OBJECTIVES = ("cost", "time", "performance_per_cost", "balanced")
CLOUDS = (None, ["aws"], ["aws", "gcp"], ["azure", "aws"])
PURCHASES = (None, ["spot"], ["on_demand", "spot"])
MACHINES = ("p3.2xlarge", "g5.xlarge", "g4dn.12xlarge", "p4d.24xlarge", "m5.4xlarge", "c5.9xlarge")


class MovingFeed:
    """A provider whose ``edition`` decides every price in one region."""

    name = CLOUD

    def __init__(self, catalog: Catalog, edition: int) -> None:
        self._catalog = catalog
        self._edition = edition

    def fetch(self, request: FeedRequest) -> Fetched:
        """Return each price up or down by up to a tenth, in the pattern of this edition."""
        covered = frozenset((CLOUD, REGION, purchase) for purchase in PURCHASE_NAMES)
        return Fetched("moving list", tuple(self._quotes()), covered)

    def _quotes(self) -> Iterator[OfferQuote]:
        catalog, offers = self._catalog, self._catalog.offers
        types, regions = catalog.instance_types, catalog.regions
        for row in range(len(offers)):
            kind, region = int(offers.instance_type[row]), int(offers.region[row])
            if (types.cloud[kind], regions.name[region]) == (CLOUD, REGION) and offers.current[row]:
                factor = 1 + ((kind * self._edition) % 21 - 10) / 100
                purchase = PURCHASE_NAMES[offers.purchase[row]]
                price = float(offers.usd_per_hour[row]) * factor
                yield OfferQuote(CLOUD, types.name[kind], REGION, purchase, price)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The bundled catalog."""
    return load()


def publish(url: str, catalog: Catalog, edition: int, age: timedelta = timedelta()) -> str:
    """Refresh one region from an old edition; return the version that is then in force, while it is fresh."""
    store = SnapshotStore(connect(url, use="refresh", timeout_seconds=5), Settings.redis_namespace, keep=30)
    request = FeedRequest(CLOUD, (REGION,))
    now = datetime.now(UTC) - age
    return refresh(MovingFeed(catalog, edition), request, store, catalog, now=now, ttl=TTL, accept=False).version


def worker(url: str) -> FlaskClient:
    """A service of its own at that Redis."""
    return create_app(Settings(redis_url=url, log_level="critical")).test_client()


def notices(client: FlaskClient, version: str) -> None:
    """Wait until a worker answers at that version."""
    until = time.monotonic() + NOTICE_SECONDS
    while client.get("/readyz").json["catalog"]["version"] != version:
        assert time.monotonic() < until, f"{version} never came into force"
        time.sleep(0.05)


def questions() -> Iterator[tuple[str, dict[str, Any]]]:
    """Recommendations, estimates and comparisons over the documents' examples, no two alike."""
    for number in range(ANSWERS):
        variant, example = divmod(number, len(EXAMPLES))
        body: dict[str, Any] = {**EXAMPLES[example], "objective": OBJECTIVES[variant % 4]}
        constraints = {"clouds": CLOUDS[variant // 4 % 4], "purchase": PURCHASES[variant // 16 % 3]}
        body["constraints"] = {name: value for name, value in constraints.items() if value}
        machines = [
            {"cloud": CLOUD, "instance_type": MACHINES[(variant + place) % len(MACHINES)], "region": REGION}
            for place in range(2)
        ]
        kind = variant % 5
        if kind == 3:
            yield "/v1/estimates", {**body, "on": machines[0]}
        elif kind == 4:
            yield "/v1/comparisons", {**body, "on": machines}
        else:
            yield "/v1/recommendations", {**body, "limit": 1 + variant // 48}


def answered(client: FlaskClient, route: str, body: dict[str, Any], snapshot: str | None = None) -> bytes:
    """Bytes of the answer."""
    response = client.post(route, json=body, query_string={"snapshot": snapshot} if snapshot else {})
    assert response.status_code == 200, response.text
    return response.data


def test_answers_come_again_after_three_refreshes(redis_url: str, catalog: Catalog) -> None:
    """Old answers come again from the same worker and from a new one; half of them have a stale source."""
    fresh = publish(redis_url, catalog, 1)
    first = worker(redis_url)
    asked = list(questions())
    stored = [answered(first, *question) for question in asked[::2]]
    stale = publish(redis_url, catalog, 2, age=2 * TTL) + "+stale1"
    notices(first, stale)
    stored += [answered(first, *question) for question in asked[1::2]]
    versions = [fresh] * len(asked[::2]) + [stale] * len(asked[1::2])
    assert [json.loads(answer)["catalog"]["version"] for answer in stored] == versions

    for edition in (3, 4, 5):
        notices(first, publish(redis_url, catalog, edition))
    second = worker(redis_url)

    replayed = [
        answered((first, second)[number % 2], *question, version)
        for number, (question, version) in enumerate(zip(asked[::2] + asked[1::2], versions, strict=True))
    ]
    assert sum(one != other for one, other in zip(stored, replayed, strict=True)) == 0
    configure_logging("info")


def test_what_was_replayed_can_be_told_apart_from_what_is_in_force(redis_url: str, catalog: Catalog) -> None:
    """Changes between two kept versions are those of the provider's lists, and only in their region."""
    before, after = (publish(redis_url, catalog, edition) for edition in (1, 2))
    client = worker(redis_url)
    kept = [item["version"] for item in client.get("/v1/prices/snapshots").json["items"]]

    found = client.get("/v1/prices/changes", query_string={"from": before, "limit": 1000}).json

    assert kept[0] == after
    assert kept[-1] == catalog.version
    assert found["items"]
    assert {(item["cloud"], item["region"], item["change"]) for item in found["items"]} == {(CLOUD, REGION, "changed")}
    assert all(abs(item["percent"]) <= 100 * (1.1 / 0.9 - 1) + 1e-6 for item in found["items"])
    configure_logging("info")
