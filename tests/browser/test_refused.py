"""The page's message about a question that the service refuses."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_fault_without_a_field_is_said_once(page: Page) -> None:
    """A parameter without a field is named above the answer's place, with a text about the marked fields."""
    page.goto("/?task=training&foo=1&deadline=soon")
    problem = page.locator("#problem")

    expect(problem).to_contain_text("unknown parameter 'foo'")
    expect(problem).to_contain_text("See the marked fields.")
    assert problem.inner_text().count("unknown parameter") == 1
    assert "soon" not in problem.inner_text()


def test_the_message_leads_to_the_marked_field(page: Page) -> None:
    """The message names each marked field, and leads there."""
    page.goto("/?task=training&model=resnett50&epochs=many")

    page.locator("#problem").get_by_role("button", name="Model").click()

    expect(page.get_by_label("Model", exact=True)).to_be_focused()
    expect(page.locator("#problem").get_by_role("button")).to_have_count(2)
