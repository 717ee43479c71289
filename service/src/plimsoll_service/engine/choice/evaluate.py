"""Complete answer for named hardware, alone or in a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from .. import names
from ..answer import ComparedMachine, HardwareEstimate, Meets, Note, Shortfall, WhyNot
from ..demand import kind
from ..demand.job import Job, most_nodes
from ..estimate.requirements import recommended_memory_share, recommended_usable_share
from ..hardware import Places
from ..quantities import Estimate, Price, Sizing
from ..rules import Remark, RuleId, cited
from ..workload import Hardware
from . import constraints as machine_constraints
from . import ranking
from .charged import charged_notes, data_notes, leaving_note
from .comparing import in_words_of
from .limits import misses
from .market import Market
from .named_hardware import ONLY, NamedHardware, meets_of, named_hardware_of, parts_of, remedy, shortfalls
from .notes import reasons_of
from .pricing_agreements import agreement_notes
from .rounding import figure, ordinal, precision_words, said, said_beside
from .scores import expected_of, rounded, score
from .selection import Selection
from .warning_notes import warnings_of

SPLITS = ("tensor_parallel", "pipeline_parallel", "expert_parallel")

FOLLOWED = {kind.SERVING: ("tensor_parallel", "pipeline_parallel"), kind.TOKEN_TRAINING: SPLITS}


SAID_ONCE = (RuleId("data-not-moved"),)  # of a comparison: what holds for every machine


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Evaluation of named hardware: parts of the answer, and the columns behind them."""

    named: NamedHardware
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

    def parts_of(self, answer: type[HardwareEstimate | ComparedMachine]) -> dict[str, Any]:
        """Return its parts that an answer of that kind has, by name."""
        return {part.name: getattr(self, part.name) for part in fields(answer) if part.name in vars(self)}


def evaluate(job: Job, market: Market, on: Hardware, chosen: Selection) -> Evaluated:
    """Evaluate the hardware for the job, and rank it among ``chosen``."""
    named = named_hardware_of(job, market, on)
    short = shortfalls(job, named)
    fits = not short
    sizing, estimate = parts_of(job, market, named, fits)
    objective = job.query.objective or ranking.default_objective(job)
    sources = market.coefficients.rules
    rank, reasons_against = why_not(job, market, named, short, chosen, objective)
    return Evaluated(
        named=named,
        fits=fits,
        short=short,
        sizing=sizing,
        estimate=estimate,
        price=named.price,
        meets=meets_of(job, named, fits),
        rank=rank,
        why_not=reasons_against,
        reasons=cited(_reasons(job, market, named, estimate.bottleneck, rank, objective), sources) if estimate else (),
        warnings=cited(_warnings(job, market, named, estimate), sources) if estimate else (),
    )


def _reasons(
    job: Job, market: Market, named: NamedHardware, bottleneck: str, rank: int | None, objective: str
) -> Iterator[Remark]:
    yield from reasons_of(job, named.detail, bottleneck, rank, objective)
    yield from charged_notes(job, market, named.options, 0)
    yield from agreement_notes(market, named.prices, named.options.offer.item(0), float(named.on.node_count))


def _warnings(job: Job, market: Market, named: NamedHardware, estimate: Estimate) -> Iterator[Remark]:
    yield from leaving_note(named.options, 0)
    yield from warnings_of(job, named.detail, named.on.purchase or "on_demand", named.price, estimate)
    for name in SPLITS:
        if name not in FOLLOWED.get(job.kind, ()) and (getattr(named.on, name) or 1) > 1:
            ignored = f"the estimate does not follow {name} {getattr(named.on, name)}"
            yield RuleId("parallelism-not-modelled").note(ignored)
    yield from data_notes(job, market, named.options, named.estimates, 0)


def relative(one: Evaluated, first: Evaluated | None, sources: Mapping[str, str]) -> ComparedMachine:
    """Return one row of a comparison, with S0's ratios to the first machine that fits if this one fits too.

    There is no ratio to a machine that carries nothing within the targets, or that costs nothing. A warning says where
    the first machine's price is unknown.
    """
    performance = cost = ratio = None
    unpriced: tuple[Note, ...] = ()
    if one.fits and first is not None:
        performance = _over(_speed(one), _speed(first))
        if one.price is not None and first.price is not None:
            cost = _over(_hourly(one), _hourly(first))
        elif one.price is not None:
            unknown = f"relative_cost is null, since no price is known for {label_of(first.named.on)}"
            unpriced = cited((RuleId("no-price-no-recommendation").note(unknown),), sources)
        if performance is not None and cost is not None:
            ratio = _over(performance, cost)
    performance, cost, ratio = (each and figure(each) for each in (performance, cost, ratio))
    kept = one.warnings if one is first else tuple(each for each in one.warnings if each.rule not in SAID_ONCE)
    return ComparedMachine(
        label=label_of(one.named.on),
        relative_performance=performance,
        relative_cost=cost,
        performance_per_cost=ratio,
        **one.parts_of(ComparedMachine) | {"warnings": (*kept, *unpriced)},
    )


def label_of(on: Hardware) -> str:
    """Return the user's label, else the name of the machine."""
    return on.label or on.instance_type or on.accelerator or on.cpu or "machine"


def _speed(one: Evaluated) -> float:
    return float(one.named.estimates.outcome.capacity[0])


def _hourly(one: Evaluated) -> float:
    return float(one.named.options.usd_per_hour[0] * one.named.estimates.nodes[0])


def _over(one: float, other: float) -> float | None:
    return one / other if other > 0 else None


CONSTRAINT_RULES = {
    "retired": RuleId("retired-types"),
    "instance_families": RuleId("family-names"),
    "interconnect": RuleId("nvlink-asked"),
}

# The rule and the text by the resource that falls short: of figures, or of words and the precision in words.
SHORT = {
    "precision": (RuleId("precision-supported"), "{2} is not native on this accelerator and cannot be emulated"),
    "accelerator_memory_gib": (RuleId("device-memory"), "needs {} GiB of memory on each device; {} GiB are usable"),
    "memory_gib": (RuleId("host-memory"), "needs {} GiB of memory; the machine has {} GiB"),
    "local_disk_gb": (RuleId("disk-size"), "needs {} GB of local disk; the machine has {} GB"),
    "network_gbps": (RuleId("known-network-only"), "the speed of the network between the machines is unknown"),
    "software": (RuleId("software-runs-on"), "{1}"),
    "accelerators": (RuleId("software-runs-on"), "needs an accelerator; the machine has none"),
    "specification": (RuleId("known-specification-only"), "no peak rate of this accelerator is published"),
}


def why_not(
    job: Job, market: Market, named: NamedHardware, short: tuple[Shortfall, ...], chosen: Selection, objective: str
) -> tuple[int | None, tuple[WhyNot, ...]]:
    """Return the machine's rank among the recommendations, and the reasons if it is not the first."""
    limits = _failed_limits(job, named, bool(short))
    way = remedy(job, market, named.on, short)
    reasons = [*_failed_constraints(job, market, named), *(_short_reason(one, way) for one in short), *limits]
    if named.price is None:
        unknown = "no price is known for this machine; you can state usd_per_hour"
        reasons.append(WhyNot(RuleId("no-price-no-recommendation"), unknown))
    if reasons:
        return None, tuple(reasons)
    rank, leader = _rank(job, market, named, chosen, objective)
    if leader is None:
        return rank, ()
    return rank, (WhyNot(RuleId("beaten"), leader),)


def _failed_constraints(job: Job, market: Market, named: NamedHardware) -> Iterator[WhyNot]:
    if named.type_row >= 0:
        for name, passing in machine_constraints.machine_masks(job.query.constraints, market, job.training):
            if not passing[named.type_row]:
                rule = CONSTRAINT_RULES.get(name, RuleId("machine-constraint"))
                yield WhyNot(rule, _constraint_text(job, name))
        quota = machine_constraints.quota_nodes(job.query.constraints, market)[named.type_row]
        if named.on.node_count > quota:
            yield WhyNot(RuleId("quota"), f"{named.on.node_count} machines exceed the quota of {quota:.0f}")
    if named.estimates.nodes[0] > most_nodes(job):
        yield WhyNot(RuleId("machine-constraint"), f"does not satisfy constraints.max_nodes ({most_nodes(job)})")
    yield from _failed_terms(job, market, named)
    device, host = named.estimates.outcome.device, named.estimates.outcome.host
    for columns, roomy, where in (
        (device, device.within(recommended_usable_share(job)), "usable on each device"),
        (host, host.roomy(recommended_memory_share(job)), "of the machine's memory"),
    ):
        need, usable = float(columns.required[0]), float(columns.usable[0])
        if named.estimates.outcome.obstacle[0] == 0 and not roomy[0]:
            text = f"needs {need:.1f} GiB of the {usable:.1f} GiB {where}; the margin is too small"
            yield WhyNot(RuleId("memory-margin"), text)
    together = named.estimates.outcome.together
    if together is not None and not together.sensible[0]:
        asked = job.workload.global_batch_size
        most = f"more devices than the largest sensible global batch ({job.batch_limit:.0f} samples) keeps busy"
        why = f"has {most}; state global_batch_size to use a larger one"
        if asked is not None:
            each = job.workload.batch_size
            parts = "equal parts" if each is None else f"whole batches of {each} per device"
            why = f"its devices cannot share a global batch of {asked} samples in {parts}"
        yield WhyNot(RuleId("global-batch"), why)


def _failed_terms(job: Job, market: Market, named: NamedHardware) -> Iterator[WhyNot]:
    """Failed constraints on the offer: region, purchase option and confidence of the price."""
    regions = job.query.constraints.regions
    if named.on.region is not None and regions and not _allowed_region(job, market, named, named.on.region):
        yield WhyNot(RuleId("machine-constraint"), _constraint_text(job, "regions"))
    wanted = job.query.constraints.purchase or ("on_demand",)
    if named.type_row >= 0 and (named.on.purchase or "on_demand") not in wanted:
        yield WhyNot(RuleId("machine-constraint"), f"does not satisfy constraints.purchase ({', '.join(wanted)})")
    if not _allowed_confidence(job, market, named):
        yield WhyNot(RuleId("machine-constraint"), _constraint_text(job, "price_confidence"))


def _allowed_confidence(job: Job, market: Market, named: NamedHardware) -> bool:
    """Whether the offer of the machine, or its stated price, has an allowed confidence."""
    wanted, offer = job.query.constraints.price_confidence, named.options.offer.item(0)
    if not wanted or named.price is None:
        return True
    if offer < 0:
        return named.price.confidence in wanted
    return bool(machine_constraints.confidence_mask(job.query.constraints, market)[offer])


def _allowed_region(job: Job, market: Market, named: NamedHardware, region: str) -> bool:
    """Whether the region is an allowed one in the machine's cloud."""
    regions, cloud = market.catalog.regions, market.catalog.instance_types.cloud[named.type_row]
    mine = {name for row, name in enumerate(regions.name) if regions.cloud[row] == cloud}
    allowed = np.flatnonzero(machine_constraints.region_mask(job.query.constraints, market))
    return not names.meant((region,), mine).isdisjoint(regions.name[row] for row in allowed)


def _constraint_text(job: Job, name: str) -> str:
    """Text that names the constraint and its value."""
    if name == "retired":
        return "retired: no longer offered to new customers"
    asked = getattr(job.query.constraints, name)
    return f"does not satisfy constraints.{name} ({', '.join(asked) if isinstance(asked, tuple) else asked})"


def _short_reason(one: Shortfall, way: str) -> WhyNot:
    """A shortfall in words; ``way``: what makes the work fit all the same."""
    (rule, text), required, available = SHORT[one.resource], one.required, one.available
    if isinstance(required, str) or isinstance(available, str):
        return WhyNot(rule, text.format(required, available, precision_words(str(required))) + way)
    return WhyNot(rule, text.format(said_beside(required, available), said(available)) + way)


def _failed_limits(job: Job, named: NamedHardware, short: bool) -> Iterator[WhyNot]:
    """Stated limits that the machine misses; without an estimate if it cannot run the work."""
    serving = named.estimates.outcome.serving
    if serving is not None and serving.most_requests[ONLY][0] < 1:  # what does not hold the model has no speed
        return
    for name, needs_price, rule, text in misses(job, named.estimates, named.options):
        unknown = (named.price is None and needs_price) or (short and name == "estimate")
        if not unknown:
            yield WhyNot(rule, text)


def _rank(job: Job, market: Market, named: NamedHardware, chosen: Selection, objective: str) -> tuple[int, str | None]:
    """1 + number of better options that may be chosen, and a text on the best one if that is another machine."""
    found = ranking.scored(job, chosen, objective)
    if not len(found.rows):
        return 1, None
    places = ranking.ranked(job, chosen, found)
    places = places[found.listed[places]]
    best, scores = found.rows[places], rounded(found.scores[places])
    alone = np.zeros(1, dtype=np.intp)
    of = named.estimates, named.options
    mine = float(rounded(score(job, *of, objective, alone, expected_of(job, *of, alone)))[0])
    position = _position(named, chosen, best)
    better = int((scores < mine).sum()) if position is None else position
    if better == 0:
        return 1, None
    leader, name = int(chosen.options.priced.machine_row[best[0]]), "a machine of your own"
    if leader < len(market.nameplates):
        plate, nodes = market.nameplates[leader], chosen.estimates.nodes[chosen.options.candidate[best[0]]]
        name = in_words_of(int(nodes), plate.cloud, plate.name, plate.accelerator)
    place = f"ranked {ordinal(better + 1)} of {len(best)} for objective {objective}"
    return better + 1, f"{place}; {name} is ranked 1st"


def _position(named: NamedHardware, chosen: Selection, best: Places) -> int | None:
    """Position of the same option in the ranking."""
    candidate = chosen.options.candidate[best]
    same = (
        (chosen.options.priced.machine_row[best] == named.type_row)
        & (chosen.estimates.nodes[candidate] == named.estimates.nodes[0])
        & (chosen.options.offer[best] == named.options.offer[0])
    )
    found = np.flatnonzero(same) if named.type_row >= 0 else np.array([], dtype=np.int64)
    return int(found[0]) if len(found) else None
