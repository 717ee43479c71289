"""The engine for a language model on hardware of one's own that the usual engine does not run on."""

from __future__ import annotations

from .. import frameworks, names
from ..answer import Assumption
from ..demand.filling import changed
from ..demand.requested_model import profile_of
from ..frameworks import title_of
from ..support import NO
from ..workload import Hardware, Query
from .market import Market
from .software import status_on

USUAL, INSTEAD = "vllm", "llama.cpp"


def with_suited_engine(query: Query, on: tuple[Hardware, ...], market: Market) -> tuple[Query, tuple[Assumption, ...]]:
    """Return the query with llama.cpp if it names no engine, vLLM runs on none of the devices and llama.cpp on all.

    The assumption is noted. Names must be known (see admission).
    """
    workload = query.workload
    if workload.task != "inference" or workload.framework is not None:
        return query, ()
    profile = profile_of(workload, market.coefficients.models)
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
    why = f"{title_of(USUAL)} does not run on {listed}; {INSTEAD} does"
    suited = changed(query, workload=changed(workload, framework=INSTEAD))
    return suited, (Assumption("framework", INSTEAD, why),)
