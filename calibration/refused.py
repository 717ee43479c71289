"""Published runs of which the service would say that they do not fit the machine that they ran on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from calibration.asked import asked
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.choice.named_hardware import named_hardware_of, shortfalls
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.workload import Hardware, Query, Workload
from plimsoll_service.evidence import coefficients
from plimsoll_service.evidence.measurement import Measurement

NAMED = 20  # of the groups that are refused


def refusals(measurements: Iterable[Measurement], market: Market) -> Iterator[tuple[Measurement, tuple[str, ...]]]:
    """Yield each undoubted run with what its machine lacks for it, by the service's own answer.

    A batch that was too large has the figure 0: it did not run.
    """
    known: dict[object, tuple[str, ...]] = {}
    for one in measurements:
        if one.doubt or one.value <= 0:
            continue
        question = asked(one)
        if question not in known:
            known[question] = _lacking(*question, market)
        yield one, known[question]


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def _lacking(workload: Workload, hardware: Hardware, market: Market) -> tuple[str, ...]:
    try:
        job = job_of(Query(workload), market.coefficients)
        return tuple(short.resource for short in shortfalls(job, named_hardware_of(job, market, hardware)))
    except Refused:
        return ("no such question",)


def summary(measurements: Iterable[Measurement], catalog: Catalog) -> str:
    """The share of runs that are said not to fit, and the groups with the most of them."""
    found = list(refusals(measurements, market_of(catalog, coefficients.load())))
    wrong = Counter((one.source, one.model, one.task, *lacks) for one, lacks in found if lacks)
    lines = [f"{count:5} {' '.join(filter(None, group))}" for group, count in wrong.most_common(NAMED)]
    share = wrong.total() / len(found)
    return "\n".join([f"{wrong.total()} of {len(found)} published runs ({share:.2%}) are said not to fit", *lines])
