"""Estimate of the hardware that a question names, made like that of any candidate, and what makes the work fit it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import names
from ..answer import Meets, Shortfall
from ..clusters import splits_of
from ..demand import kind
from ..demand.job import Job
from ..demand.kind_of_work import at_its_rate, kind_key
from ..hardware import PURCHASE_NAMES, Ints
from ..machines import Machines, concatenate
from ..obstacles import OBSTACLES
from ..quantities import Estimate, Price, Sizing
from ..rules import Remark
from ..support import NO
from ..units import GB, GIB
from ..workload import OFFLOADS, Hardware
from . import constraints as machine_constraints
from .beside_cards import Beside, beside_cards
from .candidates import candidates_among
from .details import Detail, details_of, sizings_of
from .estimating import Estimates, Prepared, asking, estimates_of, prepared_of
from .kept import Kept
from .limits import met_by
from .market import Market, row_of
from .nameplates import nameplate_of
from .options import Options, options_of
from .own_machines import described_machines
from .priced_options import one_priced_option
from .pricing_agreements import AgreedPrices, agreed_prices, price_of
from .rounding import figure, said
from .shown_estimates import shown_estimates, spots_of
from .software import grounds_of
from .staging import Moves, Staging, cheapest_with_data, moves_of

BY_THE_SECOND = np.zeros((2, 1)), *np.zeros((2, 1), dtype=bool)  # terms of machines outside any cloud
ONLY = np.zeros(1, dtype=np.intp)  # the row of the named machine's one option


@dataclass(frozen=True, eq=False)
class NamedHardware:
    """The named machine as a single candidate with a single option."""

    market: Market
    on: Hardware
    type_row: int  # row of the catalog's types; -1 for bare hardware
    estimates: Estimates
    options: Options
    prices: AgreedPrices
    cards: tuple[Remark, ...]  # what is said of cards that are passed over

    @cached_property
    def detail(self) -> Detail:
        """The figures that its sizing, reasons and warnings state."""
        plate = nameplate_of(self.estimates.machines, 0, self.market.catalog)
        [detail] = details_of(self.estimates, ONLY, [plate._replace(of_type=(*plate.of_type, *self.cards))])
        return detail

    @cached_property
    def price(self) -> Price | None:
        """Its price; ``None`` if none is known."""
        usd_per_hour, offer = self.options.usd_per_hour.item(0), self.options.offer.item(0)
        if not np.isfinite(usd_per_hour):
            return None
        return price_of(self.market, self.prices, usd_per_hour, offer, float(self.on.node_count))


def named_hardware_of(job: Job, market: Market, on: Hardware, kept: Kept | None = None) -> NamedHardware:
    """Estimate one machine of the catalog, or a described one; ``kept`` belongs to this market."""
    cards, row, kept = beside_cards(job, market, on), type_row(market, on), kept or Kept()
    on = cards.on
    prices, splits = agreed_prices(job.query.constraints, market), splits_of(on)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # unknown figures are NaN and stay so
        key = kind_key(job), job.workload.requests_per_second, on
        known = kept.of("named", key, lambda: _prepared(at_its_rate(job), market, cards, row))
        estimates = estimates_of(job, known, splits)
        moves = moves_of(job, market, estimates.machines, estimates.nodes, estimates.outcome)
        offer = np.array([_offer(job, market, prices, on, row, estimates, moves)], dtype=np.int32)
        stated = np.array([np.nan if on.usd_per_hour is None else on.usd_per_hour])
        price = stated if offer[0] < 0 else prices.of(offer, on.node_count)
        purchase = PURCHASE_NAMES.index(on.purchase or "on_demand")
        known_terms = (market.billed[:, [row]], market.volumes_stay[[row]], market.listings[[row]])
        terms = known_terms if row >= 0 else BY_THE_SECOND
        priced = one_priced_option(job, market.prices, estimates.product, purchase, offer, price, *terms)
        staging = None if moves is None else _staging(market, moves, on, row, offer)
        options = options_of(job, estimates, priced, np.ones(1, dtype=bool), staging)
    return NamedHardware(market, on, row, estimates, options, prices, cards.notes)


def _prepared(job: Job, market: Market, beside: Beside, row: int) -> Prepared:
    on = beside.on
    machines = beside.hastened(machines_of((on,), market))
    cloud = market.disk_sellers[[row]] if row >= 0 else np.array([-1], dtype=np.int32)
    only, nodes = np.zeros(1, dtype=np.int32), np.array([float(on.node_count)])
    grounds = grounds_of(job, machines, market.catalog)
    candidate = candidates_among(machines, cloud, only, nodes, market.products(job), grounds)
    return prepared_of(job, candidate, market.prices.disks, splits_of(on))


def machines_of(each: Sequence[Hardware], market: Market) -> Machines:
    """Return the machines: rows of the catalog, or as they are described, with the networks that are stated."""
    rows = np.array([type_row(market, on) for on in each], dtype=np.int32)
    described = [on for on, row in zip(each, rows, strict=True) if row < 0]
    found = concatenate([market.machines.take(rows[rows >= 0]), described_machines(described, market)])
    machines = found.take(np.argsort(np.argsort(rows < 0, kind="stable")))
    stated = np.array([np.nan if on.network_gbps is None else on.network_gbps for on in each])
    if np.isnan(stated).all():
        return machines
    return machines.changed(network_gbps=np.where(np.isnan(stated), machines.network_gbps, stated))


def _staging(market: Market, moves: Moves, on: Hardware, row: int, offer: Ints) -> Staging:
    if row < 0 or offer[0] >= 0:
        return moves.to(market, offer, ONLY)
    cloud = market.catalog.instance_types.cloud[row] or ""
    return moves.to_regions(np.array([moves.nearest(cloud, on.region, market)], dtype=np.int32), ONLY)


def type_row(market: Market, on: Hardware) -> int:
    """Return the catalog's row of a named machine; -1 for described hardware."""
    if on.instance_type is None or on.cloud is None:
        return -1
    row = row_of(market, names.find(on.cloud, market.spellings["cloud"]) or "", on.instance_type)
    return -1 if row is None else row


def _offer(
    job: Job, market: Market, prices: AgreedPrices, on: Hardware, row: int, estimates: Estimates, moves: Moves | None
) -> int:
    """Offer in the requested region, else the cheapest allowed one; -1 if there is none or a price was stated."""
    if row < 0 or on.usd_per_hour is not None:
        return -1
    offers = market.offers
    rows = np.arange(market.first_offer[row], market.first_offer[row + 1])
    rows = rows[offers.purchase[rows] == PURCHASE_NAMES.index(on.purchase or "on_demand")]
    if on.region is not None:
        wanted = names.key(on.region)
        rows = rows[[names.key(market.catalog.regions.name[int(region)]) == wanted for region in offers.region[rows]]]
    else:
        allowed = machine_constraints.region_mask(job.query.constraints, market)[offers.region[rows]]
        rows = rows[allowed]
    confident = rows[machine_constraints.confidence_mask(job.query.constraints, market, rows)]
    rows = confident if len(confident) else rows  # the price is known, even if it is not the one that is asked for
    if not len(rows):
        return -1
    usd = prices.of(rows, on.node_count)
    return int(rows[cheapest_with_data(market, moves, estimates, rows, usd)])


def shortfalls(job: Job, named: NamedHardware) -> tuple[Shortfall, ...]:
    """Return the resources that are too small to run the work; empty if it fits."""
    return tuple(_shortfalls(job, named))


def _shortfalls(job: Job, named: NamedHardware) -> Iterator[Shortfall]:
    outcome, machines = named.estimates.outcome, named.estimates.machines
    name = OBSTACLES[int(outcome.obstacle[0])]
    runs = named.estimates.grounds.of(0)
    if runs.status == NO:
        yield Shortfall("software", runs.what, runs.why)
    if name == "accelerator_memory":
        need, whole = outcome.device.required[0], machines.device_memory_gib[0]
        # The software may use less than the whole device; state that amount if the whole device would suffice.
        available = outcome.device.usable[0] if need <= whole else whole
        yield Shortfall("accelerator_memory_gib", figure(need), figure(available))
    elif name == "memory":
        yield Shortfall("memory_gib", figure(outcome.host.required[0]), figure(machines.memory_gib[0]))
    elif name == "precision":
        yield Shortfall("precision", job.precision, "not native, and nothing can emulate it")
    elif name == "disk":
        yield Shortfall("local_disk_gb", figure(outcome.disk.size_gib[0] * GIB / GB), figure(machines.local_disk_gb[0]))
    elif name == "network":
        yield Shortfall("network_gbps", "a known figure", "unknown")
    elif name == "accelerators":
        yield Shortfall("accelerators", 1.0, 0.0)
    elif name == "specification":
        yield Shortfall("specification", "a published peak rate", "unknown")


def parts_of(job: Job, market: Market, named: NamedHardware, fits: bool) -> tuple[Sizing, Estimate | None]:
    """Return the sizing, and the estimate if the machine fits."""
    options = named.options
    [sizing] = sizings_of(job, named.estimates, options, ONLY, market.prices.disks, [named.detail])
    if not fits:
        return sizing, None
    spots = spots_of(job, market, named.prices, named.estimates, options, (0,))
    [estimate] = shown_estimates(job, named.estimates, options, ONLY, spots)
    return sizing, estimate


def meets_of(job: Job, named: NamedHardware, fits: bool) -> Meets:
    """Return whether each stated limit is met; ``None`` for costs without a price."""
    met = met_by(job, named.estimates, named.options, named.price is not None)
    return met if fits else Meets(*(None if held is None else False for held in vars(met).values()))


DIGITS = 3  # of a time or a cost in words
OPTIMIZER, PARAMETERS = OFFLOADS[1:]
# Programs that keep states in the host's memory, and which. Fully sharded data parallel: docs.pytorch.org,
# torch.distributed.fsdp CPUOffloadPolicy; huggingface/accelerate fsdp_offload_params; bitsandbytes, fsdp_qlora;
# torchtune fsdp_cpu_offload; torchtitan training.enable_cpu_offload. DeepSpeed: deepspeed.ai, ZeRO-Offload. MaxText:
# configs/base.yml, optimizer_memory_host_offload and parameter_memory_host_offload. Megatron Core:
# --optimizer-cpu-offload. All read on 2026-11-28.
BY_FSDP = ("pytorch", "huggingface", "peft", "axolotl", "llama-factory", "lightning", "torchtune", "torchtitan")
KEPT_BY = {
    **dict.fromkeys((*BY_FSDP, "deepspeed", "maxtext"), (OPTIMIZER, PARAMETERS)),
    "megatron": (OPTIMIZER,),
}


def kept_by(job: Job) -> tuple[str, ...]:
    """Return what the job's software keeps in the host's memory on request, the fewest states first."""
    return KEPT_BY.get(job.program, ()) if job.kind in kind.NEURAL_TRAINING else ()


def remedy(job: Job, market: Market, on: Hardware, short: tuple[Shortfall, ...]) -> str:
    """Return what makes the work fit on hardware whose devices hold too little; empty where nothing is known to."""
    unasked = any(one.field == "offload" for one in job.assumptions)
    if not unasked or [one.resource for one in short] != ["accelerator_memory_gib"]:
        return ""
    for what in kept_by(job):
        other = asking(job, offload=what)
        named = named_hardware_of(other, market, on)
        if not shortfalls(other, named):
            hours, usd = named.options.hours.item(0), named.options.cost.item(0)
            time = f" and takes {said(hours, DIGITS)} h" if np.isfinite(hours) else ""
            cost = f" for {said(usd, DIGITS)} USD" if time and np.isfinite(usd) else ""
            return f"; with offload {what} it fits{time}{cost}"
    return ""
