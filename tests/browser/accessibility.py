"""What axe finds on a page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "portal/node_modules/axe-core/axe.min.js"
VIOLATIONS = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"


def serious_faults(page: Page) -> dict[str, list[str]]:
    """The elements with serious or critical faults, by rule."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return {
        fault["id"]: [node["html"][:120] for node in fault["nodes"]]
        for fault in page.evaluate(VIOLATIONS)
        if fault["impact"] in ("serious", "critical")
    }
