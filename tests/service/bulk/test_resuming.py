"""A killed run is resumed, and its file is that of an unbroken run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from tests.service.bulk.files import body_of, sweep, write_csv, write_lines

from plimsoll_service.bulk.command import main

DEADLINE_SECONDS = 60.0
LINES, CHUNK = 60, 2


def command(*arguments: object) -> list[str]:
    """Command line of a run in small chunks."""
    said = [*map(str, arguments), "--quiet", "--chunk", str(CHUNK)]
    return [sys.executable, "-m", "plimsoll_service.bulk", *said]


def started(source: Path, target: Path) -> subprocess.Popen[bytes]:
    """A run of two processes."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command(source, target, "--processes", 2), env=environment, stderr=subprocess.PIPE)


def wait_for(entries: int, process: subprocess.Popen[bytes], target: Path) -> None:
    """Return as soon as the journal has that many chunks."""
    journal = target.with_name(target.name + ".journal")
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not journal.exists() or len(journal.read_bytes().splitlines()) <= entries:
        assert time.monotonic() < deadline, "the run does not get on"
        assert process.poll() is None, "the run ended before it could be stopped"
        time.sleep(0.002)


def kill_after(entries: int, source: Path, target: Path) -> None:
    """Start a run and kill it, with its processes, as soon as the journal has that many chunks."""
    process = started(source, target)
    wait_for(entries, process, target)
    workers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    _, left = psutil.wait_procs(workers, timeout=DEADLINE_SECONDS)
    assert not left, "processes outlive the run that they work for"


@pytest.mark.parametrize(("name", "kills"), [("out.csv.gz", (2, 6)), ("out.jsonl", (4,)), ("out.parquet", (3,))])
def test_killed_and_gone_on_with(tmp_path: Path, name: str, kills: tuple[int, ...]) -> None:
    """After kills at any moment, also of a run that goes on, the same command finishes the file byte for byte."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: Parquet is not tried")
    source = write_csv(tmp_path / "in.csv", sweep(LINES))
    (tmp_path / "unbroken").mkdir()
    unbroken, broken = tmp_path / "unbroken" / name, tmp_path / name
    assert main([str(source), str(unbroken), "--quiet", "--chunk", str(CHUNK), "--processes", "1"]) == 0

    for entries in kills:
        kill_after(entries, source, broken)
    assert not broken.exists()
    assert main([str(source), str(broken), "--quiet", "--chunk", str(CHUNK), "--processes", "1"]) == 0

    assert unbroken.read_bytes() == broken.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["in.csv", name, "unbroken"])


def test_interrupted_and_gone_on_with(tmp_path: Path) -> None:
    """An interrupt ends the run at once with its own status, and the run is resumed."""
    source, target = write_csv(tmp_path / "in.csv", sweep(LINES)), tmp_path / "out.csv"
    process = started(source, target)
    wait_for(2, process, target)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=DEADLINE_SECONDS)

    assert process.returncode == 130
    assert told.decode() == "plimsoll-service: interrupted; the same command resumes the run\n"
    assert go_on(source, target) == 0
    assert len(target.read_bytes().splitlines()) == LINES + 1


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an input, the rest of a killed run, and the output of an unbroken run."""
    folder = tmp_path_factory.mktemp("run")
    source = write_csv(folder / "in.csv", sweep(LINES))
    kill_after(5, source, folder / "out.csv")
    main([str(source), str(folder / "whole.csv"), "--quiet", "--chunk", str(CHUNK), "--processes", "1"])
    return folder


@pytest.fixture
def cut_off(broken_off: Path, tmp_path: Path) -> tuple[Path, Path, bytes]:
    """A copy of that folder: an input, a truncated output, and the complete output."""
    shutil.copytree(broken_off, tmp_path, dirs_exist_ok=True)
    return tmp_path / "in.csv", tmp_path / "out.csv", (tmp_path / "whole.csv").read_bytes()


def go_on(source: Path, target: Path, *options: object) -> int:
    """Run the same command once more."""
    return main([*map(str, (source, target, *options)), "--quiet", "--chunk", str(CHUNK), "--processes", "1"])


def test_torn_ends_are_cut_off(cut_off: tuple[Path, Path, bytes], tmp_path: Path) -> None:
    """A partial chunk in the output and a partial entry in the journal count as not written."""
    source, target, whole = cut_off
    with (tmp_path / "out.csv.partial").open("ab") as partial, (tmp_path / "out.csv.journal").open("ab") as journal:
        partial.write(b"1,half a row")
        journal.write(b'{"lines": 4, "si')

    assert go_on(source, target) == 0
    assert whole == target.read_bytes()


def test_a_damaged_end_is_written_anew(cut_off: tuple[Path, Path, bytes], tmp_path: Path) -> None:
    """A chunk that differs from its checksum in the output is answered again."""
    source, target, whole = cut_off
    partial = tmp_path / "out.csv.partial"
    damaged = bytearray(partial.read_bytes())
    damaged[-20:] = b"x" * 20
    partial.write_bytes(damaged)

    assert go_on(source, target) == 0
    assert whole == target.read_bytes()


def test_another_input_is_refused(cut_off: tuple[Path, Path, bytes], capsys: pytest.CaptureFixture[str]) -> None:
    """Answers to two inputs are never mixed in one file."""
    source, target, _ = cut_off
    write_csv(source, [one | {"epochs": 50} for one in sweep(LINES)])

    assert go_on(source, target) == 1
    assert "is not the one that" in capsys.readouterr().err
    assert not target.exists()


def test_another_way_of_running_is_refused(
    cut_off: tuple[Path, Path, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An input in another format for the same output is named as the difference."""
    _, target, _ = cut_off
    other = write_lines(tmp_path / "in.jsonl", [body_of(one) for one in sweep(LINES)])

    assert go_on(other, target) == 1
    assert "input csv, now jsonl" in capsys.readouterr().err


def test_two_runs_on_one_output_are_refused(tmp_path: Path) -> None:
    """The second of two runs at the same time does not disturb the first."""
    source, target = write_csv(tmp_path / "in.csv", sweep(LINES)), tmp_path / "out.csv"
    journal = tmp_path / "out.csv.journal"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(journal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert go_on(source, target) == 1
    finally:
        holder.kill()
        holder.communicate()
    assert go_on(source, target) == 0


HOLDING = """
import fcntl, sys
file = open(sys.argv[1], "a+b")
fcntl.lockf(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
