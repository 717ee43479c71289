"""The application with a sizer that always answers the same, so that these tests see only the HTTP layer."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from plimsoll_service.api.service import Service
from plimsoll_service.app import assemble, configure_logging
from plimsoll_service.catalog import snapshot
from plimsoll_service.engine import answer as says
from plimsoll_service.engine import quantities
from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.prices import Prices
from plimsoll_service.engine.workload import Hardware, Query
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quotes import Lookups
from plimsoll_service.settings import Settings
from plimsoll_service.sizing import Sizer

UNKNOWN_MODEL = "resnet5"
STAMP = says.CatalogStamp("2026-01-01-abcdef01", "2026-01-01")
NOTE = says.Note("vcpus-per-accelerator", "4 vCPUs feed one device", "S3-03")
ESTIMATE = quantities.Estimate(
    basis="measured",
    bottleneck="accelerator_compute",
    throughput=quantities.Rate(812.0, 700.0, 930.0, "samples/s"),
    time_hours=quantities.Range(39.4, 34.4, 45.7),
    cost_usd=quantities.Range(41.2, 36.0, 47.8),
)
SIZING = quantities.Sizing(
    vcpus=quantities.Need(4.0, 4.0),
    memory_gib=quantities.MemoryNeed(12.1, 16.0, 12.1, {"process": 12.1}),
    accelerator_memory_gib=quantities.AcceleratorMemoryNeed(14.2, 24.0, 12.0, 16.0, {"weights": 0.1}),
    disk=quantities.DiskSizing("ssd", "gp3", 299.5, 3000.0, 250.0, 24.0),
    batch_size=quantities.BatchSize(256, 412),
)
PRICE = quantities.Price(1.006, "2026-01-01", "list", False, "list")
RECOMMENDATION = says.Recommendation(
    rank=1,
    cloud="aws",
    region="us-east-1",
    instance_type="g5.xlarge",
    node_count=1,
    purchase="on_demand",
    accelerator=says.AcceleratorChoice("A10G", 1.0, 24.0),
    sizing=SIZING,
    estimate=ESTIMATE,
    price=PRICE,
    meets=says.Meets(deadline=True),
    runs=says.Runs("supported", "PyTorch runs on A10G", "PyTorch, 2026"),
    reasons=(NOTE,),
    warnings=(),
    other_regions=(says.RegionPrice("us-west-2", 1.1),),
)
ANSWER = says.Answer(STAMP, {"task": "training"}, (), (RECOMMENDATION,), (), {"deadline": 31}, ())
NOTHING = replace(ANSWER, recommendations=(), relax=(says.Relax("deadline", 60.0, 12.5, together={"budget": 20.0}),))


def pointers(response: Any) -> set[str]:
    """JSON pointers of a problem's faults."""
    return {error["pointer"] for error in response.json["errors"]}


@dataclass
class FixedSizer(Sizer):
    """Refuses ``UNKNOWN_MODEL``, region ``nowhere`` and accelerator ``X``; keeps the queries that it gets."""

    found: says.Answer = ANSWER
    seen: list[Query] = field(default_factory=list)

    def faults(self, query: Query, on: tuple[Hardware, ...] = (), prices: Prices | None = None) -> tuple[Fault, ...]:
        """Faults of meaning for the names above."""
        faults = []
        if query.workload.model == UNKNOWN_MODEL:
            faults.append(Fault("/workload/model", f"unknown model {UNKNOWN_MODEL!r}; did you mean 'resnet50'?"))
        faults += [
            Fault(f"/constraints/regions/{place}", "unknown region")
            for place, region in enumerate(query.constraints.regions or ())
            if region == "nowhere"
        ]
        return (
            *faults,
            *(
                Fault("/on/accelerator" if len(on) == 1 else f"/on/{place}/accelerator", "unknown accelerator")
                for place, machine in enumerate(on)
                if machine.accelerator == "X"
            ),
        )

    def recommend(self, query: Query, prices: Prices | None = None) -> says.Answer:
        """The fixed answer."""
        self._judge(query)
        return self.found

    def estimate(self, query: Query, on: Hardware, prices: Prices | None = None) -> says.HardwareEstimate:
        """An estimate that fits."""
        self._judge(query, (on,))
        return says.HardwareEstimate(
            STAMP, {"task": "training"}, (), True, (), SIZING, ESTIMATE, PRICE, says.Meets(), None, (), (NOTE,), ()
        )

    def compare(self, query: Query, on: tuple[Hardware, ...], prices: Prices | None = None) -> says.Comparison:
        """One equal row for each machine."""
        self._judge(query, on)
        rows = tuple(
            says.ComparedMachine(
                machine.label or "", True, (), 1.0, 1.0, 1.0, ESTIMATE, PRICE, says.Meets(), None, (), (), ()
            )
            for machine in on
        )
        return says.Comparison(STAMP, {"task": "training"}, (), rows)

    def _judge(self, query: Query, on: tuple[Hardware, ...] = ()) -> None:
        self.seen.append(query)
        faults = self.faults(query, on)
        if faults:
            raise Refused(faults)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The bundled catalog."""
    return snapshot.load()


@pytest.fixture(scope="session")
def _prices_once(catalog: Catalog) -> LivePrices:
    """The bundled prices, whose ranges take a while to compute."""
    return LivePrices(catalog)


@pytest.fixture
def bundled_prices(_prices_once: LivePrices) -> LivePrices:
    """The bundled prices, without subscribers."""
    return copy(_prices_once)


@pytest.fixture
def sizer() -> FixedSizer:
    """The sizer of this test."""
    return FixedSizer()


@pytest.fixture
def app(catalog: Catalog, bundled_prices: LivePrices, sizer: FixedSizer) -> Flask:
    """The application of this test; logging is set again, because other tests silence it."""
    configure_logging("info")
    return assemble(Settings(max_body_bytes=100_000), Service(catalog, bundled_prices, Lookups(), sizer))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the application."""
    return app.test_client()


@pytest.fixture
def nothing_found(sizer: FixedSizer) -> None:
    """An answer without a machine that meets the constraints."""
    sizer.found = NOTHING
