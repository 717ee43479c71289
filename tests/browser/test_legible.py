"""Everything on the page can be read, on paper too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect


def test_paper_has_the_answer_alone(page: Page) -> None:
    """Print shows the machines in light colours, without the form and without controls of the screen."""
    page.goto("/?task=training&model=resnet50&theme=dark")
    expect(page.locator("#table .machine")).not_to_have_count(0)
    page.emulate_media(media="print")

    expect(page.locator("#table .machine").first).to_be_visible()
    expect(page.get_by_role("columnheader", name="Cost")).to_be_visible()
    expect(page.get_by_role("button", name="Cost", exact=True)).to_be_visible()
    for gone in ("#model", "#again", "button.open", "#lang", "#compare-name", "#ask"):
        expect(page.locator(gone).first).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(22, 32, 42)"


@pytest.mark.parametrize("width", [360, 1280])
def test_no_word_of_the_chart_is_cut_off(page: Page, width: int) -> None:
    """Labels of millions of dollars beside the axis are as complete as those of cents."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/?task=training&model=llama-30b")
    expect(page.locator("#plot svg")).to_be_visible()

    outside = page.locator("#plot svg").first.evaluate(
        """picture => [...picture.querySelectorAll('text')]
            .map(text => [text.textContent, text.getBBox()])
            .filter(([, box]) => box.x < 0 || box.x + box.width > picture.viewBox.baseVal.width)
            .map(([words]) => words)"""
    )

    assert outside == []
