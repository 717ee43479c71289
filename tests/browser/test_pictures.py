"""The pictures beside the chart: a run on spot, compared machines, predictions against measurements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from urllib.parse import unquote

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import open_answered, open_settled

SPOT = (
    "task=training&model=bert-large&dataset_size=3GB&epochs=40&clouds=aws&purchase=spot"
    "&interruptions_per_hour=0.2&checkpoint_interval_minutes=30"
)
RESNET = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90&clouds=aws,gcp"
WORKLOAD = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 90}
NAMES = ("g5.xlarge", "p3.2xlarge", "t3.nano")


@pytest.fixture(autouse=True)
def silent(errors: list[str], foreign: list[str]) -> Iterator[None]:
    """No picture causes an error in the console or a request to another site."""
    yield
    assert (errors, foreign) == ([], [])


def dots(picture: Locator, kind: str) -> int:
    """Number of points of that kind in the scatter plot."""
    return (picture.locator(kind).get_attribute("d") or "").count("M")


def compared(api: httpx.Client) -> list[dict]:
    """The service's comparison of the three machines."""
    body = {
        "workload": WORKLOAD,
        "constraints": {"clouds": ["aws", "gcp"]},
        "on": [{"cloud": "aws", "instance_type": name} for name in NAMES],
    }
    found: list[dict] = api.post("/v1/comparisons", json=body).json()["machines"]
    return found


def test_run_on_spot_is_drawn_from_the_answer(page: Page, api: httpx.Client) -> None:
    """The bars of a run on spot end in proportion to the answer's hours, and the texts show its probabilities."""
    estimate = api.get(f"/v1/recommendations?{SPOT}&deadline=20h").json()["recommendations"][0]["estimate"]
    spot, end = estimate["spot"], estimate["time_hours"]
    open_answered(page, f"/?{SPOT}&deadline=20h&open=1")
    picture = page.locator("#why-1 .timeline svg").first

    def right(kind: str) -> float:
        box = picture.locator(kind).first
        return float(box.get_attribute("x") or 0) + float(box.get_attribute("width") or 0)

    left = float(picture.locator("rect").first.get_attribute("x") or 0)
    undisturbed = (
        spot["start_minutes"] / 60 + spot["work_hours"] + spot["segments"] * spot["checkpoint_write_minutes"] / 60
    )
    shares = (right(".part-0") - left) / (right(".part-4") - left)
    assert shares == pytest.approx(undisturbed / end["value"], rel=0.01)
    assert picture.locator(".checkpoint").count() <= spot["segments"]
    chance = f"{100 * spot['survival_probability']:.1f}".removesuffix(".0")
    expect(page.locator("#why-1 .timeline dl")).to_contain_text(f"{chance}%")
    expect(picture).to_have_attribute("aria-label", re.compile(re.escape(f"{chance}%")))
    expect(picture.locator(".limit text")).to_contain_text("deadline")


def test_run_on_demand_has_no_timeline(page: Page) -> None:
    """A run on demand has no timeline, because nothing interrupts it."""
    open_answered(page, f"/?{RESNET}&open=1")

    expect(page.locator("#why-1 .why")).to_be_visible()
    expect(page.locator(".timeline")).to_have_count(0)


def test_machines_of_the_address_are_compared_as_the_api_does(page: Page, api: httpx.Client) -> None:
    """Compared machines have the API's ratios, bars on one scale, and the reason if one does not fit."""
    open_answered(page, f"/?{RESNET}&compare={','.join(f'aws/{name}' for name in NAMES)}")
    rows = page.get_by_role("table", name="Compare machines").locator("tbody tr")

    expect(rows).to_have_count(len(NAMES))
    for row, machine in zip(rows.all(), compared(api), strict=True):
        expect(row).to_contain_text(machine["label"])
        if machine["fits"]:
            ratios = [machine[name] for name in ("relative_performance", "relative_cost", "performance_per_cost")]
            assert row.locator("td:not(.name) span").all_text_contents()[:3] == [f"× {ratio:.3g}" for ratio in ratios]
            expect(row.locator(".ratio")).to_have_count(3)
        else:
            expect(row).to_contain_text(f"{machine['short'][0]['required']:.3g} GiB needed")


def test_machines_are_added_by_name_by_hardware_and_from_recommendations(page: Page) -> None:
    """Each added machine appears in the address, can be removed, and can become the reference."""
    open_answered(page, f"/?{RESNET}&open=1")
    chosen = page.get_by_role("list", name="Machines to compare").get_by_role("listitem")
    page.locator("#why-1").get_by_role("button", name="Compare with others").click()
    expect(chosen).to_have_count(1)

    page.get_by_label("Add any machine").press_sequentially("g5.xl")
    page.get_by_role("option", name=re.compile(r"^g5\.xlarge ")).click()
    expect(chosen).to_have_count(2)
    page.get_by_label("Add any machine").fill("1×V100-16GB $0.9")
    page.keyboard.press("Enter")
    expect(chosen).to_have_count(3)
    page.get_by_role("button", name="Measure against g5.xlarge").click()

    expect(chosen.first).to_contain_text("g5.xlarge")
    expect(page.locator(".comparison tbody tr").first).to_contain_text("× 1")
    entries = unquote(page.url).partition("compare=")[2].split(",")
    assert [entries[0], entries[2]] == ["aws/g5.xlarge", "own/V100-16GB/1/0.9"]
    page.get_by_role("button", name="Remove g5.xlarge", exact=True).click()
    expect(chosen).to_have_count(2)


def test_an_accelerator_stands_for_the_best_machine_that_has_it(page: Page, api: httpx.Client) -> None:
    """An accelerator stands for its best machine, in the table and as a point of the chart with the same letter."""
    best = api.get(f"/v1/recommendations?{RESNET}&accelerators=A10G&limit=1").json()["recommendations"][0]
    open_answered(page, f"/?{RESNET}")
    page.get_by_label("Add any machine").fill("A10G")
    page.keyboard.press("Enter")

    rows = page.locator(".comparison tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Recommended")
    expect(rows.last).to_contain_text(best["instance_type"])
    expect(rows.last).to_contain_text("Rank")
    expect(page.locator(".comparison .against li")).to_contain_text("ranked", ignore_case=True)
    expect(page.locator("#plot .beside")).to_have_attribute("data-rank", "A")
    rows.last.hover()
    expect(page.locator("#plot .beside")).to_have_class(re.compile("lit"))


@pytest.mark.parametrize(("width", "most"), [(1280, 5), (360, 3)])
def test_few_badges_of_many_recommendations(page: Page, width: int, most: int) -> None:
    """Further recommendations are points, which show their rank on focus or hover."""
    page.set_viewport_size({"width": width, "height": 900})
    open_answered(page, f"/?{RESNET}&limit=12")
    badges = page.locator("#plot text.rank").filter(visible=True)

    expect(page.locator("#plot .point[role=button]")).to_have_count(12)
    expect(badges).to_have_count(most)
    page.locator("#plot [data-rank='9']").focus()
    expect(badges.filter(has_text="9")).to_be_visible()


CROWDED = [
    "task=training&model=qwen2.5-7b&method=lora&tokens=50000000",
    "task=inference&model=llama-3-8b&requests_per_second=5&input_tokens=1000&output_tokens=300",
    f"{RESNET}&compare=aws/g5.xlarge,aws/p3.2xlarge,aws/p4d.24xlarge,gcp/g2-standard-8",
    f"{RESNET}&deadline=48h&budget_usd=300",
]


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("query", CROWDED)
def test_no_badge_lies_on_another_or_on_a_name(page: Page, query: str, width: int) -> None:
    """Every number and name in the chart can be read, on a phone too."""
    page.set_viewport_size({"width": width, "height": 900})
    open_settled(page, f"/?{query}")

    boxes = page.locator("#plot svg").evaluate(
        """picture => [...picture.querySelectorAll('.recommended, text.gpu')]
            .filter(one => getComputedStyle(one).visibility === 'visible')
            .map(one => [one.getBBox(), one.matches('text') ? 3 : 1])
            .map(([box, rim]) => [box.x + rim, box.y + rim, box.x + box.width - rim, box.y + box.height - rim])"""
    )

    def overlap(one: list[float], other: list[float]) -> bool:
        return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

    assert len(boxes) > 1
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []


def test_a_moved_deadline_says_what_it_saves(page: Page) -> None:
    """More hours until the deadline show the dollars that they save, also by machines that need the new deadline."""
    open_answered(page, f"/?{RESNET}&deadline=4h")
    limit = page.get_by_role("slider", name="deadline")
    limit.focus()

    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_load_state("networkidle")

    expect(limit.locator("text")).to_contain_text(re.compile(r"more saves \$"))


def test_comparison_that_was_answered_stands_as_the_service_says(page: Page) -> None:
    """A comparison that was answered is taken from the service's cache."""
    statuses: list[int] = []
    page.on("response", lambda one: statuses.append(one.status) if one.url.endswith("/v1/comparisons") else None)
    open_answered(page, f"/?{RESNET}&compare=aws/g5.xlarge,aws/p3.2xlarge")
    rows = page.locator(".comparison tbody tr")
    expect(rows.first).to_contain_text("g5.xlarge")
    page.get_by_role("button", name="Measure against p3.2xlarge").click()
    expect(rows.first).to_contain_text("p3.2xlarge")

    page.get_by_role("button", name="Measure against g5.xlarge").click()

    expect(rows.first).to_contain_text("g5.xlarge")
    assert statuses == [200, 200, 304]


def test_name_that_no_machine_has_is_said(page: Page) -> None:
    """A name that no machine has is reported beside the field, and nothing is added."""
    open_answered(page, f"/?{RESNET}")
    field = page.get_by_label("Add any machine")
    field.fill("g5.huge")
    field.press("Tab")

    expect(page.locator(".adder").get_by_role("alert")).to_contain_text("Nothing goes by that name")
    expect(page.get_by_role("list", name="Machines to compare")).to_be_hidden()


def test_fault_of_a_compared_machine_is_told_in_the_services_words(page: Page, errors: list[str]) -> None:
    """An unknown device in a comparison is named in the service's words."""
    open_answered(page, f"/?{RESNET}&compare=aws/g5.xlarge,own/V1000/1")

    expect(page.locator("#comparison .fault")).to_contain_text("V1000")
    assert [error for error in errors if "422" not in error] == []
    errors.clear()


def test_predictions_are_drawn_against_measurements(page: Page, api: httpx.Client) -> None:
    """Each measurement that the service compares with a fit is a point; those on the same accelerator are marked."""
    rows = api.get("/v1/evidence?model=resnet50&task=training&metric=samples/s&limit=1000").json()["items"]
    best = api.get(f"/v1/recommendations?{RESNET}").json()["recommendations"][0]
    open_answered(page, f"/?{RESNET}&open=1")
    page.get_by_text("Predicted against measured").click()
    picture = page.locator("#why-1 .scatter")
    for scheme in ("device", "model", "source"):
        judged = [row for row in rows if row[f"predicted_without_{scheme}"]]
        same = [row for row in judged if row["accelerator"] == best["accelerator"]["name"]]

        page.get_by_label("Held out").select_option(scheme)

        expect(page.locator("#why-1 .predicted")).to_contain_text(f"any measurement of its {scheme}")
        expect(picture).to_have_attribute("aria-label", re.compile(f"^{len(judged)} measurements of resnet50"))
        assert (dots(picture, ".dots.same"), dots(picture, ".dots:not(.same)")) == (len(same), len(judged) - len(same))


def test_model_without_measurements_says_what_the_estimate_rests_on(page: Page) -> None:
    """A model without measurements has a text in place of an empty picture."""
    open_answered(page, "/?task=preprocessing&dataset_size=100GB&open=1")
    expect(page.get_by_text("Predicted against measured")).to_have_count(0)
    open_answered(page, "/?task=training&model=roberta-base&open=1")

    page.get_by_text("Predicted against measured").click()

    expect(page.locator("#why-1 .evidence")).to_contain_text("No published measurement of roberta-base")
