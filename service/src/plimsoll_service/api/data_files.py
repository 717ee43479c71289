"""The text and tables beside the modules of this package."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any

import orjson
import yaml


def text(name: str) -> str:
    """The text of a file; ``name`` is its path in this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def table(name: str) -> Any:
    """The content of a YAML file."""
    return yaml.safe_load(text(name))


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(text(name).splitlines()))


CONTRACT: dict[str, Any] = table("contract.yaml")
# Requests and parameters of the contract, and one request that is refused; a test sends each of them.
EXAMPLES: dict[str, Any] = orjson.loads(text("examples.json"))
