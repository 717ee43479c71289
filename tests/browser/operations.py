"""The operations that the reference at /docs shows, for the tests to try."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

OK_LINE = re.compile(r"^200 in \d+ ms, ")


def operation(page: Page, name: str) -> Locator:
    """An operation's part of the page."""
    return page.locator(f"article#{name}")


def send(part: Locator) -> None:
    """Presses the operation's button."""
    part.get_by_role("button", name="Send").click()


def outcome(part: Locator) -> Locator:
    """The line that says how it went."""
    return part.get_by_role("status")
