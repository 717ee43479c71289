"""`/v1/prices/changes` and `/v1/prices/snapshots`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from tests.service.api.conftest import FixedSizer
from tests.service.api.published import PublishedPrices, moved

from plimsoll_service.api.service import Service
from plimsoll_service.app import assemble, configure_logging
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.quotes import Lookups
from plimsoll_service.settings import Settings

ROUTE = "/v1/prices/changes"
FIRST, SECOND = "2026-11-01-00000001", "2026-11-02-00000002"


@pytest.fixture
def published(catalog: Catalog) -> PublishedPrices:
    """The bundled prices and two later ones."""
    prices = PublishedPrices(catalog)
    prices.publish(moved(catalog, 1))
    prices.publish(moved(catalog, 2))
    return prices


@pytest.fixture
def live(catalog: Catalog, published: PublishedPrices) -> Iterator[FlaskClient]:
    """A client of an application with several kept snapshots."""
    configure_logging("critical")
    service = Service(catalog, published, Lookups(), FixedSizer())
    yield assemble(Settings(), service).test_client()
    configure_logging("info")


def found(client: FlaskClient, **query: Any) -> Any:
    """First page of the changes from the first to the second version."""
    return client.get(ROUTE, query_string={"from": FIRST, **query}).json


def price(client: FlaskClient, item: Any, version: str) -> float | None:
    """Price of the offer in that version; ``None`` if it is not sold there."""
    names = {name: item[name] for name in ("cloud", "region", "instance_type", "purchase")}
    items = client.get("/v1/prices", query_string={**names, "snapshot": version}).json["items"]
    assert len(items) <= 1
    return items[0]["usd_per_hour"] if items and items[0]["current"] else None


@pytest.mark.parametrize("change", ["added", "removed", "changed"])
def test_changes_are_what_lookups_in_both_versions_say(live: FlaskClient, change: str) -> None:
    """An offer's two prices are those of `/v1/prices`, and null if it is not sold there."""
    items = found(live, change=change, limit=5)["items"]

    assert len(items) == 5
    for item in items:
        before, after = price(live, item, FIRST), price(live, item, SECOND)
        assert (item["change"], item["from_usd_per_hour"], item["to_usd_per_hour"]) == (change, before, after)
        assert (before is None, after is None) == (change == "added", change == "removed")
        percent = None if change != "changed" else pytest.approx(100 * (after / before - 1), abs=1e-5)
        assert item["percent"] == percent


def test_the_kinds_of_change_make_up_the_whole(live: FlaskClient) -> None:
    """Each change has one kind; without a filter, the largest come first and those without a percentage last."""
    totals = {kind: found(live, change=kind, limit=1)["total"] for kind in ("added", "removed", "changed")}
    items = found(live, cloud="lambda", limit=1000)["items"]  # so few that one page has every kind

    assert all(totals.values())
    assert found(live, limit=1)["total"] == sum(totals.values())
    assert {item["change"] for item in items} == set(totals)
    sizes = [-1.0 if item["percent"] is None else abs(item["percent"]) for item in items]
    assert sizes == sorted(sizes, reverse=True)
    assert found(live, change="added,removed", limit=1)["total"] == totals["added"] + totals["removed"]


def test_filters_hold_together(live: FlaskClient) -> None:
    """Changes are filtered by cloud, region, instance type, purchase option, and size."""
    items = found(live, cloud="AWS,azure", region="us-east-1,eastus", purchase="spot", min_percent=50)["items"]

    assert items
    assert {(item["cloud"], item["region"]) for item in items} <= {("aws", "us-east-1"), ("azure", "eastus")}
    assert {item["purchase"] for item in items} == {"spot"}
    assert all(abs(item["percent"]) >= 50 for item in items)
    one = found(live, instance_type=items[0]["instance_type"], cloud=items[0]["cloud"])["items"]
    assert {item["instance_type"] for item in one} == {items[0]["instance_type"]}


def test_the_later_version_is_the_one_in_force_unless_said(live: FlaskClient, catalog: Catalog) -> None:
    """The later version is the one in force, unless `to` names another, even an earlier one."""
    assert found(live) == found(live, to=SECOND)
    assert found(live, to=FIRST) == {"items": [], "total": 0, "next": None}
    back = found(live, to=catalog.version, limit=1)["total"]
    assert back == live.get(ROUTE, query_string={"from": catalog.version, "to": FIRST, "limit": 1}).json["total"]


def test_pages_stay_between_their_two_versions(live: FlaskClient, published: PublishedPrices, catalog: Catalog) -> None:
    """A publication in the middle of a listing does not change its pages; a cursor applies only to its two versions."""
    whole = found(live, limit=1000)["items"]
    page = found(live, limit=300)
    published.publish(moved(catalog, 3))

    rest = live.get(page["next"]).json
    (cursor,) = parse_qs(urlsplit(page["next"]).query)["cursor"]

    assert page["items"] + rest["items"] == whole[:600]
    assert [fault["pointer"] for fault in found(live, cursor=cursor)["errors"]] == ["cursor"]


def test_changes_come_in_the_collections_formats(live: FlaskClient) -> None:
    """Table and CSV have the same columns."""
    head = live.get(f"{ROUTE}?from={FIRST}&limit=2&format=csv").text.splitlines()[0]

    assert head == "cloud,region,instance_type,purchase,change,from_usd_per_hour,to_usd_per_hour,percent"
    assert live.get(f"{ROUTE}?from={FIRST}&limit=2&format=table").text.split()[:8] == head.split(",")


@pytest.mark.parametrize(
    ("query", "pointers"),
    [
        ("", ["from"]),
        ("from=", ["from"]),
        (f"from={FIRST}&to=%20&change=dearer&min_percent=-1&limit=0", ["to", "change", "min_percent", "limit"]),
        (f"from={FIRST}&cloud=asw&regoin=x", ["regoin", "cloud"]),
    ],
)
def test_faults_are_told_at_once(live: FlaskClient, query: str, pointers: list[str]) -> None:
    """Missing, malformed and misspelt parameters give 422, each with its name."""
    response = live.get(f"{ROUTE}?{query}")

    assert response.status_code == 422
    assert sorted(fault["pointer"] for fault in response.json["errors"]) == sorted(pointers)


@pytest.mark.parametrize("query", ["from=made-up", f"from={FIRST}&to=made-up"])
def test_an_unknown_version_is_not_found(live: FlaskClient, query: str) -> None:
    """An unknown version on either side is named."""
    response = live.get(f"{ROUTE}?{query}")

    assert response.status_code == 404
    assert "'made-up'" in response.json["detail"]


def test_a_version_that_cannot_be_had_now_is_unavailable(live: FlaskClient, published: PublishedPrices) -> None:
    """A version that is unavailable now gives 503 with Retry-After."""
    published.reachable = False

    assert live.get(f"{ROUTE}?from={FIRST}").headers["Retry-After"] == "5"


def test_kept_snapshots_are_listed_newest_first(live: FlaskClient, catalog: Catalog) -> None:
    """Each version can be used as `snapshot`, and has its publication time and number of offers."""
    items = live.get("/v1/prices/snapshots").json["items"]

    assert [item["version"] for item in items] == [SECOND, FIRST, catalog.version]
    for item in items:
        listed = live.get("/v1/prices", query_string={"snapshot": item["version"], "limit": 1}).json
        assert (item["offers"], item["prices_as_of"] <= "2026-11-02T07:30:00Z") == (listed["total"], True)


def test_a_list_of_snapshots_that_moved_on_is_started_again(
    live: FlaskClient, published: PublishedPrices, catalog: Catalog
) -> None:
    """A cursor of an older list is refused, so that no snapshot is skipped."""
    following = live.get("/v1/prices/snapshots?limit=1").json["next"]
    assert [item["version"] for item in live.get(following).json["items"]] == [FIRST]

    published.publish(moved(catalog, 3))

    assert live.get(following).status_code == 422
