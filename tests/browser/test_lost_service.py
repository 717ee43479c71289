"""A service that stops while the page is used."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from werkzeug.serving import BaseWSGIServer, make_server

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

RETRY_MS = 10_000  # the page asks again every three seconds


class Stoppable:
    """The application on a port that stays reserved while it is stopped and started."""

    def __init__(self) -> None:
        self._app = create_app(Settings(log_level="critical"))
        self._server: BaseWSGIServer | None = None
        self.port = 0

    def start(self) -> None:
        """Serve on the port of the first start."""
        self._server = make_server("127.0.0.1", self.port, self._app, threaded=True)
        self.port = self._server.port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stop answering."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@pytest.fixture
def service() -> Iterator[Stoppable]:
    """A running service that the test may stop."""
    running = Stoppable()
    running.start()
    yield running
    running.stop()


def test_page_says_that_the_service_is_gone_and_recovers_by_itself(page: Page, service: Stoppable) -> None:
    """A question to a stopped service gets a message, and machines once the service is back."""
    page.goto(f"http://127.0.0.1:{service.port}/?task=training&model=resnet50")
    expect(page.locator("#headline")).not_to_be_empty()
    service.stop()

    page.get_by_label("Epochs", exact=True).fill("7")
    expect(page.get_by_role("alert")).to_contain_text("No answer from the service")
    expect(page.locator("#headline")).to_be_hidden()
    service.start()

    expect(page.locator("#headline")).to_be_visible(timeout=RETRY_MS)
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page).to_have_url(re.compile("epochs=7"))
