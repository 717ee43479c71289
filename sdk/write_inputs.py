"""Writes the types of the SDK's inputs from openapi.yaml."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parent / "src" / "plimsoll" / "inputs.py"
_CONTRACT = Path(__file__).parents[1] / "openapi.yaml"

# The package's names of the contract's objects; those of which words have the shortest names come first.
_OBJECTS = {
    "Workload": "Workload",
    "Constraints": "Constraints",
    "RecommendationRequest": "Query",
    "CustomModel": "CustomModel",
    "Dataset": "Dataset",
    "Disk": "Disk",
    "SpeculativeDecoding": "SpeculativeDecoding",
    "Hardware": "Hardware",
    "OwnMachine": "OwnMachine",
    "Measurement": "OwnMeasurement",
    "Discount": "Discount",
    "Quota": "Quota",
    "Commitment": "Commitment",
}
_SHORT = ("Workload", "Constraints", "Query")
_ROUTES = {
    "instance-types": "InstanceTypeFilters",
    "accelerators": "AcceleratorFilters",
    "models": "ModelFilters",
    "frameworks": "FrameworkFilters",
    "regions": "RegionFilters",
    "disks": "DiskFilters",
    "prices": "PriceFilters",
    "prices/changes": "PriceChangeFilters",
    "evidence": "EvidenceFilters",
    "rules": "RuleFilters",
}
# Written by the client, or arguments of their own.
_NO_FILTERS = ("cursor", "format", "from", "to", "If-None-Match")
# Words with better names than those of the field that is first.
_RENAMED = {"OutputFormat": "StorageFormat", "CustomModelFamily": "Family", "DiskFilterType": "DiskClass"}
# Fields that take Python's own values too.
_WIDER = {"deadline": "str | timedelta | datetime"}
_NOT_GIVEN = " | None"

_HEAD = '''
"""Inputs of calls: as frozen values, in which ``None`` means "not given", and as dicts of the same names.

Written from openapi.yaml by ``make inputs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Required, SupportsFloat, SupportsIndex, TypedDict

# Numbers of NumPy and of ``decimal`` too.
Whole = int | SupportsIndex
Number = float | SupportsFloat
# Several names; a single text is none.
Names = list[str] | tuple[str, ...] | Set[str]
'''


class Contract:
    """The contract's objects as Python's types; words that several fields share have one name."""

    def __init__(self) -> None:
        document = yaml.load(_CONTRACT.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        self.schemas = document["components"]["schemas"]
        self.paths = document["paths"]
        self.words: dict[tuple[str, ...], str] = {}
        self._word("Format", self._parameters("recommendations", "post")["format"]["enum"])

    def text(self) -> str:
        """Text of the file."""
        values = [self._dataclass(theirs, ours) for theirs, ours in _OBJECTS.items() if ours != "Hardware"]
        dicts = [self._typed_dict(theirs, ours) for theirs, ours in _OBJECTS.items()]
        filters = [self._filters(route, name) for route, name in _ROUTES.items()]
        words = [f"{name} = Literal[{', '.join(map(repr, words))}]" for words, name in self.words.items()]
        return _formatted(_HEAD, "\n".join(words), *values, *dicts, *filters)

    def _typed_dict(self, theirs: str, ours: str) -> str:
        schema = self.schemas[theirs]
        required = set(schema.get("required", ())) if ours != "Workload" else set()  # may be given beside it
        none = _NOT_GIVEN if ours in _SHORT else ""
        lines = [
            f"    {name}: {f'Required[{kind}]' if name in required else kind + none}"
            for name, kind in self._members(theirs, ours)
        ]
        return f'class {ours}Fields(TypedDict, total=False):\n    """{_sentence(schema)}"""\n\n' + "\n".join(lines)

    def _dataclass(self, theirs: str, ours: str) -> str:
        schema, name = self.schemas[theirs], ours.replace("OwnMachine", "Hardware")
        required = schema.get("required", ())
        members = dict(self._members(theirs, ours))
        lines = [f"    {member}: {members[member]}" for member in members if member in required]
        lines += [f"    {member}: {kind} | None = None" for member, kind in members.items() if member not in required]
        return f'@dataclass(frozen=True)\nclass {name}:\n    """{_sentence(schema)}"""\n\n' + "\n".join(lines)

    def _filters(self, route: str, name: str) -> str:
        listed = self._parameters(route, "get")
        owner = name.removesuffix("s")
        kinds = {each: self._filter(owner, each, schema) for each, schema in listed.items() if each not in _NO_FILTERS}
        lines = [f"    {each}: {kind} | None" for each, kind in kinds.items()]
        return f'class {name}(TypedDict, total=False):\n    """Filters of ``/v1/{route}``."""\n\n' + "\n".join(lines)

    def _filter(self, owner: str, name: str, schema: dict[str, Any]) -> str:
        kind = self._kind(owner, name, schema)
        return f"{self._kind(owner, name, schema['items'])} | {kind}" if schema.get("type") == "array" else kind

    def _parameters(self, route: str, method: str) -> dict[str, Any]:
        listed = self.paths[f"/v1/{route}"][method]["parameters"]
        return {each["name"]: each["schema"] for each in listed if each["in"] == "query"}

    def _members(self, theirs: str, ours: str) -> Iterator[tuple[str, str]]:
        for name, schema in self.schemas[theirs]["properties"].items():
            yield name, _WIDER.get(name) or self._kind(ours, name, schema)

    def _kind(self, ours: str, name: str, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            named = _OBJECTS[schema["$ref"].rpartition("/")[2]]
            return f"{named.replace('OwnMachine', 'Hardware')} | {named}Fields"
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self._kind(ours, name, each) for each in schema["anyOf"]))
        words = schema.get("enum") or schema.get("x-extensible-enum")
        if words:
            return self._word(_camel(name) if ours in _SHORT else ours + _camel(name), words)
        if schema["type"] == "array":
            item = self._kind(ours, name, schema["items"])
            return "Names" if item == "str" else f"Sequence[{item}]"
        plain = {"string": "str", "integer": "Whole", "number": "Number", "boolean": "bool"}
        return plain.get(schema["type"], "Mapping[str, Any]")

    def _word(self, name: str, words: list[str]) -> str:
        return self.words.setdefault(tuple(words), _RENAMED.get(name, name))


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _sentence(schema: dict[str, Any]) -> str:
    text: str = schema["description"]
    return text.replace("`", "``")


def _formatted(*parts: str) -> str:
    command = [str(Path(sys.executable).parent / "ruff"), "format", "-", "--stdin-filename", str(FILE)]
    text = "\n\n\n".join(part.strip() for part in parts) + "\n"
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603


if __name__ == "__main__":
    FILE.write_text(Contract().text(), encoding="utf-8")
