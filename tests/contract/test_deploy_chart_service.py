"""The Helm chart as the service sees it: it understands the chart's settings, Redis, terms, routes and commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.contract.deploy_readers.rendered import (
    CASES,
    CHART,
    DEFAULTS,
    container,
    environment,
    manifests,
    of_cases,
    pods,
)
from werkzeug.serving import make_server

from plimsoll_service import cli
from plimsoll_service.api import pricing_agreements
from plimsoll_service.api.guard.key_file import changing
from plimsoll_service.api.guard.keys import minted
from plimsoll_service.api.guard.listening import refusal
from plimsoll_service.app import contract, create_app
from plimsoll_service.catalog import snapshot
from plimsoll_service.prices.redis_link import opener
from plimsoll_service.settings import RateLimit, Settings, variables

SET_BY_THE_CHART = ("REDIS_URL", "TERMS", "LAST_PRICES", "API_KEYS", "OPEN", "DRAIN_SECONDS")


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """Helm's output for each set of values."""
    return of_cases()


def test_probes_ask_routes_of_the_service(answers: dict[str, Any]) -> None:
    """Liveness asks the process and readiness the catalog, by routes of the service."""
    service = container(pods(answers, DEFAULTS)[0])
    routes = {rule.rule for rule in contract().url_map.iter_rules()}
    asked = {name: service[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")}

    assert asked == {"startup": "/readyz", "readiness": "/readyz", "liveness": "/healthz"}
    assert set(asked.values()) <= routes


@pytest.mark.parametrize("case", CASES)
def test_callers_reach_the_service_through_its_proxy_alone(answers: dict[str, Any], case: str) -> None:
    """Service and network policy name the proxy's port; the proxy passes requests on, with the same body limit."""
    service, proxy = pods(answers, case)[0]["spec"]["containers"]
    (configuration,) = [each for each in manifests(answers, case, "ConfigMap") if "nginx.conf" in each["data"]]
    text = configuration["data"]["nginx.conf"]
    called = cli._parser(cli._COMMANDS).parse_args(service["args"])
    settings = Settings.from_environment(
        {name: each["value"] for name, each in environment(pods(answers, case)[0]).items() if "value" in each}
    )
    ways = [each["spec"]["ports"] for each in manifests(answers, case, "Service")]
    ways += [each["spec"]["ingress"][0]["ports"] for each in manifests(answers, case, "NetworkPolicy")[:1]]

    assert [port.get("targetPort", port["port"]) for ports in ways for port in ports] == ["http"] * len(ways)
    assert proxy["ports"] == [{"name": "http", "containerPort": 8080}]
    assert f"server 127.0.0.1:{called.port};" in text
    assert f"client_max_body_size {settings.max_body_bytes};" in text
    assert settings.trusted_proxies >= 1


@pytest.mark.parametrize("case", ["single", "sentinel", "cluster"])
def test_the_service_takes_the_redis_url(answers: dict[str, Any], case: str, tmp_path: Path) -> None:
    """The assembled URL is valid, passwords come only from secrets, and jobs use the same URL."""
    known = [environment(pod) for pod in pods(answers, case) if container(pod)["name"] != "ask"]
    (authority := tmp_path / "ca.crt").touch()
    url = known[0]["PLIMSOLL_REDIS_URL"]["value"]
    referred = re.findall(r"\$\((\w+)\)", url)
    asked = re.sub(r"\$\(\w+\)", "p%40ss", url).replace("/etc/plimsoll/redis/ca.crt", str(authority))

    assert len(known) == 3
    assert all(each["PLIMSOLL_REDIS_URL"]["value"] == url for each in known)
    assert opener(asked, 1.0)
    assert all(known[0][name]["valueFrom"]["secretKeyRef"]["name"] == "plimsoll-redis" for name in referred)
    assert len(referred) == {"single": 1, "sentinel": 2, "cluster": 0}[case]


@pytest.mark.parametrize("case", ["single", "everything"])
def test_what_is_scheduled_are_commands(
    answers: dict[str, Any], case: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each job's arguments are understood; this environment lacks only the Redis."""
    monkeypatch.delenv("PLIMSOLL_REDIS_URL", raising=False)
    jobs = manifests(answers, case, "CronJob")

    assert len(jobs) == {"single": 2, "everything": 5}[case]
    for job in jobs:
        assert job["spec"]["concurrencyPolicy"] == "Forbid"
        assert cli.main(container(job["spec"]["jobTemplate"]["spec"]["template"])["args"]) == 2
        assert "PLIMSOLL_REDIS_URL" in capsys.readouterr().err


def test_settings_of_the_schema_are_the_services() -> None:
    """The chart takes every setting of the service except those that it sets itself, and no other."""
    documented = {variable for variable in variables().values() if variable.startswith(("PLIMSOLL_", "OTEL_"))}
    schema = json.loads((CHART / "values.schema.json").read_text())["properties"]["settings"]["properties"]

    assert set(schema) == documented - {f"PLIMSOLL_{name}" for name in SET_BY_THE_CHART}


def test_the_service_takes_the_settings(answers: dict[str, Any]) -> None:
    """The service reads the container's environment as it was meant: large numbers stay whole."""
    stated = {
        name: each["value"] for name, each in environment(pods(answers, "everything")[0]).items() if "value" in each
    }
    settings = Settings.from_environment(stated)

    assert settings.max_body_bytes == 8388608
    assert settings.price_ttl_hours == 36
    assert settings.frame_ancestors == "'self' https://portal.example"
    assert settings.rate_limit == RateLimit(600, "minute")
    assert (settings.trusted_proxies, settings.batch_seconds) == (2, 20)
    assert settings.cors_origins == ("https://portal.example",)


@pytest.mark.parametrize("case", CASES)
def test_the_service_may_listen_to_its_callers(answers: dict[str, Any], case: str) -> None:
    """The service starts with keys if a secret is named, and otherwise because the chart allows it."""
    stated = {name: each["value"] for name, each in environment(pods(answers, case)[0]).items() if "value" in each}
    settings = Settings.from_environment(stated)

    assert refusal([("0.0.0.0", 8080)], settings) is None
    assert settings.open is (settings.api_keys_path is None)


def test_the_service_finds_its_keys(answers: dict[str, Any]) -> None:
    """The keys are in the mounted secret, whose folder follows changes; Prometheus sends its own key."""
    service = pods(answers, "everything")[0]
    (volume,) = [each for each in service["spec"]["volumes"] if each["name"] == "keys"]
    (mount,) = [each for each in container(service)["volumeMounts"] if each["name"] == "keys"]
    (monitor,) = manifests(answers, "everything", "ServiceMonitor")

    assert environment(service)["PLIMSOLL_API_KEYS"]["value"] == f"{mount['mountPath']}/keys.jsonl"
    assert volume["secret"]["secretName"] == "plimsoll-keys"
    assert "subPath" not in mount
    assert monitor["spec"]["endpoints"][0]["authorization"]["credentials"]["name"] == "plimsoll-metrics"


def test_the_service_takes_the_terms(answers: dict[str, Any], tmp_path: Path) -> None:
    """Terms in the values are read from their mounted file."""
    (terms,) = [each for each in manifests(answers, "everything", "ConfigMap") if "terms.yaml" in each["data"]]
    (path := tmp_path / "terms.yaml").write_text(terms["data"]["terms.yaml"])
    service = pods(answers, "everything")[0]
    (volume,) = [each for each in service["spec"]["volumes"] if each["name"] == "terms"]
    (mount,) = [each for each in container(service)["volumeMounts"] if each["name"] == "terms"]

    assert pricing_agreements.installed(path, snapshot.load(None)).discounts
    assert volume["configMap"]["name"] == terms["metadata"]["name"]
    assert environment(service)["PLIMSOLL_TERMS"]["value"] == f"{mount['mountPath']}/terms.yaml"


def test_watchers_get_the_files_that_are_tested(answers: dict[str, Any]) -> None:
    """Rules and dashboard of the chart are exactly the tested files."""
    (rule,) = manifests(answers, "everything", "PrometheusRule")
    (dashboard,) = [each for each in manifests(answers, "everything", "ConfigMap") if "plimsoll.json" in each["data"]]

    assert rule["spec"] == yaml.safe_load((CHART / "files/alerts.yaml").read_text())
    assert dashboard["data"]["plimsoll.json"] == (CHART / "files/dashboard.json").read_text()


@pytest.fixture
def key_path(tmp_path: Path) -> Path:
    """Path of a file of keys."""
    return tmp_path / "keys"


@pytest.fixture
def key(key_path: Path) -> str:
    """A key in the file."""
    shown, key = minted("test", frozenset({"size"}))
    with changing(key_path) as keys:
        keys[key.id] = key
    return shown


@pytest.fixture(params=["open", "keys"])
def guard(request: pytest.FixtureRequest) -> str:
    """Whether the service asks for keys."""
    word: str = request.param
    return word


@pytest.fixture
def address(guard: str, key_path: Path, key: str) -> Iterator[str]:
    """Address of a running service."""
    settings = Settings(log_level="error", api_keys_path=key_path if guard == "keys" else None)
    server = make_server("127.0.0.1", 0, create_app(settings))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_charts_test_passes_against_the_service(
    answers: dict[str, Any], address: str, guard: str, key: str
) -> None:
    """`helm test` gets a machine for a real question, with a key if one is required, and otherwise fails."""
    (pod,) = manifests(answers, DEFAULTS, "Pod")
    script = [sys.executable, *container(pod)["command"][1:], container(pod)["args"][0]]

    def run(url: str, guard: str, **variables: str) -> tuple[int, str]:
        done = subprocess.run(
            [*script, url, guard], env=os.environ | variables, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    plain, keyed = run(address, guard), run(address, guard, PLIMSOLL_API_KEY=key)
    wrong_key = run(address, guard, PLIMSOLL_API_KEY=key[:-1])
    otherwise = run(address, "open" if guard == "keys" else "keys")

    assert (plain[0], keyed[0]) == (0, 0)
    assert ("h at" in plain[1], "h at" in keyed[1]) == (guard == "open", True)
    assert bool(wrong_key[0]) == (guard == "keys")
    assert otherwise[0]
    assert run("http://127.0.0.1:1", guard)[0]
    assert container(pod)["args"][2] == "open"


def test_the_charts_test_asks_with_the_secrets_key(answers: dict[str, Any]) -> None:
    """`helm test` sends the key of the named secret, and no key if no secret is named."""
    pods_ = {case: manifests(answers, case, "Pod")[0] for case in (DEFAULTS, "everything")}
    named = environment(pods_["everything"])["PLIMSOLL_API_KEY"]["valueFrom"]["secretKeyRef"]

    assert named == {"name": "plimsoll-test", "key": "key"}
    assert environment(pods_[DEFAULTS]) == {}
    assert container(pods_["everything"])["args"][2] == "keys"
