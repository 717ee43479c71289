"""The page inside other sites: in a frame, and as an element."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect
from werkzeug.serving import make_server

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

RESNET = "task=training&model=resnet50&clouds=aws"
SERVED = "task=inference&model=llama-3.1-8b&requests_per_second=5&input_tokens=1000&output_tokens=300"
ELEMENT = """<!doctype html><link rel="icon" href="data:,"><title>Ours</title>
<style>plimsoll-sizer {{ --plimsoll-accent: rgb(1, 2, 3) }}</style>
<script src="{service}/portal/plimsoll-sizer.js"></script>
<plimsoll-sizer task="training" model="resnet50" clouds="aws" theme="dark"></plimsoll-sizer>
<button id="after">Ours</button>
<script>
addEventListener('select', event => {{ document.title = event.detail.instance_type ?? '' }})
addEventListener('answer', event => {{ document.documentElement.dataset.answered = event.detail.objective }})
</script>"""
MOST_HEIGHT = 420
MOST_TABS = 40
FRAME = (
    '<!doctype html><link rel="icon" href="data:,"><title>Ours</title><iframe src="{service}/embed?'
    + RESNET
    + '"></iframe>'
)

Serve = Callable[[Flask], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve applications, each on its own origin, until the test ends."""
    running = []

    def started(app: Flask) -> str:
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.port}"

    yield started
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


def portal_of(serve: Serve, text: str, *, allowed: bool) -> str:
    """Address of another site with this page, which the service allows or forbids to frame it."""
    site = Flask("other")
    origin = serve(site)
    service = serve(create_app(Settings(frame_ancestors=origin if allowed else "'self'", log_level="critical")))
    site.add_url_rule("/", "page", lambda: text.format(service=service))
    return origin


def test_frame_of_an_allowed_origin_shows_the_page(page: Page, serve: Serve) -> None:
    """A site that the configuration names shows the page in a frame."""
    page.goto(portal_of(serve, FRAME, allowed=True))

    expect(page.frame_locator("iframe").locator("#headline")).not_to_be_empty()


def test_frame_of_any_other_origin_is_refused(page: Page, serve: Serve, errors: list[str]) -> None:
    """A site that the configuration does not name gets nothing, and the browser says why."""
    page.goto(portal_of(serve, FRAME, allowed=False))

    expect(page.frame_locator("iframe").locator("#headline")).to_have_count(0)
    assert any("frame-ancestors" in error for error in errors)
    errors.clear()


def test_element_asks_as_its_attributes_say_and_tells_what_is_selected(
    page: Page, serve: Serve, errors: list[str]
) -> None:
    """The element shows its question, takes the site's theme, fits its height, and reports the opened machine."""
    page.goto(portal_of(serve, ELEMENT, allowed=True))
    frame = page.frame_locator("plimsoll-sizer iframe")
    choice = frame.get_by_role("group", name="Choices").get_by_role("button", name="Fastest")

    expect(frame.locator("#asked")).to_contain_text("resnet50")
    expect(page.locator("html")).to_have_attribute("data-answered", "balanced")
    choice.click()
    expect(page).to_have_title(frame.locator(".best .sku").inner_text().split(" × ")[-1])
    assert page.locator("plimsoll-sizer").evaluate("one => one.offsetHeight") <= MOST_HEIGHT
    assert frame.locator("a").first.evaluate("link => getComputedStyle(link).color") == "rgb(1, 2, 3)"
    assert frame.locator("html").evaluate("root => getComputedStyle(root).colorScheme") == "dark"
    assert frame.locator("html").evaluate("root => root.scrollHeight - root.clientHeight") <= 1
    assert errors == []


def test_element_asks_anew_when_an_attribute_changes(page: Page, serve: Serve) -> None:
    """A changed attribute asks a new question."""
    page.goto(portal_of(serve, ELEMENT, allowed=True))
    frame = page.frame_locator("plimsoll-sizer iframe")
    expect(frame.locator("#asked")).to_contain_text("resnet50")

    page.locator("plimsoll-sizer").evaluate("element => element.setAttribute('model', 'bert-large')")

    expect(frame.locator("#asked")).to_contain_text("bert-large")
    expect(frame.locator("#headline")).not_to_be_empty()


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
@pytest.mark.parametrize("question", [RESNET, SERVED])
def test_frame_on_a_phone_shows_the_choice_without_scrolling(page: Page, question: str, language: str) -> None:
    """The whole choice and its alternatives fit in 360 × 420 pixels."""
    page.set_viewport_size({"width": 360, "height": MOST_HEIGHT})
    page.goto(f"/embed?{question}&lang={language}")
    expect(page.locator("#choices button")).to_have_count(4)

    assert page.evaluate("document.documentElement.scrollHeight") == MOST_HEIGHT
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for seen in ("#headline", "#whole", "#edit", "#choices button >> nth=3"):
        expect(page.locator(seen)).to_be_in_viewport(ratio=1)


def test_element_is_used_and_left_by_the_keyboard_alone(page: Page, serve: Serve) -> None:
    """Tab enters the element, Enter takes a choice, and Tab leaves it again."""
    page.goto(portal_of(serve, ELEMENT, allowed=True))
    frame = page.frame_locator("plimsoll-sizer iframe")
    choice = frame.get_by_role("group", name="Choices").get_by_role("button", name="Fastest")
    expect(choice).to_be_visible()

    assert tabs_to(page, choice)
    page.keyboard.press("Enter")
    expect(page).to_have_title(frame.locator(".best .sku").inner_text().split(" × ")[-1])
    assert tabs_to(page, page.locator("#after"))


def tabs_to(page: Page, target: Locator) -> bool:
    """Whether that many presses of Tab reach the target."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if target.evaluate("one => one === one.ownerDocument.activeElement && one.ownerDocument.hasFocus()"):
            return True
    return False
