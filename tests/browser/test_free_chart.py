"""The chart of a list of hardware: every row that the table has, with any number across and any up."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.conftest import open_settled


def points(page: Page) -> int:
    """Number of points that the chart has."""
    shapes = page.locator(".free .frontier-dots").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    return sum(shape.count("M") for shape in shapes)


def open_chart(page: Page, address: str) -> None:
    """Open a list of hardware, and its chart, which stands folded above the table."""
    open_settled(page, address)
    page.locator(".free summary").click()
    expect(picture(page)).to_be_visible()


def picture(page: Page) -> Locator:
    """The drawn chart."""
    return page.locator(".free .plot > svg")


def test_every_row_of_the_table_with_both_figures_is_a_point(page: Page, api: httpx.Client) -> None:
    """The filters hold for the chart as for the table."""
    items = api.get("/v1/instance-types?cloud=oci&retired=false&limit=1000").json()["items"]
    priced = [one for one in items if "on_demand" in one["lowest_usd_per_hour"] and one["memory_gib"]]
    open_chart(page, "/machines?cloud=oci&lang=en")
    assert points(page) == len(priced)

    page.get_by_label("Filter by any word").fill("A10")

    rows = int(page.locator(".view [role=status]").inner_text().split()[0])
    assert 0 < points(page) <= rows < len(priced)


def test_axes_are_chosen_and_kept_in_the_address(page: Page, api: httpx.Client) -> None:
    """Any number of the table is on any axis, logarithmic or linear; the address shows the same again."""
    open_chart(page, "/machines?accelerator=H100-SXM&lang=en")
    up, across = page.get_by_label("Up", exact=True), page.get_by_label("Across", exact=True)
    up.select_option("Per device")
    across.select_option("Peak, FP16, all devices")
    page.get_by_label("Across, log").press("Space")
    title = page.locator(".free h2")
    expect(title).to_have_text("Per device against peak, FP16, all devices")
    ticks = page.locator(".free .grid text:not(.axis)")
    expect(ticks.first).to_have_text("0")
    drawn = ticks.all_inner_texts()
    assert re.search(r"y=per_device&?.*x=fp16.*x_scale=linear", page.url)

    open_settled(page, page.url)

    expect(title).to_have_text("Per device against peak, FP16, all devices")
    expect(page.get_by_label("Across, log")).not_to_be_checked()
    assert ticks.all_inner_texts() == drawn
    items = api.get("/v1/accelerators?limit=1000").json()["items"]
    [device] = [one for one in items if one["name"] == "H100-SXM"]
    picture(page).locator(".point").first.focus()
    expect(page.locator(".free .tip")).to_contain_text(f"{device['precisions']['fp16']:.0f}")


def test_a_point_says_its_machine_and_leads_to_it(page: Page) -> None:
    """Pointing at a point or focus on it names its machine and both figures; Enter opens the machine's page."""
    open_chart(page, "/machines?q=p5.48xlarge&lang=en")
    first = picture(page).locator(".point")
    expect(first).to_have_count(1)
    first.focus()
    tip = page.locator(".free .tip")
    expect(tip).to_contain_text("p5.48xlarge")
    expect(tip).to_contain_text(re.compile(r"\$ per hour, on demand: \$\d+"))
    expect(first).to_have_attribute("aria-label", re.compile("p5.48xlarge; AWS; .*Memory: 2,048"))
    first.press("Escape")
    expect(tip).to_be_hidden()
    box = first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    expect(tip).to_be_visible()

    first.press("Enter")

    expect(page).to_have_url(re.compile(r"/machines/aws/p5\.48xlarge\?lang=en$"))


def test_arrow_keys_move_from_point_to_point(page: Page) -> None:
    """The points are reached in the order along the axis, from the first to the last."""
    open_chart(page, "/accelerators?lang=en")
    picture(page).locator(".point").first.focus()
    focused = page.locator(".free .point:focus")
    names = []
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        names.append(focused.get_attribute("aria-label"))

    memories = [float(re.findall(r"Memory: ([\d.,]+)", name or "")[0].replace(",", "")) for name in names]
    assert len(set(names)) == 3
    assert memories == sorted(memories)


def test_picked_rows_are_marked(page: Page) -> None:
    """A row that is picked in the table has a ring and its name on the chart."""
    open_chart(page, "/machines?q=p5&lang=en")
    expect(page.locator(".free .picked")).to_have_count(0)
    page.get_by_label("Compare p5.48xlarge", exact=True).press("Space")

    expect(page.locator(".free .picked")).to_have_count(1)
    page.get_by_role("button", name="Show only these").press("Enter")
    expect(page.locator(".free .frontier-dots")).to_have_count(1)
    assert points(page) == 1
    expect(page.locator(".free text.gpu")).to_have_text("p5.48xlarge")


def test_prices_of_a_month_are_drawn_as_such(page: Page) -> None:
    """The chart has the prices that the table has: a month's are 730 times an hour's."""
    open_chart(page, "/machines?q=p5.48xlarge&lang=en&per=month")
    price = page.locator("tbody td").nth(1).inner_text()
    picture(page).locator(".point").focus()

    expect(page.locator(".free .tip")).to_contain_text(f"$ per month, on demand: {price}")


def test_clouds_are_highlighted(page: Page) -> None:
    """A cloud of the legend fades the points of all others."""
    open_chart(page, "/machines?accelerator=H100-SXM&lang=en")
    page.get_by_role("list", name="Clouds in the chart").get_by_role("button", name="AWS").press("Enter")

    assert page.locator(".free svg .tint-0:not(.faded)").count() > 0
    expect(page.locator(".free svg [class*=tint-]:not(.tint-0):not(.faded)")).to_have_count(0)


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_the_chart_is_a_file(page: Page, tmp_path: Path, kind: str) -> None:
    """The picture has the title and the names of the legend in it."""
    open_chart(page, "/accelerators?lang=en")
    with page.expect_download() as download:
        page.locator(".free").get_by_role("button", name=kind).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)

    assert path.name == f"plimsoll-accelerators.{kind.lower()}"
    if kind == "PNG":
        assert path.read_bytes().startswith(b"\x89PNG")
    else:
        words = path.read_text(encoding="utf-8")
        assert "$ per hour, on demand against memory" in words
        assert "NVIDIA" in words


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("address", ["/machines?lang=vi&compare=aws/g5.xlarge&only=1", "/accelerators?lang=zh"])
def test_axe_finds_nothing_serious(page: Page, address: str, width: int) -> None:
    """axe finds nothing serious in either theme, and no word lies outside of the picture."""
    page.set_viewport_size({"width": width, "height": 900})
    open_chart(page, address)

    assert serious_faults(page, ("light", "dark"), within=".free") == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = picture(page).evaluate(
        """picture => [...picture.querySelectorAll('text')].map(text => [text.textContent, text.getBBox()])
            .filter(([, box]) => box.x < 0 || box.x + box.width > picture.viewBox.baseVal.width)
            .map(([words]) => words)"""
    )
    assert outside == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_table_comes_before_the_chart(page: Page, width: int) -> None:
    """The chart stands folded under its title, on a phone the filters too; the chart is drawn when it is unfolded."""
    page.set_viewport_size({"width": width, "height": 800})
    open_settled(page, "/accelerators?lang=en")
    assert page.locator("table.accelerators").bounding_box()["y"] < page.viewport_size["height"]
    expect(picture(page)).to_have_count(0)

    page.locator(".free summary").click()

    expect(picture(page)).to_be_visible()
    if width < 704:
        page.get_by_text("Filters", exact=True).click()
    expect(page.get_by_label("Filter by any word")).to_be_visible()
