"""The page of a service that asks for API keys: the field for one, refusals in words, and the element's property."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.chromium import served, served_app

from plimsoll_service.api.guard.key_file import changing
from plimsoll_service.api.guard.keys import READ, SIZE, minted
from plimsoll_service.settings import RateLimit, Settings

RESNET = "task=training&model=resnet50&clouds=aws"
LATE = 40  # seconds into a minute after which a test of one minute's limit waits for the next
ELEMENT = """<!doctype html><link rel="icon" href="data:,"><title>Ours</title>
<plimsoll-sizer task="training" model="resnet50" clouds="aws"></plimsoll-sizer>
<script>document.querySelector('plimsoll-sizer').apiKey = {key}</script>
<script src="{service}/portal/plimsoll-sizer.js"></script>"""

Keyed = Callable[..., tuple[str, str]]


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[Keyed]:
    """Serve an application that asks for keys; return its address and a key with those scopes and that limit."""
    running = []

    def started(*scopes: str, rate: RateLimit | None = None, ancestors: str | None = None) -> tuple[str, str]:
        text, key = minted("portal", frozenset(scopes or (SIZE, READ)), rate=rate)
        path = tmp_path / "keys.jsonl"
        path.touch()
        with changing(path) as keys:
            keys[key.id] = key
        settings = Settings(log_level="critical", api_keys_path=path, frame_ancestors=ancestors or "'self'")
        service = served(settings)
        running.append(service)
        return service.__enter__(), text

    yield started
    for service in running:
        service.__exit__(None, None, None)


def give(page: Page, key: str, *, keep: bool = False) -> None:
    """Type the key, by keyboard alone."""
    page.get_by_label("API key", exact=True).fill(key)
    if keep:
        page.get_by_label("Keep it until this tab is closed").press("Space")
    page.get_by_label("API key", exact=True).press("Enter")


def test_page_of_a_machine_asks_for_a_key_too(page: Page, keyed: Keyed) -> None:
    """The page of a machine shows nothing without a key, and everything with it."""
    address, key = keyed()
    page.goto(f"{address}/machines/aws/g5.xlarge")
    expect(page.get_by_role("alert")).to_contain_text("API key")
    expect(page.locator("#headline")).to_have_count(0)

    give(page, key)

    expect(page.locator("#headline")).to_contain_text("g5.xlarge")
    expect(page.locator(".part-of-page").first.locator("tbody tr")).to_have_count(10)


def test_question_goes_on_with_the_key_that_is_given(page: Page, keyed: Keyed) -> None:
    """The page asks for a key, answers with it, and puts it neither into the address nor into storage."""
    address, key = keyed()
    page.goto(f"{address}/?{RESNET}")
    expect(page.get_by_role("alert")).to_contain_text("This service asks for an API key")

    give(page, key)

    expect(page.locator("#headline")).to_be_visible()
    expect(page.get_by_label("API key", exact=True)).to_be_hidden()
    expect(page.locator("#answer")).to_be_focused()
    expect(page.get_by_role("checkbox", name="Google Cloud")).to_be_visible()
    assert key not in page.url
    assert page.evaluate("[...Object.values(localStorage), ...Object.values(sessionStorage)]") == []
    page.get_by_text("Export").click()
    expect(page.get_by_role("region", name="curl")).to_contain_text("Bearer $PLIMSOLL_API_KEY")
    assert key not in page.content()


def test_key_is_kept_in_the_tab_where_that_is_ticked_until_it_is_forgotten(page: Page, keyed: Keyed) -> None:
    """A ticked box keeps the key in the tab, also after a reload, until the reader makes the page forget it."""
    address, key = keyed()
    page.goto(f"{address}/?{RESNET}")
    give(page, key, keep=True)
    expect(page.locator("#headline")).to_be_visible()
    page.reload()
    expect(page.locator("#headline")).to_be_visible()

    page.get_by_role("button", name="Forget the API key").click()

    expect(page.get_by_label("API key", exact=True)).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_key_that_is_not_taken_is_said(page: Page, keyed: Keyed) -> None:
    """A refused key is reported in the service's words, and the field stays for another key."""
    address, key = keyed()
    page.goto(f"{address}/?{RESNET}")

    give(page, "plm_not_a_key")

    expect(page.get_by_role("alert")).to_contain_text("there is no such API key")
    give(page, key)
    expect(page.locator("#headline")).to_be_visible()


def test_key_of_another_scope_is_said(page: Page, keyed: Keyed) -> None:
    """The missing scope is named, and the field accepts another key."""
    address, key = keyed(READ)
    page.goto(f"{address}/?{RESNET}")

    give(page, key)

    expect(page.get_by_role("alert")).to_contain_text("lacks the scope 'size'")
    expect(page.get_by_label("API key", exact=True)).to_be_visible()


def test_key_for_sizing_alone_answers_and_says_what_it_does_not_open(page: Page, keyed: Keyed) -> None:
    """A key for sizing alone gets an answer; the page says that it does not open the list of clouds."""
    address, key = keyed(SIZE)
    page.goto(f"{address}/?{RESNET}")

    give(page, key)

    expect(page.locator("#headline")).to_be_visible()
    expect(page.locator("#clouds-fault")).to_contain_text("lacks the scope 'read'")


def test_limit_is_said_with_the_time_until_it_is_asked_again(page: Page, keyed: Keyed) -> None:
    """Beyond its rate limit, the page says so and counts down to the next attempt."""
    while datetime.now(UTC).second >= LATE:
        page.wait_for_timeout(1000)  # windows begin at whole minutes
    address, key = keyed(rate=RateLimit(2, "minute"))
    page.goto(f"{address}/?{RESNET}")
    give(page, key)
    expect(page.get_by_role("checkbox", name="Google Cloud")).to_be_visible()

    page.get_by_label("Epochs", exact=True).fill("7")

    expect(page.get_by_role("alert")).to_contain_text("Too many questions")
    timer = page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"asked again in \d+\ss\."))
    before = timer.inner_text()
    expect(timer).not_to_have_text(before)


def test_element_takes_a_key_as_a_property(page: Page, keyed: Keyed) -> None:
    """A page of another site sets the key before the element is known, and the frame answers with it."""
    other = Flask("other")
    with served_app(other) as origin:
        address, key = keyed(ancestors=origin)
        other.add_url_rule("/", "page", lambda: ELEMENT.format(service=address, key=json.dumps(key)))
        page.goto(origin)
        frame = page.frame_locator("plimsoll-sizer iframe")

        expect(frame.locator("#headline")).not_to_be_empty()
        assert key not in (page.locator("plimsoll-sizer").evaluate("one => one.outerHTML"))
        assert key not in page.frames[1].url


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_axe_finds_nothing_serious_where_a_key_is_asked_for(page: Page, keyed: Keyed, language: str) -> None:
    """axe finds nothing serious on the page that asks for a key, in every language."""
    address, _ = keyed()
    page.goto(f"{address}/?{RESNET}&lang={language}")
    expect(page.locator("#api-key")).to_be_visible()

    assert {} == serious_faults(page)
