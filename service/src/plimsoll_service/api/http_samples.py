"""Code samples of an operation for languages without an SDK, each with its standard HTTP client."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from textwrap import indent

import yaml

_FILE = "http_samples.yaml"
_COMMENT = re.compile(r" //(body|key|open)(?: (body|key|open))?$")


def http_samples(address: str, body: str | None, *, guarded: bool) -> list[dict[str, str]]:
    """The entries of ``x-codeSamples``; ``address`` is a path with its query, ``body`` is JSON."""
    kind = "body" if body else "key" if guarded else "open"
    return [
        {"lang": language, "label": language, "source": _filled(template, kind, address, body or "")}
        for language, template in _templates().items()
    ]


@cache
def _templates() -> dict[str, str]:
    text = resources.files(__package__).joinpath(_FILE).read_text(encoding="utf-8")
    found: dict[str, str] = yaml.safe_load(text)
    return found


def _filled(template: str, kind: str, address: str, body: str) -> str:
    lines = []
    for line in template.strip().splitlines():
        found = _COMMENT.search(line)
        if found is None or kind in found.groups():
            text = _COMMENT.sub("", line).replace("PATH", address)
            lead = text[: len(text) - len(text.lstrip())]
            lines.append(text.replace("BODY", indent(body, lead).strip()))
    return "\n".join(lines)
