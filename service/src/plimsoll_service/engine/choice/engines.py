"""Engines that are made for one kind of model, where the request leaves the framework open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from plimsoll_service.engine import frameworks
from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.loosening import Choose, Looser
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.near_misses import in_words
from plimsoll_service.engine.choice.options import fixed_load
from plimsoll_service.engine.choice.own_machines import OwnMachines
from plimsoll_service.engine.choice.ranking import first_row, scored
from plimsoll_service.engine.choice.rounding import said
from plimsoll_service.engine.choice.scores import CHEAPER, Scored
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job, profile_of
from plimsoll_service.engine.frameworks import title_of
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.rules import choice as rules
from plimsoll_service.engine.workload import Query


class _Found(NamedTuple):
    """An engine with the first choice under it."""

    engine: str
    job: Job
    chosen: Selection
    row: int
    cost: float  # expected


def _engines_of(query: Query, job: Job) -> tuple[str, ...]:
    """Engines for the model, where the request names no framework; none of language models, whose usual one is."""
    if job.kind != kind.INFERENCE or query.workload.framework is not None or not job.known_model:
        return ()
    profile = profile_of(job)
    return frameworks.engines_for(profile.family, profile.name) if _of_words(profile) else ()


def _of_words(profile: ModelProfile) -> bool:
    """Whether a model is nothing but a transformer with a vocabulary; those of images and series have none."""
    text = profile.transformer is not None and profile.transformer.vocabulary > 0
    return (text and not profile.frozen_parameters) or profile.name in frameworks.WHISPER


def loosened(query: Query, choose: Choose) -> Iterator[Looser]:
    """Yield each engine that leaves options where the assumed framework does not."""
    for engine in _engines_of(query, choose(query)[0]):
        other, chosen = _under(query, choose, engine)
        if len(chosen.feasible):
            yield Looser("framework", engine, other, chosen)


def _under(query: Query, choose: Choose, engine: str) -> tuple[Job, Selection]:
    return choose(replace(query, workload=replace(query.workload, framework=engine)))


def engine_note(
    query: Query, job: Job, market: Market, own: OwnMachines, choose: Choose, found: Scored, first: int
) -> Note | None:
    """Return the engine that costs the least by far, if it costs at least a fifth less than the first choice.

    ``first``: its row. Rule: engine-made-for-it.
    """
    place = found.rows.tolist().index(first)
    others = [one for engine in _engines_of(query, job) if (one := _found(query, choose, engine, found.objective))]
    best = min(others, key=lambda one: one.cost, default=None)
    if best is None or best.cost > CHEAPER * found.expected.counted_cost.item(place):
        return None
    machines = partial(in_words, market, own, best.chosen)(best.row)
    return rules.ENGINE.note(f"with framework {title_of(best.engine)}, {machines} {_figures(best)}")


def _found(query: Query, choose: Choose, engine: str, objective: str) -> _Found | None:
    job, chosen = _under(query, choose, engine)
    if not len(chosen.feasible):
        return None
    found = scored(job, chosen, objective)
    row = first_row(job, chosen, found)
    cost = found.expected.counted_cost.item(found.rows.tolist().index(row))
    return _Found(engine, job, chosen, row, cost)


def _figures(one: _Found) -> str:
    """What the choice costs, and how long it takes, in words."""
    options, outcome = one.chosen.options, one.chosen.estimates.outcome
    if not one.job.serves:
        return f"takes {said(options.hours.item(one.row))} h, and costs {said(options.cost.item(one.row))} USD"
    late = f"it answers in {said(outcome.latency_ms.item(options.candidate.item(one.row)))} ms"
    if fixed_load(one.job):
        return f"costs {said(options.charges.usd_per_hour.item(one.row))} USD per hour; {late}"
    return f"costs {said(options.cost.item(one.row))} USD per million samples; {late}"
