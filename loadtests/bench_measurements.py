"""Processor time of a question with 20 measurements over that of the same question without: milliseconds and ratios.

The two take turns in one process. For *first* nothing is kept from earlier questions; *again* asks for another amount
of the work, as the next question about it does. Parsing counts; rendering, which measurements hardly change, does not.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from itertools import product
from statistics import median
from typing import Any

from workloads import EXAMPLES

from plimsoll_service.api.loading import load
from plimsoll_service.api.named_hardware import ESTIMATE_REQUEST
from plimsoll_service.api.recommendations import REQUEST
from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.prices import Prices
from plimsoll_service.engine.quantities import Rate
from plimsoll_service.evidence import coefficients
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.sizing import Sizer

Body = dict[str, Any]
GPUS = [{"accelerator": name} for name in ("T4", "L4", "A10G", "A100-80GB", "H100-SXM")]
CPUS = [{"vcpus": vcpus, "memory_gib": 512, "cpu": cpu} for vcpus in (8, 16, 32) for cpu in ("Ice Lake", "Zen 4")]
# What was measured of each example: the machines, and the conditions of the runs on each.
CASES: dict[str, tuple[list[Body], list[Body]]] = {
    "a_resnet50_imagenet": (GPUS, [{"batch_size": size} for size in (16, 32, 64, 128)]),
    "b_llama3_8b_lora": (
        [{**one, "count": count} for one, count in product(GPUS[1:], (1, 4, 8))],
        [{"batch_size": 2}, {"batch_size": 4, "sequence_length": 1024}],
    ),
    "c_llama3_70b_serving": (
        [{**one, "count": 8} for one in GPUS[2:]],
        [{"concurrency": users, "input_tokens": prompt} for users in (8, 32, 64, 128) for prompt in (500, 1000)],
    ),
    "e_xgboost_100gb": ([*CPUS, *GPUS[3:], {**GPUS[4], "count": 4}], [{}]),
}
COUNT, WARM_UP, MOST = 20, 3, 1.5
SHARES = (0.7, 0.8, 0.9)  # of the estimate: no hardware is too slow for that


def main() -> None:
    """Print the table; the status is 1 if a question that is asked again takes more than ``MOST`` times as long."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=200)
    repeats = options.parse_args().repeats
    catalog = snapshot.load()
    prices = LivePrices(catalog)
    sizer = Sizer(catalog, coefficients.load(), prices)
    print(f"{'milliseconds':<24}{'first':>8}{'with':>8}{'ratio':>8}{'again':>10}{'with':>8}{'ratio':>8}")
    ratios = []
    for example in CASES:
        measured = measurements(sizer, example)
        cells = []
        for fresh in (True, False):
            plain, anchored = in_turns(sizer, prices.current().prices, example, measured, repeats, fresh)
            ratios += [] if fresh else [anchored / plain]
            cells.append(f"{plain:>8.2f}{anchored:>8.2f}{anchored / plain:>8.2f}")
        print(f"{example:<24}" + "  ".join(cells), flush=True)
    raise SystemExit(max(ratios) > MOST)


def measurements(sizer: Sizer, example: str) -> list[Body]:
    """So many measurements of an example, each somewhat slower than its estimate."""
    machines, conditions = CASES[example]
    found: list[Body] = []
    for place, (on, stated) in enumerate(product(machines, conditions)):
        workload = {**EXAMPLES[example]["workload"], **stated}
        if "concurrency" in stated:  # which a measurement states in place of a rate
            del workload["requests_per_second"]
        asked = load(ESTIMATE_REQUEST, {"workload": workload, "on": on})
        estimate = sizer.estimate(asked.query, asked.on[0]).estimate
        if estimate is not None and isinstance(estimate.throughput, Rate):
            share = SHARES[place % len(SHARES)]
            found.append({"on": on, **stated, "throughput": estimate.throughput.value * share})
    return (found * COUNT)[:COUNT]


def in_turns(
    sizer: Sizer, prices: Prices, example: str, measured: list[Body], repeats: int, fresh: bool
) -> tuple[float, float]:
    """Milliseconds of the question without measurements and with them."""
    taken: tuple[list[float], list[float]] = [], []
    for number in range(WARM_UP + repeats):
        plain = another(example, number)
        anchored = {**plain, "workload": {**plain["workload"], "measurements": measured}}
        for which, (body, times) in enumerate(zip((plain, anchored), taken, strict=True)):
            version = f"{example}-{number}-{which}" if fresh else prices.version  # under a new one nothing is kept
            times.append(milliseconds(sizer, replace(prices, version=version), body))
    return median(taken[0][WARM_UP:]), median(taken[1][WARM_UP:])


def another(example: str, number: int) -> Body:
    """The example with another amount of work: more epochs, tokens, requests or rows."""
    body, factor = EXAMPLES[example], 1 + number / 100
    workload = dict(body["workload"])
    if "epochs" in workload:
        workload["epochs"] = 20 + number
    elif "tokens" in workload:
        workload["tokens"] = round(workload["tokens"] * factor)
    elif "requests_per_second" in workload:
        workload["requests_per_second"] *= factor
    else:
        data = workload["dataset"]
        workload["dataset"] = {**data, "samples": round(data["samples"] * factor)}
    return {**body, "workload": workload}


def milliseconds(sizer: Sizer, prices: Prices, body: Body) -> float:
    """Processor time of one question; the market of its prices is made before the clock starts."""
    sizer.faults(load(REQUEST, EXAMPLES["f_fp64_hpc"]), prices=prices)
    began = time.process_time()
    answer = sizer.recommend(load(REQUEST, body), prices)
    taken = (time.process_time() - began) * 1000
    assert answer.recommendations
    return taken


if __name__ == "__main__":
    main()
