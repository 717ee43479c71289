"""A served application and a Chromium that opens it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, expect
from tests.browser.chromium import MISSING, chromium, find_chromium, served

from plimsoll_service.settings import Settings

HERE = Path(__file__).parent
WAIT_MS = 15_000
COMPLAINTS = ("error", "warning")
# The page defers work as the first two do.
DRAWN_AND_IDLE = """() => new Promise(done =>
    requestAnimationFrame(() => setTimeout(() => requestIdleCallback(done))))"""
# What Chromium itself says of every answer that is an error, and of none; no page can keep it from that.
BROWSERS_OWN = "Failed to load resource"


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the real application, served on loopback."""
    with served(Settings()) as address:
        yield address


@pytest.fixture(scope="session")
def api(site: str) -> Iterator[httpx.Client]:
    """A client of the same service, to compare the page with."""
    with httpx.Client(base_url=site, timeout=30) as client:
        yield client


KEPT = ExitStack()


@cache
def running() -> Browser:
    """The system's Chromium, started at the first test of this folder."""
    return KEPT.enter_context(chromium())


@pytest.fixture(scope="module")
def browser() -> Browser:
    """The system's Chromium, without a window and with an empty profile."""
    if find_chromium() is None:
        pytest.fail(MISSING, pytrace=False)
    return running()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser with the folder's last test: its event loop disturbs those of other tests."""
    if nextitem is None or nextitem.path.parent != HERE:
        KEPT.close()
        running.cache_clear()


@pytest.fixture
def errors() -> list[str]:
    """Errors of the test's page, from its console or raised by its scripts."""
    return []


@pytest.fixture
def foreign() -> list[str]:
    """Addresses outside the service that the test's page requests."""
    return []


@pytest.fixture
def page(browser: Browser, site: str, errors: list[str], foreign: list[str]) -> Iterator[Page]:
    """A new page for each test, which may not report errors; a test removes the expected ones from ``errors``."""
    with new_page(browser, site, errors, foreign) as opened:
        yield opened


@contextmanager
def new_page(browser: Browser, site: str, errors: list[str], foreign: list[str]) -> Iterator[Page]:
    """A page with an empty profile, and its errors and foreign requests in these lists; none may be left at its end."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    opened = context.new_page()
    opened.on("console", lambda message: errors.append(message.text) if message.type in COMPLAINTS else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith(site) else foreign.append(request.url))
    yield opened
    context.close()
    assert [error for error in errors if BROWSERS_OWN not in error] == []


def open_answered(page: Page, address: str) -> None:
    """Open the page and wait until it shows an answer."""
    page.goto(address)
    expect(page.locator("#headline")).not_to_be_empty()
    expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")


def open_settled(page: Page, address: str) -> None:
    """Open the page and wait until it has nothing more to fetch."""
    with settled(page):
        page.goto(address)
        expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")


@contextmanager
def settled(page: Page) -> Iterator[None]:
    """Wait after some actions until the page has nothing more to fetch, now or once it has drawn what came."""
    asked: list[Request] = []
    running: set[Request] = set()

    def begin(request: Request) -> None:
        asked.append(request)
        running.add(request)

    def end(request: Request) -> None:
        running.discard(request)  # those of the page before end here too

    handlers = (("request", begin), ("requestfinished", end), ("requestfailed", end))
    for event, handler in handlers:
        page.on(event, handler)
    yield
    give_up, seen = time.monotonic() + WAIT_MS / 1000, -1
    while running or seen < len(asked):
        assert time.monotonic() < give_up, [one.url for one in running]
        seen = len(asked)
        page.evaluate(DRAWN_AND_IDLE)
    for event, handler in handlers:
        page.remove_listener(event, handler)
