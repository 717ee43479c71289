"""Faults of a page that axe finds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "portal/node_modules/axe-core/axe.min.js"
ColorScheme = Literal["light", "dark"]
# Selectors of elements take a quarter of the time and are not reported; only rules on recordings need a preload.
VIOLATIONS = """([part, options]) => axe.run(part ?? document,
    {resultTypes: ['violations'], selectors: false, preload: false, ...options}).then(found => found.violations)"""
# What another theme can break.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def serious_faults(
    page: Page, schemes: Sequence[ColorScheme] = ("light",), within: str | None = None
) -> dict[str, dict[str, list[str]]]:
    """The elements with serious or critical faults, of the whole page or of a part, by theme and rule."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, dict[str, list[str]]] = {}
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
        for fault in page.evaluate(VIOLATIONS, [within, COLOURS if scheme != schemes[0] else {}]):
            if fault["impact"] in ("serious", "critical"):
                found.setdefault(scheme, {})[fault["id"]] = [node["html"][:120] for node in fault["nodes"]]
    return found
