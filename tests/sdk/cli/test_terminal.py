"""Colour and progress are only for terminals; shells complete words."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable

import pytest
from click.testing import Result

Run = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]

ASKED = ("recommend", "--task", "training", "--clouds", "aws", "--limit", "2")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
WIDE, NARROW = 200, 60


def on_terminal(
    environment: dict[str, str], *arguments: str, columns: int = WIDE, errors: bool = False
) -> tuple[str, int]:
    """Output of the command on a terminal of that width, with standard error only if ``errors``; and its status."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, "-m", "plimsoll.cli", *arguments]
    running = subprocess.Popen(
        command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs if errors else subprocess.DEVNULL
    )
    os.close(theirs)
    written = b""
    while piece := _read(ours):
        written += piece
    os.close(ours)
    return written.decode(), running.wait()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux reports that the other end is closed
        return b""


def test_a_terminal_has_colour_and_what_was_assumed(environment: dict[str, str]) -> None:
    """A terminal shows the assumptions and the version of the prices beside the table."""
    text, status = on_terminal(environment, *ASKED)

    assert COLOUR.search(text)
    assert "assumed: model" in text
    assert status == 0


def test_a_pipe_has_the_table_alone(process: Process) -> None:
    """A pipe has the table without colour, frame or other lines."""
    found = process(*ASKED)

    assert "\x1b" not in found.stdout + found.stderr
    assert [line.split()[0] for line in found.stdout.splitlines()] == ["rank", "1", "2"]


def test_colour_can_be_declined(environment: dict[str, str]) -> None:
    """NO_COLOR applies on a terminal, to tables and headings."""
    assert "\x1b" not in on_terminal(environment | {"NO_COLOR": "1"}, *ASKED)[0]
    assert "\x1b" not in on_terminal(environment | {"NO_COLOR": "1"}, "explain", *ASKED[1:-2])[0]


@pytest.mark.parametrize("columns", [80, 100, 120, 160])
def test_a_table_has_the_columns_that_fit(environment: dict[str, str], columns: int) -> None:
    """The machine, hours and cost are always shown; no line is too long, and missing columns are named."""
    question = ("--task", "training", "--model", "resnet50", "--dataset-name", "imagenet-1k", "--epochs", "90")
    question += ("--deadline", "24h", "--clouds", "aws,gcp,azure")

    text, _ = on_terminal(environment, "recommend", *question, columns=columns)

    head, rule, *lines = COLOUR.sub("", text).splitlines()
    shown = head.split()
    left_out = [line for line in lines if line.startswith("not shown")]
    assert {"machine", "accelerator", "hours", "USD"} <= set(shown)
    assert max(len(line) for line in (head, rule, *lines[:5])) <= columns
    assert ("purchase" in shown) == (columns == 160)
    assert [f"at {columns} columns" in line for line in left_out] == [True]
    assert "ranked by cost" in lines


def test_a_row_too_wide_becomes_a_block(environment: dict[str, str]) -> None:
    """On a narrow terminal, every figure is still on one line."""
    text = COLOUR.sub("", on_terminal(environment, *ASKED, columns=NARROW)[0])

    assert re.search(r"^machine +\d+ × \S+\r?$", text, re.MULTILINE)
    assert re.search(r"^hours +[\d.]+ \([\d.]+–[\d.]+\)\r?$", text, re.MULTILINE)


def test_a_terminal_sees_that_it_asks(environment: dict[str, str]) -> None:
    """The progress message goes to standard error, and disappears."""
    assert "asking" in on_terminal(environment, *ASKED, errors=True)[0]
    assert "asking" not in on_terminal(environment, *ASKED)[0]


def test_a_long_list_shows_its_progress(environment: dict[str, str], tmp_path: object) -> None:
    """The progress bar goes to standard error; the results are unchanged."""
    many = f"{tmp_path}/many.jsonl"
    with open(many, "w", encoding="utf-8") as file:
        file.write('{"task": "training"}\n' * 3)

    text, status = on_terminal(environment, "recommend", "-w", many, "-o", "csv", errors=True)

    assert ("100%" in text, status) == (True, 0)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("plimsoll rec", {"recommend"}),
        ("plimsoll recommend --task tr", {"training"}),
        ("plimsoll recommend --purchase spot,on", {"spot,on_demand"}),
        ("plimsoll recommend --dataset-n", {"--dataset-name"}),
        ("plimsoll recommend -o ka", {"karpenter"}),
        ("plimsoll check plan.yaml --at h", {"high"}),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_what_was_begun(run: Run, shell: str, words: str, offered: set[str]) -> None:
    """Commands, options and the contract's words are completed, in the protocol of each shell."""
    count = len(words.split()) - 1
    variables = {"COMP_WORDS": words, "COMP_CWORD": words.split()[-1] if shell == "fish" else str(count)}

    found = run(_PLIMSOLL_COMPLETE=f"{shell}_complete", **variables)

    assert offered <= set(re.split(r"[,\n\t]", found.stdout)) | set(found.stdout.replace("plain,", "").split("\n"))


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("plimsoll recommend --model resnet5", "resnet50"),
        ("plimsoll recommend --framework vl", "vllm"),
        ("plimsoll recommend --clouds aws,g", "aws,gcp"),
        ("plimsoll recommend --regions eu-central-", "eu-central-1"),
        ("plimsoll recommend --accelerators A100-8", "A100-80GB"),
        ("plimsoll recommend --instance-types p4d", "p4d.24xlarge"),
        ("plimsoll prices --cloud az", "azure"),
        ("plimsoll estimate aws/p4d", "aws/p4d.24xlarge"),
        ("plimsoll compare aws/p4d.24xlarge az", "azure/"),
    ],
)
def test_shells_complete_the_names_that_the_service_knows(run: Run, words: str, offered: str) -> None:
    """Models, frameworks, clouds, regions, accelerators and instance types are completed."""
    variables = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}

    found = run(_PLIMSOLL_COMPLETE="bash_complete", **variables)

    assert f"plain,{offered}" in found.stdout.splitlines()


def test_a_missing_service_completes_nothing(process: Process) -> None:
    """Without a service, nothing is completed, and nothing is written into the line."""
    words = "plimsoll recommend --model resnet5"
    variables = {"COMP_WORDS": words, "COMP_CWORD": "3", "PLIMSOLL_URL": "http://127.0.0.1:9"}

    found = process(_PLIMSOLL_COMPLETE="bash_complete", **variables)

    assert (found.stdout.strip(), found.stderr) == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(run: Run, shell: str) -> None:
    """Each shell gets the script that the documentation puts into its start file."""
    assert "_PLIMSOLL_COMPLETE" in run(_PLIMSOLL_COMPLETE=f"{shell}_source").stdout
