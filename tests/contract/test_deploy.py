"""The files of deploy/: what they run exists, unprivileged and on a schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from plimsoll_service import cli

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
CRON_JOB = yaml.safe_load((DEPLOY / "kubernetes/price-refresh-cronjob.yaml").read_text())


@pytest.fixture
def pod() -> dict[str, Any]:
    """The pod of the price refresh."""
    found: dict[str, Any] = CRON_JOB["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    return found


def test_the_cron_job_refreshes_every_six_hours_one_at_a_time() -> None:
    """A run that takes long is not overtaken by the next."""
    assert CRON_JOB["spec"]["schedule"].split()[1] == "*/6"
    assert CRON_JOB["spec"]["concurrencyPolicy"] == "Forbid"


def test_the_cron_job_may_do_nothing_that_it_need_not(pod: dict[str, Any]) -> None:
    """Not root, no capabilities, nothing to write to but a scratch volume."""
    (container,) = pod["containers"]

    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/tmp"]  # noqa: S108 - in a container


def test_what_is_scheduled_is_a_command(
    pod: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scheduled arguments are understood; all that this environment lacks is the Redis."""
    monkeypatch.delenv("PLIMSOLL_REDIS_URL", raising=False)

    assert cli.main(pod["containers"][0]["args"]) == 2
    assert "PLIMSOLL_REDIS_URL" in capsys.readouterr().err
    assert (
        f"plimsoll-service {' '.join(pod['containers'][0]['args'])};"
        in COMPOSE["services"]["price-refresh"]["entrypoint"][2]
    )


def test_compose_keeps_snapshots_when_memory_is_short() -> None:
    """Only what has a time to live may be evicted, and the refresher is as confined as the service."""
    services = COMPOSE["services"]

    assert services["redis"]["command"][-1].startswith("volatile-")
    for option in ("read_only", "cap_drop", "security_opt"):
        assert services["price-refresh"][option] == services["plimsoll"][option]
