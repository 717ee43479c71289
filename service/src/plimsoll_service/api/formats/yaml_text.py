"""YAML for launchers: block style, in the order given."""

from __future__ import annotations

from typing import Any

import yaml

from ...engine.answer import Answer

COMMAND = "lscpu"  # the placeholder of the user's command: it changes nothing and is part of every Linux image


def yaml_text(document: dict[str, Any]) -> str:
    """The document as YAML."""
    return yaml.safe_dump(document, sort_keys=False, default_flow_style=False, allow_unicode=True)


def nothing(answer: Answer) -> str:
    """An empty document with the reason as a comment: a launcher fails on it and starts nothing."""
    rejected = ", ".join(f"{name} {count}" for name, count in answer.rejected.items())
    return f"# no machine meets the constraints; rejected: {rejected or 'none'}\n{{}}\n"
