"""A served application and a Chromium that looks at it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",  # as root, Chromium refuses to start with it
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT_MS = 15_000
COMPLAINTS = ("error", "warning")


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the real application, served on loopback."""
    server = make_server("127.0.0.1", 0, create_app(Settings()), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def api(site: str) -> Iterator[httpx.Client]:
    """A client of the same service, to compare the page with."""
    with httpx.Client(base_url=site, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")  # Playwright keeps an event loop running, which other tests' own loops do not bear
def browser() -> Iterator[Browser]:
    """The system's Chromium, without a window and with an empty profile."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        yield running
        running.close()


@pytest.fixture
def errors() -> list[str]:
    """What the test's page says of errors, in its console or by raising."""
    return []


@pytest.fixture
def foreign() -> list[str]:
    """The addresses outside the service that the test's page asks for."""
    return []


@pytest.fixture
def page(browser: Browser, site: str, errors: list[str], foreign: list[str]) -> Iterator[Page]:
    """A page of its own for each test, watched for errors and for requests that leave the service."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    opened = context.new_page()
    opened.on("console", lambda message: errors.append(message.text) if message.type in COMPLAINTS else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith(site) else foreign.append(request.url))
    yield opened
    context.close()


def find_chromium() -> str:
    """The browser to drive: the one named in PLIMSOLL_CHROMIUM, else the system's."""
    named = os.environ.get("PLIMSOLL_CHROMIUM")
    for name in (named,) if named else CHROMIUM_NAMES:
        if found := shutil.which(name):
            return found
    pytest.fail(
        "The browser tests need Chromium: apt-get install chromium, or name another in PLIMSOLL_CHROMIUM.",
        pytrace=False,
    )
