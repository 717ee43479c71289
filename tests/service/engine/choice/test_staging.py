"""Data that lie elsewhere: where, at what price, in what time, and which region is chosen for it."""

from __future__ import annotations

import re
from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up
from tests.service.engine.choosing import best, law, selected
from tests.service.fitted import job_of

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.answer import Recommendation
from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.choice.staging import FAR, HOME, INTERNET, NEAR, distances, place_of
from plimsoll_service.engine.workload import Constraints, Dataset, Hardware, Query, Workload

TEN_TB = Dataset(size_bytes=10e12, samples=1e8, format="jpeg")
WORK = Workload("training", model="resnet50", dataset=TEN_TB, epochs=1, precision="mixed")
ANYWHERE = Constraints()
GPU = {"accelerator": "V100-16GB", "count": 1.0}


def at(region: str | None, size: float = 10e12) -> Workload:
    return replace(WORK, dataset=replace(TEN_TB, size_bytes=size, region=region))


def machine(cloud: str, region: str, data: str | None, size: float = 10e12) -> tuple[float, float, float, float]:
    """Hours and USD of the run on one machine there, and those of the staging in them."""
    names = {"aws": "p4d.24xlarge", "gcp": "a2-highgpu-1g"}
    on = Hardware(cloud=cloud, instance_type=names[cloud], region=region)
    query = Query(at(data, size), objective="cost")
    found = evaluate(job_of(query), bundled_market(), on, selected(query)).estimate
    assert found is not None
    assert found.time_hours is not None
    assert found.cost_usd is not None
    staging = (0.0, 0.0) if found.staging is None else (found.staging.hours, found.staging.usd)
    return found.time_hours.value, found.cost_usd.value, *staging


def first(query: Query) -> Recommendation:
    return ask(query, bundled_market()).recommendations[0]


@pytest.mark.parametrize(
    ("name", "clouds", "expected"),
    [
        ("us-east-1", None, ("aws", "us-east-1", ("alibaba",))),
        ("us-east-1", ("alibaba",), ("alibaba", "us-east-1", ("aws",))),
        ("alibaba/us-east-1", None, ("alibaba", "us-east-1", ())),
        ("US East 4", None, ("gcp", "us-east4", ())),
        ("gcp", None, ("gcp", "gcp", ())),
        ("own", None, ("own", "own", ())),
    ],
)
def test_data_are_where_their_name_says(
    name: str, clouds: tuple[str, ...] | None, expected: tuple[str, str, tuple[str, ...]]
) -> None:
    """A region of any spelling, a cloud, or your own; of namesakes the one that the constraints allow."""
    place = place_of(name, Constraints(clouds=clouds), bundled_market())
    assert place is not None
    assert expected == (place.cloud, place.name, place.namesakes)


def test_an_unknown_region_is_refused_with_those_nearby() -> None:
    """The fault names the field, and regions whose names are alike."""
    [fault] = faults_of(Query(at("europe-wset4")), bundled_market())
    assert fault.pointer == "/workload/dataset/region"
    assert "'europe-west4'" in fault.detail


def test_data_do_not_come_with_inference() -> None:
    """Requests bring their own data, so the region is refused."""
    query = Query(Workload("inference", model="resnet50", dataset=Dataset(region="us-east-1")))
    expected = ["/workload/dataset/region"]
    actual = [fault.pointer for fault in faults_of(query, bundled_market())]
    assert expected == actual


def test_regions_lie_near_or_far() -> None:
    """The data's own region, its cloud on the continent and beyond, and all other clouds."""
    market = bundled_market()
    place = place_of("europe-west4", ANYWHERE, market)
    assert place is not None
    away = dict(zip(zip(market.catalog.regions.cloud.codes, market.catalog.regions.name, strict=True),
                    distances(place, market), strict=False))  # fmt: skip
    code = market.catalog.regions.cloud.code_of
    expected = [HOME, NEAR, FAR, INTERNET]
    wanted = [("gcp", "europe-west4"), ("gcp", "europe-west1"), ("gcp", "us-central1"), ("aws", "eu-west-1")]
    actual = [away[code(cloud), name] for cloud, name in wanted]
    assert expected == actual


def test_at_home_nothing_is_moved() -> None:
    """In the region of the data, time and cost are those without a region, and the staging is 0."""
    plain, home = machine("aws", "us-east-1", None), machine("aws", "us-east-1", "us-east-1")
    assert plain == home
    assert (0.0, 0.0) == home[2:]


def test_another_cloud_costs_egress_and_time() -> None:
    """10 TB leave AWS for 900 USD, and their 100 million files are read for 40; the machine is paid meanwhile."""
    plain, moved = machine("gcp", "us-central1", None), machine("gcp", "us-central1", "us-east-1")
    hours, usd = moved[2:]
    assert usd == pytest.approx(940, rel=0.01)
    assert moved[0] == pytest.approx(plain[0] + hours, rel=1e-3)
    assert moved[1] == pytest.approx(plain[1] * moved[0] / plain[0] + usd, rel=1e-3)


def test_a_price_of_your_own_does_not_move_the_machine() -> None:
    """A machine of the catalog stays in its cloud, whatever it costs; described hardware is outside every cloud."""
    query = Query(at("us-east-1"))
    chosen = selected(query)
    machines = (
        Hardware(cloud="aws", instance_type="p4d.24xlarge", usd_per_hour=20.0),
        Hardware(cloud="aws", instance_type="p4d.24xlarge", usd_per_hour=20.0, region="us-west-2"),
        Hardware(accelerator="A100-40GB", usd_per_hour=20.0),
    )
    found = [evaluate(job_of(query), bundled_market(), one, chosen).estimate for one in machines]
    actual = [one.staging.usd for one in found if one is not None and one.staging is not None]
    assert [0.0, 240.0, 940.0] == pytest.approx(actual, rel=0.01)


def test_another_region_costs_less_than_another_cloud() -> None:
    """Between regions of one cloud, the price is lower."""
    near, away = machine("aws", "us-west-2", "us-east-1"), machine("gcp", "us-central1", "us-east-1")
    assert 0 < near[3] < away[3]


def test_a_region_is_chosen_with_its_data() -> None:
    """A little data go to the cheaper region; much stay where they are."""
    market = made_up(Box("p", **GPU, sales=(Sale(3.0, "us-east-1"), Sale(2.0, "eu-west-1"))))
    expected = ["eu-west-1", "us-east-1"]
    packed = [replace(at("us-east-1").dataset, size_bytes=size, format="tfrecord") for size in (1e9, 10e12)]
    found = [ask(Query(replace(WORK, dataset=data)), market) for data in packed]
    actual = [answer.recommendations[0].region for answer in found]
    assert expected == actual


def test_for_time_the_data_stay() -> None:
    """With the objective ``time``, the machine in the data's region comes first, whatever the other costs."""
    market = made_up(Box("p", **GPU, sales=(Sale(3.0, "us-east-1"), Sale(2.0, "eu-west-1"))))
    expected = "us-east-1"
    actual = ask(Query(at("us-east-1", 1e9), objective="time"), market).recommendations[0].region
    assert expected == actual


def test_the_warning_comes_once() -> None:
    """Without a region, the first recommendation alone says that nothing is moved; with one, none does."""
    expected = [1, 0]
    actual = [
        sum(note.rule == "data-not-moved" for one in ask(Query(at(name)), bundled_market()).recommendations
            for note in one.warnings)
        for name in (None, "us-east-1")
    ]  # fmt: skip
    assert expected == actual


def test_without_a_data_set_nothing_is_said_of_it() -> None:
    """Tokens alone describe no data set, so that no warning speaks of one."""
    query = Query(Workload("training", model="llama-3-8b", method="lora", tokens=5e7))
    expected: list[str] = []
    actual = [note.rule for note in first(query).warnings if note.rule == "data-not-moved"]
    assert expected == actual


def test_a_guessed_price_says_so() -> None:
    """A cloud that publishes no price of egress is named with what is assumed."""
    query = Query(at("cn-beijing"), Constraints(clouds=("aws",)))
    texts = [note.text for note in first(query).reasons if note.rule == "data-staging"]
    assert len(texts) == 1
    assert "alibaba publishes no price" in texts[0]


PLACES = st.sampled_from(("us-east-1", "europe-west4", "eastus", "aws", "gcp", "own", "cn-beijing"))
SIZES = st.floats(1e9, 5e13)


@law
@given(PLACES, SIZES)
def test_a_place_never_makes_anything_cheaper(name: str, size: float) -> None:
    """No option costs less or takes less time because it is known where the data are."""
    plain, placed = (selected(Query(at(region, size), objective="cost")).options for region in (None, name))
    known = np.isfinite(plain.usd_per_hour)
    machines = (one.hours * one.priced.usd_per_hour for one in (plain, placed))
    before, after = machines
    assert np.all(placed.hours >= plain.hours * (1 - 1e-9))
    assert np.all(after[known] >= before[known] * (1 - 1e-9))


@law
@given(PLACES, SIZES, st.sampled_from((1.01, 2.0, 10.0)))
def test_more_data_elsewhere_never_cost_less(name: str, size: float, factor: float) -> None:
    """The best machine for more data costs at least as much, wherever they are."""
    few, many = (Query(at(name, size * times), objective="cost") for times in (1.0, factor))
    less, more = best(few, selected(few)), best(many, selected(many))
    assert more is None or (less is not None and more[1] >= less[1] * (1 - 1e-3))


def test_what_moving_costs_is_certain() -> None:
    """The expected cost takes the mean of the machine's hours and undated price, and adds the egress as it is."""
    one = first(Query(at("us-east-1"), Constraints(clouds=("verda",)), "cost"))
    cost, price, staging = one.estimate.cost_usd, one.price, one.estimate.staging
    assert cost is not None
    assert staging is not None
    assert staging.usd > 0
    assert price.low is not None
    assert price.high is not None
    low, value, high = (end - staging.usd for end in (cost.low, cost.value, cost.high))
    variance = (log(high / low) ** 2 + log(price.high / price.low) ** 2) / 2.563**2
    assert one.estimate.expected_cost_usd == pytest.approx(staging.usd + value * exp(variance / 2), rel=1e-3)


@pytest.mark.parametrize(
    ("regions", "expected"), [(("eu-west-1", "us-east-1"), "eu-west-1"), (("us-east-1",), "us-east-1")]
)
def test_data_leave_their_continent_only_for_a_noticeable_saving(regions: tuple[str, ...], expected: str) -> None:
    """A tenth less an hour does not pay for it; where they have to, a warning says so."""
    small = replace(WORK, dataset=replace(TEN_TB, size_bytes=1e8, samples=1e8, region="eu-west-1"))
    found = first(Query(small, Constraints(instance_types=("g5.xlarge",), regions=regions), objective="cost"))

    assert expected == found.region
    assert (expected == "us-east-1") == ("data-leave-continent" in {note.rule for note in found.warnings})


def test_another_cloud_is_offered_on_the_continent_of_the_data() -> None:
    """Its cheapest region of all may be elsewhere, for a few percent."""
    asked = Constraints(clouds=("gcp",), instance_types=("g2-standard-4",))
    plain, found = (first(Query(at(region, 1e9), asked, objective="cost")) for region in (None, "aws/eu-west-1"))
    assert plain.region.startswith("us-")
    assert found.region.startswith("europe-")
    assert "data-leave-continent" not in {note.rule for note in found.warnings}


@pytest.mark.parametrize("region", [None, "us-east-1"])
def test_copying_data_within_their_region_is_not_counted_and_said(region: str | None) -> None:
    """Local drives are empty at the start."""
    found = first(Query(at(region), Constraints(clouds=("aws",)), objective="cost"))
    [text] = [note.text for note in found.warnings if note.rule == "data-not-copied"]

    assert "copying them there" in text


def test_a_conversion_counts_the_copy_from_storage_in_its_own_region() -> None:
    """20 million files come at 5,000 a second, and Google Cloud charges 8 USD for reading them."""
    files = Dataset(size_bytes=2e12, samples=2e7, format="jpeg", region="gcp/us-central1")
    work = Workload("preprocessing", dataset=files, output_format="webdataset", tuning="tuned")
    found = first(Query(work, Constraints(clouds=("gcp",), regions=("us-central1",))))
    staging = found.estimate.staging
    assert staging is not None
    assert (staging.hours, staging.usd) == pytest.approx((2e7 / 5000 / 3600, 8.0), rel=1e-3)
    assert found.estimate.time_hours is not None
    assert found.estimate.time_hours.low > staging.hours
    assert "data-not-copied" not in {note.rule for note in found.warnings}


def test_inference_reads_from_storage_as_it_runs() -> None:
    """Each sample is read once, faster than it is computed; the named machine says the same as the first choice."""
    work = Workload("inference", model="dinov2-large", dataset=Dataset(size_bytes=5e12, samples=1e8))
    query = Query(work, Constraints(instance_types=("g6.2xlarge",), max_nodes=1))
    texts = [note.text for note in first(query).warnings if note.rule == "data-not-copied"]
    on = Hardware(cloud="aws", instance_type="g6.2xlarge")
    named = evaluate(job_of(query), bundled_market(), on, selected(query))

    assert [True] == [text.startswith("each sample is read once") for text in texts]
    assert texts == [note.text for note in named.warnings if note.rule == "data-not-copied"]


def test_object_storage_does_not_fill_a_network_between_machines() -> None:
    """3.5 TB take 280 s at 100 Gbit/s, whatever links a machine has to others of its kind."""
    work = replace(WORK, dataset=Dataset(size_bytes=3.5e12, samples=3e7, format="webdataset"), epochs=1)
    fast = Constraints(instance_types=("p5en.48xlarge",), max_nodes=1)
    [text] = [note.text for note in first(Query(work, fast)).warnings if note.rule == "data-not-copied"]

    minutes = float(re.findall(r"([\d.]+) min", text)[0])
    assert minutes >= 3.5e12 * 8 / 100e9 / 60 * 0.99


@pytest.mark.parametrize(("form", "minutes"), [("jpeg", 14e6 / 5000 / 60), ("webdataset", 1.5e12 * 8 / 100e9 / 60)])
def test_files_of_one_sample_each_are_read_one_by_one(form: str, minutes: float) -> None:
    """14 million files at 5,000 a second, for 5.60 USD; archives of them come at 100 Gbit/s."""
    work = replace(WORK, dataset=Dataset(size_bytes=1.5e12, samples=14e6, format=form))
    fast = Constraints(instance_types=("p5en.48xlarge",), max_nodes=1)
    [text] = [note.text for note in first(Query(work, fast)).warnings if note.rule == "data-not-copied"]

    assert [minutes] == pytest.approx([float(found) for found in re.findall(r"([\d.]+) min", text)], rel=0.01)
    assert (form == "jpeg") == ("reading 14,000,000 files one by one costs 5.6 USD" in text)


def test_restarts_pay_for_the_data_that_they_move_again() -> None:
    """Where a disk is lost with its machine, each expected restart adds the price of the data once more."""
    work = replace(at("europe-west4", 1e12), interruptions_per_hour=0.05, checkpoint_gib=1.0)
    found = first(Query(work, Constraints(clouds=("verda",), purchase=("spot",), max_nodes=1), "cost"))
    once = first(Query(at("europe-west4", 1e12), Constraints(clouds=("verda",), max_nodes=1), "cost"))
    spot, staging, plain = found.estimate.spot, found.estimate.staging, once.estimate.staging
    assert spot is not None
    assert staging is not None
    assert plain is not None

    assert spot.expected_restarts > 0.05
    assert staging.usd == pytest.approx(plain.usd * (1 + spot.expected_restarts), rel=1e-3)
    assert spot.restart_minutes >= staging.hours * 60


def test_the_break_even_counts_the_data_that_restarts_move() -> None:
    """At that rate the run costs on spot what it costs on demand, with the egress of both."""
    work = replace(at("europe-west4", 1e12), checkpoint_gib=1.0)
    limits = Constraints(clouds=("verda",), purchase=("spot",), instance_types=("1A100.22V",), max_nodes=1)
    spot = first(Query(work, limits, "cost")).estimate.spot
    assert spot is not None
    even = first(Query(replace(work, interruptions_per_hour=spot.break_even_interruptions_per_hour), limits, "cost"))
    assert even.estimate.cost_usd is not None

    assert even.estimate.cost_usd.value == pytest.approx(spot.on_demand_cost_usd, rel=5e-3)
