"""Writes src/parameters.json: each query parameter of the API, its place in a body, its kind and its words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from plimsoll_service.api.recommendations import QUERY

FILE = Path(__file__).parent / "src" / "parameters.json"
_CONTRACT = Path(__file__).parents[1] / "openapi.yaml"
_KINDS = {"integer": "number", "number": "number", "boolean": "flag", "array": "list", "string": "text"}


def text() -> str:
    """The file as the contract says it should be."""
    lines = [f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def entries() -> dict[str, dict[str, Any]]:
    """Path, kind and words of each parameter, by its name."""
    contract = yaml.safe_load(_CONTRACT.read_text(encoding="utf-8"))
    described = contract["paths"]["/v1/recommendations"]["get"]["parameters"]
    schemas = {parameter["name"]: parameter["schema"] for parameter in described if parameter.get("in") == "query"}
    paths = {name: parameter.path for name, parameter in QUERY.parameters.items()}
    return {name: _entry(paths.get(name, ()), schema) for name, schema in schemas.items()}


def _entry(path: tuple[str, ...], schema: dict[str, Any]) -> dict[str, Any]:
    words = schema.get("enum") or schema.get("items", {}).get("enum")
    entry = {"path": list(path), "kind": _kind(schema)}
    return {**entry, "words": words} if words else entry


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" not in schema:
        return _KINDS[schema["type"]]
    return "numbers" if any(way["type"] == "array" for way in schema["anyOf"]) else "either"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
