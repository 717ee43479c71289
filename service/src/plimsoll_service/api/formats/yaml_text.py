"""YAML for launchers: block style, in the order given."""

from __future__ import annotations

from typing import Any

import yaml

from ...engine.answer import Answer

COMMAND = "lscpu"  # shows the machine, changes nothing, and is part of every Linux image


def yaml_text(document: dict[str, Any]) -> str:
    """The document as YAML."""
    return yaml.safe_dump(document, sort_keys=False, default_flow_style=False, allow_unicode=True)


def nothing(answer: Answer) -> str:
    """A document without content that says why, for a launcher to stumble over rather than to start anything."""
    rejected = ", ".join(f"{name} {count}" for name, count in answer.rejected.items())
    return f"# no machine meets the constraints; rejected: {rejected or 'none'}\n{{}}\n"
