"""Accessibility of the page: axe, the keyboard alone, languages, and preferences of the system."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.conftest import open_settled, settled

RESNET = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90&clouds=aws,gcp"
SERVING = "task=inference&model=llama-3-8b&requests_per_second=5&input_tokens=1000&output_tokens=300"
VIEWS = {
    "answer": f"/?{RESNET}&deadline=48h&budget_usd=300",
    "opened": f"/?{RESNET}&open=1&why_not=p3.2xlarge",
    "serving": f"/embed?{SERVING}&latency_ms=2000&open=1",
    "spot": f"/?{RESNET}&deadline=48h&purchase=spot&open=1",
    "compared": f"/?{RESNET}&compare=aws/g5.xlarge,aws/p4d.24xlarge,aws/t3.nano,own/V100-16GB/1/0.9",
    "mine": "/?mine=8×A100;aws 20%25",
    "small": f"/embed?{RESNET}",
    "refused": "/?task=training&model=resnett50",
    "none": f"/?{RESNET}&budget_usd=0.01",
    "chinese": f"/?{RESNET}&lang=zh",
}


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(page: Page, view: str) -> None:
    """No view has a serious or critical fault of accessibility, in either theme, with everything unfolded."""
    open_settled(page, VIEWS[view])
    with settled(page):
        page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")

    assert {} == serious_faults(page, ("light", "dark"))


@pytest.mark.parametrize(
    ("language", "model", "machine"), [("en", "Model", "Machine"), ("zh", "模型", "机器"), ("vi", "Mô hình", "Máy")]
)
def test_page_speaks_the_language_of_the_address(page: Page, language: str, model: str, machine: str) -> None:
    """Form, table and document are in the language that the address names."""
    open_settled(page, f"/?{RESNET}&lang={language}")

    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_label(model, exact=True)).to_have_value("resnet50")
    expect(page.get_by_role("columnheader", name=machine, exact=True)).to_have_count(1)


def test_language_is_chosen_and_kept_in_the_address(page: Page) -> None:
    """A change of language keeps the question and appears in the address."""
    open_settled(page, f"/?{RESNET}")

    page.get_by_label("Language").select_option("vi")

    expect(page.get_by_label("Mô hình", exact=True)).to_have_value("resnet50")
    assert "lang=vi" in page.url


def test_keyboard_alone_finds_and_opens_a_recommendation(page: Page) -> None:
    """By keyboard alone, a reader can take an offered model and open the best machine."""
    open_settled(page, "/?task=training")
    offered = page.get_by_role("listbox", name="Suggestions").get_by_role("option")
    page.get_by_label("Model", exact=True).press("Control+a")
    page.keyboard.type("resnet5")
    expect(offered.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    with page.expect_response("**/v1/recommendations?*model=resnet50*"):
        page.keyboard.press("Enter")
    expect(page.get_by_label("Model", exact=True)).to_have_value("resnet50")
    expect(offered).to_have_count(0)

    expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")
    page.locator(".point[tabindex='0']").focus()
    page.keyboard.press("Enter")

    expect(page.locator("tr[data-rank='1'] button")).to_be_focused()
    expect(page.locator("#why-1")).to_be_visible()


def test_motion_is_left_out_where_it_is_not_wanted(page: Page) -> None:
    """Nothing moves for readers whose system asks for less motion."""
    durations = []
    for motion in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion=motion)
        open_settled(page, "/")
        durations.append(page.evaluate("getComputedStyle(document.querySelector('#result')).transitionDuration"))

    assert durations == ["0.15s", "0s"]
