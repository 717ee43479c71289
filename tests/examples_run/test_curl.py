"""The curl scripts, in each shell, against the service."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from plimsoll import Client

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "examples" / "curl"
QUESTION = ROOT / "tests" / "examples" / "b_llama3_8b_lora.json"
FIELDS = ("task=training", "model=resnet50", "dataset_name=imagenet-1k", "epochs=90", "clouds=aws")
WORKLOAD = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90}
AWS = {"clouds": ["aws"]}
# curl's own statuses.
NOT_REACHED, REFUSED = 7, 22


@pytest.fixture(params=["dash", "bash", "zsh"])
def script(request: pytest.FixtureRequest, run: Any) -> Callable[..., Any]:
    """Run a script by name in one shell."""
    if request.param == "zsh" and not shutil.which("zsh"):
        pytest.skip("zsh is not installed")

    def start(name: str, *arguments: Any, **rest: Any) -> Any:
        return run(request.param, SCRIPTS / name, *arguments, **rest)

    return start


class FailsOnce:
    """The application behind a proxy whose first answer is 503, with a body that a shell must not run."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self.calls = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a WSGI request."""
        self.calls += 1
        if self.calls == 1:
            start_response("503 Service Unavailable", [("Content-Type", "text/plain")])
            return [b"touch hacked\n"]
        answer: Iterable[bytes] = self._application(environ, start_response)
        return answer


def test_the_table_is_the_services_own(script: Any, client: Client) -> None:
    """The arguments are the question, with any characters in their values."""
    expected = client.recommend(WORKLOAD, constraints=AWS, format="table")

    done = script("recommend.sh", *FIELDS)

    assert (done.returncode, done.stderr) == (0, "")
    assert expected.strip() == done.stdout.strip()


def test_values_go_as_they_are(script: Any) -> None:
    """Spaces, ampersands and shell code in a value are only text."""
    done = script("recommend.sh", "task=training", "model=res net&limit=1 $(touch hacked)")

    assert done.returncode == REFUSED
    problem = json.loads(done.stderr.splitlines()[-1])
    assert [fault["pointer"] for fault in problem["errors"]] == ["model"]
    assert "res net&limit=1 $(touch hacked)" in problem["detail"]


def test_a_refusal_names_every_fault(script: Any) -> None:
    """The problem goes to standard error, and nothing to standard output."""
    done = script("recommend.sh", "task=trainin", "modl=resnet50")

    assert (done.returncode, done.stdout) == (REFUSED, "")
    assert "did you mean 'training'" in done.stderr
    assert "did you mean 'model'" in done.stderr


@pytest.mark.parametrize("name", ["recommend.sh", "machine.sh"])
def test_a_field_without_a_value_is_a_wrong_call(script: Any, name: str) -> None:
    """A field without a value is not sent."""
    done = script(name, "task")

    assert done.returncode == 2
    assert "name=value expected, not 'task'" in done.stderr


def test_a_service_that_is_away_is_said(script: Any) -> None:
    """curl's own status and message report that the service is away."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        away = {"PLIMSOLL_URL": f"http://127.0.0.1:{reserved.getsockname()[1]}"}
        done = script("recommend.sh", *FIELDS, env=away)

    assert (done.returncode, done.stdout) == (NOT_REACHED, "")
    assert "127.0.0.1" in done.stderr


def test_the_machine_is_the_first_recommendation(script: Any, client: Client) -> None:
    """The shell's variables are those of the service's first recommendation."""
    best = client.recommend(WORKLOAD, constraints=AWS).best
    assert best is not None
    assert best.price is not None
    machine = f"{best.node_count} x {best.instance_type} of {best.cloud} in {best.region} ({best.purchase})"

    done = script("machine.sh", *FIELDS)

    assert f"rent {machine} for {best.price.usd_per_hour} USD an hour each\n" == done.stdout


def test_a_budget_that_nothing_meets_stops_the_script(script: Any) -> None:
    """The status is 1, and standard error lists the rejections and the limits to relax."""
    done = script("machine.sh", *FIELDS, "budget_usd=1")

    assert (done.returncode, done.stdout) == (1, "")
    assert "rejected by budget" in done.stderr
    assert "to relax: budget" in done.stderr


@pytest.mark.parametrize("name", ["recommend.sh", "machine.sh"])
def test_a_failed_attempt_leaves_nothing_in_the_answer(
    script: Any, application: Any, serve: Any, tmp_path: Path, name: str
) -> None:
    """After a 503, curl asks again, and only the second answer is shown or evaluated."""
    failing = FailsOnce(application)
    with serve(failing) as url:
        done = script(name, *FIELDS, env={"PLIMSOLL_URL": url})

    assert done.returncode == 0, done.stderr
    assert failing.calls == 2
    assert "hacked" not in done.stdout
    assert list(tmp_path.glob("hacked")) == []


def test_the_placement_is_the_services_own(script: Any, client: Client, tmp_path: Path) -> None:
    """The file has the answer in that format, and no other file is left beside it."""
    expected = client.recommend(WORKLOAD, constraints=AWS, format="kubernetes")

    done = script("placement.sh", "kubernetes", "placement.yaml", *FIELDS)

    assert done.returncode == 0, done.stderr
    assert {"placement.yaml": expected} == {path.name: path.read_text() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("launcher", "field", "status", "said"),
    [
        ("kubernetes", "budget_usd=1", 1, "to relax: budget"),
        ("kubernetes", "modl=x", REFUSED, "did you mean 'model'"),
        ("kuberntes", "epochs=90", REFUSED, "did you mean 'kubernetes'"),
    ],
)
def test_without_an_answer_the_file_stays(
    script: Any, tmp_path: Path, launcher: str, field: str, status: int, said: str
) -> None:
    """Without an answer, the file keeps its content for the next launch."""
    (tmp_path / "placement.yaml").write_text("as it was")

    done = script("placement.sh", launcher, "placement.yaml", *FIELDS[:3], field)

    assert done.returncode == status
    assert said in done.stderr
    assert {"placement.yaml": "as it was"} == {path.name: path.read_text() for path in tmp_path.iterdir()}


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
@pytest.mark.parametrize(
    ("machine", "status", "said"),
    [
        ("g5.2xlarge", 0, "time "),
        ("g5.2xlarge", 0, "not the recommendation: "),
        ("p2.xlarge", 1, "does not fit: accelerator_memory_gib"),
    ],
)
def test_a_given_machine_is_judged(script: Any, machine: str, status: int, said: str) -> None:
    """The script shows figures of a machine that fits, the shortfall of one that does not, and reasons against it."""
    done = script("estimate.sh", QUESTION, "aws", machine)

    assert (done.returncode, done.stderr) == (status, "")
    assert any(line.startswith(said) for line in done.stdout.splitlines())


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_an_unknown_machine_is_refused(script: Any) -> None:
    """The problem names the unknown machine."""
    done = script("estimate.sh", QUESTION, "aws", "p5.nonsense")

    assert (done.returncode, done.stdout) == (REFUSED, "")
    assert "p5.nonsense" in done.stderr
