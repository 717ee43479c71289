"""Files of workloads for these tests, and readers of the outputs."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MODELS = ("resnet50", "bert-base", "vgg16")


def sweep(count: int) -> list[dict[str, Any]]:
    """Flat workloads that repeat a few models under different deadlines."""
    return [
        {
            "id": f"job-{place}",
            "task": "training",
            "model": MODELS[place % len(MODELS)],
            "epochs": 10 + place % 2,
            "deadline": f"{2 + place % 7}h",
            "clouds": "aws,gcp",
        }
        for place in range(count)
    ]


def body_of(flat: dict[str, Any]) -> dict[str, Any]:
    """The same workload as a JSON line."""
    workload = {name: flat[name] for name in ("task", "model", "epochs", "deadline")}
    return {"id": flat["id"], "workload": workload, "constraints": {"clouds": flat["clouds"].split(",")}}


def write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Rows as CSV, compressed if the name says so."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_lines(path: Path, bodies: Sequence[dict[str, Any] | str]) -> Path:
    """Bodies as JSON lines; a text is written unchanged."""
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in bodies))
    return path


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]
