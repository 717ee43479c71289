"""The API reference at /docs: every operation with its samples, for the keyboard, a phone and both themes."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import AXE, ColorScheme, serious_faults

from plimsoll_service.api import openapi
from plimsoll_service.app import contract

WAIT_MS = 30_000  # the viewer takes seconds where other tests run beside it


def show(page: Page) -> None:
    """Open the reference and wait until it shows the contract."""
    page.set_default_timeout(WAIT_MS)
    page.goto("/docs")
    expect(page.locator("[id$='/operation/show_rule']")).to_be_attached(timeout=WAIT_MS)


def test_every_operation_stands_beside_its_samples(page: Page, site: str, foreign: list[str]) -> None:
    """Every operation of the contract has its samples; no other origin is requested, and the browser has no error."""
    paths = openapi.document(contract())["paths"].values()
    expected = {each["operationId"]: each["x-codeSamples"] for path in paths for each in path.values()}
    show(page)

    actual = page.locator("[id*='/operation/']").evaluate_all("parts => parts.map(part => part.id.split('/').pop())")
    assert sorted(actual) == sorted(expected)
    for name in ("recommend", "list_evidence", "show_rule"):
        part = page.locator(f"[id$='/operation/{name}']")
        for sample in expected[name]:
            part.get_by_role("tab", name=sample["label"], exact=True).click()
            expect(part.locator("pre").first).to_have_text(sample["source"])
    assert [address for address in foreign if not address.startswith(f"blob:{site}")] == []


def test_samples_of_answers_are_the_services_own(page: Page, api: httpx.Client) -> None:
    """What it answers to the samples of requests; an error's sample is of its own kind."""
    version = api.get("/v1/recommendations?task=training&model=resnet50").json()["catalog"]["version"]
    show(page)

    part = page.locator("[id$='/operation/recommend']")
    expect(part.locator(".redoc-json")).to_contain_text(version)
    part.get_by_role("tab", name="404").click()
    expect(part.locator(".redoc-json")).to_contain_text("/problems/not-found")


def test_samples_are_all_in_the_language_of_one(page: Page) -> None:
    """Who works in Python chooses it once, and the sample stays where it was."""
    show(page)
    tab = page.locator("[id$='/operation/compare']").get_by_role("tab", name="Python")
    tab.scroll_into_view_if_needed()
    before = tab.bounding_box()

    tab.click()

    other = page.locator("[id$='/operation/show_rule']")
    expect(other.get_by_role("tab", name="Python")).to_have_attribute("aria-selected", "true")
    expect(other.locator("pre").first).to_contain_text("from plimsoll import Client")
    after = tab.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=2)


def test_the_language_of_samples_is_remembered(page: Page) -> None:
    """Who comes back sees the samples in the language that they chose."""
    show(page)
    page.locator("[id$='/operation/compare']").get_by_role("tab", name="Go", exact=True).click()

    show(page)

    for name in ("compare", "show_rule"):
        tab = page.locator(f"[id$='/operation/{name}']").get_by_role("tab", name="Go", exact=True)
        expect(tab).to_have_attribute("aria-selected", "true")


def test_the_reference_has_the_theme_of_the_page(page: Page) -> None:
    """Who made the page dark reads a dark reference on a light system."""
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.get_by_label("Theme").select_option("dark")

    show(page)

    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(16, 22, 28)"


@pytest.mark.parametrize("width", [360, 1280])
def test_the_keyboard_reaches_an_operation(page: Page, width: int) -> None:
    """The keyboard reaches an operation through the groups, which a button opens on a phone, and by search."""
    page.set_viewport_size({"width": width, "height": 800})
    show(page)
    if width < 800:
        page.get_by_role("button", name="Menu").press("Enter")
    page.get_by_role("menuitem", name="Knowledge").press("Enter")
    page.get_by_role("menuitem", name="get /v1/rules/{id}").press("Enter")

    expect(page.locator("[id$='/operation/show_rule'] h2")).to_be_in_viewport()
    assert page.url.endswith("#tag/knowledge/operation/show_rule")

    if width < 800:
        page.get_by_role("button", name="Menu").press("Enter")
    page.get_by_role("textbox", name="Search").press_sequentially("snapshots")
    expect(page.locator("[role=search] [role=menuitem]")).not_to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_axe_finds_nothing_serious(page: Page, width: int, scheme: ColorScheme) -> None:
    """axe finds nothing serious with nested fields, alternatives, a refusal and an address unfolded."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    show(page)
    part = page.locator("[id$='/operation/estimate']")
    for field in ("workload", "model", "dataset"):
        part.get_by_role("button", name=f"expand {field}").first.click()
    for text in ("/v1/estimates", "422"):
        part.locator("button", has_text=text).first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[id*='/operation/']:not([id$=estimate])").evaluate_all(
        "parts => parts.forEach(part => part.remove())"
    )

    assert serious_faults(page, (scheme,)) == {}


def test_axe_finds_nothing_in_the_page_of_a_problem(page: Page) -> None:
    """axe finds nothing on the page of a problem, which this project writes itself."""
    page.goto("/problems/invalid-field")
    page.evaluate(AXE.read_text(encoding="utf-8"))

    assert page.evaluate("axe.run(document)")["violations"] == []
