"""Relaxations for a query without a recommendation.

Each limit and constraint is relaxed alone, to the smallest change that suffices, with the resulting cost. A time is
also relaxed to one in which the work costs much less. Where none alone suffices, several limits are relaxed
together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ..answer import Relax
from ..demand import kind
from ..demand.job import Job, dimensions_of
from ..demand.served_model import served
from ..hardware import ON_DEMAND, PURCHASE_NAMES, SPOT, Floats
from ..models.stored import AWQ, BITSANDBYTES, GGUF, MXFP4
from ..units import GIB
from ..workload import Query
from . import engines, loosening
from .candidates import NODE_COUNTS
from .limits import CONCURRENCY, EXPECTED_DIGITS, LIMITS, Limit, limit_masks, without_choosing
from .named_hardware import kept_by
from .options import fixed_load
from .ranking import first_row, scored
from .rounding import figure, said
from .scores import CHEAPER
from .selection import Named, Selection

# Units of what a choice is expected to reach, by the limit that is loosened.
EXPECTED = {**dict.fromkeys(loosening.TIMES, "ms"), CONCURRENCY: "at once"}
HOURS_DIGITS = 3  # of a time in words
GIB_DIGITS = 3  # of a size in words
Change = tuple[str, object, Query]  # what is changed, to what, and the query with that
WIDE, OF_WEIGHTS = ("fp32", "tf32", "bf16", "fp16", "mixed"), ("precision", "quantization")
# The usual format of 4-bit weights by engine, and engines that read FP8 (docs.vllm.ai, features/quantization; SGLang,
# quantization; TensorRT-LLM, numerical precision; huggingface/text-generation-inference, conceptual/quantization;
# huggingface.co/docs/transformers, quantization/bitsandbytes; ggml-org/llama.cpp, README; all read 2026-11-28).
FOUR_BITS = {
    **dict.fromkeys(("vllm", "sglang", "tensorrt-llm", "tgi"), AWQ),
    **dict.fromkeys(("huggingface", "pytorch"), BITSANDBYTES),
    "llama.cpp": GGUF,
}
EIGHT_BITS = ("vllm", "sglang", "tensorrt-llm", "tgi")
# Engines that read formats which few others do (ggml-org/llama.cpp, README; vllm-project/recipes, gpt-oss-120b; both
# read 2026-11-28).
READERS = {GGUF: "llama.cpp", MXFP4: "vllm"}
MARGIN = "it has enough memory, but less to spare than the margin of a recommendation"
MEASURE = "a measurement of your own (measurements) narrows its range"


def relaxations(query: Query, choose: loosening.Choose, named: Named) -> tuple[Relax, ...]:
    """Return every single relaxation that leaves a recommendation, cheapest first; the query states assumed limits.

    Without one, return that of several limits together.
    """
    ways = (_limits, _changed, _more_machines, _offloaded, _without_margin)
    found = [one for way in ways for one in way(query, choose)]
    found = found or several_limits(query, choose) or with_constraints(query, choose)
    relaxed = (_relax(query, one, named) for one in found)
    return tuple(sorted(relaxed, key=lambda one: (one.cost_usd is None, one.cost_usd or 0.0, one.constraint)))


def _relax(query: Query, one: loosening.Looser, named: Named) -> Relax:
    """The relaxation with the cost and time of its first choice; of a service, the cost per hour."""
    few = replace(one.chosen, feasible=one.chosen.feasible[loosening.nodes_of(one.chosen) <= one.most])
    row, options = first_row(one.job, few, loosening.objective_of(query, one.job)), few.options
    assert row is not None
    choice = f"{named(few, row)} at {said(options.charges.usd_per_hour.item(row))} USD per hour"
    relaxed = next((limit for limit in LIMITS if limit.name == one.constraint in EXPECTED), None)
    if relaxed is not None and relaxed.expected is not None:
        middle = relaxed.expected(one.job, few.estimates, options).item(row)
        choice += f", expected {said(middle, EXPECTED_DIGITS)} {EXPECTED[relaxed.name]}"
        asked = relaxed.stated(query)
        if asked is not None and (middle >= asked if relaxed.at_least else middle <= asked):
            choice += f"; its estimate meets the limit; {MEASURE}"
    why = f"; {one.why}" if one.why else ""
    if one.job.serves or np.isnan(one.job.samples):
        return Relax(one.constraint, one.to, None, choice=choice + why, together=one.together)
    hours, cost = options.hours.item(row), options.cost.item(row)
    choice, workload, estimated = f"{choice}, in {said(hours, HOURS_DIGITS)} h{why}", query.workload, None
    if one.constraint == "deadline" and not one.together and hours <= (workload.deadline_hours or 0):
        choice, estimated = f"{choice}; {MEASURE}", figure(hours)
    elif one.constraint == "budget" and not one.together and cost <= (workload.budget_usd or 0):
        choice = f"{choice}; its estimate meets the budget; {MEASURE}"
    return Relax(one.constraint, one.to, figure(cost), estimated, choice, one.together)


def _limits(query: Query, choose: loosening.Choose) -> Iterator[loosening.Looser]:

    @cache
    def free() -> tuple[Job, Selection]:
        return choose(without_choosing(query))

    for limit in LIMITS:
        if limit.stated(query) is None:
            continue

        def ask(value: float | None, limit: Limit = limit) -> tuple[Job, Selection]:
            looser = limit.restated(query, value)
            return _limited(looser, *free()) if limit.chooses else choose(looser)

        found = loosening.smallest_change(limit, ask)
        if found is not None:
            slower = limit.name in loosening.TIMES and fixed_load(found.job)
            later = _later(limit, found, ask) if slower or limit.name == "deadline" else None
            for one in filter(None, (found, later)):
                yield loosening.Looser(limit.name, loosening.spelled(limit, one.value), one.job, one.chosen)


def _later(limit: Limit, soonest: loosening.Found, ask: loosening.Ask) -> loosening.Found | None:
    """Time of the option with the least product of cost and time; ``None`` where it saves little."""
    job, chosen = ask(None)
    cost, needed = chosen.options.cost[chosen.feasible], loosening.needed_of(limit, job, chosen)[chosen.feasible]
    best, before = (cost * needed).argmin(), soonest.chosen
    saves = cost[best] < CHEAPER * before.options.cost[before.feasible].min()
    return loosening.found_at(limit, needed.item(best), ask) if saves else None


def _limited(query: Query, job: Job, chosen: Selection) -> tuple[Job, Selection]:
    """Job of the query, and the options that meet its limits among options found without choosing limits."""
    stated: dict[str, Any] = {
        limit.field: limit.stated(query) for limit in LIMITS if limit.chooses and limit.part == "workload"
    }
    workload = replace(job.workload, **stated)
    own = replace(job, query=replace(query, workload=workload), workload=workload)
    feasible = chosen.feasible
    for passing in limit_masks(own, chosen.estimates, chosen.options).values():
        feasible = feasible[passing[feasible]]
    return own, replace(chosen, feasible=feasible)


def _changed(query: Query, choose: loosening.Choose) -> Iterator[loosening.Looser]:
    asked, _ = choose(query)
    made_for_it = (("framework", one, query.asking(framework=one)) for one in engines.engines_of(query, asked))
    for name, to, looser in (*_changes(query), *made_for_it, *_reader(query, asked), *_fewer_bits(query, asked)):
        job, chosen = choose(looser)
        if len(chosen.feasible):
            why = f"the weights take {_weights(job)} instead of {_weights(asked)}" if name in OF_WEIGHTS else ""
            yield loosening.Looser(name, to, job, chosen, why=why)


def _changes(query: Query) -> Iterator[Change]:
    """Each constraint dropped; permission to buy spot and to port; converters that use every vCPU.

    Rule of the last: stock-converter.
    """
    constraints, workload = query.constraints, query.workload
    for name in loosening.stated_constraints(query):
        yield name, None, query.within(**{name: None})
    allowed = constraints.purchase or (PURCHASE_NAMES[ON_DEMAND],)
    if PURCHASE_NAMES[SPOT] not in allowed:
        both = (*allowed, PURCHASE_NAMES[SPOT])
        yield "purchase", list(both), query.within(purchase=both)
    if not constraints.allow_porting:
        yield "allow_porting", True, query.within(allow_porting=True)
    if workload.task == kind.PREPROCESSING and workload.tuning != "tuned":
        yield "tuning", "tuned", query.asking(tuning="tuned")


def _reader(query: Query, job: Job) -> Iterator[Change]:
    """An engine that reads the format of a language model's weights, in place of the stated one."""
    reader = READERS.get(job.workload.quantization or "") if job.kind == kind.SERVING else None
    if reader not in (None, job.program) and query.workload.framework is not None:
        yield "framework", reader, query.asking(framework=reader)


def _fewer_bits(query: Query, job: Job) -> Iterator[Change]:
    """FP8 and the engine's usual 4-bit format, in place of 16 bits of a language model: most users would take one."""
    if job.kind != kind.SERVING or query.workload.quantization is not None or job.precision not in WIDE:
        return
    if job.program in EIGHT_BITS:
        yield "precision", "fp8", query.asking(precision="fp8")
    if job.program in FOUR_BITS:
        four = FOUR_BITS[job.program]
        yield "quantization", four, query.asking(precision=None, quantization=four)


def _weights(job: Job) -> str:
    return f"{said(served(job, dimensions_of(job)).total_bytes / GIB, GIB_DIGITS)} GiB"


def _offloaded(query: Query, choose: loosening.Choose) -> Iterator[loosening.Looser]:
    """The fewest states in the host's memory that leave options."""
    for what in kept_by(choose(query)[0]) if query.workload.offload is None else ():
        job, chosen = choose(query.asking(offload=what))
        if len(chosen.feasible):
            yield loosening.Looser("offload", what, job, chosen)
            return


def _more_machines(query: Query, choose: loosening.Choose) -> Iterator[loosening.Looser]:
    """The fewest machines that do, where their number is limited: by the request, or else where they exchange nothing.

    An HPC job runs on one machine unless more are stated.
    """
    if query.constraints.max_nodes is None and query.workload.task == "training":
        return
    job, chosen = choose(query.within(max_nodes=NODE_COUNTS[-1]))
    if len(chosen.feasible):
        fewest = int(loosening.nodes_of(chosen).min())
        yield loosening.Looser("max_nodes", fewest, job, chosen, fewest)


def _without_margin(query: Query, choose: loosening.Choose) -> Iterator[loosening.Looser]:
    """The options that meet every limit, and that the memory's margin alone leaves out. Rule: memory-margin."""
    job, chosen = choose(query)
    meeting = chosen.options.each(chosen.tight)
    for passing in chosen.masks.values():
        meeting = meeting & passing
    if meeting.any():
        yield loosening.Looser("memory_margin", None, job, replace(chosen, feasible=meeting.nonzero()[0]), why=MARGIN)


# Of the way, in logarithms, from the stated limits to what the best choice without them needs.
SHARES = tuple(eighths / 8 for eighths in range(1, 13))

Values = dict[Limit, float]  # new value of each limit that is relaxed


def several_limits(query: Query, choose: loosening.Choose) -> list[loosening.Looser]:
    """The limits that the best choice without them misses, each at what that choice needs.

    A load is lowered last, and as little as can be: it is what users ask for.
    """
    stated = [limit for limit in LIMITS if limit.stated(query) is not None]
    limits = [limit for limit in stated if not limit.at_least]
    found = _best_together(query, limits, choose)
    if found is not None and found[0]:
        return [_together(*found)]
    lifted = _lifted(query, limits)
    for load in (limit for limit in stated if limit.at_least):

        def ask(value: float | None, load: Limit = load) -> tuple[Job, Selection]:
            return choose(load.restated(lifted, value))

        less = loosening.smallest_change(load, ask)
        if less is None or less.value >= _stated(load, query):
            continue
        found = _best_together(load.restated(query, less.value), limits, choose)
        if found is not None:
            values, job, chosen = found
            return [_together(values | {load: less.value}, job, chosen)]
    return []


def with_constraints(query: Query, choose: loosening.Choose) -> list[loosening.Looser]:
    """Constraints on the machine to drop beside the limits that are missed: one, else all; more machines last."""
    names, more = loosening.stated_constraints(query), query.constraints.max_nodes is not None
    few = [(name,) for name in names] + ([tuple(names)] if len(names) > 1 else [])
    limits = [limit for limit in LIMITS if limit.stated(query) is not None and not limit.at_least]
    for dropped, most in [(some, None) for some in few] + [(some, NODE_COUNTS[-1]) for some in ((), *few) if more]:
        changed: dict[str, Any] = dict.fromkeys(dropped)
        looser = query.within(**changed, **({} if most is None else {"max_nodes": most}))
        found = _best_together(looser, limits, choose)
        if found is not None:
            values, job, chosen = found
            changes: dict[str, object] = dict.fromkeys(dropped)
            if most is not None:
                changes["max_nodes"] = most = int(loosening.nodes_of(chosen).min())
            changes |= {limit.name: loosening.spelled(limit, value) for limit, value in values.items()}
            (first, to), *others = changes.items()
            return [loosening.Looser(first, to, job, chosen, most or np.inf, dict(others))]
    return []


def _together(values: Values, job: Job, chosen: Selection) -> loosening.Looser:
    (first, to), *others = ((limit.name, loosening.spelled(limit, value)) for limit, value in values.items())
    return loosening.Looser(first, to, job, chosen, together=dict(others))


def _best_together(query: Query, limits: list[Limit], choose: loosening.Choose) -> tuple[Values, Job, Selection] | None:
    """New values of some of the limits, with what is left under them; every value is verified.

    Between the stated limits and what is best without them, machines run differently, as with smaller batches.
    """
    found = _merit(query, limits, *choose(_lifted(query, limits)))
    if found is None:
        return None
    job, chosen = choose(query)
    if len(chosen.feasible):  # all limits are met, or there is none
        return {}, job, chosen
    best, least, times = None, np.inf, found[1]
    for share in SHARES:
        values = _values(query, limits, found[1] ** share)
        there = choose(_under(query, values))
        nearer = _merit(query, limits, *there)
        if nearer is not None and nearer[0] < least:
            best, least, times = (values, *there), nearer[0], nearer[1]
    if best is None:
        return None
    exact = _values(query, limits, times)
    job, chosen = choose(_under(query, exact))
    return (exact, job, chosen) if len(chosen.feasible) else best


def _lifted(query: Query, limits: list[Limit]) -> Query:
    """The query without these limits and all that only choose."""
    lifted = without_choosing(query)
    for limit in limits:
        lifted = lifted if limit.chooses else limit.restated(lifted, None)
    return lifted


@np.errstate(invalid="ignore")  # an unknown figure is not the best
def _merit(query: Query, limits: list[Limit], job: Job, chosen: Selection) -> tuple[float, Floats] | None:
    """The least score times misses of an option, and how many times it misses each limit; 1 where it is met."""
    if not len(chosen.feasible):
        return None
    found = scored(job, chosen, loosening.objective_of(query, job))
    needed = [limit.reached(job, chosen.estimates, chosen.options)[found.rows] for limit in limits]
    missed = [mine / _stated(limit, query) for limit, mine in zip(limits, needed, strict=True)]
    times = np.maximum(np.reshape(missed, (len(limits), len(found.rows))), 1.0)  # there may be no limit
    weighed = found.scores * times.prod(axis=0)
    weighed[np.isnan(weighed)] = np.inf
    best = weighed.argmin()
    return (weighed.item(best), times[:, best]) if np.isfinite(weighed[best]) else None


def _stated(limit: Limit, query: Query) -> float:
    return limit.stated(query) or np.inf


def _values(query: Query, limits: list[Limit], times: Floats) -> Values:
    """Values of the limits that are missed, so many times the stated ones."""
    missed = ((limit, more) for limit, more in zip(limits, times.tolist(), strict=True) if more > 1)
    return {limit: loosening.as_written(limit, _stated(limit, query) * more) for limit, more in missed}


def _under(query: Query, values: Values) -> Query:
    for limit, value in values.items():
        query = limit.restated(query, value)
    return query
