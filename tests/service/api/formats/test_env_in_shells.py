"""The format `env` in common shells: values arrive unchanged, and none of them runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.api.conftest import ANSWER, RECOMMENDATION, SIZING

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.tabular import cell
from plimsoll_service.api.formats.variables import variables
from plimsoll_service.app import create_app
from plimsoll_service.engine.answer import AcceleratorChoice, Answer
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.settings import Settings

SHELLS = {"dash": ("dash",), "bash": ("bash", "--norc"), "zsh": ("zsh", "-f")}
EVIL = (
    "'", '"', "`touch ran`", "$(touch ran)", "${HOME}", "; touch ran;", "\n", "\r", "\t", "\\", "\0", "!", "#", "&",
    "|", "*", "~", " ", "%s", "=", "-", "é", "\x01", "\x7f", "'; touch ran #", "\ntouch ran\n",
)  # fmt: skip
HOSTILE = st.lists(st.one_of(st.sampled_from(EVIL), st.text(max_size=3)), max_size=6).map("".join)


def shell(name: str) -> tuple[str, ...]:
    """Command of a shell that runs the following argument; skips if the shell is not installed."""
    if shutil.which(SHELLS[name][0]) is None:
        pytest.skip(f"{name} is not installed here")
    return (*SHELLS[name], "-euc")


def values_in(name: str, lines: str, folder: Path, names: list[str]) -> list[str]:
    """Values of the variables in a shell that evaluated the lines, as a script that fetched them does."""
    (folder / "answer").write_bytes(lines.encode())
    script = 'eval "$(cat answer)"; printf "%s\\0" ' + " ".join(f'"${name}"' for name in names)
    done = subprocess.run(
        [*shell(name), script], cwd=folder, env={"PATH": os.environ["PATH"]}, capture_output=True, check=True
    )
    assert done.stderr == b""
    assert [path.name for path in folder.iterdir()] == ["answer"]
    return done.stdout.decode().split("\0")[:-1]


def hostile_answer(texts: list[str]) -> Answer:
    """An answer with these texts in the place of every text that `env` writes."""
    cloud, region, instance_type, purchase, accelerator, disk_type, product = texts
    one = replace(
        RECOMMENDATION,
        cloud=cloud,
        region=region,
        instance_type=instance_type,
        purchase=purchase,
        accelerator=AcceleratorChoice(accelerator, 1.0, 24.0),
        sizing=replace(SIZING, disk=replace(SIZING.disk, type=disk_type, product=product)),
    )
    return replace(ANSWER, recommendations=(one,))


@pytest.fixture(scope="module")
def real() -> FlaskClient:
    """A client of the whole application over the bundled catalog."""
    return create_app(Settings()).test_client()


@pytest.mark.parametrize("name", SHELLS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(HOSTILE, min_size=7, max_size=7))
def test_every_text_arrives_as_it_is(name: str, tmp_path: Path, catalog: Catalog, texts: list[str]) -> None:
    """No part of any text runs; a text with a NUL, which no variable can hold, arrives without it."""
    answer = hostile_answer(texts)
    expected = {key.upper(): cell(value).replace("\0", "") for key, value in variables(answer, catalog).items()}

    lines = RECOMMENDATIONS["env"].render(answer, catalog)
    assert isinstance(lines, str)
    assert list(expected.values()) == values_in(name, lines, tmp_path, list(expected))


@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize("label", [evil for evil in EVIL if evil.isprintable() and evil.strip()])
def test_a_hostile_label_of_an_own_machine_stays_a_name(
    name: str, label: str, real: FlaskClient, tmp_path: Path
) -> None:
    """The label of a machine runs nothing, from the request to the shell."""
    machine = {"label": label, "accelerator": "A100", "count": 8, "vcpus": 96, "memory_gib": 1000, "usd_per_hour": 0.01}
    body = {"workload": {"task": "training", "model": "resnet50"}, "constraints": {"own_machines": [machine]}}

    answer = real.post("/v1/recommendations?format=env", json=body)
    assert answer.status_code == 200, answer.text
    assert ["own", label] == values_in(name, answer.text, tmp_path, ["CLOUD", "INSTANCE_TYPE"])


@pytest.mark.parametrize("label", [evil for evil in EVIL if not evil.isprintable()])
def test_a_label_that_nobody_can_read_is_refused(label: str, real: FlaskClient) -> None:
    """Line ends and control characters in a label are refused before they reach a shell."""
    body = {
        "workload": {"task": "training"},
        "constraints": {"own_machines": [{"label": label, "accelerator": "A100"}]},
    }

    answer = real.post("/v1/recommendations?format=env", json=body)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/constraints/own_machines/0/label")
