"""The users' common tasks, counted in actions from a fresh page: a typed text, a key or a click is one action."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

OWN = "8×A100"


class Hands:
    """A user of the page, whose actions are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0
        page.goto("/")
        expect(page.locator("#headline")).to_be_visible()

    def type(self, label: str, text: str) -> None:
        """Type into a field, in place of its text."""
        self.actions += 1
        field = self.page.get_by_label(label, exact=True)
        field.clear()
        field.press_sequentially(text)

    def press(self, key: str) -> None:
        """Press one key."""
        self.actions += 1
        self.page.keyboard.press(key)

    def click(self, text: str) -> None:
        """Click the element with that text."""
        self.actions += 1
        self.page.get_by_text(text, exact=True).first.click()


@pytest.fixture
def hands(page: Page) -> Hands:
    """The fresh page in use."""
    return Hands(page)


def asked(page: Page) -> dict[str, str]:
    """The question in the page's address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_7b_model_is_fine_tuned_for_200_dollars(page: Page, hands: Hands) -> None:
    """Three actions give an answer with LoRA within the budget."""
    hands.type("Model", "7b")
    expect(page.locator("[role=listbox]:not([hidden]) [role=option]").first).to_be_visible()
    hands.press("Enter")
    hands.type("Total budget", "$200")

    expect(page).to_have_url(re.compile("budget_usd=200"))
    expect(page.locator("#asked")).to_have_text("Fine-tune: mistral-7b, LoRA, 50M tokens, at most $200")
    assert asked(page)["method"] == "lora"
    assert hands.actions <= 3


def test_a_machine_is_told_why_it_is_not_the_answer(page: Page, hands: Hands) -> None:
    """Two actions show why a machine is not the answer."""
    hands.type("Add any machine", "g5.xlarge")
    expect(page.locator("[role=listbox]:not([hidden]) [role=option]").first).to_be_visible()
    hands.press("Enter")

    row = page.locator(".comparison tr", has_text="g5.xlarge")
    expect(row).to_contain_text("GiB needed")
    assert hands.actions <= 2


def test_the_answer_is_shared(page: Page, hands: Hands) -> None:
    """One action shares the address, with or without prices, a summary or a picture."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands.click("Copy link")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    hands.click("Link with these prices")
    assert "snapshot=" in page.evaluate("navigator.clipboard.readText()")
    hands.click("Copy as Markdown")
    summary = page.evaluate("navigator.clipboard.readText()")
    assert page.locator("#table .machine").first.inner_text() in summary
    assert page.locator("#table tr[data-rank='1'] .range").first.inner_text() in summary

    for kind in ("PNG", "SVG"):
        with page.expect_download() as file:
            hands.click(kind)
        assert file.value.suggested_filename == f"plimsoll.{kind.lower()}"
        assert file.value.path().stat().st_size > 1000
    assert hands.actions == 5


def test_a_discount_and_an_own_machine_count(page: Page, hands: Hands) -> None:
    """Five actions add a discount and an own machine, which the address and the browser keep."""
    hands.click("My machines and prices")
    hands.type("Add a machine, price or quota", "aws 20%")
    hands.press("Enter")
    hands.type("Add a machine, price or quota", OWN)
    hands.press("Enter")

    expect(page.locator("#headline strong")).to_have_text(OWN)
    assert asked(page)["mine"] == f"aws 20%;{OWN}"
    assert hands.actions <= 6
    page.goto("/")
    expect(page.locator("#headline strong")).to_have_text(OWN)
    page.get_by_role("button", name=f"Remove {OWN}").click()
    expect(page.locator("#headline strong")).not_to_have_text(OWN)


def test_what_is_no_machine_is_said_beside_its_field(page: Page, hands: Hands) -> None:
    """Words without a meaning and unknown devices are reported beside their field."""
    hands.click("My machines and prices")
    hands.type("Add a machine, price or quota", "cheap please")
    hands.press("Enter")
    expect(page.locator("#mine-fault")).to_contain_text("Not understood")

    hands.type("Add a machine, price or quota", "8×V1000")
    hands.press("Enter")

    expect(page.locator("#mine-fault")).to_contain_text("V1000")


def test_spot_stands_against_on_demand(page: Page, hands: Hands) -> None:
    """Spot is compared with on demand without any action."""
    spot = page.get_by_role("button", name="On spot")

    expect(spot).to_contain_text("against the same on demand")
    expect(spot).to_contain_text("against the best on demand")
    assert hands.actions == 0


def test_work_is_due_on_monday(page: Page, hands: Hands) -> None:
    """One action states the deadline, and the field shows its time."""
    hands.type("Deadline", "till Monday")

    expect(page).to_have_url(re.compile("deadline=2"))
    expect(page.locator("#deadline-hint")).to_contain_text("Mon")
    assert hands.actions == 1


class Keys:
    """A page that is used by keyboard alone."""

    MOST_STEPS = 150

    def __init__(self, page: Page) -> None:
        self.page = page
        page.goto("/")
        expect(page.locator("#headline")).to_be_visible()
        page.wait_for_load_state("networkidle")

    def reach(self, name: str) -> None:
        """Press Tab until the focus is on the element with that name."""
        said = "() => { const on = document.activeElement; return (on.labels?.[0] ?? on).innerText?.trim() ?? '' }"
        for _ in range(self.MOST_STEPS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(said).startswith(name):
                return
        pytest.fail(f"the keyboard does not reach {name!r}")

    def write(self, name: str, text: str, *, choose: bool = False) -> None:
        """Type into the field with that name, and take the first suggestion."""
        self.reach(name)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        if choose:
            expect(self.page.locator("[role=listbox]:not([hidden]) [role=option]").first).to_be_visible()
            self.page.keyboard.press("Enter")

    def use(self, name: str) -> None:
        """Press the button with that name."""
        self.reach(name)
        self.page.keyboard.press("Enter")


def test_keyboard_alone_asks_limits_and_dates(page: Page) -> None:
    """By keyboard alone, a user asks for a 7B model for 200 dollars until Monday."""
    keys = Keys(page)
    keys.write("Model", "7b", choose=True)
    keys.write("Deadline", "till Monday")
    keys.write("Total budget", "$200")

    expect(page).to_have_url(re.compile("model=mistral-7b.*deadline=2.*budget_usd=200"))


def test_keyboard_alone_adds_own_prices_and_compares(page: Page) -> None:
    """By keyboard alone, a user adds a discount and a machine, compares spot, and asks why not another machine."""
    keys = Keys(page)
    expect(page.get_by_role("button", name="On spot")).to_contain_text("against the best on demand")
    keys.write("Add any machine", "g5.xlarge", choose=True)
    expect(page.locator(".comparison tbody tr", has_text="g5.xlarge")).to_be_visible()

    keys = Keys(page)
    keys.use("My machines and prices")
    keys.reach("Add a machine, price or quota")
    for entry in ("aws 20%", OWN):
        page.keyboard.type(entry)
        page.keyboard.press("Enter")
    expect(page.locator("#headline strong")).to_have_text(OWN)


def test_keyboard_alone_shares(page: Page) -> None:
    """By keyboard alone, a user shares the address with its prices."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    Keys(page).use("Link with these prices")

    assert "snapshot=" in page.evaluate("navigator.clipboard.readText()")
