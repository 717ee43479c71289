"""deploy/README.md lists the settings that the code reads."""

from __future__ import annotations

import re
from pathlib import Path

from plimsoll_service.settings import variables

PAGE = (Path(__file__).parents[2] / "deploy/README.md").read_text(encoding="utf-8")
GUNICORNS_OWN = {"GUNICORN_CMD_ARGS"}


def named(text: str) -> set[str]:
    """The variables in the first column of a table's rows."""
    return {name for row in re.findall(r"^ *\|([^|]*)\|", text, re.M) for name in re.findall(r"`([A-Z_]+)`", row)}


def test_every_setting_is_on_the_page() -> None:
    """The page lists exactly the settings of the code."""
    settings = PAGE.split("## Settings\n")[1].split("\n## ")[0]

    assert named(settings) == set(variables().values()) | GUNICORNS_OWN
