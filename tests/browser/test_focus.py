"""Keyboard focus stays usable after the page replaces the focused element."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

COMPARED = "/?task=training&compare=aws/p4d.24xlarge,aws/g5.xlarge"


@pytest.fixture
def answered(page: Page) -> Page:
    """The page with an answer and two machines beside each other."""
    page.goto(COMPARED)
    expect(page.locator(".chosen li")).to_have_count(2)
    page.get_by_text("Defaults we used").click()
    return page


def test_focus_stays_on_the_language(answered: Page) -> None:
    """Focus stays on the language menu, although the whole page is rebuilt in the other language."""
    answered.locator("#lang").focus()
    answered.keyboard.press("ArrowDown")

    expect(answered.locator("html")).to_have_attribute("lang", "zh")
    expect(answered.locator("#lang")).to_be_focused()


def test_focus_stays_among_the_assumptions(answered: Page) -> None:
    """A reader who moves on while an answer is under way keeps the focus when the answer comes."""
    answered.get_by_label("Change Independent runs").fill("2")
    answered.keyboard.press("Tab")
    expect(answered.get_by_label("Change Independent runs")).to_have_count(0)

    expect(answered.get_by_label("Change Known data set")).to_be_focused()


def test_focus_stays_where_an_assumption_was_taken_out(answered: Page) -> None:
    """After an assumption is stated and leaves the list, the focus is on the list's summary."""
    answered.get_by_label("Change Epochs").fill("10")
    answered.keyboard.press("Enter")
    expect(answered.get_by_label("Change Epochs")).to_have_count(0)

    expect(answered.locator("#notes summary").first).to_be_focused()


def test_focus_stays_where_a_machine_was_taken_out(answered: Page) -> None:
    """Focus moves to the machine that is left, and from the last one to the field that adds others."""
    answered.get_by_label("Remove g5.xlarge").press("Enter")
    expect(answered.locator(".chosen li")).to_have_count(1)
    expect(answered.get_by_label("Remove p4d.24xlarge")).to_be_focused()

    answered.get_by_label("Remove p4d.24xlarge").press("Enter")
    expect(answered.locator(".chosen li")).to_have_count(0)
    expect(answered.locator("#compare-name")).to_be_focused()
