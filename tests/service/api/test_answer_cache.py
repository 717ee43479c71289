"""Repeated requests get the same bytes from the cache, or 304 if the caller has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client import REGISTRY
from tests.service.api.published import PublishedPrices, moved
from tests.service.fitted import FITTED
from werkzeug.test import TestResponse

from plimsoll_service.api.answer_cache import ENTRY_BYTES
from plimsoll_service.api.guard.key_file import changing
from plimsoll_service.api.guard.keys import minted
from plimsoll_service.api.service import Service
from plimsoll_service.app import assemble, create_app
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.quotes import Lookups
from plimsoll_service.prices.source import PriceBook
from plimsoll_service.settings import RateLimit, Settings
from plimsoll_service.sizing import Sizer

PHASES = ("parse", "size", "render")
RECOMMENDATIONS, ESTIMATES, COMPARISONS = "/v1/recommendations", "/v1/estimates", "/v1/comparisons"
WORKLOAD = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 3}
MACHINE = {"cloud": "aws", "instance_type": "p3.2xlarge"}
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    (RECOMMENDATIONS, {"workload": WORKLOAD}),
    (ESTIMATES, {"workload": WORKLOAD, "on": MACHINE}),
    (COMPARISONS, {"workload": WORKLOAD, "on": [MACHINE, {"cloud": "aws", "instance_type": "g5.xlarge"}]}),
)


LIMITED = Settings(log_level="critical", rate_limit=RateLimit(1_000_000, "day"))


@pytest.fixture(scope="module", params=[Settings(log_level="critical"), LIMITED], ids=["open", "limited"])
def client(request: pytest.FixtureRequest) -> FlaskClient:
    """The whole service, which sends cached answers at once, or only after Flask has admitted the caller."""
    return create_app(request.param).test_client()


def looked_up(outcome: str) -> float:
    """Number of questions with that outcome so far."""
    return REGISTRY.get_sample_value("plimsoll_answer_cache_lookups_total", {"outcome": outcome}) or 0.0


def test_what_is_larger_than_all_room_is_not_kept() -> None:
    """An answer larger than the cache is not kept: the same question is answered anew, with the same bytes."""
    client = create_app(Settings(log_level="critical", answer_cache_bytes=ENTRY_BYTES)).test_client()
    misses = looked_up("miss")

    first, again = (client.post(RECOMMENDATIONS, json={"workload": WORKLOAD}) for _ in range(2))

    assert (misses + 2, first.data) == (looked_up("miss"), again.data)


@pytest.mark.parametrize(("route", "body"), QUESTIONS, ids=[route for route, _ in QUESTIONS])
def test_the_second_answer_is_the_first_from_memory(client: FlaskClient, route: str, body: dict[str, Any]) -> None:
    """The second answer has the same bytes and headers; a caller with the ETag gets 304."""
    first, hits = client.post(route, json=body), looked_up("hit")
    again = client.post(route, json=body)
    same = client.post(route, json=body, headers={"If-None-Match": first.headers["ETag"]})
    other = client.post(route, json=body, headers={"If-None-Match": '"another"'})

    assert looked_up("hit") == hits + 2
    assert (first.status_code, again.status_code, other.status_code, same.status_code) == (200, 200, 200, 304)
    assert (first.data, first.data, b"") == (again.data, other.data, same.data)
    assert headers(first) == headers(again) == headers(other)
    assert headers(first) == {
        **headers(same),
        "Content-Language": "en",
        "Content-Type": "application/json",
        "Content-Length": str(len(first.data)),
    }


def headers(response: TestResponse) -> dict[str, str]:
    """Headers of an answer, without those that always differ."""
    return {name: value for name, value in response.headers if name not in ("X-Request-Id", "RateLimit")}


def test_questions_in_an_address_too(client: FlaskClient) -> None:
    """Questions in an address are cached too, so ``curl --etag-compare`` works."""
    address = f"{RECOMMENDATIONS}?task=training&model=resnet50&epochs=3"
    first = client.get(address)

    assert client.get(address).data == first.data
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_formats_are_remembered_apart(client: FlaskClient) -> None:
    """Formats are cached separately, by parameter and by Accept header."""
    body = {"workload": WORKLOAD}
    kinds = [
        client.post(RECOMMENDATIONS, json=body),
        client.post(f"{RECOMMENDATIONS}?format=csv", json=body),
        client.post(RECOMMENDATIONS, json=body, headers={"Accept": "text/csv"}),
        client.post(RECOMMENDATIONS, json=body),
    ]

    assert {kind.headers["Vary"] for kind in kinds} == {"Accept, Accept-Language"}
    assert [kind.mimetype for kind in kinds] == ["application/json", "text/csv", "text/csv", "application/json"]
    assert kinds[0].data == kinds[3].data
    assert kinds[1].data == kinds[2].data


def test_a_refusal_is_never_remembered(client: FlaskClient) -> None:
    """A refusal is not cached, and does not affect a sound question."""
    wrong = {"workload": {"task": "training", "model": "resnet5"}}

    assert [client.post(RECOMMENDATIONS, json=wrong).status_code for _ in range(2)] == [422, 422]
    assert "ETag" not in client.post(RECOMMENDATIONS, json=wrong).headers


def test_a_deadline_that_is_a_time_is_read_each_time(client: FlaskClient) -> None:
    """A deadline that is a time is not cached, because the hours until then change."""
    body = {"workload": {**WORKLOAD, "deadline": "2100-01-01T00:00:00Z"}}
    client.post(RECOMMENDATIONS, json=body)
    misses = looked_up("miss")

    client.post(RECOMMENDATIONS, json=body)

    assert looked_up("miss") == misses + 1


def test_the_type_of_the_body_counts(client: FlaskClient) -> None:
    """A body that is not sent as JSON is refused, even if the same bytes were answered as JSON."""
    text = '{"workload": {"task": "hpc", "flops": 1e18}}'
    client.post(RECOMMENDATIONS, data=text, content_type="application/json")

    assert client.post(RECOMMENDATIONS, data=text, content_type="text/plain").status_code == 415


def test_without_room_every_question_is_answered_anew() -> None:
    """Without a cache, every question gets the same bytes and ETag again."""
    client = create_app(Settings(log_level="critical", answer_cache_bytes=0)).test_client()
    body = {"workload": {"task": "hpc", "flops": 1e18}}

    first, second = client.post(RECOMMENDATIONS, json=body), client.post(RECOMMENDATIONS, json=body)

    assert (first.data, first.headers["ETag"]) == (second.data, second.headers["ETag"])
    assert client.post(RECOMMENDATIONS, json=body, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_every_answer_is_observed_once(client: FlaskClient) -> None:
    """A computed, a cached and a 304 answer each have a latency under the route and their own id."""
    body = {"workload": {"task": "hpc", "flops": 3e18}}
    figures = [
        ("plimsoll_request_seconds_count", {"route": RECOMMENDATIONS, "method": "POST", "status": "200"}, 4),
        ("plimsoll_request_seconds_count", {"route": RECOMMENDATIONS, "method": "POST", "status": "304"}, 1),
        *[("plimsoll_phase_seconds_count", {"route": RECOMMENDATIONS, "phase": part}, 1) for part in PHASES],
    ]
    before = [REGISTRY.get_sample_value(name, labels) or 0.0 for name, labels, _ in figures]

    made = client.post(RECOMMENDATIONS, json=body)
    known = client.post(RECOMMENDATIONS, json=body, headers={"If-None-Match": made.headers["ETag"]})
    ids = {client.post(RECOMMENDATIONS, json=body).headers["X-Request-Id"] for _ in range(2)}
    own = client.post(RECOMMENDATIONS, json=body, headers={"X-Request-Id": "mine"}).headers["X-Request-Id"]

    after = [REGISTRY.get_sample_value(name, labels) for name, labels, _ in figures]
    assert [once + more for once, (_, _, more) in zip(before, figures, strict=True)] == after
    assert len({made.headers["X-Request-Id"], known.headers["X-Request-Id"], *ids, own}) == 5
    assert own == "mine"


def test_with_keys_a_question_that_came_before_still_needs_one(tmp_path: Path) -> None:
    """With keys, a cached answer needs a key too."""
    keys = tmp_path / "keys.jsonl"
    secret, key = minted("asks", frozenset({"size"}))
    with changing(keys) as kept:
        kept[key.id] = key
    client = create_app(Settings(log_level="critical", api_keys_path=keys)).test_client()
    body, with_key = {"workload": {"task": "hpc", "flops": 1e18}}, {"X-API-Key": secret}

    allowed = [client.post(RECOMMENDATIONS, json=body, headers=with_key) for _ in range(3)]

    assert [one.status_code for one in allowed] == [200, 200, 200]
    assert len({one.data for one in allowed}) == 1
    assert client.post(RECOMMENDATIONS, json=body).status_code == 401


@pytest.mark.parametrize("data", [b"{", b"", b"[]", b"\xff"])
def test_a_broken_body_is_refused_the_second_time_too(client: FlaskClient, data: bytes) -> None:
    """The cache does not change how a broken body is refused."""
    statuses = [client.post(RECOMMENDATIONS, data=data, content_type="application/json").status_code for _ in "12"]

    assert statuses == [400, 400]


def test_a_body_that_ends_early_is_refused(client: FlaskClient) -> None:
    """A body that is shorter than its stated length is refused, even if its part is sound."""
    text = b'{"workload": {"task": "hpc"}}'
    promised = {"CONTENT_LENGTH": str(len(text) + 5)}

    answer = client.post(RECOMMENDATIONS, data=text, content_type="application/json", environ_overrides=promised)

    assert answer.status_code == 400


def test_a_body_that_is_too_large_is_refused_unread() -> None:
    """A body above the limit of the settings is refused unread."""
    client = create_app(Settings(log_level="critical", max_body_bytes=200)).test_client()
    sound = {"workload": {"task": "hpc"}}

    assert client.post(RECOMMENDATIONS, json=sound).status_code == 200
    assert client.post(RECOMMENDATIONS, json={**sound, "x": "x" * 200}).status_code == 413


def test_collections_say_whether_they_changed(client: FlaskClient) -> None:
    """Collections have an ETag, so that a repeated lookup transfers nothing."""
    for route in ("/v1/models?limit=5", "/v1/instance-types?limit=5", "/v1/rules"):
        first = client.get(route)

        again = client.get(route, headers={"If-None-Match": first.headers["ETag"]})

        assert (first.status_code, again.status_code, again.data) == (200, 304, b"")


class ChangingPrices(PublishedPrices):
    """Prices that are replaced after a request has looked at them ``looks`` times."""

    looks = 0

    def current(self) -> PriceBook:
        """Return the prices in force: the newest once, and permanently after the last look."""
        self.looks -= 1
        return self._books[0 if self.looks >= 0 else -1]


@pytest.mark.parametrize("first_headers", [{}, {"If-None-Match": "*"}], ids=["answered", "not modified"])
@pytest.mark.parametrize("looks", range(1, 6))
def test_prices_that_come_into_force_within_a_request_mix_nothing_up(
    catalog: Catalog, looks: int, first_headers: dict[str, str]
) -> None:
    """New prices in the middle of a request do not mix with old ones, and the old prices give their answer again."""
    prices = ChangingPrices(catalog)
    service = Service(catalog, prices, Lookups(), Sizer(catalog, FITTED, prices))
    client = assemble(Settings(), service).test_client()
    old = prices.at(prices.kept()[-1].version).prices.version
    prices.publish(moved(catalog, 3))
    body = {"workload": WORKLOAD}

    prices.looks = looks
    client.post(RECOMMENDATIONS, json=body, headers=first_headers)
    prices.looks = looks
    client.post(RECOMMENDATIONS, json=body)
    prices.looks = 1_000
    answers = [client.post(RECOMMENDATIONS, json=body) for _ in range(3)]

    assert [one.get_json()["catalog"]["version"] for one in answers] == [old] * 3
    assert [one.content_length for one in answers] == [len(one.data) for one in answers]
    assert len({(one.data, one.headers["ETag"]) for one in answers}) == 1
