"""Names that the page offers while the reader types."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_an_instance_type_that_begins_so_is_offered_first(page: Page) -> None:
    """An instance type that begins with the typed text comes first, even if clouds before its own contain the text."""
    page.goto("/?task=training")
    page.locator("#compare-name").press_sequentially("g5.xlarge")
    offered = page.locator("#compare-name-list [role=option]")

    expect(offered.nth(1)).to_be_visible()
    expect(offered.first).to_contain_text("AWS")
    expect(offered.first.locator("span")).to_have_text("g5.xlarge")
