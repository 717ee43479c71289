"""Trying operations at /docs: what is sent, what is shown of the answer, and what of a failure."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.chromium import served
from tests.browser.operations import OK_LINE, operation, outcome, send
from werkzeug.serving import make_server

from plimsoll_service.api.guard.key_file import change
from plimsoll_service.api.guard.keys import minted
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

# What Chromium itself says of every answer that is an error; no page can keep it from that.
BROWSERS_OWN = "Failed to load resource"


@pytest.fixture
def keyed_site(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A service that asks for keys, and a key that it takes."""
    text, key = minted("reader", frozenset({"read"}))
    path = tmp_path / "keys.jsonl"
    path.touch()
    change(path, lambda keys: {**keys, key.id: key})
    with served(Settings(log_level="critical", api_keys_path=path)) as address:
        yield address, text


def body_of(part: Locator) -> str:
    """The body that came back."""
    return part.get_by_label("Body of the answer").inner_text()


def test_a_get_with_parameters_shows_what_the_api_answers(docs: Page, api: httpx.Client) -> None:
    """Status, time and size, the headers, and the body with a line for each value."""
    part = operation(docs, "list_accelerators")
    part.get_by_label("limit", exact=True).fill("2")
    part.get_by_text("more parameters").click()
    part.get_by_label("vendor", exact=True).fill("AMD,Intel")

    send(part)

    expect(outcome(part)).to_have_text(OK_LINE)
    answer = api.get("/v1/accelerators", params={"limit": 2, "vendor": "AMD,Intel"})
    assert json.loads(body_of(part)) == answer.json()
    assert '\n  "items": [\n' in body_of(part)
    expect(part.locator("dt", has_text="x-request-id")).to_be_visible()


def test_an_edited_body_is_what_is_asked(docs: Page, api: httpx.Client) -> None:
    """The example stands there; what is made of it is sent, and its equal command asks the same."""
    part = operation(docs, "recommend")
    body = json.loads(part.get_by_label("Body", exact=True).input_value())
    body["limit"] = 1
    body["workload"]["model"] = {
        "name": "it's mine",
        "family": "cnn",
        "parameters": 1e7,
        "forward_flops_per_sample": 1e9,
    }
    part.get_by_label("Body", exact=True).fill(json.dumps(body))

    send(part)

    expect(outcome(part)).to_have_text(OK_LINE)
    shown = json.loads(body_of(part))
    assert len(shown["recommendations"]) == 1
    assert shown == api.post("/v1/recommendations", json=body).json()
    assert shown == by_command(part)


def by_command(part: Locator) -> Any:
    """What the curl command that the page shows would be answered, read as a shell reads it."""
    command = part.get_by_label("The same with curl").inner_text()
    words = iter(shlex.split(command.replace("\\\n", "")))  # which goes on after such a line's end
    assert [next(words), next(words), next(words)] == ["curl", "--silent", "--show-error"]
    address, options = next(words), dict(zip(words, words, strict=True))
    header = options["--header"].split(": ")
    return httpx.post(address, content=options["--data-raw"], headers=dict([header]), timeout=30).json()


def test_a_refusal_is_shown_with_its_pointers(docs: Page, errors: list[str]) -> None:
    """In words above the body, at the fields that they point at, and gone with the next answer."""
    part = operation(docs, "recommend_by_query")
    model = part.get_by_label("model", exact=True)
    model.fill("resnett50")
    part.get_by_text("more parameters").click()
    part.get_by_label("min_vcpus", exact=True).fill("many")
    part.get_by_text("more parameters").click()

    send(part)

    expect(outcome(part)).to_contain_text("422 in ")
    pointers = part.locator(".problem li code")
    assert set(pointers.all_text_contents()) == {"model", "min_vcpus"}
    expect(model).to_have_attribute("aria-invalid", "true")
    expect(part.get_by_label("min_vcpus", exact=True)).to_be_visible()
    assert [error for error in errors if BROWSERS_OWN not in error] == []
    part.get_by_role("button", name="Example").click()
    send(part)
    expect(outcome(part)).to_have_text(OK_LINE)
    expect(model).not_to_have_attribute("aria-invalid", "true")


def test_faults_of_a_body_are_shown_beside_it(docs: Page) -> None:
    """Before it is sent where it is no JSON, and afterwards by JSON pointer."""
    part = operation(docs, "recommend")
    body = part.get_by_label("Body", exact=True)
    body.fill('{"workload": ')
    expect(part.locator(".fault:visible")).to_contain_text("No JSON")

    body.fill('{"workload": {"task": "training", "epochs": -1}}')
    expect(part.locator(".fault:visible")).to_have_count(0)
    body.press("Control+Enter")

    expect(part.locator(".fault:visible")).to_contain_text("/workload/epochs: must be above 0")
    expect(part.locator(".problem a")).to_have_attribute("href", "/problems/invalid-field")


@pytest.mark.parametrize(
    ("form", "starts"), [("table", "rank  "), ("csv", "rank,"), ("skypilot", "num_nodes: "), ("tfvars", "{\n  ")]
)
def test_other_formats_are_shown_as_they_are(docs: Page, form: str, starts: str) -> None:
    """Text stays text; JSON gets its lines."""
    part = operation(docs, "recommend")
    part.get_by_label("format", exact=True).select_option(form)

    send(part)

    expect(outcome(part)).to_have_text(OK_LINE)
    lines = [line for line in body_of(part).splitlines(keepends=True) if not line.startswith("#")]
    assert "".join(lines).lstrip().startswith(starts)


def test_a_stopped_service_is_told_in_words_and_asked_again(page: Page) -> None:
    """What was asked stays, and is answered once the service is back."""
    app = create_app(Settings(log_level="critical"))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.goto(f"http://127.0.0.1:{server.port}/docs")
    part = operation(page, "healthz")
    server.shutdown()
    server.server_close()

    send(part)
    expect(outcome(part)).to_have_text("No answer")
    expect(part.locator(".problem")).to_contain_text(f"Nothing answers at http://127.0.0.1:{server.port}")

    again = make_server("127.0.0.1", server.port, app, threaded=True)
    threading.Thread(target=again.serve_forever, daemon=True).start()
    send(part)
    expect(outcome(part)).to_have_text(OK_LINE)
    expect(part.locator(".problem")).to_have_count(0)
    again.shutdown()
    again.server_close()


def test_a_request_that_takes_long_can_be_cancelled(docs: Page) -> None:
    """And nothing of it is shown afterwards."""
    docs.route("**/readyz", lambda _: None)  # neither answered nor refused
    part = operation(docs, "readyz")
    cancel = part.get_by_role("button", name="Cancel")
    expect(cancel).to_be_disabled()

    send(part)
    expect(outcome(part)).to_have_text("Sending …")
    cancel.click()

    expect(outcome(part)).to_have_text("Cancelled")
    expect(cancel).to_be_disabled()
    expect(part.get_by_label("Body of the answer")).to_have_count(0)


def test_a_key_is_sent_and_kept_out_of_the_command(browser: Browser, keyed_site: tuple[str, str]) -> None:
    """Without it the service refuses; the command names a variable in its place."""
    site, key = keyed_site
    page = browser.new_page(base_url=site)
    page.goto("/docs")
    part = operation(page, "list_rules")
    send(part)
    expect(outcome(part)).to_contain_text("401 in ")

    page.get_by_label("API key", exact=True).fill(key)
    page.keyboard.press("Enter")
    send(part)

    expect(outcome(part)).to_have_text(OK_LINE)
    command = part.get_by_label("The same with curl").inner_text()
    assert "$PLIMSOLL_API_KEY" in command
    assert key not in command
    page.close()


def test_the_command_is_copied(docs: Page) -> None:
    """As it stands."""
    docs.context.grant_permissions(["clipboard-read", "clipboard-write"])
    part = operation(docs, "list_prices")
    part.get_by_label("region", exact=True).fill("eu-west-1")

    part.get_by_role("button", name="Copy the curl command").click()

    expect(part.get_by_role("button", name="Copy the curl command")).to_have_text("Copied")
    copied = docs.evaluate("navigator.clipboard.readText()")
    assert copied == part.get_by_label("The same with curl").inner_text()
    assert "region=eu-west-1" in copied


def test_fields_can_be_emptied_and_filled_with_the_example_again(docs: Page) -> None:
    """The body as well as the parameters."""
    part = operation(docs, "estimate")
    body = part.get_by_label("Body", exact=True)
    example = body.input_value()
    part.get_by_role("button", name="Clear").click()
    expect(body).to_have_value("")

    part.get_by_role("button", name="Example").click()

    expect(body).to_have_value(example)
    expect(part.get_by_label("The same with curl")).to_contain_text("p3.2xlarge")
