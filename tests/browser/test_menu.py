"""The menu that Ctrl+K opens: everything that the page offers, and the catalog's hardware, by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.conftest import open_settled

QUESTION = "/?task=training&model=qwen2.5-7b&method=lora&tokens=50000000"


def run(page: Page, words: str, command: str) -> None:
    """Open the menu, type the words, and run the command that stands first."""
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    expect(page.get_by_role("dialog").get_by_role("option").first).to_have_text(re.compile(f"^{re.escape(command)}"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_it_goes_to_a_tab(page: Page) -> None:
    """A tab's name asks its question."""
    open_settled(page, QUESTION)

    run(page, "prepare", "Prepare data")

    expect(page.locator("#asked")).to_have_text("Prepare data: 500 GB")


@pytest.mark.parametrize(
    ("width", "words", "field"), [(1280, "budget tot", "Total budget"), (360, "regions", "Regions")]
)
def test_it_reaches_a_field(page: Page, width: int, words: str, field: str) -> None:
    """A field gets the focus, also where the form or its group is folded."""
    page.set_viewport_size({"width": width, "height": 800})
    open_settled(page, QUESTION)

    run(page, words, field)

    expect(page.get_by_label(field, exact=True)).to_be_focused()


def test_it_shows_a_chart_and_opens_a_reason(page: Page) -> None:
    """A chart's name shows it; a recommendation's reasons are opened by the name of its machine."""
    open_settled(page, QUESTION)

    run(page, "throughput", "Throughput")
    expect(page.locator("#chart-title")).to_have_text("Throughput, and what limits it")
    run(page, "why", "Why ")

    expect(page.locator("#why-1")).to_be_visible()


def test_it_reaches_a_filter_of_a_list(page: Page) -> None:
    """A filter of the list of machines gets the focus by its name."""
    open_settled(page, "/machines?lang=en")

    run(page, "field vcpu", "vCPUs, at least")

    expect(page.get_by_label("vCPUs, at least")).to_be_focused()


def test_it_copies_the_link(page: Page) -> None:
    """The link is copied, and its button says so."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_settled(page, QUESTION)

    run(page, "copy link", "Copy link")

    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_it_changes_theme_and_language(page: Page) -> None:
    """Theme and language change at once, and the address keeps them; Vietnamese is found without its marks."""
    open_settled(page, QUESTION)

    run(page, "theme dark", "dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    run(page, "viet", "Tiếng Việt")
    expect(page.locator("html")).to_have_attribute("lang", "vi")
    run(page, "tong ngan sach", "Tổng ngân sách")

    expect(page.get_by_label("Tổng ngân sách")).to_be_focused()
    assert "lang=vi" in page.url
    assert "theme=dark" in page.url


@pytest.mark.parametrize(
    ("start", "words", "path"),
    [
        (QUESTION, "g5.xlarge", "/machines/aws/g5.xlarge"),
        ("/machines/aws/g5.xlarge", "h100-sxm", "/accelerators/H100-SXM"),
    ],
)
def test_it_finds_hardware(page: Page, start: str, words: str, path: str) -> None:
    """A machine and a GPU are found by name, from every page, in its theme."""
    open_settled(page, f"{start}{'&' if '?' in start else '?'}theme=dark")

    run(page, words, words if path.startswith("/machines") else "H100-SXM")

    expect(page).to_have_url(re.compile(f"{re.escape(path)}[?]theme=dark$"))


def test_it_closes_without_a_trace(page: Page) -> None:
    """Escape, its own keys and a click beside it close the menu, and the focus is where it was."""
    open_settled(page, QUESTION)
    field = page.get_by_label("Total budget")
    menu = page.get_by_role("dialog", name="Search")
    for close in ("Escape", "Control+k"):
        field.focus()
        page.keyboard.press("Control+k")
        expect(menu.get_by_role("combobox")).to_be_focused()
        page.keyboard.press(close)
        expect(menu).to_have_count(0)
        expect(field).to_be_focused()

    page.get_by_role("button", name="Search").click()
    page.mouse.click(5, 5)

    expect(menu).to_have_count(0)


def test_arrows_go_round_and_what_is_not_there_is_said(page: Page) -> None:
    """The arrow keys go from the first to the last; words that nothing has are answered."""
    open_settled(page, QUESTION)
    page.keyboard.press("Control+k")
    options = page.get_by_role("dialog").get_by_role("option")

    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.type("zzz")

    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Nothing found")
    expect(options).to_have_count(0)


def test_a_page_in_a_frame_has_none(page: Page) -> None:
    """In a frame, the keys stay those of the page around it."""
    open_settled(page, "/embed?task=training&model=resnet50")

    page.keyboard.press("Control+k")

    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_axe_finds_nothing_serious(page: Page, language: str) -> None:
    """axe finds nothing serious in the menu, in either theme, in every language, with hardware listed."""
    open_settled(page, f"{QUESTION}&lang={language}")
    page.keyboard.press("Control+k")
    page.keyboard.type("a10")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_contain_text("A10")

    assert serious_faults(page, ("light", "dark"), within="dialog") == {}


def test_language_and_theme_are_remembered(page: Page) -> None:
    """The next visit has the chosen language and theme, on every page; an address that names others comes first."""
    open_settled(page, QUESTION)
    run(page, "theme dark", "dark")
    run(page, "viet", "Tiếng Việt")
    document = page.locator("html")

    open_settled(page, "/accelerators")
    expect(document).to_have_attribute("lang", "vi")
    expect(document).to_have_attribute("data-theme", "dark")
    open_settled(page, "/?lang=zh&theme=light")
    expect(document).to_have_attribute("lang", "zh")
    expect(document).to_have_attribute("data-theme", "light")


def test_a_page_that_may_keep_nothing_changes_its_language(page: Page) -> None:
    """Where the browser denies storage, the chosen language lasts as long as the address."""
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })")
    open_settled(page, QUESTION)

    run(page, "viet", "Tiếng Việt")

    expect(page.locator("html")).to_have_attribute("lang", "vi")
