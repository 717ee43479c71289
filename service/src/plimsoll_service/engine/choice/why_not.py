"""Why given hardware is not the recommendation: what it fails, or which machine beats it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plimsoll_service.engine import names
from plimsoll_service.engine.answer import Shortfall, WhyNot
from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.candidates import most_nodes
from plimsoll_service.engine.choice.limits import misses
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import Given
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.requirements import recommended_part
from plimsoll_service.engine.hardware import Ints
from plimsoll_service.engine.rules import choice as choice_rules
from plimsoll_service.engine.rules import constraint as constraint_rules
from plimsoll_service.engine.rules import sizing as sizing_rules

CONSTRAINT_RULES = {
    "retired": constraint_rules.RETIRED,
    "instance_families": constraint_rules.FAMILY_NAMES,
    "interconnect": constraint_rules.NVLINK_ASKED,
}
SHORT_RULES = {
    "precision": constraint_rules.PRECISION,
    "memory_gib": sizing_rules.HOST_MEMORY,
    "local_disk_gb": sizing_rules.DISK,
    "network_gbps": constraint_rules.NETWORK_KNOWN,
    "framework": constraint_rules.SOFTWARE,
    "accelerators": constraint_rules.SOFTWARE,
    "specification": constraint_rules.SPECIFIED,
}


def why_not(
    job: Job, market: Market, given: Given, short: tuple[Shortfall, ...], chosen: Selection, objective: str
) -> tuple[int | None, tuple[WhyNot, ...]]:
    """The machine's rank among the recommendations, and each reason why it is not the first; empty where it is."""
    limits = _failed_limits(job, given, bool(short))
    reasons = [*_failed_constraints(job, market, given), *_short_reasons(short), *limits]
    if given.price is None:
        reasons.append(WhyNot(constraint_rules.PRICE_KNOWN.id, "no price is known for it here"))
    if reasons:
        return None, tuple(reasons)
    rank, leader = _rank(job, market, given, chosen, objective)
    if leader is None:
        return rank, ()
    return rank, (WhyNot(choice_rules.BEATEN.id, leader),)


def _failed_constraints(job: Job, market: Market, given: Given) -> Iterator[WhyNot]:
    if given.type_row >= 0:
        for name, passing in machine_constraints.machine_masks(job.query.constraints, market):
            if not passing[given.type_row]:
                rule = CONSTRAINT_RULES.get(name, constraint_rules.MACHINE_CONSTRAINT)
                yield WhyNot(rule.id, _constraint_text(job, name))
        quota = machine_constraints.quota_nodes(job.query.constraints, market)[given.type_row]
        if given.on.node_count > quota:
            yield WhyNot(constraint_rules.QUOTA.id, f"{given.on.node_count} machines exceed the quota of {quota:.0f}")
    if given.estimates.nodes[0] > most_nodes(job):
        yield WhyNot(
            constraint_rules.MACHINE_CONSTRAINT.id, f"does not satisfy constraints.max_nodes ({most_nodes(job)})"
        )
    yield from _failed_terms(job, market, given)
    device = given.estimates.outcome.device
    if given.estimates.outcome.obstacle[0] == 0 and device.required[0] > device.usable[0] * recommended_part(job):
        need = f"{device.required[0]:.1f} of {device.usable[0]:.1f} usable GiB"
        yield WhyNot(sizing_rules.MARGIN.id, f"needs {need} on each device: too tight to recommend")


def _failed_terms(job: Job, market: Market, given: Given) -> Iterator[WhyNot]:
    """Region and purchase option, which an offer has and a machine has not."""
    regions = job.query.constraints.regions
    if given.on.region is not None and regions and not _allowed_region(job, market, given, given.on.region):
        yield WhyNot(constraint_rules.MACHINE_CONSTRAINT.id, _constraint_text(job, "regions"))
    wanted = job.query.constraints.purchase or ("on_demand",)
    if given.type_row >= 0 and (given.on.purchase or "on_demand") not in wanted:
        yield WhyNot(
            constraint_rules.MACHINE_CONSTRAINT.id, f"does not satisfy constraints.purchase ({', '.join(wanted)})"
        )


def _allowed_region(job: Job, market: Market, given: Given, region: str) -> bool:
    """Whether a region of the machine's own cloud is among those that are allowed."""
    regions, cloud = market.catalog.regions, market.catalog.instance_types.cloud[given.type_row]
    mine = {name for row, name in enumerate(regions.name) if regions.cloud[row] == cloud}
    allowed = np.flatnonzero(machine_constraints.region_mask(job.query.constraints, market))
    return not names.meant((region,), mine).isdisjoint(regions.name[row] for row in allowed)


def _constraint_text(job: Job, name: str) -> str:
    """The constraint and what it asks for."""
    if name == "retired":
        return "retired: no longer offered to new customers"
    asked = getattr(job.query.constraints, name)
    return f"does not satisfy constraints.{name} ({', '.join(asked) if isinstance(asked, tuple) else asked})"


def _short_reasons(short: tuple[Shortfall, ...]) -> Iterator[WhyNot]:
    for one in short:
        rule = SHORT_RULES.get(one.resource, sizing_rules.DEVICE_MEMORY)
        yield WhyNot(rule.id, f"{one.resource}: needs {one.required}, has {one.available}")


def _failed_limits(job: Job, given: Given, short: bool) -> Iterator[WhyNot]:
    """Stated limits that the machine misses; one that cannot run the work has no estimate to miss."""
    for name, needs_price, rule, text in misses(job, given.estimates, given.options):
        unknown = (given.price is None and needs_price) or (short and name == "estimate")
        if not unknown:
            yield WhyNot(rule.id, text)


def _rank(job: Job, market: Market, given: Given, chosen: Selection, objective: str) -> tuple[int, str | None]:
    """1 + the options that score better; and which machine leads, where that is another."""
    best = ranking.ranked(job, chosen, objective)
    if not len(best):
        return 1, None
    scores = ranking.rounded(ranking.score(job, chosen.estimates, chosen.options, objective)[best])
    mine = float(ranking.rounded(ranking.score(job, given.estimates, given.options, objective))[0])
    position = _position(given, chosen, best)
    better = int((scores < mine).sum()) if position is None else position
    if better == 0:
        return 1, None
    leader = int(chosen.options.priced.machine_row[best[0]])
    types = market.catalog.instance_types
    name = f"{types.cloud[leader]} {types.name[leader]}" if leader < len(types) else "a machine of your own"
    nodes = int(chosen.estimates.nodes[int(chosen.options.candidate[int(best[0])])])
    return (
        better + 1,
        f"beaten by {name} × {nodes} by {objective.replace('_', ' ')}, and ranked {better + 1} of {len(best)}",
    )


def _position(given: Given, chosen: Selection, best: Ints) -> int | None:
    """Where the very same option stands in the ranking."""
    candidate = chosen.options.candidate[best]
    same = (
        (chosen.options.priced.machine_row[best] == given.type_row)
        & (chosen.estimates.nodes[candidate] == given.estimates.nodes[0])
        & (chosen.options.offer[best] == given.options.offer[0])
    )
    found = np.flatnonzero(same) if given.type_row >= 0 else np.array([], dtype=np.int64)
    return int(found[0]) if len(found) else None
