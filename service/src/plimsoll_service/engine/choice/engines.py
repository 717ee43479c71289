"""Engines where the request leaves the framework open: made for one kind of model, or able to run on named hardware."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import names
from ..answer import Assumption
from ..demand import kind, requested_model
from ..demand.filling import changed
from ..demand.job import Job, profile_of, stated_target_ms
from ..frameworks import WHISPER
from ..models.profile import ModelProfile
from ..rules import Remark, RuleId
from ..support import NO
from ..workload import Hardware, Query
from .listed import TENTH
from .loosening import Choose
from .market import Market
from .options import fixed_load
from .ranking import scored
from .rounding import said
from .scores import CHEAPER, Scored, best_of
from .selection import Named, Selection
from .software import status_on


class _Found(NamedTuple):
    """An engine with the first choice under it."""

    engine: str
    job: Job
    chosen: Selection
    row: int
    cost: float  # expected


def engines_of(query: Query, job: Job) -> tuple[str, ...]:
    """Return the engines for the model, where the request names none; of language models the usual one is."""
    if job.kind != kind.INFERENCE or query.workload.framework is not None or not job.known_model:
        return ()
    profile = profile_of(job)
    return job.coefficients.frameworks.engines_for(profile.family, profile.name) if _of_words(profile) else ()


def _of_words(profile: ModelProfile) -> bool:
    """Whether a model is nothing but a transformer with a vocabulary; those of images and series have none."""
    text = profile.transformer is not None and profile.transformer.vocabulary > 0
    return (text and not profile.frozen_parameters) or profile.name in WHISPER


def engine_note(query: Query, job: Job, choose: Choose, named: Named, found: Scored, first: int) -> Remark | None:
    """Return the engine that costs the least by far, if it costs at least a fifth less than the first choice.

    It takes no longer, or meets the stated time. ``first``: the first choice's row. Rule: engine-made-for-it.
    """
    place = int(found.rows.searchsorted(first))
    stated = stated_target_ms(job) is not None or job.workload.deadline_hours is not None
    latest = np.inf if stated else TENTH * found.expected.time.item(place)
    engines = (_found(query, choose, engine, found.objective, latest) for engine in engines_of(query, job))
    best = min((one for one in engines if one is not None), key=lambda one: one.cost, default=None)
    if best is None or best.cost > CHEAPER * found.expected.counted_cost.item(place):
        return None
    machines = named(best.chosen, best.row)
    return RuleId("engine-made-for-it").note(
        f"with framework {job.coefficients.frameworks.title_of(best.engine)}, {machines} {_figures(best)}"
    )


def _found(query: Query, choose: Choose, engine: str, objective: str, latest: float) -> _Found | None:
    """The best choice under an engine that takes no longer than the ``latest`` time, if there is one."""
    job, chosen = choose(query.asking(framework=engine))
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


USUAL, INSTEAD = "vllm", "llama.cpp"


def with_suited_engine(query: Query, on: tuple[Hardware, ...], market: Market) -> tuple[Query, tuple[Assumption, ...]]:
    """Return the query with llama.cpp if it names no engine, vLLM runs on none of the devices and llama.cpp on all.

    The assumption is noted. Names must be known (see admission).
    """
    workload, frameworks = query.workload, market.coefficients.frameworks
    if workload.task != "inference" or workload.framework is not None:
        return query, ()
    profile = requested_model.profile_of(workload, market.coefficients)
    if profile is None or frameworks.default_for(workload.task, profile.family, profile.name).name != USUAL:
        return query, ()
    accelerators = market.catalog.accelerators
    found = [names.find(one.accelerator or "", market.spellings["accelerator"]) for one in on]
    devices = [accelerators.name.index(name) for name in found if name is not None]
    if not devices or len(devices) < len(on) or any(one.instance_type is not None for one in on):
        return query, ()
    support = market.coefficients.support
    if any(status_on(USUAL, workload.task, accelerators, row, support) != NO for row in devices):
        return query, ()
    if any(status_on(INSTEAD, workload.task, accelerators, row, support) == NO for row in devices):
        return query, ()
    listed = ", ".join(dict.fromkeys(accelerators.name[row] for row in devices))
    why = f"{frameworks.title_of(USUAL)} does not run on {listed}; {INSTEAD} does"
    suited = changed(query, workload=changed(workload, framework=INSTEAD))
    return suited, (Assumption("framework", INSTEAD, why),)
