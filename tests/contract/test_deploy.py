"""deploy/compose.yaml and its proxy: the services exist, have few privileges, and fit the service."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from plimsoll_service import cli
from plimsoll_service.api.guard.listening import refusal
from plimsoll_service.api.problems import KINDS
from plimsoll_service.settings import DEFAULT_MAX_BODY_BYTES, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
SERVICES: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
WITH_KEYS: dict[str, Any] = yaml.safe_load((DEPLOY / "keys.yaml").read_text())["services"]
WITH_TLS: dict[str, Any] = yaml.safe_load((DEPLOY / "tls.yaml").read_text())["services"]
IMAGE = (DEPLOY.parent / "Dockerfile").read_text()

PROXY = (DEPLOY / "chart/files/nginx.conf").read_text()
DEFAULT = re.compile(r"\$\{\w+:-([^}]*)\}")  # what compose puts in place of a variable that is not set


def test_what_is_scheduled_is_a_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The refresher's arguments are understood; this environment lacks only the Redis."""
    monkeypatch.delenv("PLIMSOLL_REDIS_URL", raising=False)
    loop = SERVICES["price-refresh"]["entrypoint"][2]
    command = loop.partition("do plimsoll-service ")[2].partition(";")[0].split()

    assert cli.main(command) == 2
    assert "PLIMSOLL_REDIS_URL" in capsys.readouterr().err


def test_compose_keeps_snapshots_when_memory_is_short() -> None:
    """Only keys with a time to live may be evicted."""
    assert SERVICES["redis"]["command"][-1].startswith("volatile-")


@pytest.mark.parametrize("name", [*SERVICES, "keys"])
def test_every_service_is_confined(name: str) -> None:
    """Services have no capabilities or new privileges, and can write only to mounted volumes."""
    service = (SERVICES | WITH_KEYS)[name] if name == "keys" else SERVICES[name]

    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", SERVICES)
def test_only_this_machine_can_ask(name: str) -> None:
    """Nothing is published on an address that other machines reach, because no part has accounts."""
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[name].get("ports", []))


def test_the_service_of_compose_starts() -> None:
    """The service states that everyone who reaches it may ask, which is only this machine."""
    stated = {name: DEFAULT.sub(r"\1", value) for name, value in SERVICES["plimsoll"]["environment"].items()}

    assert refusal([("0.0.0.0", 8080)], Settings.from_environment(stated)) is None


def test_what_is_mounted_is_there() -> None:
    """Each file that a service reads from this folder exists."""
    mounted = [volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])]
    files = [source for source in mounted if source.startswith("./")]

    assert files
    assert [source for source in files if not (DEPLOY / source).exists()] == []


def test_callers_reach_the_service_through_its_proxy_alone() -> None:
    """Compose publishes only the proxy's port; the proxy sends on to the service's port and counts as trusted."""
    listens = re.findall(r'"--port", "(\d+)"', IMAGE)

    assert "ports" not in SERVICES["plimsoll"]
    assert [f"server plimsoll:{port};" for port in listens] == re.findall(r"server \w+:\d+;", PROXY)
    assert SERVICES["plimsoll"]["environment"]["PLIMSOLL_TRUSTED_PROXIES"] == "1"


def test_the_proxy_takes_whole_requests_and_answers_of_the_services_size() -> None:
    """The proxy accepts bodies up to the service's limit, and passes on only complete ones."""
    said = dict(re.findall(r"^ *(\w+) ([^;]+);", PROXY, re.MULTILINE))

    assert (said["proxy_request_buffering"], said["proxy_buffering"]) == ("on", "on")
    assert int(said["client_max_body_size"]) == DEFAULT_MAX_BODY_BYTES


def test_what_the_proxy_refuses_is_a_problem_of_the_services() -> None:
    """The proxy's refusals have the type, title and status of the service's problems."""
    problems = [json.loads(found) for found in re.findall(r"return \d+ '(.*)';", PROXY)]

    assert {problem["status"] for problem in problems} == {413, 503}
    for problem in problems:
        kind = KINDS[problem["status"]]
        assert (problem["type"], problem["title"]) == (f"/problems/{kind.slug}", kind.title)


def test_with_keys_the_service_reads_the_file_that_its_own_user_writes() -> None:
    """The image's user owns the folder of a new volume and writes the keys; the service can only read them."""
    service, keys = WITH_KEYS["plimsoll"], WITH_KEYS["keys"]
    user = re.findall(r"^USER (\d+):", IMAGE, re.MULTILINE)[0]
    stated = SERVICES["plimsoll"]["environment"] | service["environment"]
    settings = Settings.from_environment({name: DEFAULT.sub(r"\1", value) for name, value in stated.items()})
    folder = str(Path(keys["environment"]["PLIMSOLL_API_KEYS"]).parent)

    assert not settings.open
    assert str(settings.api_keys_path) == keys["environment"]["PLIMSOLL_API_KEYS"]
    assert (service["volumes"], keys["volumes"]) == ([f"keys:{folder}:ro"], [f"keys:{folder}"])
    assert f"install --directory --owner={user} --group={user} --mode=0700 {folder}\n" in IMAGE
    assert "user" not in service | keys | SERVICES["plimsoll"]
    assert keys["image"] == SERVICES["plimsoll"]["image"]


def test_with_keys_prometheus_shows_one() -> None:
    """Prometheus' configuration with keys adds a key from a file, which is mounted only if it exists."""
    plain, keyed = (
        yaml.safe_load((DEPLOY / f"prometheus/{name}.yaml").read_text()) for name in ("prometheus", "with-key")
    )
    shown = keyed["scrape_configs"][0].pop("authorization")
    configuration, key = WITH_KEYS["prometheus"]["volumes"]
    replaced = [volume.split(":")[1] for volume in SERVICES["prometheus"]["volumes"]]

    assert keyed == plain
    assert configuration.split(":")[1] in replaced
    assert (DEPLOY / configuration.split(":")[0]).exists()
    assert shown == {"credentials_file": key["target"]}
    assert key["bind"] == {"create_host_path": False}
    assert "deploy/" + key["source"].removeprefix("./") in (DEPLOY.parent / ".gitignore").read_text()


def test_with_tls_the_proxy_finds_port_certificate_and_key() -> None:
    """The TLS settings are where the proxy looks for them, and a missing file does not become a folder."""
    settings, files = WITH_TLS["proxy"]["volumes"]
    source, target, _ = settings.split(":")
    said = dict(re.findall(r"^(\w+) ([^;]+);", (DEPLOY / source).read_text(), re.MULTILINE))
    included = re.findall(r"include (\S+);", PROXY)
    documented = re.findall(r"^cp \S+ deploy/(tls/\S+)$", (DEPLOY / "README.md").read_text(), re.MULTILINE)

    assert [Path(target).match(pattern) for pattern in included] == [True]
    assert said["listen"] == WITH_TLS["proxy"]["ports"][0].split(":")[1] + " ssl"
    assert {said["ssl_certificate"], said["ssl_certificate_key"]} == {
        path.replace("tls", files["target"], 1) for path in documented
    }
    assert files["bind"] == {"create_host_path": False}
    assert Settings.from_environment(WITH_TLS["plimsoll"]["environment"]).hsts_seconds
