"""What each field of the contract's objects means, where its schema does not say so itself."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml

_FILE = "meanings.yaml"


def meanings() -> dict[str, str]:
    """The words for each field: by ``field``, or by ``Object.field`` where that object's means something else."""
    found: dict[str, str] = yaml.safe_load(resources.files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))
    return found


def explain(schemas: dict[str, dict[str, Any]]) -> None:
    """Describe each property of these schemas that does not describe itself; ``KeyError`` where there are no words."""
    words = meanings()
    for name, schema in schemas.items():
        for field, known in schema.get("properties", {}).items():
            if "description" not in known:
                said = words.get(f"{name}.{field}") or words[field]
                schema["properties"][field] = {**known, "description": said}  # another one: parts may be shared
