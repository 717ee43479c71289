"""Bulk from file to file: every format gives the same answers, a bad line fails alone, and the exit status shows it."""

from __future__ import annotations

import gzip
import io
import json
import multiprocessing
import sys
from pathlib import Path

import pytest
from tests.service.bulk.files import body_of, read_csv, read_lines, sweep, write_csv, write_lines

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.app import create_app
from plimsoll_service.bulk import run
from plimsoll_service.bulk.command import main
from plimsoll_service.bulk.lines import NAMES, NOTHING_LEFT
from plimsoll_service.bulk.reading import STANDARD
from plimsoll_service.settings import Settings


def bulk(*arguments: object) -> int:
    """The command in this process, without progress."""
    return main([*map(str, arguments), "--quiet", "--processes", "1"])


def test_rows_are_the_first_recommendations_of_the_service(tmp_path: Path) -> None:
    """A row has the cells that the same question has in the first line of ``format=csv``."""
    flat = sweep(6)
    bulk(write_csv(tmp_path / "in.csv", flat), tmp_path / "out.csv")

    client = create_app(Settings(log_level="error")).test_client()
    for row, asked in zip(read_csv(tmp_path / "out.csv"), flat, strict=True):
        query = {name: value for name, value in asked.items() if name != "id"} | {"format": "csv"}
        text = client.get("/v1/recommendations", query_string=query).get_data(as_text=True)
        names, cells = (line.split(",") for line in text.splitlines()[:2])
        expected = dict(zip(names, cells, strict=True))
        assert expected.pop("rank") == "1"
        assert expected == {name: row[name] for name in expected}
        assert (row["id"], row["status"], row["error"]) == (asked["id"], "200", "")


def test_json_lines_are_the_answers_of_a_batch(tmp_path: Path) -> None:
    """Each line is the entry of the batch route, with the line's number and the caller's id."""
    bodies = [body_of(one) for one in sweep(3)] + [{"id": 7, "workload": {"task": "trainin"}}]
    bulk(write_lines(tmp_path / "in.jsonl", bodies), tmp_path / "out.jsonl")

    requests = [{name: value for name, value in body.items() if name != "id"} for body in bodies]
    client = create_app(Settings(log_level="error")).test_client()
    results = client.post("/v1/recommendations/batch", json={"requests": requests}).get_json()["results"]
    for number, (found, expected) in enumerate(zip(read_lines(tmp_path / "out.jsonl"), results, strict=True), start=1):
        assert (found.pop("line"), found.pop("id")) == (number, bodies[number - 1]["id"])
        if expected["status"] != 200:
            expected["instance"] = f"/lines/{number}"
        assert expected == found


def test_every_input_form_says_the_same(tmp_path: Path) -> None:
    """CSV, compressed CSV, JSON lines and Parquet of the same workloads give the same bytes."""
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: Parquet is not tried")
    parquet = pytest.importorskip("pyarrow.parquet")
    flat = sweep(9)
    inputs = [
        write_csv(tmp_path / "in.csv", flat),
        write_csv(tmp_path / "in.csv.gz", flat),
        write_lines(tmp_path / "in.jsonl", [body_of(one) for one in flat]),
        tmp_path / "in.parquet",
    ]
    parquet.write_table(pyarrow.Table.from_pylist(flat), inputs[-1])

    outputs = []
    for path in inputs:
        target = tmp_path / f"{path.name}.out.csv"
        assert bulk(path, target) == 0
        outputs.append(target.read_bytes())

    assert len(set(outputs)) == 1
    assert len(outputs[0].splitlines()) == 10


def test_every_output_form_says_the_same(tmp_path: Path) -> None:
    """Compressed CSV unpacks to the plain one, and Parquet has its cells with their types."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: Parquet is not tried")
    source = write_csv(tmp_path / "in.csv", [*sweep(4), sweep(1)[0] | {"model": "no such"}])
    for name in ("out.csv", "out.csv.gz", "out.parquet"):
        assert bulk(source, tmp_path / name, "--chunk", 2) == 1

    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()) == (tmp_path / "out.csv").read_bytes()
    table = parquet.read_table(tmp_path / "out.parquet")
    assert list(NAMES) == table.column_names
    for typed, row in zip(table.to_pylist(), read_csv(tmp_path / "out.csv"), strict=True):
        assert (typed["line"], typed["id"]) == (int(row["line"]), row["id"])
        assert (typed["usd_per_hour"] or "") == (float(row["usd_per_hour"]) if row["usd_per_hour"] else "")


def test_bad_lines_fail_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines that are no JSON, no object, or have faults stay in their places, with their faults."""
    good = body_of(sweep(1)[0])
    lines = [
        good,
        "{",
        "[1]",
        {"workload": {"task": "training", "epochs": -1, "model": "resnet5"}},
        '{"a": "\xff"}',
        '{"a": ' + "[" * 40 + "]" * 40 + "}",
        good,
    ]
    source = write_lines(tmp_path / "in.jsonl", lines)

    assert bulk(source, tmp_path / "out.csv") == 1
    rows = read_csv(tmp_path / "out.csv")
    assert [row["status"] for row in rows] == ["200", "422", "422", "422", "422", "422", "200"]
    assert "not JSON" in rows[1]["error"]
    assert "must be a JSON object" in rows[2]["error"]
    assert "/workload/epochs" in rows[3]["error"]
    assert "/workload/model: unknown model 'resnet5'; did you mean" in rows[3]["error"]
    assert "nested more than 32 levels deep" in rows[5]["error"]
    assert rows[0]["instance_type"] == rows[6]["instance_type"] != ""
    assert "7 lines: 2 recommended, 0 without a machine that is left, 5 refused, 0 failed" in capsys.readouterr().err


def test_bad_rows_fail_alone(tmp_path: Path) -> None:
    """A row with too few cells, or a cell of the wrong kind, is reported by the names of its columns."""
    source = tmp_path / "in.csv"
    source.write_text("id,task,epochs\na,training\nb,training,many\nc,training,3\n\nd,,\n")

    assert bulk(source, tmp_path / "out.csv") == 1
    rows = read_csv(tmp_path / "out.csv")
    assert [(row["line"], row["status"]) for row in rows] == [("1", "422"), ("2", "422"), ("3", "200"), ("4", "422")]
    assert rows[0]["error"] == "the line has 2 cells, the head line 3"
    assert rows[1]["error"].startswith("epochs: must be a number")
    assert rows[3]["error"] == "task: is required"
    assert [row["id"] for row in rows] == ["", "b", "c", "d"]


def test_nothing_left_is_an_answer(tmp_path: Path) -> None:
    """A line without a machine left has no recommendation, which is no fault."""
    source = write_csv(tmp_path / "in.csv", [sweep(1)[0] | {"deadline": "1s"}])

    assert bulk(source, tmp_path / "out.csv") == 0
    row = read_csv(tmp_path / "out.csv")[0]
    assert (row["status"], row["error"], row["instance_type"]) == ("200", NOTHING_LEFT, "")


def test_unknown_columns_are_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt column ends the run before the first line, with a suggestion."""
    source = write_csv(tmp_path / "in.csv", [{"task": "training", "epoch": 3}])

    assert bulk(source, tmp_path / "out.csv") == 1
    assert "did you mean 'epochs'" in capsys.readouterr().err
    assert not list(tmp_path.glob("out*"))


def test_an_output_that_exists_stays(tmp_path: Path) -> None:
    """A finished file is never overwritten."""
    source = write_csv(tmp_path / "in.csv", sweep(1))
    (tmp_path / "out.csv").write_text("mine")

    assert bulk(source, tmp_path / "out.csv") == 1
    assert (tmp_path / "out.csv").read_text() == "mine"


def test_a_name_without_a_form_is_a_wrong_call(tmp_path: Path) -> None:
    """The command is refused if neither the name nor an option states the format."""
    source = write_csv(tmp_path / "in.csv", sweep(1))

    assert bulk(source, tmp_path / "out") == 2
    assert bulk(source, tmp_path / "out", "--output-format", "csv") == 0


def test_standard_input_and_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A pipe gives the bytes that files give."""
    source = write_csv(tmp_path / "in.csv", sweep(5))
    bulk(source, tmp_path / "out.csv")
    capsysbinary.readouterr()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source.read_bytes())))

    assert bulk(STANDARD, STANDARD, "--input-format", "csv", "--output-format", "csv", "--chunk", 2) == 0
    assert (tmp_path / "out.csv").read_bytes() == capsysbinary.readouterr().out


def test_an_input_without_lines_gives_the_head_alone(tmp_path: Path) -> None:
    """An empty job list is a valid one."""
    source = tmp_path / "in.csv"
    source.write_text("task,model\n")

    assert bulk(source, tmp_path / "out.csv") == 0
    assert (tmp_path / "out.csv").read_bytes().decode() == ",".join(NAMES) + "\r\n"


def test_a_broken_archive_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Compressed input that ends in the middle is an error, not the end of the input."""
    whole = write_csv(tmp_path / "in.csv.gz", sweep(500)).read_bytes()
    (tmp_path / "in.csv.gz").write_bytes(whole[: len(whole) // 2])

    assert bulk(tmp_path / "in.csv.gz", tmp_path / "out.csv", "--chunk", 50) == 1
    assert "cannot be read after line" in capsys.readouterr().err


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_give_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """The file is that of one process, however many processes there are and however they start."""
    source = write_csv(tmp_path / "in.csv", sweep(40))
    bulk(source, tmp_path / "one.csv")
    monkeypatch.setattr(run, "_context", lambda: multiprocessing.get_context(way))

    arguments = [str(source), str(tmp_path / "two.csv"), "--quiet", "--chunk", "3", "--processes", "2"]
    assert main(arguments) == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_own_terms_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installation's discounts apply in bulk as in the service."""
    terms = tmp_path / "terms.yaml"
    terms.write_text(json.dumps({"discounts": [{"cloud": "aws", "percent": 99}]}))
    source = write_csv(tmp_path / "in.csv", [sweep(1)[0] | {"clouds": "aws"}])
    bulk(source, tmp_path / "list.csv")
    monkeypatch.setenv("PLIMSOLL_TERMS", str(terms))
    bulk(source, tmp_path / "own.csv")

    listed, own = (float(read_csv(tmp_path / name)[0]["cost_usd"]) for name in ("list.csv", "own.csv"))
    assert own < listed / 10


def test_the_columns_are_those_of_the_csv_format() -> None:
    """After the line, id, status and error come the columns of ``format=csv``, except the rank."""
    answer = create_app(Settings(log_level="error")).test_client().get("/v1/recommendations?task=training&format=csv")

    assert "csv" in RECOMMENDATIONS
    assert set(answer.get_data(as_text=True).splitlines()[0].split(",")) - {"rank"} == set(NAMES[4:])
