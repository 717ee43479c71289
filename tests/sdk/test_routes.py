"""Every route of the contract can be asked through the clients."""

from __future__ import annotations

import re
import runpy
from functools import partial
from pathlib import Path

import httpx
import pytest
import yaml

import plimsoll
from plimsoll import Client
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

CONTRACT = yaml.load((Path(__file__).resolve().parents[2] / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
# Pages for people to read in a browser.
PAGES = {
    "/",
    "/embed",
    "/docs",
    "/problems/{slug}",
    "/machines/{cloud}/{name}",
    "/machines",
    "/accelerators",
    "/accelerators/{name}",
}
COLLECTIONS = (
    "instance_types", "accelerators", "models", "frameworks", "regions", "disks", "prices", "price_snapshots",
    "evidence", "rules",
)  # fmt: skip
TRAINING = {"task": "training", "model": "resnet50"}
V100 = {"cloud": "aws", "instance_type": "p3.2xlarge"}


class Recorder(httpx.BaseTransport):
    """Notes the requested routes, and passes everything on."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self._inner = inner
        self.asked: set[tuple[str, str]] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The inner transport's answer."""
        path = request.url.raw_path.decode().partition("?")[0]
        self.asked.add((request.method.lower(), _route_of(path)))
        return self._inner.handle_request(request)


def _route_of(path: str) -> str:
    """The contract's route for the path: the one with the fewest parameters."""
    matching = [route for route in CONTRACT["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", route), path)]
    return min(matching, key=lambda route: route.count("{"))


@pytest.fixture
def recorder() -> Recorder:
    """A recorder in front of the application in this process."""
    return Recorder(httpx.WSGITransport(app=create_app(Settings(log_level="critical"))))


def test_every_route_has_its_method(recorder: Recorder) -> None:
    """The client has a method for every route; a GET of a route that can be posted is only for shells."""
    with Client("http://service", transport=recorder) as client:
        version = client.recommend(TRAINING).catalog.version
        client.recommend_batch([{"workload": TRAINING}])
        client.estimate(TRAINING, V100)
        client.compare(TRAINING, [V100, V100])
        for name in COLLECTIONS:
            next(getattr(client, name)(), None)
        next(client.price_changes(version), None)
        client.instance_type("aws", "p3.2xlarge")
        client.rule(next(client.rules()).id)
        client.health()
        client.ready()
        assert "# TYPE plimsoll_" in client.metrics()
        assert yaml.safe_load(client.openapi())["info"]["title"] == CONTRACT["info"]["title"]

    routes = {
        (method, route)
        for route, methods in CONTRACT["paths"].items()
        for method in methods
        if method in ("get", "post") and route not in PAGES
    }
    assert routes - recorder.asked == {("get", "/v1/recommendations")}


def test_each_sample_asks_its_route(recorder: Recorder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each sample calls its route as written, except for a version of the prices."""
    with Client("http://service", transport=recorder) as client:
        version = client.ready().catalog.version
    monkeypatch.setattr(plimsoll, "Client", partial(Client, "http://service", transport=recorder))
    for route, methods in CONTRACT["paths"].items():
        for method, operation in methods.items():
            for sample in (one for one in operation["x-codeSamples"] if one["lang"] == "Python"):
                recorder.asked.clear()
                (tmp_path / "sample.py").write_text(sample["source"].replace("VERSION", version))
                runpy.run_path(str(tmp_path / "sample.py"))

                assert recorder.asked == {(method, route)}
