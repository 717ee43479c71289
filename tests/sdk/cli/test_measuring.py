"""`plimsoll measurement` and `plimsoll describe`, against the real application."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
OUTPUTS = ROOT / "tests" / "sdk" / "readers" / "outputs"
WORK = ("--task", "inference", "--model", "llama-3-8b", "--framework", "vllm", "--input-tokens", "128")
LOAD = ("--output-tokens", "32", "--concurrency", "4", "--limit", "1", "-o", "json")


def test_a_result_becomes_a_measurement(run: Any) -> None:
    """The object goes to standard output, and the missing values to standard error."""
    done = run("measurement", str(OUTPUTS / "vllm.json"), "--on", "aws/g5.xlarge", "--precision", "bf16")

    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["on"], found["precision"]) == ({"cloud": "aws", "instance_type": "g5.xlarge"}, "bf16")
    assert "accelerators' memory" in done.stderr


def test_a_result_without_its_machine_is_refused(run: Any) -> None:
    """A measurement needs its hardware."""
    done = run("measurement", str(OUTPUTS / "vllm.json"))

    assert (done.exit_code, done.stdout) == (2, "")
    assert "add --on" in done.stderr


def test_a_measurement_changes_the_answer(run: Any, tmp_path: Path) -> None:
    """`recommend` takes the output of `measurement`, and the estimate changes."""
    file = tmp_path / "run.json"
    file.write_text(
        run(
            "measurement", str(OUTPUTS / "vllm.json"), "--on", "accelerator=H100,count=1,vcpus=16,memory_gib=128"
        ).stdout
    )

    without = json.loads(run("recommend", *WORK, *LOAD, "--instance-types", "g6.4xlarge").stdout)
    done = run("recommend", *WORK, *LOAD, "--instance-types", "g6.4xlarge", "--measurement", str(file))

    assert done.exit_code == 0, done.stderr
    serving = [answer["recommendations"][0]["estimate"]["serving"] for answer in (without, json.loads(done.stdout))]
    assert serving[0]["tpot_ms"]["value"] != serving[1]["tpot_ms"]["value"]


def test_a_described_model_is_answered(run: Any, tmp_path: Path) -> None:
    """The printed object is a workload's model."""
    header = json.dumps({"conv.weight": {"dtype": "F32", "shape": [64, 3, 7, 7]}}).encode()
    source = tmp_path / "net.safetensors"
    source.write_bytes(len(header).to_bytes(8, "little") + header)

    done = run("describe", str(source), "--family", "cnn")
    question = json.dumps({"workload": {"task": "training", "model": json.loads(done.stdout)}})

    assert run("recommend", "-w", "-", text=question).exit_code == 0
    assert "operations" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "part"),
    [(("none.txt",), "not a model"), (("config.json", "--shape", "3,x"), "--shape"), (("none.json",), "none.json")],
)
def test_what_cannot_be_described_is_refused(arguments: tuple[str, ...], part: str, run: Any) -> None:
    """A source that cannot be described gives a reason in one line and status 2."""
    done = run("describe", *arguments)

    assert done.exit_code == 2
    assert part in done.stderr
