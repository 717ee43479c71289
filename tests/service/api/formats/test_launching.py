"""The way from a running service to the launching command: curl, a shell, and the example script."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.service.api.formats.test_env_in_shells import SHELLS, shell
from werkzeug.serving import make_server

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

SCRIPT = Path(__file__).resolve().parents[4] / "examples" / "launch.sh"
HOSTILE_MODELS = ("$(touch ran)", "`touch ran`", "'$(touch ran)'", '"; touch ran; "', "\\`touch ran\\`")
QUESTION = "/v1/recommendations?task=training&model=resnet50"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Address of the whole service, on a loopback port."""
    server = make_server("127.0.0.1", 0, create_app(Settings()), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


def best(url: str, question: str) -> dict[str, Any]:
    """The best recommendation in the JSON."""
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("curl is not installed here")
    answer = json.loads(subprocess.run([curl, "-sf", url + question], capture_output=True, check=True).stdout)
    found: dict[str, Any] = answer["recommendations"][0] if answer["recommendations"] else {}
    return found


def launched(name: str, url: str, question: str) -> subprocess.CompletedProcess[str]:
    """Outcome of the example script in a shell that evaluated the answer."""
    line = f'set -a; eval "$(curl -s "$URL{question}&format=env")"; set +a; sh "$SCRIPT"'
    env = {"PATH": os.environ["PATH"], "URL": url, "SCRIPT": str(SCRIPT), "IMAGE": "img-1"}
    return subprocess.run([*shell(name), line], env=env, capture_output=True, text=True)


@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize("clouds", ["", "&clouds=aws", "&clouds=gcp", "&clouds=azure", "&clouds=gcp&purchase=spot"])
def test_the_example_script_launches_what_is_recommended(name: str, clouds: str, url: str) -> None:
    """The command has the answer's machine, number, region and purchase option."""
    wanted = best(url, QUESTION + clouds)

    done = launched(name, url, QUESTION + clouds)
    assert (done.returncode, done.stderr) == (0, "")
    words = done.stdout.split()
    machine_type = wanted["instance_type"].partition("+")[0]
    assert machine_type in words or wanted["instance_type"] in words
    assert str(wanted["node_count"]) in words
    assert wanted["region"] in words
    assert ("spot" in done.stdout.lower()) == (wanted["purchase"] == "spot")


@pytest.mark.parametrize("name", SHELLS)
def test_nothing_is_launched_where_nothing_meets_the_constraints(name: str, url: str) -> None:
    """Without a recommendation, the script says so and fails."""
    done = launched(name, url, f"{QUESTION}&epochs=90&deadline=1s")

    assert (done.returncode, done.stdout) == (1, "")
    assert "No machine meets the constraints" in done.stderr


@pytest.mark.parametrize("name", SHELLS)
def test_nothing_is_launched_without_an_answer(name: str, url: str) -> None:
    """A service that refuses or is down leaves the variables unset, and the script names the missing ones."""
    done = launched(name, url, "/v1/no_such_route?x=1")

    assert done.returncode != 0
    assert "{" not in done.stdout


@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize(
    "model", ["$(touch ran)", "`touch ran`", "'$(touch ran)'", '"; touch ran; "', "\\`touch ran\\`"]
)
def test_a_refusal_that_is_evaluated_runs_nothing(name: str, model: str, url: str, tmp_path: Path) -> None:
    """A refusal that a careless script evaluates runs nothing."""
    line = 'eval "$(curl -s "$URL&format=env" --get --data-urlencode "model=$MODEL")"'
    env = {"PATH": os.environ["PATH"], "URL": f"{url}/v1/recommendations?task=training", "MODEL": model}

    done = subprocess.run([*shell(name), line], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert list(tmp_path.iterdir()) == []
