"""The whole answer for given hardware, alone or beside others."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.answer import ComparedMachine, Meets, Note, Shortfall, WhyNot
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.cautions import Rented, warnings_of
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import Given, given_of, meets_of, parts_of, shortfalls
from plimsoll_service.engine.choice.provenance import term_notes
from plimsoll_service.engine.choice.reasons import reasons_of
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.choice.why_not import why_not
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.quantities import Estimate, Price, Sizing, Spot
from plimsoll_service.engine.rules import advice
from plimsoll_service.engine.workload import Hardware

SPLITS = ("tensor_parallel", "pipeline_parallel", "expert_parallel")
FOLLOWED = {kind.SERVING: ("tensor_parallel", "pipeline_parallel"), kind.TOKEN_TRAINING: SPLITS}


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Given hardware judged: the contract's parts, and the columns that they come from."""

    given: Given
    fits: bool
    short: tuple[Shortfall, ...]
    sizing: Sizing
    estimate: Estimate | None
    price: Price | None
    meets: Meets
    rank: int | None
    why_not: tuple[WhyNot, ...]
    reasons: tuple[Note, ...]
    warnings: tuple[Note, ...]


def evaluate(job: Job, market: Market, on: Hardware, chosen: Selection) -> Evaluated:
    """What the hardware makes of the job, and where it stands among ``chosen``."""
    given = given_of(job, market, on)
    short = shortfalls(job, market, given)
    fits = not short
    sizing, estimate = parts_of(job, market, given, fits)
    objective = job.query.objective or ranking.default_objective(job)
    rank, reasons_against = why_not(job, market, given, short, chosen, objective)
    return Evaluated(
        given=given,
        fits=fits,
        short=short,
        sizing=sizing,
        estimate=estimate,
        price=given.price,
        meets=meets_of(job, given, fits),
        rank=rank,
        why_not=reasons_against,
        reasons=_reasons(job, market, given, estimate.bottleneck, rank, objective) if estimate is not None else (),
        warnings=_warnings(job, given, estimate.spot) if estimate is not None else (),
    )


def _reasons(
    job: Job, market: Market, given: Given, bottleneck: str, rank: int | None, objective: str
) -> tuple[Note, ...]:
    of_price = term_notes(market, given.prices, given.options, 0, float(given.on.node_count))
    return (*reasons_of(job, given.detail, bottleneck, rank, objective), *of_price)


def _warnings(job: Job, given: Given, spot: Spot | None) -> tuple[Note, ...]:
    rented = None if given.price is None else Rented(given.on.purchase or "on_demand", given.price, spot)
    followed = FOLLOWED.get(job.kind, ())
    ignored = [name for name in SPLITS if name not in followed and (getattr(given.on, name) or 1) > 1]
    notes = [advice.PARALLELISM.note(f"{name} {getattr(given.on, name)} is not followed") for name in ignored]
    return (*warnings_of(job, given.detail, rented), *notes)


def relative(one: Evaluated, first: Evaluated | None) -> ComparedMachine:
    """One row of a comparison; S0's ratios to the first machine that fits, empty where it does not fit."""
    performance = cost = ratio = None
    if one.fits and first is not None:
        performance = _digits(_speed(one) / _speed(first))
        if one.price is not None and first.price is not None:
            cost = _digits(_hourly(one) / _hourly(first))
            ratio = _digits(_speed(one) / _speed(first) / (_hourly(one) / _hourly(first)))
    return ComparedMachine(
        label=label_of(one.given.on),
        fits=one.fits,
        short=one.short,
        relative_performance=performance,
        relative_cost=cost,
        performance_per_cost=ratio,
        estimate=one.estimate,
        price=one.price,
        meets=one.meets,
        rank=one.rank,
        why_not=one.why_not,
        reasons=one.reasons,
        warnings=one.warnings,
    )


def label_of(on: Hardware) -> str:
    """The label that the user gave, else what the machine is."""
    return on.label or on.instance_type or on.accelerator or on.cpu or "machine"


def _speed(one: Evaluated) -> float:
    return float(one.given.estimates.outcome.capacity[0])


def _hourly(one: Evaluated) -> float:
    return float(one.given.options.usd_per_hour[0] * one.given.estimates.nodes[0])


def _digits(value: float) -> float:
    return float(f"{value:.5g}")
