"""`?snapshot=` repeats an old answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from tests.service.api.published import PublishedPrices, moved
from tests.service.engine.catalogs import bundled, take_types
from tests.service.fitted import FITTED

from plimsoll_service.api.service import Service
from plimsoll_service.app import assemble, configure_logging
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.source import PricePage
from plimsoll_service.settings import Settings
from plimsoll_service.sizing import Sizer

TRAINING = {"task": "training", "model": "resnet50"}
ON = {"cloud": "aws", "instance_type": "p3.2xlarge"}
QUESTIONS: tuple[tuple[str, Any], ...] = (
    ("/v1/recommendations", {"workload": TRAINING}),
    ("/v1/recommendations?format=csv", {"workload": TRAINING}),
    ("/v1/recommendations/batch", {"requests": [{"workload": TRAINING}, {"workload": {"task": "hpc"}}]}),
    ("/v1/estimates", {"workload": TRAINING, "on": ON}),
    ("/v1/comparisons", {"workload": TRAINING, "on": [ON, {**ON, "instance_type": "g5.xlarge"}]}),
    ("/v1/recommendations?task=training&model=resnet50", None),
    ("/v1/prices?cloud=aws&limit=50", None),
    ("/v1/disks?type=ssd", None),
    ("/v1/instance-types/aws/p3.2xlarge", None),
)
ROUTES = [route for route, _ in QUESTIONS]


class UncachedLookups:
    """Lookups in force; ``books`` are the versions of the lookups."""

    def __init__(self) -> None:
        self.versions: list[str] = []

    def lookup(self, book: Any, *wanted: Any, **window: Any) -> PricePage:
        self.versions.append(book.prices.version)
        return book.lookup(*wanted, **window)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Half of a cloud's types, and all with accelerators: the many applications of these tests are made quickly."""
    types = bundled().instance_types
    rows = np.arange(len(types))
    wanted = (types.cloud.codes == types.cloud.code_of("aws")) & ((rows % 2 == 0) | (types.accelerator >= 0))
    return take_types(bundled(), rows[wanted])


@pytest.fixture
def published(catalog: Catalog) -> PublishedPrices:
    """The bundled prices, before any publication."""
    return PublishedPrices(catalog)


@pytest.fixture
def lookups() -> UncachedLookups:
    """The lookups of this test."""
    return UncachedLookups()


@contextmanager
def asking(catalog: Catalog, published: PublishedPrices, lookups: UncachedLookups) -> Iterator[FlaskClient]:
    """Client of an application at those prices."""
    configure_logging("critical")
    sizer = Sizer(catalog, FITTED, published)
    yield assemble(Settings(), Service(catalog, published, lookups, sizer)).test_client()
    configure_logging("info")


@pytest.fixture
def live(catalog: Catalog, published: PublishedPrices, lookups: UncachedLookups) -> Iterator[FlaskClient]:
    """Client of an application whose prices change."""
    with asking(catalog, published, lookups) as client:
        yield client


@pytest.fixture(scope="module")
def settled(catalog: Catalog) -> Iterator[FlaskClient]:
    """Client of an application whose prices do not change."""
    with asking(catalog, PublishedPrices(catalog), UncachedLookups()) as client:
        yield client


def ask(client: FlaskClient, route: str, body: Any, snapshot: str | None = None) -> Any:
    """Answer to a question, at a version of the prices if one is given."""
    path, _, query = route.partition("?")
    given = {"query_string": "&".join(filter(None, [query, f"snapshot={snapshot}" if snapshot else ""]))}
    return client.get(path, **given) if body is None else client.post(path, json=body, **given)


def pointers(response: Any) -> list[str]:
    """JSON pointers of a problem's faults."""
    return [error["pointer"] for error in response.json["errors"]]


@pytest.mark.parametrize(("route", "body"), QUESTIONS, ids=ROUTES)
def test_an_old_answer_comes_again_to_the_byte(
    live: FlaskClient, published: PublishedPrices, catalog: Catalog, route: str, body: Any
) -> None:
    """After later publications, `snapshot` gives the old answer, and without it the prices in force apply."""
    version = catalog.version
    before = ask(live, route, body).data
    for number in (1, 2, 3):
        published.publish(moved(catalog, number))

    assert ask(live, route, body, version).data == before
    assert ask(live, route, body).data != before


@pytest.mark.parametrize(("route", "body"), QUESTIONS, ids=ROUTES)
def test_an_unknown_version_is_not_found(
    live: FlaskClient, published: PublishedPrices, catalog: Catalog, route: str, body: Any
) -> None:
    """404 names the kept versions, newest first."""
    published.publish(moved(catalog, 1))

    response = ask(live, route, body, "2020-01-01-00000000")

    assert (response.status_code, response.mimetype) == (404, "application/problem+json")
    assert f"2 are: 2026-11-01-00000001, {catalog.version} " in response.json["detail"]


@pytest.mark.parametrize(("route", "body"), QUESTIONS, ids=ROUTES)
def test_what_cannot_be_told_now_is_unavailable(
    live: FlaskClient, published: PublishedPrices, catalog: Catalog, route: str, body: Any
) -> None:
    """Unavailable versions give 503 with Retry-After; the version in force is still answered."""
    published.publish(moved(catalog, 1))
    published.reachable = False

    response = ask(live, route, body, catalog.version)

    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert ask(live, route, body).status_code == 200
    assert ask(live, route, body, "2026-11-01-00000001").data == ask(live, route, body).data


@pytest.mark.parametrize(("route", "body"), QUESTIONS, ids=ROUTES)
@pytest.mark.parametrize("snapshot", ["%20", "v" * 201, "%00", "a&snapshot=b"])
def test_what_is_no_version_is_refused(settled: FlaskClient, route: str, body: Any, snapshot: str) -> None:
    """An empty, long, unprintable or repeated version gives 422 for the parameter."""
    response = ask(settled, route, body, snapshot)

    assert (response.status_code, pointers(response)) == (422, ["snapshot"])


def test_an_empty_parameter_is_refused(live: FlaskClient) -> None:
    """An empty `snapshot=` does not stand for the prices in force."""
    assert pointers(live.get("/v1/recommendations?task=hpc&snapshot=")) == ["snapshot"]
    assert pointers(live.get("/v1/prices?snapshot=")) == ["snapshot"]


def test_many_kept_versions_are_not_all_listed(live: FlaskClient, published: PublishedPrices, catalog: Catalog) -> None:
    """The ten newest versions are named, with the number of all."""
    for number in range(1, 13):
        published.publish(moved(catalog, number))

    detail = live.get("/v1/prices?snapshot=made-up").json["detail"]

    assert "13 are: 2026-11-12-0000000c, " in detail
    assert detail.count("2026-11-") == 10
    assert "others" in detail


def test_faults_of_the_address_come_with_those_of_the_body(live: FlaskClient) -> None:
    """A malformed version, an unknown parameter and a misspelt model are reported together."""
    body = {"workload": {"task": "training", "model": "resnt50"}}

    response = ask(live, "/v1/recommendations?snapshto=1", body, "%20")

    assert pointers(response) == ["snapshto", "snapshot", "/workload/model"]
    assert "'snapshot'" in response.json["errors"][0]["detail"]
    assert pointers(live.get("/v1/recommendations?task=hpc&modl=x&snapshot=%20")) == ["snapshot", "modl"]
    assert pointers(live.get("/v1/prices?cloud=asw&snapshot=%20")) == ["snapshot", "cloud"]


@pytest.mark.parametrize("written", ["+", "%2B"])
def test_a_bare_plus_sign_is_one(live: FlaskClient, published: PublishedPrices, catalog: Catalog, written: str) -> None:
    """A version with a plus sign can be pasted into an address."""
    stale = vars(moved(catalog, 1)) | {"version": "2026-11-01-00000001+stale1"}
    published.publish(type(moved(catalog, 1))(**stale))
    published.publish(moved(catalog, 2))

    found = live.get(f"/v1/recommendations?task=training&snapshot=2026-11-01-00000001{written}stale1").json

    assert found["catalog"]["version"] == "2026-11-01-00000001+stale1"


def test_pages_stay_in_their_snapshot(live: FlaskClient, published: PublishedPrices, catalog: Catalog) -> None:
    """New prices in the middle of a listing do not get into its pages."""
    whole = live.get("/v1/prices?cloud=aws&region=us-east-1&limit=1000").json["items"]

    page = live.get("/v1/prices?cloud=aws&region=us-east-1&limit=400").json
    published.publish(moved(catalog, 1))
    rest = live.get(page["next"]).json

    assert page["items"] + rest["items"] == whole[:800]
    assert "snapshot=" in rest["next"]


def test_only_prices_in_force_may_be_fresher_than_their_snapshot(
    live: FlaskClient, lookups: UncachedLookups, catalog: Catalog
) -> None:
    """A replay reads the snapshot itself, because lookups may have a more recent price."""
    live.get("/v1/prices?cloud=aws")
    assert lookups.versions == [catalog.version]

    live.get(f"/v1/prices?cloud=aws&snapshot={catalog.version}")
    assert lookups.versions == [catalog.version]


def test_the_prices_in_force_are_what_is_ready(live: FlaskClient, published: PublishedPrices, catalog: Catalog) -> None:
    """Readiness and answers name the same version, date and number of offers."""
    published.publish(moved(catalog, 1))

    ready = live.get("/readyz").json["catalog"]
    stamp = live.get("/v1/recommendations?task=training").json["catalog"]

    assert stamp == {"version": "2026-11-01-00000001", "prices_as_of": "2026-11-01T07:30:00Z"}
    assert stamp == {name: ready[name] for name in stamp}
    assert ready["offers"] == live.get("/v1/prices?limit=1").json["total"]


def test_disks_cost_what_their_snapshot_says(live: FlaskClient, published: PublishedPrices, catalog: Catalog) -> None:
    """Volume prices belong to a snapshot, as machines' prices do."""
    published.publish(moved(catalog, 5))

    now = live.get("/v1/disks?cloud=aws").json["items"]
    then = live.get(f"/v1/disks?cloud=aws&snapshot={catalog.version}").json["items"]

    assert [disk["product"] for disk in now] == [disk["product"] for disk in then]
    priced = [
        (one["usd_per_gib_month"], other["usd_per_gib_month"])
        for one, other in zip(now, then, strict=True)
        if other["usd_per_gib_month"]
    ]
    assert priced
    assert all(dear == pytest.approx(1.5 * cheap) for dear, cheap in priced)


def test_spot_prices_tell_how_often_machines_are_taken_back(
    live: FlaskClient, published: PublishedPrices, catalog: Catalog
) -> None:
    """The rate of interruptions is shown where the source states it; otherwise, and on demand, it is null."""
    assert {item["interruptions_per_hour"] for item in live.get("/v1/prices?cloud=aws").json["items"]} == {None}
    published.publish(moved(catalog, 1))

    stated = {
        purchase: {
            item["interruptions_per_hour"]
            for item in live.get(f"/v1/prices?cloud=aws&region=us-east-1&purchase={purchase}").json["items"]
        }
        for purchase in ("on_demand", "spot")
    }

    assert stated == {"on_demand": {None}, "spot": {0.05}}
