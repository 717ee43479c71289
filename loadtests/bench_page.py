"""Time from an answer's arrival to the drawn chart in the page, with two thousand candidates in the chart.

Run it from the repository's root: ``.venv/bin/python -m loadtests.bench_page``. Two figures: the service's own longest
answer, and the same with its frontier grown to 2,000 machines, more than any answer has. Each round ticks a cloud, and
counts from the last byte of the answer until Chromium has painted the frame that shows it.
"""

from __future__ import annotations

import argparse
import json
import logging
from typing import Any

import numpy as np
from playwright.sync_api import Page, Route
from tests.browser.chromium import chromium, served

from plimsoll_service.settings import Settings

CANDIDATES = 2000
MOST_ROUNDS = 200
QUERY = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90&limit=100"
POLL_MS = 20
VIEWPORT = {"width": 1280, "height": 900}
# A frame is painted when a task that the frame's own callback posted runs.
CLOCK = """() => {
  window.drawn = []
  new MutationObserver(() => requestAnimationFrame(() => {
    const painted = new MessageChannel()
    painted.port1.onmessage = () => {
      const answers = performance.getEntriesByType('resource').filter(one => one.name.includes('/v1/recommendations?'))
      window.drawn.push(performance.now() - answers.at(-1).responseEnd)
    }
    painted.port2.postMessage(null)
  })).observe(document.querySelector('#plot'), { childList: true })
}"""


def main() -> None:
    """Print median, 95th percentile and worst of both answers."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=40, help=f"answers of each kind, up to {MOST_ROUNDS}")
    rounds = min(options.parse_args().rounds, MOST_ROUNDS)
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    with served(Settings(log_level="critical")) as site, chromium() as browser:
        for title, grown in (("as the service answers", False), (f"with {CANDIDATES:,} candidates", True)):
            page = browser.new_page(base_url=site, viewport=VIEWPORT)
            if grown:
                page.route("**/v1/recommendations?*", grow)
            times = drawn(page, rounds)
            low, high = np.percentile(times, (50, 95))
            print(f"{title:<28}{low:>8.1f} ms median{high:>8.1f} ms p95{max(times):>8.1f} ms worst")
            page.close()


def drawn(page: Page, rounds: int) -> list[float]:
    """Milliseconds of each round, after the one that opens the page."""
    page.goto(f"/?{QUERY}")
    boxes = page.locator("#clouds input")
    boxes.first.wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate(CLOCK)
    for done in range(rounds):
        boxes.nth(0).click()
        while page.evaluate("window.drawn.length") <= done:
            page.wait_for_timeout(POLL_MS)
    found: list[float] = page.evaluate("window.drawn")
    return found[:rounds]


def grow(route: Route) -> None:
    """Return the service's answer with a frontier of that many machines, each with its own figures."""
    response = route.fetch()
    answer = response.json()
    known = [*answer["frontier"], *answer["recommendations"]]
    if known:  # there may be nothing on spot
        answer["frontier"] = [moved(known[place % len(known)], place) for place in range(CANDIDATES)]
    route.fulfill(response=response, body=json.dumps(answer))


def moved(candidate: dict[str, Any], place: int) -> dict[str, Any]:
    """Return the candidate with its own time and cost, the same in every run."""
    estimate = dict(candidate["estimate"])
    for name, factor in (("time_hours", 1 + place % 37 / 10), ("cost_usd", 1 + place % 53 / 10)):
        estimate[name] = {end: value * factor for end, value in estimate[name].items()}
    return candidate | {"estimate": estimate, "region": f"{candidate['region']}-{place}"}


if __name__ == "__main__":
    main()
