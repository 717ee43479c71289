"""The page as people use it, in a real browser against the real service."""

from __future__ import annotations

import itertools
import math
import re

import httpx
import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import open_answered, open_settled

RESNET = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90"
SERVING = "task=inference&model=llama-3-8b&requests_per_second=5&input_tokens=1000&output_tokens=300"
COMPARED = "aws/g5.xlarge,aws/p4d.24xlarge,aws/t3.nano,own/V100-16GB/1/0.9"
BATCH = "task=inference&model=whisper-large-v3&hours_of_audio=10000"
UNKNOWN_MODEL = "resnett50"
THREE_LINES = 80  # pixels that a row of three lines takes at least


def machines(answer: dict) -> list[str]:
    """The recommended machines, as shown by the page."""
    return [
        item["instance_type"] if item["node_count"] == 1 else f"{item['node_count']} × {item['instance_type']}"
        for item in answer["recommendations"]
    ]


@pytest.mark.parametrize(
    "address", ["/", "/embed", f"/?{RESNET}", f"/embed?{SERVING}", "/?task=preprocessing", "/?task=hpc&flops=1e19"]
)
def test_page_answers_without_errors_or_foreign_requests(
    page: Page, errors: list[str], foreign: list[str], address: str
) -> None:
    """Each way to open the page ends in an answer, without errors in the console or requests to other sites."""
    open_answered(page, address)

    assert (errors, foreign) == ([], [])


@pytest.mark.parametrize("query", [RESNET, SERVING])
def test_table_shows_what_the_api_answers(page: Page, api: httpx.Client, query: str) -> None:
    """The table lists the API's recommendations in rank, with their machines, regions, and hourly prices."""
    answer = api.get(f"/v1/recommendations?{query}").json()
    open_answered(page, f"/?{query}")

    rows = page.get_by_role("table", name="Recommendations").get_by_role("row").filter(has=page.get_by_role("cell"))

    assert rows.locator(".machine").all_text_contents() == machines(answer)
    for row, item in zip(rows.all(), answer["recommendations"], strict=True):
        region = "" if item["region"] in ("default", "global") else item["region"]
        expect(row).to_contain_text(f"{item['price']['usd_per_hour'] * item['node_count']:.2f}{region}")
        expect(row).to_contain_text(item["estimate"]["basis"])


@pytest.mark.parametrize("query", [RESNET, f"{SERVING}&latency_ms=2000"])
def test_the_card_says_each_figure_once(page: Page, api: httpx.Client, query: str) -> None:
    """The headline's figures stand there alone, their ranges below, and the ends of a price that is not sure."""
    best = api.get(f"/v1/recommendations?{query}").json()["recommendations"][0]
    open_answered(page, f"/?{query}")
    amounts = page.locator("#headline .amounts").inner_text().replace("\xa0", " ")
    cost = re.findall(r"\$[\d.,]+", amounts)

    expect(page.locator("#likely")).to_contain_text("80% likely")
    figures = page.locator("#figures").inner_text().replace("\xa0", " ")
    assert [said for said in [*cost, *re.findall(r"[\d.]+ (?:h|ms)", amounts)] if said in figures.split("\n")] == []
    place = page.locator("#place").inner_text()
    price = best["price"]
    assert price["confidence"] != "list"
    assert re.search(r"\(\$[\d.]+ – \$[\d.]+\)", place)
    assert (amounts + place).count(f"${price['usd_per_hour'] * best['node_count']:.2f}/h") == 1


def test_money_and_latencies_have_their_units(page: Page) -> None:
    """Fields and the line above the answer say seconds and dollars, and which objective was taken."""
    open_answered(page, f"/?{SERVING}&latency_ms=2000&max_usd_per_hour=5")

    expect(page.locator("#asked")).to_contain_text(re.compile(r"within 2\s+s, at most \$5 per hour"))
    expect(page.locator("#latency_ms")).to_have_value("2 s")
    expect(page.locator("#max_usd_per_hour")).to_have_value("$5")
    expect(page.locator("#objective option").first).to_have_text("auto: low cost")
    page.locator("#latency_ms").fill("500 ms")
    expect(page).to_have_url(re.compile("latency_ms=500&.*max_usd_per_hour=5(&|$)"))


def test_ranges_are_told_as_their_values(page: Page) -> None:
    """A time in hours and minutes has its range in hours and minutes, in the table and in that of the chart."""
    open_answered(page, f"/?{RESNET}&clouds=hyperbolic,hyperstack")
    page.locator("#chart-table summary").click()
    for table in ("#table", "#chart-table"):
        cells = page.locator(f"{table} td.figure", has_text=" min").filter(has_text=" h")
        expect(cells.first).to_be_visible()
        for words in cells.all_inner_texts():
            assert re.search(r"\d+ h \d+ min\s+\d+:\d\d – \d+:\d\d h", words.replace("\xa0", " ")), words


def test_form_is_asked_as_it_is_filled(page: Page, api: httpx.Client) -> None:
    """Typing a question changes the answer and the address, without a button."""
    open_answered(page, "/")

    page.get_by_role("radio", name="Train from scratch").check()
    page.get_by_label("Data set size", exact=True).fill("100 GB")
    page.get_by_label("Known data set", exact=True).clear()
    page.get_by_label("Epochs", exact=True).fill("2")
    page.get_by_label("Optimise for").select_option("time")
    expect(page).to_have_url(
        re.compile(r"\?task=training&model=resnet50&dataset_size=100\+GB&epochs=2&objective=time$")
    )
    expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")
    answer = api.get(page.url.replace(page.url.partition("?")[0], "/v1/recommendations")).json()

    expect(page.locator("#table td .machine")).to_have_text(machines(answer))


def test_address_fills_the_form(page: Page) -> None:
    """A shared link opens with its question in the form; parameters without a field are listed and can be removed."""
    open_answered(page, f"/?{RESNET}&clouds=aws,gcp&dataset_size_gb=240")

    expect(page.get_by_label("Model", exact=True)).to_have_value("resnet50")
    expect(page.get_by_role("checkbox", name="AWS")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Azure")).not_to_be_checked()
    page.get_by_role("button", name="Remove dataset_size_gb").click()
    expect(page).not_to_have_url(re.compile("dataset_size_gb"))
    expect(page).to_have_url(re.compile("clouds=aws%2Cgcp"))


def test_clouds_of_the_address_count_from_the_first_question(page: Page) -> None:
    """The first question of a shared link includes its clouds, although their boxes appear later."""
    with page.expect_request("**/v1/recommendations?*") as first:
        page.goto(f"/?{RESNET}&clouds=aws,gcp")

    assert "clouds=aws%2Cgcp" in first.value.url


def test_fields_follow_the_task(page: Page) -> None:
    """A task shows its own fields and hides those of other tasks."""
    open_answered(page, "/?task=training&epochs=3")

    page.get_by_role("radio", name="Serve").check()

    expect(page.get_by_label("Requests per second")).to_be_visible()
    expect(page.get_by_label("Epochs", exact=True)).to_be_hidden()
    expect(page).to_have_url(re.compile(r"\?task=inference&.*requests_per_second="))
    assert "epochs" not in page.url


def test_fault_stands_beside_its_field(page: Page) -> None:
    """A misspelt model is marked, with the service's suggestion; the corrected one brings the answer back."""
    page.goto(f"/?task=training&model={UNKNOWN_MODEL}")
    model = page.get_by_label("Model", exact=True)

    expect(model).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#model-fault")).to_contain_text("resnet50")
    expect(page.get_by_role("alert")).to_be_visible()
    model.fill("resnet50")
    expect(page.locator("#headline")).not_to_be_empty()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_lost_service_is_said_in_words(page: Page) -> None:
    """The page says so when the service cannot be reached."""
    open_answered(page, "/")
    page.route("**/v1/recommendations?*", lambda route: route.abort())

    page.get_by_label("Model", exact=True).fill("resnet50")

    expect(page.get_by_role("alert")).to_contain_text("No answer from the service")


def test_late_answer_does_not_replace_a_newer_one(page: Page, api: httpx.Client) -> None:
    """An answer to an older question is dropped, however late it comes."""
    held: list[Route] = []
    page.route("**/v1/recommendations?*model=bert-large*", lambda route: held.append(route))
    open_answered(page, "/?task=training")
    page.get_by_label("Model", exact=True).fill("bert-large")
    with page.expect_request("**/v1/recommendations?*model=bert-large*"):
        pass

    page.get_by_label("Model", exact=True).fill("resnet50")
    expect(page.locator("#links a").first).to_have_attribute("href", re.compile("model=resnet50"))
    held[0].continue_()
    page.wait_for_load_state("networkidle")

    assert page.locator("#table .machine").all_text_contents() == machines(
        api.get("/v1/recommendations?task=training&model=resnet50").json()
    )


def test_chart_has_a_numbered_point_for_each_recommendation(page: Page, api: httpx.Client) -> None:
    """The chart shows the frontier and every recommendation under its rank."""
    answer = api.get(f"/v1/recommendations?{RESNET}").json()
    open_answered(page, f"/?{RESNET}")

    assert page.locator("#plot .rank").all_text_contents() == [
        str(item["rank"])
        for item in reversed(answer["recommendations"])  # the best is drawn last, on top
    ]
    drawn = page.locator("#plot .frontier-dots").evaluate_all("all => all.map(dots => dots.getAttribute('d')).join('')")
    assert drawn.count("M") == len(answer["frontier"])


def test_other_machines_that_fit_lie_faint_behind(page: Page, api: httpx.Client) -> None:
    """The next best machines appear once each and not among the answer's; they react to no pointer."""
    every = api.get(f"/v1/recommendations?{RESNET}&limit=60&group=none").json()["recommendations"]
    open_answered(page, f"/?{RESNET}")
    faint = page.locator("#plot .other-dots")
    expect(faint).to_have_attribute("d", re.compile("^M"))

    drawn = (faint.get_attribute("d") or "").count("M")
    shown = page.locator("#plot .point").count()
    assert 0 < drawn <= len(every) - min(shown, 1)
    assert faint.get_attribute("aria-hidden") == "true"


@pytest.mark.parametrize("width", [360, 1280])
def test_ranks_on_the_chart_do_not_lie_on_each_other(page: Page, width: int) -> None:
    """Badges of similar machines do not overlap, and each is connected to its point."""
    page.set_viewport_size({"width": width, "height": 800})
    open_answered(page, f"/?{RESNET}&clouds=aws,gcp&deadline=48h&budget_usd=300")

    badges = page.locator("#plot .recommended").evaluate_all(
        "all => all.map(one => [one.cx, one.cy, one.r].map(length => length.baseVal.value))"
    )

    gaps = [math.dist(one[:2], other[:2]) - one[2] - other[2] for one, other in itertools.combinations(badges, 2)]
    assert len(badges) == 5
    assert min(gaps) >= 0


# Opened at the first width, and then made wider.
PHONE, SCREEN = (360, 768), (1280, 2560)


@pytest.mark.parametrize("widths", [PHONE, SCREEN])
@pytest.mark.parametrize("query", [RESNET, SERVING])
def test_no_figure_is_broken_over_lines(page: Page, widths: tuple[int, ...], query: str) -> None:
    """Times, prices and rates are never broken over lines."""
    page.set_viewport_size({"width": widths[0], "height": 800})
    open_answered(page, f"/?{query}")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})

        lines = page.locator("td.figure span, td.figure small, #figures dd *").evaluate_all(
            "all => all.filter(one => one.textContent).map(one => one.getBoundingClientRect().height)"
        )

        assert len(lines) > 10
        assert max(lines) < 40


@pytest.mark.parametrize("widths", [PHONE, (1920, 2560)])
@pytest.mark.parametrize("path", ["/", "/embed"])
def test_nothing_runs_off_the_side(page: Page, widths: tuple[int, ...], path: str) -> None:
    """The page never scrolls sideways, from a small phone to a wide screen, with everything opened."""
    page.set_viewport_size({"width": widths[0], "height": 800})
    open_answered(page, f"{path}?{RESNET}&purchase=spot&open=1&compare={COMPARED}")
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    expect(page.locator(".scatter")).to_be_visible()
    expect(page.locator(".ratio").first).to_be_visible()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})

        page.wait_for_function(f"document.documentElement.scrollWidth <= {width}")


def test_colours_follow_the_system(page: Page) -> None:
    """The page is dark if the system is."""
    backgrounds = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto("/")
        backgrounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert backgrounds == ["rgb(246, 248, 250)", "rgb(16, 22, 28)"]


def test_recommendations_sort_by_any_title(page: Page, api: httpx.Client) -> None:
    """Upwards, then downwards; what is opened stays below its row."""
    query = "task=training&model=resnet50&limit=8"
    items = api.get(f"/v1/recommendations?{query}").json()["recommendations"]
    by_time = [item["rank"] for item in sorted(items, key=lambda item: item["estimate"]["time_hours"]["value"])]
    open_answered(page, f"/?{query}&open=1")
    ranks = page.locator("#table tbody tr[data-rank]")
    title = page.locator("#table").get_by_role("button", name="Time", exact=True)
    expect(ranks).to_have_count(len(items))
    shown = "rows => rows.map(row => Number(row.dataset.rank))"

    title.click()
    assert ranks.evaluate_all(shown) == by_time
    title.press("Enter")
    assert ranks.evaluate_all(shown) == by_time[::-1]
    expect(page.get_by_role("columnheader", name="Time")).to_have_attribute("aria-sort", "descending")
    expect(page.locator("#table tr[data-rank='1'] + tr")).to_have_id("why-1")


def test_every_field_has_a_name_and_the_keyboard_reaches_them(page: Page) -> None:
    """Each visible field has a label, and Tab leads from the skip link through the header into the form."""
    open_answered(page, "/")
    fields = "[...document.querySelectorAll('input:not([type=hidden]), select')]"
    nameless = "field => !field.labels.length && !field.ariaLabel"

    assert page.evaluate(f"{fields}.filter({nameless}).map(field => field.name)") == []
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the answer")).to_be_focused()
    for role, name in (
        ("button", "Search"),
        ("link", "Machines"),
        ("link", "GPUs"),
        ("link", "API"),
        ("radio", "Fine-tune"),
    ):
        page.keyboard.press("Tab")
        expect(page.get_by_role(role, name=name)).to_be_focused()


def test_answer_comes_first_on_a_phone_and_stays_in_sight(page: Page) -> None:
    """On a phone, the form is folded; unfolded, it keeps the headline in sight, which leads to the answer."""
    page.set_viewport_size({"width": 360, "height": 640})
    open_answered(page, f"/?{RESNET}")
    expect(page.locator("#headline")).to_be_in_viewport()
    expect(page.get_by_label("Model", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Model", exact=True)).to_be_focused()
    peek = page.locator("#peek")

    expect(peek).to_be_in_viewport()
    expect(peek).to_contain_text(page.locator("#headline strong").inner_text())
    expect(peek).to_contain_text(page.locator("#headline .amounts").inner_text())
    peek.click()
    expect(page.locator("#headline")).to_be_in_viewport()


def test_half_a_name_is_no_fault_while_others_are_offered(page: Page) -> None:
    """While names are offered, the previous answer stays; a name that stays unknown is then marked."""
    open_answered(page, "/?task=training&model=resnet50")
    model = page.get_by_label("Model", exact=True)
    model.clear()
    with page.expect_response(re.compile("model=resnet5(&|$)")) as refused:
        model.press_sequentially("resnet5")
        expect(page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    assert refused.value.status == 422

    expect(page.locator("#headline")).to_be_visible()
    model.blur()

    expect(model).to_have_attribute("aria-invalid", "true")


def test_amounts_and_times_are_taken_as_people_write_them(page: Page) -> None:
    """Typed amounts and times reach the API in its own form, and no field is marked."""
    open_answered(page, "/")
    for label, typed, asked in (
        ("Total budget", "$200", "budget_usd=200"),
        ("Tokens in all", "50M", "tokens=50000000"),
        ("Deadline", "2 days", "deadline=2d"),
        ("Deadline", "24", "deadline=24h"),
        ("Deadline", "Monday", r"deadline=\d{4}-\d\d-\d\dT"),
    ):
        with page.expect_response(re.compile(asked)) as response:
            page.get_by_label(label, exact=True).fill(typed)

        assert response.value.status == 200
        expect(page.locator("[aria-invalid]")).to_have_count(0)


def test_fault_leaves_the_last_answer_in_sight(page: Page) -> None:
    """After a fault, the last answer stays in grey below the message, until the fault is corrected."""
    open_answered(page, "/")
    budget = page.get_by_label("Total budget")

    budget.fill("lots")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#result.stale")).to_be_visible()
    budget.fill("100")
    expect(page.locator("#result:not(.stale)")).to_be_visible()


def test_what_was_assumed_stands_in_the_fields(page: Page) -> None:
    """Assumed values appear faintly in empty fields, which can be filled."""
    open_answered(page, "/?task=training&model=resnet50&dataset_name=imagenet-1k")

    expect(page.get_by_label("Epochs", exact=True)).to_have_attribute("placeholder", "auto: 90")
    expect(page.get_by_label("Epochs", exact=True)).to_have_value("")


def test_a_size_finds_current_models_first(page: Page) -> None:
    """Sizes find current models first, and Enter takes the first one."""
    open_answered(page, "/")
    model = page.get_by_label("Model", exact=True)
    model.clear()
    model.press_sequentially("7b")
    offered = page.get_by_role("listbox", name="Suggestions").get_by_role("option").locator("span")
    expect(offered.first).to_have_text("mistral-7b")
    expect(offered.nth(1)).to_have_text("qwen2.5-7b")

    model.press("Enter")

    expect(page).to_have_url(re.compile("model=mistral-7b&method=lora"))


def test_choices_come_with_the_answer_and_are_chosen_from(page: Page) -> None:
    """The fastest choice and the one on spot are beside the cheapest; the headline follows the chosen one."""
    open_answered(page, "/")
    choices = page.get_by_role("group", name="Choices").get_by_role("button")
    expect(choices.filter(has_text="On spot")).to_contain_text("against the best on demand")
    fastest = choices.filter(has_text="Fastest single machine")

    fastest.click()

    expect(page.locator("#headline strong")).to_have_text(fastest.locator("strong").inner_text())
    expect(fastest).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("query", [RESNET, SERVING, BATCH])
def test_rows_are_two_lines_high(page: Page, query: str) -> None:
    """On a laptop's screen, no cell of a recommendation or comparison has a third line, and none is cut off."""
    open_settled(page, f"/?{query}&compare={COMPARED}&purchase=on_demand,spot")
    page.locator("#table").evaluate("box => box.style.setProperty('content-visibility', 'visible')")

    rows = page.locator("#table tbody tr[data-rank], .comparison tbody tr")
    heights = rows.evaluate_all("rows => rows.map(row => row.getBoundingClientRect().height)")

    assert len(heights) > len(COMPARED.split(","))
    assert max(heights) < THREE_LINES
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_terms_are_switched_above_the_table(page: Page, api: httpx.Client) -> None:
    """One action shows spot prices; another one opens the field for a reserved price, which then counts."""
    spot = api.get(f"/v1/recommendations?{RESNET}&purchase=spot").json()
    open_answered(page, f"/?{RESNET}")

    page.get_by_role("button", name="spot", exact=True).click()
    expect(page.locator("#table td .machine")).to_have_text(machines(spot))
    expect(page.get_by_role("button", name="spot", exact=True)).to_be_focused()
    page.get_by_role("button", name="on demand", exact=True).click()
    expect(page).not_to_have_url(re.compile("purchase"))

    page.get_by_text("Reserved or discounted").click()
    page.locator(".agreed").get_by_label("Cloud").select_option("aws")
    page.get_by_label("Machine type (empty: all)").fill("p5.48xlarge")
    page.get_by_label("Saving, or price per hour").fill("$10")
    page.keyboard.press("Enter")
    expect(page.locator("#table tr", has_text="p5.48xlarge")).to_contain_text("your price$10.00")
    expect(page).to_have_url(re.compile(r"mine=aws\+p5.48xlarge\+reserved\+%2410"))
    page.locator(".agreed").get_by_role("button", name="Remove aws p5.48xlarge reserved $10").click()
    expect(page.locator("#table")).not_to_contain_text("your price")


def test_choices_say_of_how_many_machines_they_are(page: Page) -> None:
    """A choice of several machines says so, and one of a single machine does not."""
    open_settled(page, "/?task=training&model=qwen2.5-7b&method=lora&tokens=50000000&deadline=2d")
    cards = page.locator("button.choice")

    told = []
    for card in cards.filter(has_not_text="On spot").all():
        card.click()
        several = "machines" in page.locator("#card .place").inner_text()
        told.append((several, "machines" in card.locator("small").inner_text()))

    assert {several for several, _ in told} == {True, False}
    assert all(several == said for several, said in told)


def test_the_format_of_the_export_is_remembered(page: Page) -> None:
    """The next answer is exported in the format that was looked at last."""
    open_settled(page, f"/?{RESNET}&lang=en")
    page.get_by_text("Export", exact=True).click()
    page.get_by_label("Format").select_option("tfvars")

    open_settled(page, f"/?{SERVING}&lang=en")
    page.get_by_text("Export", exact=True).click()

    expect(page.get_by_label("Format")).to_have_value("tfvars")
    expect(page.locator(".scripts pre").first).to_contain_text("format=tfvars")
