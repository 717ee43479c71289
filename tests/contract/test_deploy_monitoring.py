"""Dashboard and alert rules use only metrics, labels and routes that the service has."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families

from plimsoll_service import metrics
from plimsoll_service.app import contract, create_app
from plimsoll_service.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
FILES = DEPLOY / "chart/files"
PLAYED = Path(__file__).with_name("deploy_readers") / "alerts_test.yaml"
DASHBOARD: dict[str, Any] = json.loads((FILES / "dashboard.json").read_text())
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
GROUPS: list[dict[str, Any]] = yaml.safe_load((FILES / "alerts.yaml").read_text())["groups"]
RULES: list[dict[str, Any]] = [rule for group in GROUPS for rule in group["rules"]]
SHOWN = {
    f"panel {panel['title']!r}, {target['refId']}": target["expr"]
    for panel in PANELS
    for target in panel.get("targets", [])
}
ASKED = SHOWN | {f"alert {rule['alert']}": rule["expr"] for rule in RULES}
# `make test` leaves it in the environment's own folder, where the machine has none.
PLACES = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
PROMTOOL = os.environ.get("PLIMSOLL_TEST_PROMTOOL") or shutil.which("promtool", path=PLACES)
OF_PROMETHEUS = {"job", "instance", "le"}
CREATED = "_created"  # when a series began, which a single process exposes beside it
COLUMNS = 24  # of Grafana's grid
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool, of Prometheus, is not installed here")


@pytest.fixture(scope="module")
def exposed() -> dict[str, str]:
    """Name and family of each sample of the service's own /metrics."""
    client = create_app(Settings(log_level="error")).test_client()
    client.get("/v1/recommendations?task=training&model=resnet50")
    suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
    families = text_string_to_metric_families(client.get("/metrics").text)
    return {
        f"{family.name}{suffix}": family.name
        for family in families
        if family.name.startswith("plimsoll_") and not family.name.endswith(CREATED)
        for suffix in suffixes[family.type]
    }


def labels_of(family: str) -> set[str]:
    """Labels of a collector, which it shows only in samples; an idle one has none."""
    (found,) = [
        each
        for each in vars(metrics).values()
        if isinstance(each, MetricWrapperBase) and each._name == family  # nothing public has the names
    ]
    return set(found._labelnames)


def names_in(expression: str) -> set[str]:
    """Metrics in an expression."""
    return set(re.findall(r"\bplimsoll_\w+", expression))


def labels_in(expression: str) -> set[str]:
    """Labels that an expression selects or groups by."""
    grouped = re.findall(r"\bby \(([^)]*)\)", expression)
    chosen = re.findall(r"(\w+)\s*(?:=~|!=|!~|=)\s*\"", expression)
    return {name.strip() for names in grouped for name in names.split(",")} | set(chosen)


@pytest.mark.parametrize("where", ASKED)
def test_every_metric_asked_for_is_exposed(exposed: dict[str, str], where: str) -> None:
    """Each metric exists in /metrics, and each label belongs to it or to Prometheus."""
    expression = ASKED[where]
    names = names_in(expression)
    known = OF_PROMETHEUS.union(*(labels_of(exposed[name]) for name in names if name in exposed))

    assert names or "up{" in expression
    assert names - set(exposed) == set()
    assert labels_in(expression) - known == set()


def test_every_metric_exposed_is_shown(exposed: dict[str, str]) -> None:
    """The dashboard leaves none of the service's metrics out."""
    shown = {exposed[name] for expression in SHOWN.values() for name in names_in(expression)}

    assert set(exposed.values()) - shown == set()


@pytest.mark.parametrize("where", ASKED)
def test_every_route_asked_for_is_one(where: str) -> None:
    """Latencies and errors are shown for routes that the service has."""
    routes = {rule.rule for rule in contract().url_map.iter_rules()}

    assert set(re.findall(r'route!?="([^"]+)"', ASKED[where])) <= routes


def test_panels_are_told_apart_and_do_not_overlap() -> None:
    """Each panel has its own id and title, and its own place on the grid."""
    places = [panel["gridPos"] for panel in PANELS]

    assert len({panel["id"] for panel in PANELS}) == len({panel["title"] for panel in PANELS}) == len(PANELS)
    assert all(0 <= place["x"] <= place["x"] + place["w"] <= COLUMNS for place in places)
    assert [(a, b) for a, b in combinations(places, 2) if overlap(a, b)] == []


def overlap(a: dict[str, int], b: dict[str, int]) -> bool:
    """Whether two places of the grid share a cell."""
    return (
        a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"] and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"]
    )


def test_every_panel_asks_the_chosen_source() -> None:
    """The viewer chooses the data source, the job and the replica."""
    chosen = {variable["name"] for variable in DASHBOARD["templating"]["list"]}

    assert chosen == {"datasource", "job", "instance"}
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in PANELS if panel["type"] != "row")
    assert all('job="$job", instance=~"$instance"' in expression for expression in SHOWN.values())


def test_every_alert_says_what_it_means() -> None:
    """An alert has a severity, waits before it fires, and has a sentence for the person on call."""
    for rule in RULES:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["for"]
        assert set(rule["annotations"]) == {"summary", "description"}
    assert len({rule["alert"] for rule in RULES}) == len(RULES)


def test_prometheus_scrapes_what_the_rules_ask_for() -> None:
    """Compose's Prometheus has the job of the rules, at the service's name and port, and loads the rules."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    configuration = yaml.safe_load((DEPLOY / "prometheus/prometheus.yaml").read_text())
    targets = {
        job["job_name"]: each for job in configuration["scrape_configs"] for each in job["static_configs"][0]["targets"]
    }
    mounted = [volume.split(":")[1] for volume in compose["prometheus"]["volumes"]]

    assert {re.findall(r'job="([^"$]+)"', rule["expr"])[0] for rule in RULES} == {"plimsoll"}
    assert targets["plimsoll"].partition(":")[0] in compose
    assert set(configuration["rule_files"]) <= set(mounted)


def test_grafana_finds_source_and_dashboard() -> None:
    """The provisioned source is Compose's Prometheus, and the dashboard is in the configured folder."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    folder = DEPLOY / "grafana/provisioning"
    (source,) = yaml.safe_load((folder / "datasources/prometheus.yaml").read_text())["datasources"]
    (provider,) = yaml.safe_load((folder / "dashboards/plimsoll.yaml").read_text())["providers"]
    mounted = dict(pairwise(compose["grafana"]["volumes"][1].split(":")[:2]))

    assert source["url"] == "http://prometheus:9090"
    assert "prometheus" in compose
    assert mounted["./chart/files/dashboard.json"].startswith(provider["options"]["path"])


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Folder with the rules and the series that the cases play to them."""
    shutil.copy(FILES / "alerts.yaml", tmp_path)
    shutil.copy(PLAYED, tmp_path)
    return tmp_path


@needs_promtool
def test_alerts_fire_for_their_fault_and_for_no_other(rules: Path) -> None:
    """Prometheus' tool accepts the rules, and every one fires in one of the cases."""
    done = subprocess.run(
        [str(PROMTOOL), "test", "rules", PLAYED.name], cwd=rules, capture_output=True, text=True, check=False
    )
    played = set(re.findall(r'alertname="(\w+)"', PLAYED.read_text()))

    assert done.returncode == 0, done.stdout + done.stderr
    assert played == {rule["alert"] for rule in RULES}


@needs_promtool
@pytest.mark.parametrize("name", ["prometheus", "with-key"])
def test_prometheus_takes_the_configuration(name: str) -> None:
    """Prometheus' tool accepts the configuration that Compose mounts."""
    configuration = DEPLOY / f"prometheus/{name}.yaml"

    subprocess.run([str(PROMTOOL), "check", "config", "--syntax-only", str(configuration)], check=True)


@needs_promtool
@pytest.mark.parametrize("where", SHOWN)
def test_prometheus_takes_what_the_panels_ask(where: str, tmp_path: Path) -> None:
    """Each expression is valid PromQL with Grafana's variables filled in."""
    expression = SHOWN[where].replace("$__rate_interval", "1m").replace("$job", "plimsoll").replace("$instance", ".*")
    rule = {"record": "panel", "expr": expression}
    (path := tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "panel", "rules": [rule]}]}))

    subprocess.run([str(PROMTOOL), "check", "rules", str(path)], check=True, capture_output=True)
