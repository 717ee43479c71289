"""The page explains an answer: reasons, assumptions, prices, other machines, and calls that give the same answer."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import open_answered

import plimsoll

NAMES = {"aws": "AWS", "gcp": "Google Cloud"}
MACHINES = re.compile(r"(\d+ × [\w-]+) \((\d+) × (aws|gcp) [\w.-]+\)")
QUERY = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90&clouds=aws,gcp"
EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.json"))


def as_shown(sentence: str) -> str:
    """A sentence of the service with fields as the form names them, and machines by their hardware."""

    def hardware(found: re.Match[str]) -> str:
        several = f" ({found[2]} machines)" if found[2] != "1" else ""
        return f"{found[1].replace('-', ' ')} at {NAMES[found[3]]}{several}"

    return MACHINES.sub(hardware, sentence).replace("dataset.region", "“Region or cloud of the data”")


def test_recommendation_opens_to_all_that_the_api_says(page: Page, api: httpx.Client) -> None:
    """An opened recommendation has each reason, warning and source, the facts of its price and its parts of memory.

    Fields go by the form's names, and sources stand apart from the warnings.
    """
    answer = api.get(f"/v1/recommendations?{QUERY}").json()
    best = answer["recommendations"][0]
    open_answered(page, f"/?{QUERY}")
    expect(page.get_by_text(f"Excluded machines ({sum(answer['rejected'].values()):,})")).to_be_visible()
    page.locator("tr[data-rank='1'] button").click()
    opened = page.locator("#why-1")

    for note in (*best["reasons"], *best["warnings"]):
        expect(opened).to_contain_text(as_shown(note["text"]))
        expect(opened.locator(".known")).to_contain_text(note["source"])
    expect(opened.locator(".warnings li")).to_have_count(len(best["warnings"]))
    expect(opened.locator(".warnings cite")).to_have_count(0)
    expect(opened).to_contain_text(best["price"]["source"])
    parts = best["sizing"]["accelerator_memory_gib"]["breakdown"]
    expect(opened.locator("figure").first.locator("svg rect[class^=part]")).to_have_count(len(parts))
    expect(page).to_have_url(re.compile("open=1"))


def test_price_snapshot_is_linked(page: Page, api: httpx.Client) -> None:
    """The link beside the prices asks the same question of that snapshot."""
    version = api.get(f"/v1/recommendations?{QUERY}").json()["catalog"]["version"]
    open_answered(page, f"/?{QUERY}&open=1")
    expect(page.locator("#why-1").get_by_role("link", name=version)).to_have_count(1)

    with page.expect_request(f"**/v1/recommendations?*snapshot={version}*"):
        page.get_by_role("link", name="Link that keeps these prices").click()

    expect(page.locator("#facts")).to_contain_text(version)


def test_assumption_is_changed_in_place(page: Page) -> None:
    """A changed assumption becomes part of the question, and is no longer an assumption."""
    open_answered(page, f"/?{QUERY}")

    page.get_by_text("Defaults we used").click()
    page.get_by_label("Change Software").select_option("tuned")

    expect(page).to_have_url(re.compile("tuning=tuned"))
    expect(page.get_by_label("Change Software")).to_have_count(0)
    expect(page.locator("#tuning")).to_have_value("tuned")


def test_any_machine_is_told_why_it_is_not_the_answer(page: Page, api: httpx.Client) -> None:
    """A machine by its name gets each of the service's reasons, and the address keeps it."""
    body = {
        "workload": {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90},
        "constraints": {"clouds": ["aws", "gcp"]},
        "on": {"cloud": "aws", "instance_type": "p3.2xlarge"},
    }
    expected = [reason["text"] for reason in api.post("/v1/estimates", json=body).json()["why_not"]]
    open_answered(page, f"/?{QUERY}")

    field = page.get_by_label("Add any machine")
    field.press_sequentially("p3.2x")
    page.get_by_role("option", name="p3.2xlarge").click()

    for text in expected:
        expect(page.locator("#comparison")).to_contain_text(as_shown(text))
    assert expected != []
    expect(page).to_have_url(re.compile("compare=aws%2Fp3.2xlarge"))
    expect(page.locator("#plot .beside")).to_have_count(1)


def test_how_far_a_machine_is_from_the_choice_is_told_in_figures(page: Page, api: httpx.Client) -> None:
    """Beside a ranked machine stands what it costs and takes more, and the choice by its hardware."""
    best = api.get(f"/v1/recommendations?{QUERY}").json()["recommendations"][0]
    open_answered(page, f"/?{QUERY}&compare=aws/g5.xlarge")

    reason = page.locator("#comparison .against li")
    expect(reason.locator("strong")).to_have_text(re.compile(r"^[+−]\$[\d.]+ · [+−][\d.]+\s"))
    name = best["accelerator"]["name"].replace("-", " ")
    expect(reason).to_contain_text(f"{name} at {NAMES[best['cloud']]} is ranked")
    expect(reason).not_to_contain_text(best["instance_type"])


def test_formats_are_those_of_the_api(page: Page, api: httpx.Client) -> None:
    """A chosen format shows the API's own text, and the button copies it."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_answered(page, f"/?{QUERY}")
    page.get_by_text("Export").click()

    page.get_by_label("Format", exact=True).select_option("env")

    block = page.get_by_role("region", name="Text to copy")
    expected = api.get(f"/v1/recommendations?{QUERY}&format=env").text
    expect(block).to_have_text(expected)
    block.locator("xpath=..").get_by_role("button").click()
    expect(block.locator("xpath=..").get_by_role("button")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == expected


def test_calls_give_the_same_answer(page: Page, api: httpx.Client, site: str, tmp_path: Path) -> None:
    """The curl line and the SDK's call, run as shown, give the page's answer."""
    open_answered(page, f"/?{QUERY}&max_nodes=1")
    shown = page.locator("#table .machine").first.inner_text()
    page.get_by_text("Export").click()

    address = shlex.split(page.get_by_role("region", name="curl").inner_text())[1]
    assert httpx.get(address).json()["recommendations"][0]["instance_type"] == shown
    code = page.get_by_role("region", name="Python").inner_text().replace("print(", "found.append(")
    found: list[str] = []
    (tmp_path / "call.py").write_text(code)
    runpy.run_path(str(tmp_path / "call.py"), {"found": found})
    assert found == [shown]
    assert plimsoll.Client.__name__ in code


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_page_answers_each_example_as_the_api(page: Page, api: httpx.Client, example: Path) -> None:
    """The form filled from an example's address shows the API's machines, in the table and as points of the chart."""
    asked = json.loads(example.read_text())
    answer = api.post("/v1/recommendations", json=asked).json()
    open_answered(page, f"/?{httpx.QueryParams(flat(asked))}")

    names = [
        item["instance_type"] if item["node_count"] == 1 else f"{item['node_count']} × {item['instance_type']}"
        for item in answer["recommendations"]
    ]
    assert page.locator("#table .machine").all_text_contents() == names
    labels = page.locator("#plot .point[role=button]").evaluate_all("all => all.map(point => point.ariaLabel)")
    assert [name in label for name, label in zip(reversed(names), labels, strict=True)] == [True] * len(names)


def flat(asked: dict) -> dict[str, str]:
    """A request's body as the equivalent query parameters."""
    found: dict[str, str] = {}
    for part in (asked["workload"], asked.get("constraints", {})):
        for name, value in part.items():
            inner = {f"{name}_{key}": leaf for key, leaf in value.items()} if isinstance(value, dict) else {name: value}
            found |= {key: ",".join(leaf) if isinstance(leaf, list) else str(leaf) for key, leaf in inner.items()}
    return found | {key: str(asked[key]) for key in ("objective", "limit") if key in asked}


def test_the_cost_of_disks_is_told_apart(page: Page, api: httpx.Client) -> None:
    """Where disks make up much of a cost, the row has their rate beside that of the machines, and the details both."""
    query = "task=preprocessing&dataset_size=500GB"
    best = api.get(f"/v1/recommendations?{query}").json()["recommendations"][0]
    monthly, hours = best["sizing"]["disk"]["usd_per_month"], best["estimate"]["time_hours"]["value"]
    machines = best["node_count"] * best["price"]["usd_per_hour"] * hours
    disks = best["node_count"] * monthly / 730 * hours
    assert machines + disks == pytest.approx(best["estimate"]["cost_usd"]["value"], rel=0.001)

    open_answered(page, f"/?{query}&open=1")

    expect(page.locator("tr[data-rank='1']")).to_contain_text(f"+ ${disks / hours:.2f} disk")
    expect(page.locator("#why-1")).to_contain_text(f"${machines:.2f} for machines and ${disks:.2f} for disks")


def test_the_source_of_a_price_leads_to_the_clouds_own_page(page: Page) -> None:
    """The details of an answer link to it, and ask it for nothing."""
    open_answered(page, "/?task=training&model=resnet50&epochs=90&clouds=aws&open=1")

    link = page.locator("#why-1").get_by_role("link", name="AWS’s price page")
    expect(link).to_have_attribute("href", "https://aws.amazon.com/ec2/pricing/on-demand/")
    expect(link).to_have_attribute("rel", "noopener")
