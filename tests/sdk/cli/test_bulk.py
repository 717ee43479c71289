"""``plimsoll bulk`` answers every line of a file in order, alone in its faults, and resumes where it ended."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.sdk.cli.conftest import Run

from plimsoll import Client

ROWS = "id,task,model,epochs,deadline,clouds\n" + "".join(
    f"job-{place},training,{model},{1 + place % 3},48h,\"aws,gcp\"\n"
    for place, model in enumerate(["resnet50", "bert-base", "nope", "vgg16"] * 2)
)  # fmt: skip


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, which may be compressed."""
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_each_row_gets_its_best_recommendation(run: Run, client: Client, tmp_path: Path) -> None:
    """A row has the id, the order and the answer of its question; a faulty one does not affect the others."""
    (tmp_path / "in.csv").write_text(ROWS)

    done = run("bulk", str(tmp_path / "in.csv"), str(tmp_path / "out.csv.gz"))
    rows = read_csv(tmp_path / "out.csv.gz")
    alone = client.recommend(
        task="training", model="resnet50", epochs=1, deadline="48h", constraints={"clouds": ["aws", "gcp"]}
    ).best

    assert done.exit_code == 1
    assert "8 lines: 6 recommended, 0 without a machine that is left, 2 refused, 0 failed" in done.stderr
    assert [row["id"] for row in rows] == [f"job-{place}" for place in range(8)]
    assert [row["status"] for row in rows] == ["200", "200", "422", "200"] * 2
    assert rows[2]["error"].startswith("/workload/model: ")
    assert alone is not None
    assert rows[0]["instance_type"] == alone.instance_type


def test_each_json_line_gets_its_whole_answer(run: Run, tmp_path: Path) -> None:
    """Lines that are no JSON, or no question, are refused with the reason."""
    asked = [{"id": 7, "workload": {"task": "training", "model": "resnet50"}, "limit": 2}, {"workload": {"task": "x"}}]
    text = "".join(f"{json.dumps(each)}\n" for each in asked) + "\n{broken\n[1]\n"

    done = run("bulk", "-", str(tmp_path / "out.jsonl"), "--input-format", "jsonl", text=text)
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]

    assert done.exit_code == 1
    assert [each["status"] for each in found] == [200, 422, 422, 422]
    assert (found[0]["id"], len(found[0]["recommendations"])) == (7, 2)
    assert found[1]["errors"][0]["pointer"] == "/workload/task"
    assert found[2]["detail"].startswith("the line is not JSON")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_run_that_ended_early_is_resumed(run: Run, tmp_path: Path, kind: str) -> None:
    """After a kill in the middle of a line, the same command makes the file of a run without a kill, byte for byte."""
    (tmp_path / "in.csv").write_text(ROWS)
    once, again = tmp_path / f"once.{kind}", tmp_path / f"again.{kind}"
    first = run("bulk", str(tmp_path / "in.csv"), str(once))
    version = run("recommend", "--task", "hpc", "-o", "json").stdout
    partial = tmp_path / f"again.{kind}.{json.loads(version)['catalog']['version']}.partial"
    partial.write_bytes(once.read_bytes()[: len(once.read_bytes()) // 2])

    resumed = run("bulk", str(tmp_path / "in.csv"), str(again))

    assert (resumed.exit_code, resumed.stderr) == (first.exit_code, first.stderr)
    assert again.read_bytes() == once.read_bytes()
    assert not partial.exists()


def test_a_run_keeps_the_prices_of_its_beginning(run: Run, tmp_path: Path) -> None:
    """A resumed run with other prices is refused."""
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "out.csv.2026-01-01-0.partial").write_text("")

    done = run("bulk", str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), "--snapshot", "2026-02-02-0")

    assert done.exit_code == 2
    assert "was begun with the prices 2026-01-01-0" in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("in.csv", "task,modle\n", "unknown column 'modle'; did you mean 'model'?"),
        ("in.csv", "", "has no head line"),
        ("in.txt", "", "the name does not tell the format"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(run: Run, tmp_path: Path, name: str, text: str, fault: str) -> None:
    """The reason is said before the first line is answered."""
    (tmp_path / name).write_text(text)

    done = run("bulk", str(tmp_path / name), str(tmp_path / "out.csv"))

    assert done.exit_code == 2
    assert fault in done.stderr
    assert list(tmp_path.glob("out*")) == []


def test_an_output_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    """An output that exists stays."""
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "out.csv").write_text("kept")

    assert run("bulk", str(tmp_path / "in.csv"), str(tmp_path / "out.csv")).exit_code == 2
    assert (tmp_path / "out.csv").read_text() == "kept"


def test_short_rows_and_empty_inputs(run: Run, tmp_path: Path) -> None:
    """A row with another number of cells is refused; an input without rows has a head line as output."""
    (tmp_path / "short.csv").write_text("task,model\ntraining\n")
    (tmp_path / "empty.csv").write_text("task,model\n")
    run("bulk", str(tmp_path / "short.csv"), str(tmp_path / "short-out.csv"))
    empty = run("bulk", str(tmp_path / "empty.csv"), str(tmp_path / "empty-out.csv"))

    assert read_csv(tmp_path / "short-out.csv")[0]["error"] == "the line has 1 cells, the head line 2"
    assert (empty.exit_code, read_csv(tmp_path / "empty-out.csv")) == (0, [])
