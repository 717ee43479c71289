"""The API reference at /docs: it shows every operation, and asks the service that it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.chromium import served

from plimsoll_service.api import openapi
from plimsoll_service.api.examples import ESTIMATE
from plimsoll_service.api.guard.key_file import change
from plimsoll_service.api.guard.keys import minted
from plimsoll_service.app import contract
from plimsoll_service.settings import Settings

WAIT_MS = 30_000  # the viewer takes seconds to show an operation where other tests run beside it
AXE = Path(__file__).resolve().parents[2] / "portal/node_modules/axe-core/axe.min.js"


@pytest.fixture
def keyed_site(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A service that asks for keys, and a key that it takes."""
    text, key = minted("reader", frozenset({"read"}))
    path = tmp_path / "keys.jsonl"
    path.touch()
    change(path, lambda keys: {**keys, key.id: key})
    with served(Settings(log_level="critical", api_keys_path=path)) as address:
        yield address, text


def show(page: Page) -> None:
    """Opens the reference and waits until it shows the contract."""
    page.set_default_timeout(WAIT_MS)
    page.goto("/docs")
    expect(page.locator(".opblock").last).to_be_visible(timeout=WAIT_MS)


def opened(page: Page, name: str) -> Locator:
    """An operation's part of the reference, unfolded."""
    part = page.locator(f"[id^=operations-][id$=-{name}]")
    part.locator(".opblock-summary-control").click()
    return part


def answered(part: Locator, status: int) -> Locator:
    """The answer to the operation as it stands in its form, which has that status."""
    part.get_by_role("button", name="Execute").click()
    answer = part.locator(".live-responses-table")
    expect(answer.locator(".response-col_status").nth(1)).to_contain_text(str(status), timeout=WAIT_MS)
    return answer


def test_every_operation_is_shown_and_can_be_asked(page: Page, api: httpx.Client, foreign: list[str]) -> None:
    """Those of the contract, once each, without other origins; the fixture holds that the browser complains of nothing.

    The contract's example is answered as by the API. Lists are sent with commas, and what is empty is left out.
    """
    operations = [each for path in openapi.document(contract())["paths"].values() for each in path.values()]
    show(page)
    shown = page.locator(".opblock-summary-operation-id").all_text_contents()

    assert sorted(shown) == sorted(each["operationId"] for each in operations)

    expected = api.post("/v1/estimates", json=ESTIMATE).json()
    answer = answered(opened(page, "estimate"), 200).locator(".response-col_description code").first
    expect(answer).to_contain_text(expected["catalog"]["version"], timeout=WAIT_MS)
    assert json.loads(answer.inner_text()) == expected

    evidence = opened(page, "list_evidence")
    with page.expect_request("**/v1/evidence**") as asked:
        answered(evidence, 200)
    assert asked.value.url.endswith("/v1/evidence?limit=5&model=resnet50&task=training&doubtful=false&format=json")
    assert foreign == []


def test_a_key_is_taken_and_sent(browser: Browser, keyed_site: tuple[str, str]) -> None:
    """Without it the service refuses."""
    site, key = keyed_site
    page = browser.new_page(base_url=site)
    show(page)
    part = opened(page, "list_rules")
    answered(part, 401)

    page.locator(".auth-wrapper .authorize").first.click()
    page.get_by_label("auth-bearer-value").fill(key)
    page.get_by_role("button", name="Apply credentials").first.click()
    page.get_by_role("button", name="Close").first.click()

    answered(part, 200)
    page.close()


def test_axe_finds_nothing_in_the_page_of_a_problem(page: Page) -> None:
    """It is this project's own; what Swagger UI makes of the reference is not."""
    page.goto("/problems/invalid-field")
    page.evaluate(AXE.read_text(encoding="utf-8"))

    assert page.evaluate("axe.run(document)")["violations"] == []
