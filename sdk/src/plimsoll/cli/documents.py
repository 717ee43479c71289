"""Files of JSON, JSON lines or YAML, with a reason in one line for each that cannot be read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import yaml

from plimsoll._json import encode
from plimsoll.cli.failures import refused
from plimsoll.measurements import loads

_LINES = (".jsonl", ".ndjson")


def read_document(path: str) -> Any:
    """Return the content of a file, or of standard input for ``-``; raises ``click.ClickException``."""
    text = _text(path)
    suffix = Path(path).suffix
    if suffix in _LINES:
        return _json_lines(path, text)
    if suffix == ".json":
        return _json(path, text)
    return _of_any_kind(path, text)


def _text(path: str) -> str:
    try:
        with click.open_file(path, encoding="utf-8") as file:
            text: str = file.read()
            return text
    except OSError as error:
        raise refused(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise refused(f"{path}: is not UTF-8: {error.reason} at byte {error.start}") from error


def _of_any_kind(path: str, text: str) -> Any:
    # JSON first: YAML reads nearly all of it, but no tabs, and is a hundred times slower.
    try:
        return loads(text)
    except (ValueError, RecursionError):
        pass
    lines = text.splitlines()
    if lines and lines[0].startswith("{") and lines[0].endswith("}"):
        return _json_lines(path, text)
    return _yaml(path, text)


def _json(path: str, text: str) -> Any:
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        raise refused(f"{path}: is not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from error
    except ValueError as error:
        raise refused(f"{path}: is not JSON: {error}") from error
    except RecursionError as error:
        raise refused(f"{path}: is nested too deeply") from error


def _json_lines(path: str, text: str) -> list[Any]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                found.append(loads(line))
            except (ValueError, RecursionError) as error:
                raise refused(f"{path}: line {number} is not JSON: {error}") from error
    return found


# PyYAML follows YAML 1.1, where 1e9 is a text; YAML 1.2 and JSON read a number.
_FLOAT = "tag:yaml.org,2002:float"
_EXPONENT = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+$")


class _Plain(yaml.SafeLoader):
    """YAML loader that reads numbers as JSON does, keeps times as text and refuses duplicate keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for place, key in enumerate(keys):
            if key in keys[:place]:
                raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key!r}", node.start_mark)
        return super().construct_mapping(node, deep=deep)


_Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Plain.add_implicit_resolver(_FLOAT, _EXPONENT, list("-+0123456789"))


def _yaml(path: str, text: str) -> Any:
    try:
        found = _Plain(text).get_single_data()
        return json.loads(json.dumps(encode(found)))
    except yaml.YAMLError as error:
        raise refused(f"{path}: is not YAML: {' '.join(str(error).split())}") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise refused(f"{path}: has a value that JSON cannot express: {error}") from error
