"""The pages of machines and accelerators: their content and the links to them."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import serious_faults
from tests.browser.conftest import open_settled

VIEWS = {
    "machine": "/machines/aws/g5.xlarge",
    "commitment": "/machines/aws/g5.xlarge?saving=30%25&hours=400",
    "processors": "/machines/aws/m7i.4xlarge?lang=vi",
    "accelerator": "/accelerators/H100-SXM?lang=zh",
    "accelerators": "/accelerators",
    "machines": "/machines",
    "azure": "/machines?cloud=azure&accelerator=H100-NVL&lang=vi",
    "picked": "/machines?cloud=aws&per=year&column=per_device&compare=aws/p5.48xlarge,aws/g5.xlarge&lang=zh",
    "picked_devices": "/accelerators?column=gib_per_dollar&per=month&compare=own/H100-SXM/1&lang=vi",
    "unrented": "/accelerators/RTX-3070",
    "unknown": "/machines/aws/g5.xlrge",
}
WORKLOADS = 10


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(page: Page, foreign: list[str], view: str) -> None:
    """No page of hardware has a serious fault, requests another site, or is wider than a phone or a tablet.

    Tables of a tablet are wide by names of machines that have no place to break, and by many columns.
    """
    page.set_viewport_size({"width": 768, "height": 1024})
    open_settled(page, VIEWS[view])
    beyond = "tables => tables.filter(one => one.scrollWidth > one.parentElement.clientWidth).length"
    assert page.evaluate("document.documentElement.scrollWidth") <= 768
    assert page.locator("table").evaluate_all(beyond) == 0

    page.set_viewport_size({"width": 360, "height": 800})

    assert {} == serious_faults(page, ("light", "dark"))
    assert foreign == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("view", ["machine", "accelerator"])
def test_hardware_is_ranked_for_ten_workloads(page: Page, view: str) -> None:
    """The page ranks the hardware for ten standard workloads, best rank first."""
    open_settled(page, VIEWS[view])

    rows = page.locator(".part-of-page").first.locator("tbody tr")
    expect(rows).to_have_count(WORKLOADS)
    ranks = [text.replace(",", "") for text in rows.locator("td.figure:nth-last-child(4)").all_inner_texts()]
    told = [int(found[0]) for text in ranks if (found := re.findall(r"\d+$", text))]
    assert told == sorted(told)
    assert told


def test_all_accelerators_stand_side_by_side(page: Page, api: httpx.Client) -> None:
    """The cheapest first, each with the price of its own page; sorted by any figure and filtered by any word."""
    open_settled(page, "/accelerators")
    rows = page.locator("tbody tr")
    name = rows.first.locator("a").inner_text()
    price = rows.first.locator("td").nth(1).inner_text()
    page.get_by_role("button", name="Memory", exact=True).dblclick()
    most = max(one["memory_gib"] or 0 for one in api.get("/v1/accelerators?limit=1000").json()["items"])
    expect(rows.first).to_contain_text(f"{most:g} GiB")
    page.get_by_label("Filter by any word").fill("hopper")
    expect(rows.filter(has_text="H100 SXM")).to_have_count(1)
    expect(rows.filter(has_text="A10G")).to_have_count(0)

    page.goto("/accelerators")
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.locator(".part-of-page").nth(1).locator("tbody tr").first).to_contain_text(price)


def test_all_machines_are_filtered_as_the_api_does(page: Page, api: httpx.Client) -> None:
    """Each filter narrows the table, the address keeps it, and what remains is what the API lists."""
    open_settled(page, "/machines?cloud=aws")
    page.get_by_label("Accelerator").select_option("A10G")
    page.get_by_label("Architecture").select_option("x86_64")
    page.get_by_label("vCPUs, at least").fill("16")
    page.get_by_label("Memory (GiB), at least").fill("128")
    page.get_by_label("On demand, at most").fill("$5")
    wanted = "cloud=aws&accelerator=A10G&architecture=x86_64&min_vcpus=16&min_memory_gib=128&retired=false&limit=1000"
    listed = api.get(f"/v1/instance-types?{wanted}").json()["items"]
    fitting = [one for one in listed if one["lowest_usd_per_hour"].get("on_demand", 6) <= 5]
    names = [one["instance_type"] for one in sorted(fitting, key=lambda one: one["lowest_usd_per_hour"]["on_demand"])]

    page.reload()

    assert 0 < len(names) < len(listed)
    expect(page.locator("tbody .name a")).to_have_text(names)
    expect(page.get_by_role("status")).to_contain_text(re.compile(f"^{len(names)} of "))
    page.get_by_label("vCPUs, at least").fill("many")
    expect(page.get_by_label("vCPUs, at least")).to_have_attribute("aria-invalid", "")
    expect(page.get_by_role("status")).to_contain_text("Not a number")


def test_all_machines_are_found_and_sorted_by_keyboard(page: Page, api: httpx.Client) -> None:
    """Further rows come by a button, titles sort, and words leave one machine, whose page opens."""
    most = max(one["vcpus"] or 0 for one in api.get("/v1/instance-types?retired=false&min_vcpus=400").json()["items"])
    page.goto("/machines")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="50 more").press("Enter")
    expect(rows).to_have_count(100)
    title = page.get_by_role("button", name="vCPUs", exact=True)
    title.press("Enter")
    title.press("Enter")
    expect(rows.first).to_contain_text(f"{most:g}")
    page.get_by_label("Filter by any word").press_sequentially("g5.xlarge a10g")
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link", name="g5.xlarge", exact=True).press("Enter")

    expect(page).to_have_url(re.compile("/machines/aws/g5.xlarge$"))


def test_answer_leads_to_its_hardware_and_back(page: Page) -> None:
    """Links lead from the card to the accelerator, to a machine that has it, and to a standard workload."""
    page.goto("/?lang=vi")
    page.locator("#headline a").click()
    expect(page).to_have_url(re.compile(r"/accelerators/.*lang=vi"))
    page.locator(".part-of-page").nth(2).locator("tbody a").first.click()
    expect(page).to_have_url(re.compile(r"/machines/.*lang=vi"))
    page.locator(".part-of-page").first.locator("tbody .name > a").first.click()

    expect(page.locator("#headline")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/\?task=.*lang=vi"))


def test_unknown_hardware_is_found_by_its_field(page: Page) -> None:
    """A page of unknown hardware offers names as the reader types."""
    open_settled(page, VIEWS["unknown"])
    expect(page.get_by_role("alert").get_by_role("link", name="g5.xlarge", exact=True)).to_be_visible()

    page.get_by_label("Find a machine").press_sequentially("g5.xl")
    page.locator("[role=listbox] [role=option]").first.click()

    expect(page.locator("#headline")).to_contain_text("g5.xlarge")


def test_prices_are_sorted_by_a_title_and_shown_in_full(page: Page) -> None:
    """The lowest price comes first, after another click the highest; a button shows the other regions."""
    open_settled(page, VIEWS["machine"])
    table = page.get_by_role("table", name="Prices by region")
    prices = table.locator("tbody tr td:nth-child(2)")

    def shown() -> list[float]:
        return [float(text.removeprefix("$")) for text in prices.all_inner_texts()]

    few = len(shown())
    page.get_by_role("button", name=re.compile(r"^\d+ more$")).first.click()
    assert len(shown()) > few
    for _ in range(2):
        table.get_by_role("button", name="On demand").click()

    expect(table.get_by_role("columnheader", name="On demand")).to_have_attribute("aria-sort", "descending")
    assert shown() == sorted(shown(), reverse=True)


def test_accelerators_are_sorted_on_a_phone_too(page: Page) -> None:
    """Where rows are cards, the titles that sort them stand above the cards."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("/accelerators")
    rows = page.locator("tbody tr")
    title = page.get_by_role("button", name="Memory", exact=True)
    expect(rows.first).to_be_visible()
    cheapest = rows.first.inner_text()

    title.click()
    title.click()

    expect(title).to_be_in_viewport()
    expect(rows.first).not_to_have_text(cheapest, use_inner_text=True)


def test_the_search_finds_accelerators(page: Page) -> None:
    """The field of the pages of hardware leads to an accelerator's page as well."""
    page.goto("/accelerators")

    page.get_by_label("Find a machine or GPU").press_sequentially("mi300")
    page.locator("[role=listbox] [role=option]").first.click()

    expect(page).to_have_url(re.compile("/accelerators/MI300X$"))


def test_a_table_of_prices_can_be_filtered(page: Page) -> None:
    """A filter by region leaves only its rows, even folded ones; without it the first rows are back.

    Memory is told of each of the machine's devices.
    """
    page.goto("/machines/aws/p5.48xlarge")
    expect(page.get_by_text("8 × 80 GiB")).to_be_visible()
    rows = page.get_by_role("table", name="Prices by region").get_by_role("row").filter(has=page.get_by_role("cell"))
    expect(rows.first).to_be_visible()
    before = rows.count()

    page.get_by_label("Filter by any word").fill("us-west")
    assert 0 < rows.count() < before

    page.get_by_label("Filter by any word").fill("")
    assert rows.count() == before


def test_every_cloud_has_its_own_page_of_prices(page: Page, api: httpx.Client, foreign: list[str]) -> None:
    """A machine's page links to its cloud's prices, and asks that site for nothing."""
    clouds = {one["cloud"] for one in api.get("/v1/regions?limit=1000").json()["items"]}
    for cloud in sorted(clouds):
        machine = api.get(f"/v1/instance-types?cloud={cloud}&limit=1").json()["items"][0]["instance_type"]
        page.goto(f"/machines/{cloud}/{quote(machine, safe='')}")
        expect(page.get_by_role("link", name="’s price page")).to_have_attribute("href", re.compile("^https://"))

    assert foreign == []


@pytest.mark.parametrize(("path", "title"), [("/machines", "vCPUs"), ("/accelerators", "Memory")])
def test_the_address_keeps_the_order_and_the_filter_of_a_list(page: Page, path: str, title: str) -> None:
    """Who opens the address again sees the same rows in the same order, and can turn it."""
    open_settled(page, f"{path}?lang=en")
    page.get_by_label("Filter by any word").fill("h100")
    page.get_by_role("button", name=title, exact=True).click()
    page.get_by_role("button", name=title, exact=True).click()
    head = page.get_by_role("columnheader", name=title, exact=True)
    rows = page.locator("tbody tr")
    expected = rows.all_inner_texts()

    open_settled(page, page.url)

    expect(head).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_label("Filter by any word")).to_have_value("h100")
    assert rows.all_inner_texts() == expected
    assert page.url.endswith(f"?q=h100&lang=en&sort=-{title.lower()}")
    page.get_by_role("button", name=title, exact=True).click()
    expect(head).to_have_attribute("aria-sort", "ascending")


def test_a_commitment_is_calculated_from_the_readers_figures(page: Page, api: httpx.Client) -> None:
    """Its month, its discount, and the hours from which it pays off; the address and the question take them along."""
    offers = api.get("/v1/instance-types/aws/g5.xlarge").json()["offers"]
    price = min(one["usd_per_hour"] for one in offers if one["purchase"] == "on_demand" and one["current"])
    open_settled(page, "/machines/aws/g5.xlarge")
    page.get_by_label("Saving, or your price per hour").fill("30%")
    page.get_by_label("Hours of use per month").fill("400")
    rows = page.get_by_role("table", name="Reserved or discounted").locator("tbody tr")
    expect(rows).to_have_count(3)
    months = [float(row.locator("td").nth(2).inner_text().removeprefix("$")) for row in rows.all()]

    assert months == pytest.approx([400 * price, 400 * price * 0.7, 730 * price * 0.7], abs=0.006)
    expect(page.get_by_text("pays off from 511 hours of use a month (70% of the time)")).to_be_visible()
    page.reload()
    expect(rows).to_have_count(3)
    expect(page.get_by_role("link", name="AWS’s commitments")).to_have_attribute("href", re.compile("^https://aws"))

    page.get_by_role("link", name="Rank all machines with this price").click()
    expect(page.locator("#headline")).to_be_visible()
    expect(page.get_by_text("aws g5.xlarge reserved 30%").first).to_be_attached()
    expect(page.locator(".comparison")).to_contain_text("g5.xlarge")


@pytest.mark.parametrize(("saving", "hours"), [("$0.5", ""), ("half", ""), ("120%", ""), ("$50", ""), ("30%", "800")])
def test_what_is_no_saving_is_said(page: Page, saving: str, hours: str) -> None:
    """A price below that on demand is a saving; what is none, or a month that is too long, is marked."""
    open_settled(page, "/machines/aws/g5.xlarge")
    page.get_by_label("Saving, or your price per hour").fill(saving)
    page.get_by_label("Hours of use per month").fill(hours)
    table = page.get_by_role("table", name="Reserved or discounted")

    if saving == "$0.5":
        expect(table).to_contain_text("$0.50")
    else:
        expect(page.get_by_text("Not understood.")).to_be_visible()
        expect(table).to_have_count(0)
        expect(page.locator(".calculator [aria-invalid]")).to_have_count(1)


def test_without_earlier_prices_their_date_is_said(page: Page, api: httpx.Client) -> None:
    """A service with its bundled prices alone says of when they are, and invents no history."""
    [kept] = api.get("/v1/prices/snapshots").json()["items"]
    open_settled(page, "/machines/aws/g5.xlarge")

    date = kept["prices_as_of"].replace("-", "\u2011")  # which no line breaks
    expect(page.get_by_text(f"the bundled one of {date}")).to_be_visible()
    expect(page.get_by_text("Earlier prices", exact=True)).to_have_count(0)


def test_a_region_and_a_month_give_their_own_prices(page: Page, api: httpx.Client) -> None:
    """The list shows the machines of a region with the prices there, for as long as is chosen."""
    wanted = "/v1/prices?cloud=aws&region=eu-west-1&instance_type=p4d.24xlarge&purchase=on_demand"
    price = min(one["usd_per_hour"] for one in api.get(wanted).json()["items"] if one["current"])
    open_settled(page, "/machines?lang=en")
    page.get_by_label("Region").select_option("aws/eu-west-1")
    page.get_by_label("Filter by any word").fill("p4d.24xlarge")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first.locator("td").nth(1)).to_have_text(f"${price:.2f}")
    page.get_by_label("Prices").select_option("per month")
    expect(rows.first.locator("td").nth(1)).to_have_text(f"${price * 730:,.0f}")

    open_settled(page, page.url)

    expect(page.get_by_role("columnheader", name="On demand from, per month")).to_be_visible()
    expect(rows.first.locator("td").nth(1)).to_have_text(f"${price * 730:,.0f}")


def test_the_last_column_shows_what_is_chosen(page: Page, api: httpx.Client) -> None:
    """The last column has the price per device, by which the rows are sorted, on a tablet as well."""
    page.set_viewport_size({"width": 768, "height": 1024})
    open_settled(page, "/machines?accelerator=H100-SXM&lang=en")
    page.get_by_label("Last column").select_option("Per device")
    page.get_by_role("button", name="Per device", exact=True).click()
    items = api.get("/v1/instance-types?accelerator=H100-SXM&retired=false&limit=1000").json()["items"]
    prices = [(one["lowest_usd_per_hour"].get("on_demand"), one["accelerator"]["count"]) for one in items]
    least = min(price / count for price, count in prices if price is not None)

    open_settled(page, page.url)

    expect(page.locator("tbody tr").first.locator("td").last).to_have_text(f"${least:.2f}")
    expect(page.locator("tbody tr").first.locator("td").last).to_be_visible()


def test_picked_machines_stand_alone_and_are_compared(page: Page) -> None:
    """Rows that are picked by keyboard can be shown alone, and go along to a workload; the address keeps them."""
    open_settled(page, "/machines?lang=en&q=p5")
    page.get_by_label("Compare p5.48xlarge", exact=True).press("Space")
    page.get_by_label("Filter by any word").fill("g5.xlarge")
    page.get_by_label("Compare g5.xlarge", exact=True).press("Space")
    page.get_by_role("button", name="Show only these").press("Enter")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)

    open_settled(page, page.url)
    expect(rows).to_have_count(2)
    page.get_by_role("link", name="Compare for a workload").click()

    expect(page.locator("#comparison tbody")).to_contain_text("p5.48xlarge")
    expect(page.locator("#comparison tbody")).to_contain_text("g5.xlarge")
    page.go_back()
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("button", name="Clear")).to_be_hidden()
    expect(page.locator("tbody .pick").first).to_be_focused()


def test_what_a_list_shows_is_a_file(page: Page, tmp_path: Path) -> None:
    """The CSV file has every row that the filters leave, in the order of the table."""
    open_settled(page, "/machines?lang=en&cloud=azure&sort=-memory")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "machines.csv")

    with (tmp_path / "machines.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = page.locator("tbody .name a").all_inner_texts()
    expect(page.get_by_role("status")).to_contain_text(re.compile(f"^{len(rows):,} of "))
    assert {row["cloud"] for row in rows} == {"azure"}
    assert [row["instance_type"] for row in rows[: len(shown)]] == shown


def test_accelerators_are_filtered_by_their_figures(page: Page, api: httpx.Client) -> None:
    """Cloud, maker, memory and price leave the devices that the service says are so."""
    items = api.get("/v1/accelerators?limit=1000").json()["items"]
    expected = {
        one["name"].replace("-", " ")
        for one in items
        if "aws" in one["clouds"]
        and one["vendor"] == "NVIDIA"
        and (one["memory_gib"] or 0) >= 40
        and one["lowest_usd_per_hour"].get("on_demand", 9) <= 5
    }
    open_settled(page, "/accelerators?lang=en&cloud=aws")
    page.get_by_label("Made by").select_option("NVIDIA")
    page.get_by_label("Memory (GiB), at least").fill("40")
    page.get_by_label("On demand, at most").fill("5")

    assert expected
    assert set(page.locator("tbody .name a").all_inner_texts()) == expected


def test_an_accelerator_has_the_prices_of_each_cloud(page: Page, api: httpx.Client) -> None:
    """Each cloud that rents it has its lowest price of one device, and leads to its machines."""
    items = api.get("/v1/instance-types?accelerator=A100-80GB&retired=false&limit=1000").json()["items"]
    prices: dict[str, float] = {}
    for one in items:
        price = one["lowest_usd_per_hour"].get("on_demand")
        if price is not None:
            each = price / one["accelerator"]["count"]
            prices[one["cloud"]] = min(each, prices.get(one["cloud"], each))
    open_settled(page, "/accelerators/A100-80GB?lang=en")
    rows = page.get_by_role("table", name="One device by cloud, per hour").locator("tbody tr")

    told = [text for text in rows.locator("td:nth-child(2) span").all_inner_texts() if text.startswith("$")]
    assert told == [f"${price:.2f}" for price in sorted(prices.values())]
    rows.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/machines\?cloud=\w+&accelerator=A100-80GB"))
