"""docs/observability.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client.metrics import MetricWrapperBase
from structlog.testing import capture_logs

from plimsoll_service import metrics
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/observability.md").read_text(encoding="utf-8")
SERVICE = ROOT / "service/src/plimsoll_service"
COLLECTORS = [each for each in vars(metrics).values() if isinstance(each, MetricWrapperBase)]


def section(title: str) -> str:
    """Text under a heading."""
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def names(text: str) -> set[str]:
    """Words written as code in the first column of a table."""
    return {name for row in re.findall(r"^\|([^|]*)\|", text, re.M) for name in re.findall(r"`([^`]+)`", row)}


def test_every_metric_is_on_the_page() -> None:
    """The page lists exactly the metrics that exist."""
    exposed = {family.name + "_total" * (family.type == "counter") for each in COLLECTORS for family in each.collect()}

    assert names(section("Metrics")) == {name for name in exposed if not name.endswith("_created")}


@pytest.mark.parametrize("collector", COLLECTORS, ids=lambda each: each._name)
def test_every_label_is_on_the_page(collector: MetricWrapperBase) -> None:
    """Every label is listed beside its metric; labels without a sample are read from the code."""
    (row,) = re.findall(rf"^\|[^|]*`{collector._name}(?:_total)?`[^|]*\|([^|]*)\|", section("Metrics"), re.M)

    assert re.findall(r"`(\w+)`", row) == list(collector._labelnames)


def test_every_field_of_a_requests_line_is_on_the_page() -> None:
    """The page lists the fields of a request and of a trace."""
    app = create_app(Settings())
    with capture_logs() as events:
        trace = {"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}
        app.test_client().get("/v1/recommendations?task=training", headers=trace)
    logged = set(events[0]) - {"event", "log_level"}

    assert logged | {"span_id", "key"} == names(section("The log"))


def test_every_event_named_is_logged() -> None:
    """Every event on the page is logged by the code."""
    told = re.findall(r"`(\w+)`", section("The log").split("Examples are")[1])
    code = "".join(path.read_text(encoding="utf-8") for path in SERVICE.rglob("*.py"))

    assert [event for event in told if f'"{event}"' not in code] == []
