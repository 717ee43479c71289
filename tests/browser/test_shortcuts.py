"""Single keys: what each does, where they do nothing, and how they are turned off."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.conftest import open_answered, open_settled

QUESTION = "/?task=training&model=qwen2.5-7b&method=lora&tokens=50000000&lang=en"
PREPARATION = "/?task=preprocessing&dataset_size=500GB&lang=en"


@pytest.mark.parametrize(
    ("address", "width", "field"),
    [(QUESTION, 1280, "Model"), (QUESTION, 360, "Model"), ("/machines?lang=en", 1280, "Filter by any word")],
)
def test_slash_reaches_the_field_that_is_searched(page: Page, address: str, width: int, field: str) -> None:
    """The field of the model, also where the form is folded, and the filter of a list."""
    page.set_viewport_size({"width": width, "height": 800})
    open_settled(page, address)

    page.keyboard.press("/")

    expect(page.get_by_label(field, exact=True)).to_be_focused()
    expect(page.get_by_label(field, exact=True)).not_to_have_value(re.compile("/"))


@pytest.mark.parametrize("address", [PREPARATION, "/machines/aws/g5.xlarge?lang=en"])
def test_slash_opens_the_menu_where_no_field_is_searched(page: Page, address: str) -> None:
    """Work without a model and the page of a machine have the menu."""
    open_settled(page, address)

    page.keyboard.press("/")

    expect(page.get_by_role("dialog", name="Search").get_by_role("combobox")).to_be_focused()


def test_j_and_k_move_through_the_ranked_machines(page: Page) -> None:
    """The focus goes from machine to machine, its point lights up, and Enter opens its reasons."""
    open_answered(page, QUESTION)
    for key, rank in (("j", 1), ("j", 2), ("j", 3), ("k", 2)):
        page.keyboard.press(key)
        expect(page.locator(f"#table tr[data-rank='{rank}'] .open")).to_be_focused()
    expect(page.locator("#plot [data-rank='2']")).to_have_class(re.compile("lit"))

    page.keyboard.press("Enter")

    expect(page.locator("#why-2")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("#table tr[data-rank='3'] .open")).to_be_focused()


def test_c_adds_the_machine_in_focus_to_the_comparison(page: Page) -> None:
    """The machine of the row in focus is compared, and a status says so."""
    open_answered(page, QUESTION)
    page.keyboard.press("j")
    page.keyboard.press("j")
    name = page.locator("#table tr[data-rank='2'] .machine").inner_text()

    page.keyboard.press("c")

    expect(page.get_by_role("status").filter(has_text="is in the comparison")).to_contain_text(name.split("× ")[-1])
    expect(page.get_by_role("list", name="Machines to compare").get_by_role("listitem")).to_have_count(1)
    assert name.split("× ")[-1] in unquote(page.url).partition("compare=")[2]


def test_c_picks_a_row_of_a_list_and_the_machine_of_a_page(page: Page) -> None:
    """In a list the row in focus is picked; on the page of a machine it is compared for a workload."""
    open_settled(page, "/machines?lang=en&q=p5")
    page.keyboard.press("j")
    page.keyboard.press("c")
    page.keyboard.press("c")
    expect(page.locator("tbody .pick").first).to_be_checked()
    expect(page.get_by_role("group", name="Machines to compare")).to_contain_text("1 chosen")

    open_settled(page, "/machines/aws/g5.xlarge?lang=en")
    page.keyboard.press("c")

    expect(page).to_have_url(re.compile("compare=aws"))


def test_s_copies_the_address(page: Page) -> None:
    """The address of the page is copied, and a status says so."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_settled(page, "/machines?lang=en&cloud=aws")

    page.keyboard.press("s")

    expect(page.get_by_role("status").filter(has_text="Address copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.parametrize(("second", "path"), [("m", "machines"), ("a", "accelerators")])
def test_g_goes_to_a_list(page: Page, second: str, path: str) -> None:
    """Two keys in a row go to a list, in the language of the page."""
    open_settled(page, QUESTION)

    page.keyboard.press("g")
    page.keyboard.press(second)

    expect(page).to_have_url(re.compile(rf"/{path}\?lang=en$"))


def test_keys_are_typed_in_fields_and_left_alone_with_others(page: Page) -> None:
    """In a field, in a select and together with Ctrl they are no shortcuts."""
    open_answered(page, QUESTION)
    before = page.url
    for control in (page.get_by_label("Total budget"), page.get_by_label("Theme")):
        control.focus()
        for key in ("?", "g", "m", "c"):
            page.keyboard.press(key)
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("Alt+c")
    page.keyboard.press("m")

    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.split("budget")[0].rstrip("&") in before
    expect(page.get_by_role("list", name="Machines to compare")).to_be_hidden()


def test_a_page_in_a_frame_has_none(page: Page) -> None:
    """In a frame, the keys stay those of the page around it."""
    open_settled(page, "/embed?task=training&model=resnet50")

    page.keyboard.press("?")

    expect(page.get_by_role("dialog")).to_have_count(0)


def test_they_are_turned_off_and_stay_so(page: Page) -> None:
    """The list of the shortcuts turns them off, for later visits too; the menu still has it, and turns them on."""
    open_settled(page, QUESTION)
    page.keyboard.press("?")
    shown = page.get_by_role("dialog", name="Keyboard shortcuts")
    shown.get_by_label("Use single keys as shortcuts").press("Space")
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)

    open_settled(page, "/machines?lang=en")
    for key in ("?", "/", "g", "a"):
        page.keyboard.press(key)
    expect(shown).to_have_count(0)
    expect(page).to_have_url(re.compile("/machines"))
    page.keyboard.press("Control+k")
    page.keyboard.type("keyboard shortcuts")
    page.keyboard.press("Enter")
    box = shown.get_by_label("Use single keys as shortcuts")
    expect(box).not_to_be_checked()
    box.press("Space")
    shown.get_by_role("button", name="Done").press("Enter")

    page.keyboard.press("?")
    expect(shown).to_be_visible()


def test_the_menu_lists_them_with_their_keys(page: Page) -> None:
    """Each stands in the menu, where it is found by its name and shows its keys."""
    open_settled(page, QUESTION)
    page.keyboard.press("Control+k")
    page.keyboard.type("shortcut")
    options = page.get_by_role("dialog").get_by_role("option")

    expect(options.filter(has_text="Compare this machine").locator("kbd")).to_have_text("c")
    expect(options.filter(has_text="Show all machines").locator("kbd")).to_have_text(["g", "m"])


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_axe_finds_nothing_serious(page: Page, language: str, width: int) -> None:
    """axe finds nothing serious in the list of the shortcuts and in what a key says, in either theme."""
    page.set_viewport_size({"width": width, "height": 800})
    open_answered(page, QUESTION.replace("lang=en", f"lang={language}"))
    page.keyboard.press("c")
    expect(page.locator("#said")).not_to_be_empty()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").locator("dt")).to_have_count(9)

    assert serious_faults(page, ("light", "dark"), within="dialog, #said") == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
