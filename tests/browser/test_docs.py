"""The API reference at /docs: every operation with its samples, for the keyboard, a phone and both themes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from openapi.document import document
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.accessibility import AXE, ColorScheme, serious_faults
from tests.browser.conftest import new_page

from plimsoll_service.app import contract

WAIT_MS = 30_000  # the viewer takes seconds where other tests run beside it
DESK, PHONE = 1280, 360
THEMES: dict[int, ColorScheme] = {DESK: "dark", PHONE: "light"}
# Of each group that a test opens; whole at a desk, because laying out all operations takes seconds.
FEW = ("/v1/estimates", "/v1/comparisons", "/v1/prices/snapshots", "/v1/rules/{id}")
at_a_desk = pytest.mark.parametrize("reference", [DESK], indirect=True)


@pytest.fixture(scope="module")
def reference(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Page]:
    """The reference at a width and in that width's theme, opened once, because the viewer takes seconds.

    On a phone it has few operations. No other origin is requested, and the browser has no error.
    """
    foreign: list[str] = []
    with new_page(browser, site, [], foreign) as page:
        page.set_viewport_size({"width": request.param, "height": 800})
        page.emulate_media(color_scheme=THEMES[request.param])
        if request.param == PHONE:
            page.route("**/docs", with_few_operations)
        show(page)
        yield page
    assert [address for address in foreign if not address.startswith(f"blob:{site}")] == []


def with_few_operations(route: Route) -> None:
    """Answer with the page of the service, which describes few operations."""
    answer = route.fetch()
    before, contract, after = re.split(r"(?<=id=\"contract\">)(.*?)(?=</script>)", answer.text(), flags=re.DOTALL)
    described = json.loads(contract)
    described["paths"] = {path: described["paths"][path] for path in FEW}
    route.fulfill(response=answer, body=before + json.dumps(described).replace("<", "\\u003c") + after)


def show(page: Page) -> None:
    """Open the reference and wait until it shows the contract."""
    page.set_default_timeout(WAIT_MS)
    page.goto("/docs")
    expect(page.locator("[id$='/operation/show_rule']")).to_be_attached(timeout=WAIT_MS)


@at_a_desk
def test_every_operation_stands_beside_its_samples(reference: Page) -> None:
    """Every operation of the contract has its samples, all in the language of one."""
    paths = document(contract())["paths"].values()
    expected = {each["operationId"]: each["x-codeSamples"] for path in paths for each in path.values()}

    parts = reference.locator("[id*='/operation/']")
    assert sorted(parts.evaluate_all("parts => parts.map(part => part.id.split('/').pop())")) == sorted(expected)
    shown = {
        name: reference.locator(f"[id$='/operation/{name}']") for name in ("recommend", "list_evidence", "show_rule")
    }
    for label in [sample["label"] for sample in expected["recommend"]]:
        shown["recommend"].get_by_role("tab", name=label, exact=True).click()
        for name, part in shown.items():
            [source] = [sample["source"] for sample in expected[name] if sample["label"] == label]
            expect(part.get_by_role("tab", name=label, exact=True)).to_have_attribute("aria-selected", "true")
            expect(part.locator("pre").first).to_have_text(source)


@at_a_desk
def test_samples_of_answers_are_the_services_own(reference: Page, api: httpx.Client) -> None:
    """What it answers to the samples of requests; an error's sample is of its own kind."""
    version = api.get("/v1/recommendations?task=training&model=resnet50").json()["catalog"]["version"]

    part = reference.locator("[id$='/operation/recommend']")
    expect(part.locator(".redoc-json")).to_contain_text(version)
    part.get_by_role("tab", name="404").click()
    expect(part.locator(".redoc-json")).to_contain_text("/problems/not-found")


@at_a_desk
def test_samples_are_all_in_the_language_of_one(reference: Page) -> None:
    """Who works in Python chooses it once, and the sample stays where it was."""
    tab = reference.locator("[id$='/operation/compare']").get_by_role("tab", name="Python")
    reference.locator("[id$='/operation/compare']").get_by_role("tab", name="curl").click()
    tab.scroll_into_view_if_needed()
    before = tab.bounding_box()

    tab.click()

    other = reference.locator("[id$='/operation/show_rule']")
    expect(other.get_by_role("tab", name="Python")).to_have_attribute("aria-selected", "true")
    expect(other.locator("pre").first).to_contain_text("from plimsoll import Client")
    after = tab.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=2)


def test_what_was_chosen_is_remembered(page: Page) -> None:
    """Who made the page dark reads a dark reference on a light system; who comes back sees the language they chose."""
    page.route("**/docs", with_few_operations)
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.get_by_label("Theme").select_option("dark")

    show(page)

    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(16, 22, 28)"
    page.locator("[id$='/operation/compare']").get_by_role("tab", name="Go", exact=True).click()

    show(page)

    for name in ("compare", "show_rule"):
        tab = page.locator(f"[id$='/operation/{name}']").get_by_role("tab", name="Go", exact=True)
        expect(tab).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("reference", [DESK, PHONE], indirect=True)
def test_the_keyboard_reaches_an_operation(reference: Page) -> None:
    """The keyboard reaches an operation through the groups, which a button opens on a phone, and by search."""
    menu, search = reference.get_by_role("button", name="Menu"), reference.get_by_role("textbox", name="Search")
    on_a_phone = menu.is_visible()
    if on_a_phone:
        menu.press("Enter")
    reference.get_by_role("menuitem", name="Knowledge").press("Enter")
    reference.get_by_role("menuitem", name="get /v1/rules/{id}").press("Enter")

    expect(reference.locator("[id$='/operation/show_rule'] h2")).to_be_in_viewport()
    assert reference.url.endswith("#tag/knowledge/operation/show_rule")

    if on_a_phone:
        menu.press("Enter")
    search.press_sequentially("snapshots")
    expect(reference.locator("[role=search] [role=menuitem]")).not_to_have_count(0)
    search.fill("")
    if on_a_phone:
        menu.press("Enter")


@at_a_desk
def test_every_object_stands_beside_an_example(reference: Page, api: httpx.Client) -> None:
    """Each object, also one within others, has an anchor; what operations take or answer with is of the service."""
    names = reference.locator("[id^='schema/']").evaluate_all("parts => parts.map(part => part.id)")
    assert {name.split("/")[-1] for name in names} == document(contract())["components"]["schemas"].keys()

    reference.evaluate("location.hash = 'schema/PriceRecord'")

    part = reference.locator("[id='schema/PriceRecord']")
    expect(part).to_be_in_viewport()
    expect(part).to_contain_text("usd_per_hour")
    machine = api.get("/v1/instance-types/aws/p3.2xlarge").json()
    expect(part.locator(".redoc-json")).to_contain_text(f'"usd_per_hour": {machine["offers"][0]["usd_per_hour"]}')
    answer = reference.locator("[id='schema/Answer'] .redoc-json")
    expect(answer).to_contain_text(
        api.get("/v1/recommendations?task=training&model=resnet50").json()["catalog"]["version"]
    )


@pytest.mark.parametrize("reference", [DESK, PHONE], indirect=True)
def test_an_operation_is_tried_by_keyboard(reference: Page) -> None:
    """The example is sent to this service as it is edited; the answer and the service's refusals are shown."""
    reference.get_by_role("button", name="Try it: POST /v1/estimates").press("Enter")
    trial = reference.get_by_role("dialog", name="POST /v1/estimates")
    trial.get_by_role("button", name="Send").press("Enter")
    expect(trial.get_by_role("status")).to_contain_text("200 OK")
    expect(trial.locator("pre")).to_contain_text('"fits": true')
    trial.get_by_label("Body").fill("{}")
    trial.get_by_label("Address").press("Enter")
    expect(trial.get_by_role("status")).to_contain_text("422")
    expect(trial.locator("pre")).to_contain_text("/problems/invalid-field")
    assert reference.evaluate("document.documentElement.scrollWidth <= innerWidth")

    reference.keyboard.press("Escape")

    expect(trial).to_have_count(0)
    expect(reference.get_by_role("button", name="Try it: POST /v1/estimates")).to_be_focused()


@at_a_desk
def test_no_other_site_is_asked(reference: Page) -> None:
    """An address of another site is refused before it is asked."""
    reference.get_by_role("button", name="Try it: GET /v1/rules", exact=True).press("Enter")
    trial = reference.get_by_role("dialog")
    trial.get_by_label("Address").fill("https://example.com/v1/rules")
    trial.get_by_label("Address").press("Enter")

    expect(trial.get_by_role("status")).to_have_text(re.compile(r"^Only http://127\.0\.0\.1:\d+ is asked\.$"))
    expect(trial.locator("pre")).to_be_hidden()
    trial.get_by_role("button", name="Close").press("Enter")


@at_a_desk
def test_pages_are_not_tried(reference: Page) -> None:
    """What answers with a page for people is no use as text."""
    assert reference.locator("[id*='tag/pages/operation/'] .trial").count() == 0
    assert reference.locator("[id*='tag/catalog/operation/'] .trial").count() == 5


@pytest.mark.parametrize("reference", [DESK, PHONE], indirect=True)
def test_axe_finds_nothing_serious(reference: Page) -> None:
    """axe finds nothing serious with nested fields, alternatives, a refusal and an address unfolded, nor in a trial."""
    size = reference.viewport_size
    assert size
    part = reference.locator("[id$='/operation/estimate']")
    for field in ("workload", "model", "dataset"):
        part.get_by_role("button", name=f"expand {field}").first.click()
    for text in ("/v1/estimates", "422"):
        part.locator("button", has_text=text).first.click()
    for width in (PHONE, size["width"]):  # every operation of the whole reference fits a phone
        reference.set_viewport_size({**size, "width": width})
        assert reference.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Nothing comes after this test that needs the other parts.
    reference.locator("[id*='/operation/']:not([id$=estimate])").evaluate_all(
        "parts => parts.forEach(part => part.remove())"
    )

    assert serious_faults(reference, (THEMES[size["width"]],)) == {}
    reference.get_by_role("button", name="Try it: POST /v1/estimates").press("Enter")
    trial = reference.get_by_role("dialog", name="POST /v1/estimates")
    trial.get_by_label("Body").fill("{}")
    trial.get_by_label("Address").press("Enter")
    expect(trial.get_by_role("status")).to_contain_text("422")
    assert serious_faults(reference, (THEMES[size["width"]],), within="dialog") == {}


def test_axe_finds_nothing_in_the_page_of_a_problem(page: Page) -> None:
    """axe finds nothing on the page of a problem, which this project writes itself."""
    page.goto("/problems/invalid-field")
    page.evaluate(AXE.read_text(encoding="utf-8"))

    assert page.evaluate("axe.run(document)")["violations"] == []
