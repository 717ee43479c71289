"""Laws that hold for the answers to five hundred random questions."""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.documents.asking import Json, client, get

pytestmark = pytest.mark.xdist_group("sound")  # one worker makes what all tests here share

LOADTESTS = Path(__file__).parents[2] / "loadtests"
MANY, SEED = 500, 18
SHOWN = 12  # recommendations of each question
RESERVED = "reserved"  # sold, but not on demand
RUNS = ("supported", "untested")
PERMITTING = ("accelerators", "instance_types", "instance_families")  # naming what must be ported permits it
ASKING_FOR_RETIRED = ("retired", "instance_types", "instance_families")
WIDE, NEAR, NARROWER = 3.0, 1.3, 0.5  # high ÷ low of a range, one expected value ÷ another, one width ÷ another
TENTHS = 2.563  # standard deviations from the 10th to the 90th percentile
GIB, MIB = 2.0**30, 2.0**20
UNITS = {"B": 1.0, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15}


@dataclass(frozen=True)
class Asked:
    """A question that has recommendations, and its answer."""

    body: Json
    answer: Json

    @property
    def shown(self) -> list[Json]:
        """The recommendations."""
        found: list[Json] = self.answer["recommendations"]
        return found

    @property
    def constraints(self) -> Json:
        """Constraints of the question."""
        found: Json = self.body.get("constraints", {})
        return found


Law = Callable[[Asked], Iterator[str]]


@pytest.fixture(scope="module")
def asked() -> list[Asked]:
    """The first 500 sound questions of a seed: understood, and with recommendations."""
    found: list[Asked] = []
    for body in _questions():
        reply = client().post("/v1/recommendations", json=body)
        assert reply.status_code in (200, 422), reply.text
        if reply.status_code == 200 and reply.get_json()["recommendations"]:
            found.append(Asked(body, reply.get_json()))
        if len(found) == MANY:
            break
    return found


def _questions() -> Iterator[Json]:
    """Questions of the load tests' generator about work that ends: training, preprocessing and HPC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(LOADTESTS))
        generator: Any = importlib.import_module("questions")
    chance = random.Random(SEED)
    while True:
        body = generator.asked(chance)
        if body["workload"]["task"] != "inference":
            yield body | {"limit": SHOWN}


def not_retired(one: Asked) -> Iterator[str]:
    """No type is retired, withdrawn, closed or unlisted unless the question asks for it; none is reserved."""
    if not any(name in one.constraints for name in ASKING_FOR_RETIRED):
        for shown in one.shown:
            status = _gone().get((shown["cloud"], shown["instance_type"]))
            if status and (status != RESERVED or shown["purchase"] == "on_demand"):
                yield f"{_name(shown)} is {status}"


def software_runs(one: Asked) -> Iterator[str]:
    """The software is supported, or untested and said to be; it is ported only with permission."""
    permitted = one.constraints.get("allow_porting") or any(name in one.constraints for name in PERMITTING)
    allowed = (*RUNS, "ported") if permitted else RUNS
    for shown in one.shown:
        status = shown["runs"]["status"]
        warned = status == "supported" or f"{status}-software" in {note["rule"] for note in shown["warnings"]}
        if status not in allowed or not warned:
            yield f"{_name(shown)}: {status}, warned: {warned}"


def software_uses_the_device(one: Asked) -> Iterator[str]:
    """The statement about the software is about the accelerator, not the processor, where the accelerator works."""
    for shown in one.shown:
        at_work = shown["accelerator"] and shown["estimate"]["bottleneck"].startswith("accelerator_")
        if at_work and "on processors" in shown["runs"]["why"]:
            yield f"{_name(shown)}: {shown['runs']['why']}"


def sure_first(one: Asked) -> Iterator[str]:
    """No first place has a range over three times wide if an option nearly as good has half that width.

    What is lower at both ends is better however wide: a least bill lifts the low end of the other.
    """
    first = one.shown[0]
    ranges = _judged_by(one)
    widest = max((_width(first, of) for of in ranges), default=1.0)
    if widest <= WIDE:
        return
    for other in one.shown[1:]:
        near = all(mean(other, of) <= NEAR * mean(first, of) for of in ranges)
        width = max(_width(other, of) for of in ranges)
        ends = [(first["estimate"][ranges[0]][end], other["estimate"][ranges[0]][end]) for end in ("low", "high")]
        near = near and any(mine > others for mine, others in ends)
        if near and width <= max(NARROWER * widest, widest**NARROWER):
            yield f"{_name(first)} is {widest:.3g} wide, {_name(other)} {width:.3g}"
            return


def different_hardware(one: Asked) -> Iterator[str]:
    """The first five differ in hardware: cloud, device, or devices in each machine."""
    if one.body.get("group") != "none":
        kinds = [(shown["cloud"], tuple((shown["accelerator"] or {}).items()), _name(shown)) for shown in one.shown[:5]]
        for (cloud, device, name), (second_cloud, second_device, second) in combinations(kinds, 2):
            if device and (cloud, device) == (second_cloud, second_device):
                yield f"{name} and {second}"


def disk_holds_the_data(one: Asked) -> Iterator[str]:
    """A disk is as large as its data; preprocessed data may be divided over the machines."""
    dataset = one.answer["workload"].get("dataset") or {}
    if "size" not in dataset:
        return
    number = dataset["size"].rstrip("BKMGTP")
    held = float(number) * UNITS[dataset["size"].removeprefix(number)]
    for shown in one.shown:
        share = held / shown["node_count"] if one.answer["workload"]["task"] == "preprocessing" else held
        if shown["sizing"]["disk"]["size_gib"] * GIB < 0.999 * share:
            yield f"{_name(shown)}: {shown['sizing']['disk']['size_gib']} GiB for {share / GIB:.4g} GiB of data"


def checkpoints_outlive_the_machine(one: Asked) -> Iterator[str]:
    """A spot machine that writes checkpoints has a volume that outlives it and is large enough."""
    size = one.answer["workload"].get("checkpoint_gib") or 0.0
    for shown in one.shown:
        spot, disk = shown["estimate"]["spot"], shown["sizing"]["disk"]
        root_gib = (disk["root_volume"] or {"size_gib": 0})["size_gib"]
        local = disk["product"] == "local NVMe"
        if local and spot and spot["checkpoint_write_minutes"] and root_gib < max(2 * size, 1):
            yield f"{_name(shown)}: local NVMe is the only disk"


def checkpoints_are_not_faster_than_volumes(one: Asked) -> Iterator[str]:
    """Writing a checkpoint of a stated size takes at least its time on the cloud's fastest volume."""
    size = one.answer["workload"].get("checkpoint_gib")
    for shown in one.shown if size else ():
        fastest, spot = _fastest_volumes().get(shown["cloud"]), shown["estimate"]["spot"]
        if spot and fastest and size * GIB / MIB / fastest > 1.01 * 60 * spot["checkpoint_write_minutes"]:
            yield f"{_name(shown)}: {size} GiB in {spot['checkpoint_write_minutes']} min"


LAWS: tuple[Law, ...] = (
    not_retired,
    software_runs,
    software_uses_the_device,
    sure_first,
    different_hardware,
    disk_holds_the_data,
    checkpoints_outlive_the_machine,
    checkpoints_are_not_faster_than_volumes,
)


@pytest.mark.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])
def test_holds_of_every_answer(law: Law, asked: list[Asked]) -> None:
    """The law holds of 500 answers."""
    expected = (MANY, [])
    breaches = [(breach, one.body) for one in asked for breach in law(one)]
    actual = (len(asked), breaches[:3])
    assert expected == actual, f"{len(breaches)} breaches: {law.__doc__}"


def mean(shown: Json, of: str) -> float:
    """Expected value: the stated cost, or the mean of a log-normal range with the ends as 10th and 90th percentiles."""
    if of == "cost_usd":
        return float(shown["estimate"]["expected_cost_usd"])
    value, low, high = (shown["estimate"][of][name] for name in ("value", "low", "high"))
    return float(value * math.exp((math.log(high / low) / TENTHS) ** 2 / 2))


def _judged_by(one: Asked) -> tuple[str, ...]:
    """Ranges that the objective weighs, for a job with a known amount and a cost."""
    measures = {"time": ("time_hours",), "balanced": ("cost_usd", "time_hours")}
    wanted = measures.get(_objective(one), ("cost_usd",))
    return tuple(of for of in wanted if all((shown["estimate"][of] or {}).get("low") for shown in one.shown))


def _objective(one: Asked) -> str:
    """The stated objective, or else cost with a deadline or a budget, or else balanced."""
    limited = {"deadline", "budget_usd"} & set(one.body["workload"])
    found: str = one.body.get("objective", "cost" if limited else "balanced")
    return found


def _width(shown: Json, of: str) -> float:
    """High end of a range divided by its low end."""
    return float(shown["estimate"][of]["high"] / shown["estimate"][of]["low"])


def _name(shown: Json) -> str:
    device = shown["accelerator"] and f"{shown['accelerator']['count']:g} x {shown['accelerator']['name']}"
    return f"{shown['node_count']} x {shown['cloud']} {shown['instance_type']} ({device}, {shown['purchase']})"


_KEPT: dict[str, Any] = {}


def _gone() -> dict[tuple[str, str], str]:
    """Types of the catalog that no new customer can order, or not on demand, with the reason."""
    if "gone" not in _KEPT:
        _KEPT["gone"] = {(item["cloud"], item["instance_type"]): _status(item) for item in _all("instance-types")}
    found: dict[tuple[str, str], str] = _KEPT["gone"]
    return found


def _status(item: Json) -> str:
    withdrawn: str = (item["withdrawn"] or {}).get("status", "")
    return withdrawn or ("retired" if item["retired"] else "")


def _fastest_volumes() -> dict[str, float]:
    """MiB a second of the fastest volume of each cloud whose volumes are known."""
    if "fastest" not in _KEPT:
        _KEPT["fastest"] = fastest = {}
        for item in _all("disks"):
            if item["product"] != "local NVMe" and item["throughput_max_mib_s"]:
                fastest[item["cloud"]] = max(fastest.get(item["cloud"], 0.0), item["throughput_max_mib_s"])
    found: dict[str, float] = _KEPT["fastest"]
    return found


def _all(collection: str) -> Iterator[Json]:
    path = f"/v1/{collection}?limit=1000"
    while path:
        page = get(path)
        yield from page["items"]
        path = page["next"]
