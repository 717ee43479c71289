"""Any failure ends in readable lines and a status that says whose fault it was, never in a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from plimsoll.cli.app import plimsoll

Run = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]

LONGEST_END_SECONDS = 8
NOBODY = "http://127.0.0.1:9"  # the discard service, which nobody runs


def test_every_fault_is_named_by_its_option(run: Run) -> None:
    """All faults are named at once, each on its own line, with its correction."""
    found = run("recommend", "--task", "trainin", "--batch-size", "-1", "--dataset-size", "much", "--clouds", "awz")

    assert found.exit_code == 2
    lines = found.stderr.splitlines()
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "--task",
        "--batch-size",
        "--dataset-size",
        "--clouds",
    ]
    assert "'240GB'" in lines[3]


def test_a_misspelt_name_is_answered_with_the_right_one(run: Run) -> None:
    """A misspelt value, option or member of a machine is answered with the right name."""
    assert "did you mean 'resnet50'" in run("recommend", "--task", "training", "--model", "resnett50").stderr
    assert "--model" in run("recommend", "--modle", "resnet50").stderr
    assert "did you mean 'count'" in run("estimate", "accelerator=T4,coun=1", "--task", "training").stderr


def test_faults_of_a_file_are_named_by_their_place(run: Run, tmp_path: Path) -> None:
    """A fault of an option is named by the option, and any other by the file's pointer."""
    file = tmp_path / "question.yaml"
    file.write_text("workload: {task: training, epochs: ten}\n")

    found = run("recommend", "-w", str(file), "--batch-size", "-1")

    assert f"  {file}: /workload/epochs: must be a number, not 'ten'" in found.stderr.splitlines()
    assert "  --batch-size: must be at least 1" in found.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", '{"task": ', "is not JSON"),
        ("a.jsonl", '{"task": "hpc"}\n{', "line 2 is not JSON"),
        ("a.yaml", "task: [", "is not YAML"),
        ("a.yaml", "task: hpc\ntask: training", "duplicate key 'task'"),
        ("a.yaml", "dataset:\n  samples: .nan", "dataset/samples: nan is not a finite number"),
        ("a.json", '{"task": "training", "epochs": NaN}', "epochs: nan is not a finite number"),
        ("a.jsonl", '{"task": "training", "epochs": 1e999}', "epochs: inf is not a finite number"),
        ("a.json", f'{{"task": "training", "epochs": {"9" * 5000}}}', "is not JSON"),
        ("a.json", '[{"workload": {"task": "hpc"}, "snapshot": "v"}]', "/snapshot: say it by --snapshot"),
        ("a.yaml", "- 1\n- 2", "an object expected"),
        ("a.yaml", "5", "an object expected"),
        ("a.yaml", "workload: 5", "/workload: must be an object"),
        ("a.yaml", "workload: {task: hpc}\nconstraint: {}", "did you mean 'constraints'"),
        ("a.yaml", "workload: {task: hpc}\nconstraints: 3", "/constraints: must be an object"),
        ("a.yaml", "plans: {}", "plimsoll check"),
        ("a.yaml", "dataset: 3", "/workload/dataset: must be an object"),
    ],
)
def test_a_file_that_is_no_question_says_why(run: Run, tmp_path: Path, name: str, content: str, said: str) -> None:
    """A file that is no question is named, with its fault."""
    file = tmp_path / name
    file.write_text(content)

    found = run("recommend", "-w", str(file), "--dataset-name", "imagenet-1k")

    assert (found.exit_code, found.stdout) == (2, "")
    assert str(file) in found.stderr
    assert said in found.stderr


def test_files_that_cannot_be_read_say_why(run: Run, tmp_path: Path) -> None:
    """Missing files, folders and bytes that are no text are refused with the reason."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")

    assert "No such file" in run("recommend", "-w", str(tmp_path / "none")).stderr
    assert "Is a directory" in run("recommend", "-w", str(tmp_path)).stderr
    assert "is not UTF-8" in run("recommend", "-w", str(tmp_path / "bytes")).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["recommend"], "--task"),
        (["recommend", "--task", "training", "-o", "enw"], "did you mean 'env'"),
        (["recommend", "--task", "training", "--snapshot", "2020-01-01-00000000"], "no prices of version"),
        (["recommend", "--task", "training", "--snapshot", ""], "--snapshot: must be"),
        (["recommend", "--task", "training", "--epochs", "nan"], "--epochs: must be a number, not 'nan'"),
        (["recommend", "--task", "training", "--epochs", "1e400"], "--epochs: must be a number"),
        (["recommend", "--task", "training", "--timeout", "nan"], "--timeout: "),
        (["recommend", "--task", "training", "--timeout", "inf"], "--timeout: "),
        (["recommend", "--task", "training", "--url", "ftp://somewhere"], "must look like"),
        (["recommend", "--task", "training", "--url", NOBODY, "--local"], "exclude each other"),
        (["recommend", "--task", "training", "--timeout", "0"], "--timeout"),
        (["recommend", "-w", "-", "-o", "env"], "one of table, json, jsonl, csv"),
        (["estimate", "aws/p3.2xlarg", "--task", "training"], "did you mean 'p3.2xlarge'"),
        (["estimate", "p3.2xlarge", "--task", "training"], "CLOUD/INSTANCE_TYPE"),
        (["estimate", "{", "--task", "training"], "is not JSON"),
        (["estimate", "aws/p3.2xlarge", "--task", "training", "-o", "env"], "one of table, json, csv"),
        (["compare", "aws/p3.2xlarge", "--task", "training"], "MACHINE: must have 2 to 20 entries"),
        (["compare", "aws/x", "aws/p3.2xlarge", "--task", "training"], "aws/x: instance_type"),
        (["explain", "--task", "training", "--rank", "100", "--instance-types", "p4d.24xlarge"], "--rank: there are"),
        (["instances", "--min-vcpus", "many"], "--min-vcpus: must be a number"),
        (["prices", "changes", "2020-01-01-00000000"], "no prices of version"),
        (["models", "--family", "cnm"], "--family"),
    ],
)
def test_a_wrong_call_is_refused(run: Run, arguments: list[str], said: str) -> None:
    """A wrong call gives status 2 and a line with the reason, and nothing on standard output."""
    found = run(*arguments, text='[{"task": "training"}]')

    assert (found.exit_code, found.stdout) == (2, "")
    assert said in found.stderr


def test_a_service_out_of_reach_is_a_status_of_its_own(process: Process) -> None:
    """The line names the address and the option, without a traceback."""
    found = process("recommend", "--task", "training", "--url", NOBODY)

    assert (found.returncode, found.stdout) == (3, "")
    assert NOBODY in found.stderr
    assert "--url" in found.stderr
    assert "Traceback" not in found.stderr


def test_a_name_that_cannot_be_looked_up_is_out_of_reach(run: Run) -> None:
    """A host name with an empty part fails before any name server is asked."""
    found = run("recommend", "--task", "training", "--url", "http://..")

    assert (found.exit_code, "cannot be reached" in found.stderr) == (3, True)


def test_a_full_disk_is_no_verdict(environment: dict[str, str]) -> None:
    """An answer that cannot be written ends with status 2, because 1 is for answers."""
    command = [sys.executable, "-m", "plimsoll.cli", "recommend", "--task", "training", "-o", "json"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True)

    assert (done.returncode, done.stderr) == (2, "plimsoll: the answer cannot be written: No space left on device\n")


def test_a_locale_without_our_signs_is_answered_all_the_same(environment: dict[str, str]) -> None:
    """Latin-1 lacks the dash of a range, and the answer is still printed."""
    command = [sys.executable, "-m", "plimsoll.cli", "recommend", "--task", "training", "--model", "resnet50"]
    done = subprocess.run(command, env=environment | {"PYTHONIOENCODING": "latin-1"}, capture_output=True)

    assert done.returncode == 0
    assert b"?" in done.stdout


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_stream_that_is_closed_gives_no_traceback(environment: dict[str, str], stream: str) -> None:
    """Closed standard streams cause no traceback."""
    script = f'"{sys.executable}" -m plimsoll.cli recommend --task training {stream}>&-'
    done = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True)

    assert done.returncode == (2 if stream == "1" else 0)
    assert "Traceback" not in done.stderr


def test_a_password_in_the_address_is_not_repeated(run: Run) -> None:
    """Error messages do not repeat a password, because they may end in a pipeline's log."""
    found = run("recommend", "--task", "training", "--url", NOBODY.replace("//", "//someone:secret@"))

    assert (found.exit_code, "secret" in found.stderr) == (3, False)


@pytest.mark.parametrize(
    ("status", "document", "said", "expected"),
    [
        (429, {"detail": "slow down"}, "slow down; retry in 3600 s", 3),
        (503, {"detail": "loading"}, "loading; retry in 3600 s", 3),
        (404, b"<html>", "the service answered 404 Not Found", 2),
        (200, b"<html>", "not from a Plimsoll service", 3),
        (413, {"detail": "too large"}, "too large", 2),
    ],
)
def test_what_the_service_says_decides_the_status(
    server: Any, status: int, document: Any, said: str, expected: int
) -> None:
    """Failures of the service have status 3, refusals have status 2."""
    # A wait of an hour is beyond what the client waits for by itself.
    server.answers(status, document, {"Retry-After": "3600"} if status in (429, 503) else {})

    found = CliRunner().invoke(plimsoll, ["recommend", "--task", "training", "--url", server.url])

    assert found.exit_code == expected
    assert said in found.stderr


def test_a_slow_service_is_given_up(server: Any) -> None:
    """--timeout bounds the wait."""
    server.hangs()

    found = CliRunner().invoke(plimsoll, ["recommend", "--task", "training", "--url", server.url, "--timeout", "0.05"])

    assert (found.exit_code, "cannot be reached" in found.stderr) == (3, True)


@pytest.mark.parametrize("file", [None, "many.jsonl"])
def test_an_interrupt_ends_quietly(server: Any, environment: dict[str, str], file: str | None, tmp_path: Path) -> None:
    """Ctrl-C during a wait ends at once with status 130, also for a list that threads ask for."""
    server.hangs()
    asked = ["--task", "training"] if file is None else ["--workload", str(tmp_path / file)]
    (tmp_path / "many.jsonl").write_text('{"task": "training"}\n' * 2)
    command = [sys.executable, "-m", "plimsoll.cli", "recommend", *asked, "--url", server.url]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as waiting:
        while not server.requests and waiting.poll() is None:
            time.sleep(0.01)
        waiting.send_signal(signal.SIGINT)
        # Far less than the client would wait for an answer.
        _, said = waiting.communicate(timeout=LONGEST_END_SECONDS)

    assert (waiting.returncode, said) == (130, "")


def test_a_reader_that_leaves_ends_the_listing(environment: dict[str, str]) -> None:
    """`plimsoll prices | head` makes no noise."""
    command = [sys.executable, "-m", "plimsoll.cli", "instances", "-o", "jsonl"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as listing:
        assert listing.stdout is not None
        assert listing.stderr is not None
        listing.stdout.readline()
        listing.stdout.close()
        said = listing.stderr.read()

    assert (listing.returncode, said) == (141, "")


def test_text_that_is_no_utf_8_is_refused(process: Process) -> None:
    """An argument with bytes that are no UTF-8 is refused."""
    found = process("recommend", "--task", "training", "--model", "r\udcff")

    assert (found.returncode, "Traceback" in found.stderr) == (2, False)


def test_missing_packages_are_named(process: Process, tmp_path: Path) -> None:
    """Without the extra, the program says what to install."""
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError('No module named click', name='click')\n")
    path = f"{tmp_path}:{Path(__file__).resolve().parents[3] / 'sdk' / 'src'}"

    found = process("recommend", PYTHONPATH=path)

    assert (found.returncode, found.stderr.strip()) == (
        2,
        "plimsoll: the command line needs more packages: pip install 'plimsoll-sdk[cli]'",
    )
