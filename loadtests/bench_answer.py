"""Time from a choice in the page, and from opening the page, until Chromium has painted the answer.

Run it from the repository's root: ``.venv/bin/python -m loadtests.bench_answer``. Each round opens the page and an
empty page of the same server in new profiles, whose caches are empty, and ticks a cloud. The service keeps no answer of
a round, because each asks for another number of tokens. The least time is what the page takes on an idle machine.
"""

from __future__ import annotations

import argparse
import logging
import statistics

from playwright.sync_api import Browser, Page
from tests.browser.chromium import chromium, served_app

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

MOST_ROUNDS = 200
QUESTION = "task=training&model=qwen2.5-7b&method=lora&tokens={}"
VIEWPORT = {"width": 1280, "height": 900}
# When the page, or an answer, is painted: a task that the frame's own callback posted runs after the frame.
PAINTED = """window.painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => resolve(performance.now())
  port2.postMessage(null)
}))
"""
FIRST = (
    PAINTED
    + """window.first = new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector('#result:not([hidden]) #plot svg')) return
    watch.disconnect()
    resolve(window.painted())
  }
  const watch = new MutationObserver(look)
  watch.observe(document, { childList: true, subtree: true, attributes: true })
})"""
)
CHOICE = """() => new Promise((resolve) => {
  const began = performance.now()
  new MutationObserver((_, watch) => {
    watch.disconnect()
    window.painted().then((ended) => resolve(ended - began))
  }).observe(document.querySelector('#plot'), { childList: true })
  document.querySelector('#clouds input[value=aws]').click()
})"""


def main() -> None:
    """Print median and least milliseconds of each."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=20, help=f"of each kind, up to {MOST_ROUNDS}")
    rounds = min(options.parse_args().rounds, MOST_ROUNDS)
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    app = create_app(Settings(log_level="critical"))
    app.add_url_rule("/empty", "empty", lambda: "<!doctype html><title>Empty</title><p>Empty")
    taken: dict[str, list[float]] = {"an empty page": [], "the page with its answer": [], "a choice": []}
    with served_app(app) as site, chromium() as browser:
        for number in range(rounds + 1):
            for times, took in zip(taken.values(), one_round(browser, site, number), strict=True):
                times.append(took)
    for title, times in taken.items():
        counted = times[1:]  # the first round fills the service's caches
        print(f"{title:<26}{statistics.median(counted):>8.0f} ms median{min(counted):>8.0f} ms least")


def one_round(browser: Browser, site: str, number: int) -> tuple[float, float, float]:
    """Milliseconds of the empty page, of the page with its first answer, and of the answer after a choice."""
    empty = opened(browser, f"{site}/empty", PAINTED)
    blank: float = empty.evaluate("window.painted()")
    empty.close()
    page = opened(browser, f"{site}/?{QUESTION.format(50_000_000 + number)}", FIRST)
    first: float = page.evaluate("window.first")
    page.locator("#clouds input").first.wait_for()
    page.wait_for_load_state("networkidle")
    choice: float = page.evaluate(CHOICE)
    page.close()
    return blank, first, choice


def opened(browser: Browser, address: str, script: str) -> Page:
    """The page in a new profile, with that script before its own."""
    page = browser.new_page(viewport=VIEWPORT)
    page.add_init_script(script)
    page.goto(address, wait_until="commit")
    return page


if __name__ == "__main__":
    main()
