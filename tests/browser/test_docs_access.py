"""The reference at /docs for everyone: keyboard, links, what axe finds, every width, no script, and the policy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.operations import OK_LINE, operation, outcome, send

AXE = Path(__file__).resolve().parents[2] / "portal/node_modules/axe-core/axe.min.js"


def test_keyboard_alone_finds_and_asks_an_operation(docs: Page) -> None:
    """From the top of the page through filter and list into the form, and to the answer."""
    docs.keyboard.press("Tab")
    expect(docs.get_by_role("link", name="Skip to the routes")).to_be_focused()
    docs.get_by_label("Filter").focus()
    docs.keyboard.type("get rules id")
    expect(docs.locator("#filtered")).to_contain_text("1 of")
    docs.keyboard.press("Tab")
    expect(docs.get_by_role("link", name="GET /v1/rules/{id}").first).to_be_focused()
    docs.keyboard.press("Enter")
    docs.keyboard.press("Tab")  # the heading's own link
    docs.keyboard.press("Tab")
    field = operation(docs, "show_rule").get_by_label("id", exact=True)
    expect(field).to_be_focused()
    docs.keyboard.press("Enter")

    expect(outcome(operation(docs, "show_rule"))).to_have_text(OK_LINE)


def test_links_lead_to_operations_even_to_filtered_ones(docs: Page) -> None:
    """An address with an operation shows it, whatever the filter says."""
    docs.get_by_label("Filter").fill("disks")
    expect(operation(docs, "recommend")).to_be_hidden()

    docs.evaluate("location.hash = 'recommend'")

    expect(operation(docs, "recommend")).to_be_in_viewport()
    expect(docs.get_by_label("Filter")).to_have_value("")
    docs.goto("/docs#list_prices")
    expect(operation(docs, "list_prices")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(docs: Page, scheme: str) -> None:
    """Neither in the reference with its main operation unfolded and answered, nor beside a refusal."""
    docs.emulate_media(color_scheme=scheme)
    part = operation(docs, "recommend")
    send(part)
    expect(outcome(part)).to_have_text(OK_LINE)
    refused = operation(docs, "list_prices")
    refused.get_by_label("cloud", exact=True).fill("nowhere")
    send(refused)
    expect(outcome(refused)).to_contain_text("422 in ")
    docs.evaluate("document.querySelectorAll('#recommend details').forEach(fold => { fold.open = true })")
    docs.evaluate(AXE.read_text(encoding="utf-8"))

    faults = docs.evaluate("axe.run(document)")["violations"]

    found = {
        fault["id"]: [node["html"][:120] for node in fault["nodes"]]
        for fault in faults
        if fault["impact"] in ("serious", "critical")
    }
    assert found == {}


@pytest.mark.parametrize("width", [360, 768, 1280, 2560])
def test_nothing_runs_off_the_side(docs: Page, width: int) -> None:
    """With every fold open and an answer shown, from a small phone to a wide screen."""
    docs.set_viewport_size({"width": width, "height": 800})
    part = operation(docs, "recommend")
    send(part)
    expect(outcome(part)).to_have_text(OK_LINE)
    docs.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")

    assert docs.evaluate("document.documentElement.scrollWidth") <= width
    send_button = part.get_by_role("button", name="Send")
    box = send_button.bounding_box()
    assert box
    assert box["x"] + box["width"] <= width


def test_the_policy_allows_nothing_inline_and_the_page_needs_nothing_else(
    docs: Page, site: str, errors: list[str], foreign: list[str]
) -> None:
    """No script or style within the page, no other origin, and no complaint of the browser."""
    response = docs.goto("/docs")
    assert response
    policy = response.headers["content-security-policy"]
    part = operation(docs, "list_models")
    send(part)
    expect(outcome(part)).to_have_text(OK_LINE)

    assert "unsafe" not in policy
    assert re.search(r"https?:|\*", policy) is None
    assert foreign == []
    assert errors == []


def test_the_reference_can_be_read_without_a_script(browser: Browser, site: str) -> None:
    """Everything but the buttons, which would do nothing."""
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/docs#recommend")
    part = operation(page, "recommend")

    expect(part.get_by_label("Body", exact=True)).to_be_visible()
    expect(part.get_by_role("button", name="Send")).to_be_hidden()
    expect(page.get_by_label("Filter")).to_be_hidden()
    part.get_by_text("Fields of the body").click()
    expect(part.get_by_text("The work to find machines for.")).to_be_visible()
    context.close()
