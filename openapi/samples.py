"""Code samples of an operation, for curl, the SDK and other languages, from the example of its contract."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any
from urllib.parse import urlencode

import yaml

# Of languages without an SDK, each with its standard HTTP client.
_TEMPLATES: dict[str, str] = yaml.safe_load(Path(__file__).with_name("http_samples.yaml").read_text(encoding="utf-8"))
_COMMENT = re.compile(r" //(body|key|open)(?: (body|key|open))?$")  # when a line of a template stands
_WIDTH = 64  # characters of a line beside a description
_INDENT = "    "
_UNKNOWN = "VERSION"  # for a parameter that must be given and has no example
_PAGES = "pages"  # a tag of what people read in a browser
_BY_QUERY = "recommend_by_query"  # which the SDK asks by a body
_NAMES = {"healthz": "health", "readyz": "ready", "openapi_yaml": "openapi"}  # the SDK's, where they are others


def samples(method: str, path: str, operation: Mapping[str, Any], example: Mapping[str, Any]) -> list[dict[str, str]]:
    """The value of ``x-codeSamples``; ``example`` is of the body, or of the parameters by name."""
    required = [known["name"] for known in operation.get("parameters", ()) if known.get("required")]
    values = {**dict.fromkeys(required, _UNKNOWN), **example}
    name = operation["operationId"]
    address = path.format_map(values) + (_query(path, values) if method == "GET" else "")
    body = _laid_out(values, json.dumps) if method == "POST" else None
    guarded = bool(operation["security"])
    found = [{"lang": "Shell", "label": "curl", "source": _curl(address, body, guarded)}]
    if _PAGES in operation["tags"]:
        return found
    if name != _BY_QUERY:
        found.append({"lang": "Python", "label": "Python", "source": _python(name, values, required)})
    return found + http_samples(address, body, guarded=guarded)


def _query(path: str, values: Mapping[str, Any]) -> str:
    told = {name: _in_query(value) for name, value in values.items() if f"{{{name}}}" not in path}
    return f"?{urlencode(told, safe=',')}" if told else ""


def _curl(address: str, body: str | None, guarded: bool) -> str:
    lines = [f'curl "$PLIMSOLL_URL{address}"']
    if guarded:
        lines.append('-H "Authorization: Bearer $PLIMSOLL_API_KEY"')
    if body:
        lines += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(body)}"]
    return " \\\n  ".join(lines)


def _python(operation: str, values: Mapping[str, Any], required: list[str]) -> str:
    name = operation.removeprefix("list_").removeprefix("show_")
    listing = operation.startswith("list_")
    parts = [
        _laid_out(value, _in_python) if known in (*required, "requests") else f"{known}={_laid_out(value, _in_python)}"
        for known, value in values.items()
        if not (listing and known == "limit")  # the SDK asks for all pages
    ]
    call = f"client.{_NAMES.get(name, name)}({_parted(parts)})"
    asked = f"for item in {call}:\n{_INDENT}print(item)" if listing else f"answer = {call}\nprint(answer)"
    return f"from plimsoll import Client\n\nwith Client() as client:\n{indent(asked, _INDENT)}"


def _in_query(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def _in_python(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _laid_out(value: Any, scalar: Callable[[Any], str]) -> str:
    """The value as JSON or Python: on one line if it is short, else each part on a line of its own."""
    if isinstance(value, Mapping):
        return "{" + _parted([f"{json.dumps(key)}: {_laid_out(each, scalar)}" for key, each in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + _parted([_laid_out(each, scalar) for each in value]) + "]"
    return scalar(value)


def _parted(parts: list[str]) -> str:
    line = ", ".join(parts)
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    return "\n" + indent(",\n".join(parts), _INDENT) + "\n"


def http_samples(address: str, body: str | None, *, guarded: bool) -> list[dict[str, str]]:
    """The entries of ``x-codeSamples``; ``address`` is a path with its query, ``body`` is JSON."""
    kind = "body" if body else "key" if guarded else "open"
    return [
        {"lang": language, "label": language, "source": _filled(template, kind, address, body or "")}
        for language, template in _TEMPLATES.items()
    ]


def _filled(template: str, kind: str, address: str, body: str) -> str:
    lines = []
    for line in template.strip().splitlines():
        found = _COMMENT.search(line)
        if found is None or kind in found.groups():
            text = _COMMENT.sub("", line).replace("PATH", address)
            lead = text[: len(text) - len(text.lstrip())]
            lines.append(text.replace("BODY", indent(body, lead).strip()))
    return "\n".join(lines)
