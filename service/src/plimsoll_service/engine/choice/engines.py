"""Engines that are made for one kind of model, where the request leaves the framework open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from .. import frameworks
from ..demand import kind
from ..demand.job import Job, answer_target_ms, profile_of
from ..frameworks import title_of
from ..models.profile import ModelProfile
from ..rules import Remark, RuleId
from ..workload import Query
from .first_places import TENTH
from .loosening import Choose, Looser
from .market import Market
from .near_misses import in_words
from .options import fixed_load
from .own_machines import OwnMachines
from .ranking import scored
from .rounding import said
from .scores import CHEAPER, Scored, best_of
from .selection import Selection


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
) -> Remark | None:
    """Return the engine that costs the least by far, if it costs at least a fifth less than the first choice.

    It takes no longer, or meets the stated time. ``first``: the first choice's row. Rule: engine-made-for-it.
    """
    place = int(found.rows.searchsorted(first))
    stated = answer_target_ms(job) is not None or job.workload.deadline_hours is not None
    latest = np.inf if stated else TENTH * found.expected.time.item(place)
    engines = (_found(query, choose, engine, found.objective, latest) for engine in _engines_of(query, job))
    best = min((one for one in engines if one is not None), key=lambda one: one.cost, default=None)
    if best is None or best.cost > CHEAPER * found.expected.counted_cost.item(place):
        return None
    machines = partial(in_words, market, own, best.chosen)(best.row)
    return RuleId("engine-made-for-it").note(f"with framework {title_of(best.engine)}, {machines} {_figures(best)}")


def _found(query: Query, choose: Choose, engine: str, objective: str, latest: float) -> _Found | None:
    """The best choice under an engine that takes no longer than the ``latest`` time, if there is one."""
    job, chosen = _under(query, choose, engine)
    if not len(chosen.feasible):
        return None
    found = scored(job, chosen, objective)
    soon = np.flatnonzero(found.listed & (found.expected.time <= latest))
    if not len(soon):
        return None
    place = best_of(job, chosen, found, soon)
    return _Found(engine, job, chosen, found.rows.item(place), found.expected.counted_cost.item(place))


def _figures(one: _Found) -> str:
    """What the choice costs, and how long it takes, in words."""
    options, outcome = one.chosen.options, one.chosen.estimates.outcome
    if not one.job.serves:
        return f"takes {said(options.hours.item(one.row))} h, and costs {said(options.cost.item(one.row))} USD"
    late = f"it answers in {said(outcome.latency_ms.item(options.candidate.item(one.row)))} ms"
    if fixed_load(one.job):
        return f"costs {said(options.charges.usd_per_hour.item(one.row))} USD per hour; {late}"
    return f"costs {said(options.cost.item(one.row))} USD per million samples; {late}"
