"""Every fenced block of the documents is run here, run by another test, or marked with the reason why it is not."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import RedisServer
from tests.service.catalog.conftest import FILES
from tests.serving import served

from plimsoll_service import cli
from plimsoll_service.api.guard.key_file import changing
from plimsoll_service.api.guard.keys import minted
from plimsoll_service.app import create_app
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.source import PriceFilter
from plimsoll_service.settings import Settings

ROOT = Path(__file__).parents[2]
HIDDEN = re.compile(r"(^|/)(\.|node_modules/|dist/|build/)")
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
STATED = Path(__file__).with_name("command_blocks.yaml")
DECISIONS: dict[str, dict[str, Any]] = yaml.load(STATED.read_text(), yaml.CSafeLoader)
OURS = re.compile(r"(\./)?(deploy|loadtests|sdk|service)(/|$|\[)")
SHELLS = {"sh", "shell", "console"}
RUN = "run"
A_KEY = "3f9c1a7be204"  # as docs/security.md shows it
PROGRAMS = {"plimsoll": "plimsoll.cli", "plimsoll-service": "plimsoll_service.cli"}
# `serve` answers once and ends; all else runs as it is.
PROGRAM = """#!{python}
import os, subprocess, sys, time, urllib.request
if sys.argv[1:2] != ["serve"]:
    os.execv({python!r}, [{python!r}, "-m", {module!r}, *sys.argv[1:]])
sys.path.insert(0, {loadtests!r})
import running
port, alone = str(running.free_port()), os.environ | {{"WEB_CONCURRENCY": "1"}}  # no worker starts while it is stopped
server = subprocess.Popen([{python!r}, "-m", {module!r}, "serve", "--port", port], env=alone)
running.wait_until_ready(running.Server(int(port), server), "/readyz")
server.terminate()
sys.exit(server.wait(30))
"""


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    document: str
    language: str
    text: str

    @property
    def decision(self) -> Any:
        """Stated decision about the block; ``None`` if there is none."""
        stated = DECISIONS.get(self.document, {})
        return next((stated[start] for start in stated if self.text.startswith(start)), None)

    @property
    def commands(self) -> list[str]:
        """Lines of the block that are run: all except those that are marked."""
        marked = tuple(self.decision) if isinstance(self.decision, dict) else ()
        lines = re.sub(r" *\\\n *", " ", self.text).splitlines()
        return [line for line in lines if not (marked and line.startswith(marked))]


def blocks() -> list[Block]:
    """All of them."""
    own = (place for place in ROOT.iterdir() if not HIDDEN.search(f"{place.name}/"))  # a walk over packages takes long
    paths = sorted(path.relative_to(ROOT) for place in own for path in (place, *place.rglob("*.md")))
    return [
        Block(str(path), language, re.sub(f"(?m)^{indent}", "", text))
        for path in paths
        if path.suffix == ".md" and not HIDDEN.search(str(path))
        for indent, language, text in FENCE.findall((ROOT / path).read_text(encoding="utf-8"))
    ]


BLOCKS = blocks()
RUN_HERE = [block for block in BLOCKS if block.decision == RUN or isinstance(block.decision, dict)]
NOT_RUN = [block for block in BLOCKS if block not in RUN_HERE and block.language in SHELLS]


def name(block: Block) -> str:
    """Name of a test for the block."""
    return f"{block.document}: {block.text.splitlines()[0][:40]}"


def test_each_block_has_a_decision_and_each_decision_a_block() -> None:
    """A new block needs a decision, and a decision needs a block."""
    undecided = [name(block) for block in BLOCKS if block.decision is None]
    held = {(block.document, start) for block in BLOCKS for start in DECISIONS.get(block.document, {})}
    unused = [
        (document, start)
        for document, start in held
        if not any(block.document == document and block.text.startswith(start) for block in BLOCKS)
    ]

    assert (undecided, unused, sorted(DECISIONS.keys() - {block.document for block in BLOCKS})) == ([], [], [])


@pytest.mark.parametrize("block", [block for block in BLOCKS if block not in RUN_HERE], ids=name)
def test_what_is_not_run_here_is_in_a_test_or_has_a_reason(block: Block) -> None:
    """A decision against running a block names an existing test, or gives a reason in words."""
    named = re.findall(r"\btests/[\w/]+\.py", block.decision)

    assert [path for path in named if not (ROOT / path).exists()] == []
    assert named or len(block.decision.split()) > 2


@pytest.mark.parametrize("block", NOT_RUN, ids=name)
def test_what_is_not_run_names_what_there_is(block: Block) -> None:
    """Blocks that are not run name only existing files, targets of make, options of scripts and commands."""
    for line in block.commands:
        words = shlex.split(line.partition(" > ")[0], comments=True)
        named = {path.split("[")[0] for word in words for path in word.split(",") if OURS.match(path)}
        if words[0] in {"mkdir", "cp", "chmod"}:  # the reader's own files
            continue
        scripts = [(ROOT / path).read_text() for path in named if path.endswith(".py") and "locust" not in line]
        options = [word for word in words if word.startswith("--")]

        assert [path for path in named if not (ROOT / path).exists()] == []
        assert [option for script in scripts for option in options if f'"{option}"' not in script] == []
        if words[:1] == ["make"]:
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        if words[:2] == ["docker", "compose"] and "run" in words:
            cli._parser(cli._COMMANDS).parse_args(words[words.index("-T") + 1 :])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Address of the running application."""
    with served(create_app(Settings(log_level="critical"))) as url:
        yield url.removeprefix("http://")


def in_document(document: str, start: str) -> str:
    """A block that another one needs as a file."""
    return next(block.text for block in BLOCKS if block.document == document and block.text.startswith(start))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The repository as it is after a build, with the files that the blocks read."""
    for place in ("tests", "examples", "deploy", "loadtests"):
        (tmp_path / place).symlink_to(ROOT / place)
    (programs := tmp_path / ".venv/bin").mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    for program, module in PROGRAMS.items():
        text = PROGRAM.format(python=sys.executable, module=module, loadtests=str(ROOT / "loadtests"))
        (programs / program).write_text(text)
        (programs / program).chmod(0o755)
    (tmp_path / ".curlrc").write_text("fail\n")  # an answer of 400 or more is a failure
    workload = json.loads(in_document("docs/own-measurements.md", '{"workload"'))["workload"]
    (tmp_path / "t4.json").write_text(json.dumps(workload["measurements"]))
    serving = {"task": "inference", "model": "llama-3.2-1b", "framework": "vllm", "input_tokens": 512}
    (tmp_path / "serve.yaml").write_text(yaml.safe_dump({"workload": serving | {"output_tokens": 128}}))
    return tmp_path


def whole_list() -> list[dict[str, Any]]:
    """All offers of a small cloud as a price file; a missing offer would count as lost."""
    prices = LivePrices(load()).current().lookup(PriceFilter("verda"), limit=1000).items
    names = ("cloud", "instance_type", "region", "purchase", "usd_per_hour")
    return [{name: getattr(price, name) for name in names} | {"source": "our contract"} for price in prices]


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def prepare(block: Block, folder: Path) -> None:
    """Make the files that take time, for the block that reads them."""
    if "result.json" in block.text:
        (folder / "result.json").write_text((ROOT / "tests/sdk/readers/outputs/vllm.json").read_text())
    if "my-catalog" in block.text:
        (folder / "my-catalog").mkdir()
        for file, text in FILES.items():
            (folder / "my-catalog" / file).write_text(text)
    if "ours." in block.text:
        offers = whole_list()
        write_csv(folder / "ours.csv", offers)
        (folder / "prices").mkdir()
        (folder / "prices/ours.json.gz").write_bytes(gzip.compress(json.dumps({"offers": offers}).encode()))
    if "workloads.csv" in block.text:
        rows = [{"id": f"job-{place}", "task": "training", "model": "resnet50", "epochs": place} for place in (1, 2)]
        write_csv(folder / "workloads.csv", rows)
        lines = "".join(json.dumps({"id": row.pop("id"), "workload": row}) + "\n" for row in rows)
        (folder / "workloads.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    if A_KEY in block.text:
        key = minted("shown", frozenset({"size"}))[1]
        key = type(key)(A_KEY, key.name, key.scopes, key.sha256, key.created)
        with changing(folder / "keys.jsonl") as keys:
            keys[A_KEY] = key


@pytest.mark.parametrize("block", RUN_HERE, ids=name)
def test_the_block_runs(block: Block, folder: Path, address: str, request: pytest.FixtureRequest) -> None:
    """Each line succeeds as written, except for addresses and for paths outside this folder."""
    prepare(block, folder)
    text = "\n".join(block.commands)
    for stated, here in {
        "localhost:8080": address,
        "127.0.0.1:8080": address,
        "https://plimsoll.example": f"http://{address}",
        "/etc/plimsoll/": f"{folder}/",
    }.items():
        text = text.replace(stated, here)
    path = f"{folder}/.venv/bin:{os.environ['PATH']}"
    variables = os.environ | {"PATH": path, "URL": f"http://{address}", "PLIMSOLL_URL": f"http://{address}"}
    if "prices refresh" in text or ":6379" in text:
        redis: RedisServer = request.getfixturevalue("redis_server")
        variables["PLIMSOLL_REDIS_URL"] = redis.url
        text = text.replace("redis://127.0.0.1:6379/0", redis.url)
    program = [sys.executable, "-"] if block.language == "python" else ["bash", "-eu"]
    variables |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "CURL_HOME": str(folder)}
    variables |= {"PLIMSOLL_API_KEY": "plm"}

    done = subprocess.run(program, input=text, env=variables, cwd=folder, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
