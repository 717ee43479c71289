"""Earlier prices on a machine's page, from lists that refreshes published to a real Redis."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.chromium import served
from tests.browser.conftest import open_settled
from tests.integration.test_replay import publish

from plimsoll_service.app import configure_logging
from plimsoll_service.catalog.snapshot import load
from plimsoll_service.settings import Settings

MACHINE = "aws/g5.xlarge"


@pytest.mark.usefixtures("own_logging")
def test_earlier_prices_are_those_of_the_kept_lists(browser: Browser, redis_url: str) -> None:
    """Each list with other prices is a row, the newest first and the bundled one last."""
    catalog = load()
    for edition in (3, 3, 4):
        publish(redis_url, catalog, edition)
    with served(Settings(redis_url=redis_url, log_level="critical")) as address:
        page = browser.new_page(base_url=address)
        open_settled(page, f"/machines/{MACHINE}")
        kept = page.request.get("/v1/prices/snapshots").json()["items"]
        lists = [page.request.get(f"/v1/instance-types/{MACHINE}?snapshot={one['version']}").json() for one in kept]
        prices = [one["lowest_usd_per_hour"] for one in lists]
        changes = [place for place, one in enumerate(prices) if prices[place + 1 : place + 2] != [one]]

        page.get_by_text("Earlier prices").click()

        rows = page.get_by_role("table", name="Price history").locator("tbody tr")
        expect(rows).to_have_count(len(changes))
        for row, place in zip(rows.all(), changes, strict=True):
            expect(row.locator("td").nth(1)).to_have_text(f"${prices[place]['on_demand']:.2f}")
            expect(row.locator("td").nth(2)).to_have_text(f"${prices[place]['spot']:.2f}")
        assert len(changes) > 1
        expect(rows.last).to_contain_text("bundled catalog")
        page.close()
    configure_logging("info")
