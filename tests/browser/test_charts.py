"""The charts of an answer: each has the answer's figures, by pointer, by keyboard and as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.conftest import open_settled

RESNET = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90&clouds=aws,gcp"
LLAMA = "task=inference&model=llama-3-8b&requests_per_second=5&input_tokens=1000&output_tokens=300"
SPOT = "task=training&model=bert-large&dataset_size=3GB&epochs=40&clouds=aws&purchase=spot&interruptions_per_hour=0.2"
OF_JOB = {"Cost and time", "Cost", "Time", "$ per hour", "Throughput", "GPU memory", "Memory"}
OF_SERVICE = {"Price and latency", "Price and speed", "$ per hour", "Throughput", "GPU memory", "Memory"}
BARS = ("cost", "time", "hourly", "rate", "device_memory", "memory")


@pytest.fixture(autouse=True)
def silent(errors: list[str], foreign: list[str]) -> Iterator[None]:
    """No chart causes an error in the console or a request to another site."""
    yield
    assert (errors, [address for address in foreign if not address.startswith("blob:")]) == ([], [])


def recommendations(api: httpx.Client, query: str) -> list[dict]:
    """The service's recommendations."""
    found: list[dict] = api.get(f"/v1/recommendations?{query}").json()["recommendations"]
    return found


def lengths(page: Page) -> dict[int, float]:
    """The length of each ranked bar, of all its parts together, in pixels."""
    measure = "row => [...row.querySelectorAll('.piece')].reduce((sum, one) => sum + one.width.baseVal.value, 0)"
    rows = page.locator("#plot .bar-row[data-rank]").all()
    return {int(row.get_attribute("data-rank") or 0): row.evaluate(measure) for row in rows}


@pytest.mark.parametrize(("query", "names"), [(RESNET, OF_JOB), (LLAMA, OF_SERVICE)])
def test_an_answer_has_charts_of_all_its_figures(page: Page, query: str, names: set[str]) -> None:
    """The switch has a button for each chart, whose title then changes; the address keeps the choice."""
    open_settled(page, f"/?{query}")
    buttons = page.get_by_role("group", name="Charts").get_by_role("button")
    assert set(buttons.all_inner_texts()) == names

    titles = set()
    for button in buttons.all():
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        titles.add(page.locator("#chart-title").inner_text())

    assert len(titles) == len(names)
    expect(page).to_have_url(re.compile("chart=memory"))
    page.reload()
    expect(page.locator("#chart-title")).to_have_text("Memory of one machine")
    expect(buttons.filter(has_text="Memory").last).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("chart", "figure"),
    [
        ("cost", lambda one: one["estimate"]["cost_usd"]["value"]),
        ("time", lambda one: one["estimate"]["time_hours"]["value"]),
        ("rate", lambda one: one["estimate"]["throughput"]["value"]),
        (
            "device_memory",
            lambda one: (
                sum(one["sizing"]["accelerator_memory_gib"]["breakdown"].values())
                / one["sizing"]["accelerator_memory_gib"]["provided"]
            ),
        ),
    ],
)
def test_bars_are_as_long_as_the_figures_of_the_answer(page: Page, api: httpx.Client, chart: str, figure) -> None:
    """The bars of the recommendations are in proportion to the answer's figures."""
    wanted = {one["rank"]: figure(one) for one in recommendations(api, RESNET)}
    open_settled(page, f"/?{RESNET}&chart={chart}")

    found = lengths(page)

    assert found.keys() == wanted.keys()
    for rank, length in found.items():
        assert length / found[1] == pytest.approx(wanted[rank] / wanted[1], rel=0.01)


def test_parts_of_a_run_on_spot_are_those_of_the_answer(page: Page, api: httpx.Client) -> None:
    """A run on spot starts, works and loses time; the legend and the table tell them apart."""
    estimate = recommendations(api, SPOT)[0]["estimate"]
    open_settled(page, f"/?{SPOT}&chart=time")
    pieces = page.locator("#plot .bar-row[data-rank='1'] .piece")
    widths = pieces.evaluate_all("all => all.map(one => one.width.baseVal.value)")

    spot, hours = estimate["spot"], estimate["time_hours"]["value"]
    writes = spot["segments"] * spot["checkpoint_write_minutes"] / 60
    lost = hours - spot["start_minutes"] / 60 - spot["work_hours"] - writes
    assert widths[-1] / sum(widths) == pytest.approx(lost / hours, rel=0.02)
    expect(page.locator("#plot .legend li")).to_have_text(["starting", "work", "expected loss to interruptions"])
    page.get_by_text("As a table").click()
    titles = page.get_by_role("table", name="Time of the job").get_by_role("columnheader")
    expect(titles).to_contain_text(["Machine", "Time", "Starting", "Work", "Expected loss to interruptions"])


def test_speed_is_the_tokens_of_one_user(page: Page, api: httpx.Client) -> None:
    """Price against speed has each machine at a thousand by its milliseconds per token, and says so in the table."""
    best = recommendations(api, LLAMA)[0]
    open_settled(page, f"/?{LLAMA}&chart=speed")
    speed = 1000 / best["estimate"]["serving"]["tpot_p95_ms"]["value"]

    expect(page.locator("#plot .point[data-rank='1']")).to_have_attribute(
        "aria-label", re.compile(f"{speed:.3g} tokens/s")
    )
    page.get_by_text("As a table").click()
    first = page.get_by_role("table", name="Price against speed").locator("tbody tr").first
    expect(first).to_contain_text(f"{speed:.3g}")
    expect(first).to_contain_text(best["instance_type"])


def test_what_limits_each_machine_has_its_colour(page: Page, api: httpx.Client) -> None:
    """The legend of the throughput names what the answer says limits the machines; a bar says it for those who hear."""
    best = recommendations(api, RESNET)[0]
    open_settled(page, f"/?{RESNET}&chart=rate")

    limit = best["estimate"]["bottleneck"].replace("_", " ")
    expect(page.locator("#plot .legend")).to_contain_text(limit)
    expect(page.locator("#plot .bar-row[data-rank='1']")).to_have_attribute(
        "aria-label", re.compile(f"Limited by: {limit}")
    )


def test_the_keyboard_moves_along_the_bars_and_opens_one(page: Page) -> None:
    """Arrow keys go down and up the bars, what is said of one shows, and Enter opens its recommendation."""
    open_settled(page, f"/?{RESNET}&chart=cost")
    bars = page.locator("#plot .bar-row")
    bars.first.focus()
    expect(page.locator("#plot .tip")).to_contain_text("80% likely")
    page.keyboard.press("ArrowDown")
    expect(bars.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(bars.first).to_be_focused()
    rank = bars.first.get_attribute("data-rank")

    page.keyboard.press("Enter")

    expect(page.locator(f"#why-{rank}")).to_be_visible()


def test_a_bar_of_other_hardware_shows_on_the_card(page: Page) -> None:
    """The next best machines of other hardware follow without a rank; a click puts one on the card with its figures."""
    open_settled(page, f"/?{LLAMA}&chart=hourly")
    other = page.locator("#plot .bar-row:not([data-rank])").first
    name = (other.get_attribute("aria-label") or "").split(";")[0]

    other.click()

    expect(page.locator("#headline")).to_contain_text(name)
    expect(page.locator("#headline .amounts")).to_contain_text("$")


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_axe_finds_nothing_serious(page: Page, language: str) -> None:
    """No chart and no table of one has a serious fault or is wider than a phone, in any language."""
    page.set_viewport_size({"width": 360, "height": 800})
    open_settled(page, f"/?{RESNET}&lang={language}")
    page.locator("#chart-table summary").click()
    for chart in ("points", *BARS):
        button = page.locator(f"#kinds [data-chart={chart}]")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#chart-table tbody tr")).not_to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

        if language == "vi":  # the rest of the page is the same beside every chart
            within = None if chart == "points" else "#chart"
            assert serious_faults(page, ("light", "dark"), within) == {}


@pytest.mark.parametrize(("query", "chart"), [(RESNET, "memory"), (RESNET, "points"), (LLAMA, "speed"), (SPOT, "time")])
def test_no_table_of_a_chart_is_wider_than_its_chart(page: Page, query: str, chart: str) -> None:
    """On a phone and on a tablet every column is in sight."""
    open_at(page, 360, f"/?{query}&chart={chart}")
    page.locator("#chart-table summary").click()
    table = page.locator("#chart-table table")
    for width in (360, 768):
        widen(page, width)
        expect(table).to_be_visible()
        assert table.evaluate("one => one.scrollWidth - one.parentElement.clientWidth") <= 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("chart", BARS)
def test_no_words_of_a_bar_lie_on_others_or_outside(page: Page, chart: str) -> None:
    """Names and figures stand apart, and within the picture, in the language with the longest words."""
    open_at(page, 360, f"/?{LLAMA if chart in ('hourly', 'rate') else RESNET}&chart={chart}&lang=vi")
    for width in (360, 768, 1280, 2560):
        widen(page, width)

        boxes = page.locator("#plot svg").evaluate(
            """picture => [...picture.querySelectorAll('.gpu')].map(one => one.getBBox()).map(
                box => [box.x, box.y + 3, box.x + box.width, box.y + box.height - 3, picture.viewBox.baseVal.width])"""
        )

        assert boxes
        assert [box for box in boxes if box[0] < 0 or box[2] > box[4]] == []
        for place, one in enumerate(boxes):
            below = [other for other in boxes[place + 1 :] if one[0] < other[2] and other[0] < one[2]]
            assert all(other[1] >= one[3] or one[1] >= other[3] for other in below)


def open_at(page: Page, width: int, address: str) -> None:
    """Open the page at a width and wait until it has nothing more to fetch."""
    page.set_viewport_size({"width": width, "height": 900})
    open_settled(page, address)


def widen(page: Page, width: int) -> None:
    """Make the page wider and wait until the chart is drawn for the room that it then has."""
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function(
        """width => innerWidth === width && document.querySelector('#plot svg').viewBox.baseVal.width
            === document.querySelector('#plot').clientWidth""",
        arg=width,
    )


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_the_file_is_of_the_chart_in_sight(page: Page, tmp_path: Path, kind: str) -> None:
    """The picture to keep has the chart's title, its bars, and what the colours stand for."""
    open_settled(page, f"/?{RESNET}&chart=memory")
    with page.expect_download() as saved:
        page.get_by_role("button", name=kind, exact=True).click()
    path = tmp_path / "chart"
    saved.value.save_as(path)

    if kind == "PNG":
        assert path.read_bytes().startswith(b"\x89PNG")
        return
    text = path.read_text(encoding="utf-8")
    assert "Memory of one machine" in text
    assert all(name in text for name in page.locator("#plot .legend li").all_inner_texts())
    assert text.count("<rect") > page.locator("#plot .piece").count()


def test_a_cloud_of_the_legend_is_highlighted(page: Page) -> None:
    """The keyboard chooses a cloud in the legend, whose points alone stay strong, also in another chart."""
    open_settled(page, f"/?{RESNET}&lang=en")
    entry = page.get_by_role("list", name="Clouds in the chart").get_by_role("button", name="AWS")
    entry.press("Enter")

    expect(entry).to_have_attribute("aria-pressed", "true")
    tint = "one => [...one.classList].find((name) => name.startsWith('tint-'))"
    own = entry.evaluate(tint)
    faded = page.locator("#plot svg .faded")
    assert faded.count() > 0
    assert own not in {one.evaluate(tint) for one in faded.all()}
    kept = page.locator(f"#plot svg .{own}")
    assert kept.count() > 0
    assert page.locator(f"#plot svg .{own}.faded").count() == 0

    page.get_by_role("button", name="Throughput", exact=True).click()
    page.get_by_role("button", name="Cost and time").click()
    expect(entry).to_have_attribute("aria-pressed", "true")
    entry.press("Enter")
    expect(faded).to_have_count(0)
