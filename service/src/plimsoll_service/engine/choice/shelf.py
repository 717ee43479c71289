"""What may be rented under a question's constraints and terms, whatever the work is: types by shape, with their offers.

Jobs of every kind that are asked under the same constraints share it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.constant import constant, lean
from plimsoll_service.engine.choice.listing import Memories
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.offers import Sale, priced_of, purchases_of, sale_of
from plimsoll_service.engine.choice.pricing_agreements import AgreedPrices, agreed_prices
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.input.disk_orders import product_rows
from plimsoll_service.engine.estimate.spot import INTERRUPTIONS_PER_HOUR
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Floats, Ints, known_or
from plimsoll_service.engine.prices import Prices
from plimsoll_service.engine.workload import Constraints

SPOT = PURCHASE_NAMES.index("spot")


@dataclass(frozen=True)
class Lost:
    """Types that a constraint leaves out, without and with accelerators."""

    constraint: str
    plain: int
    accelerated: int


@dataclass(frozen=True, eq=False)
class Wares:
    """Types under one purchase option, a row each: the sale, and what changes with the place of its offer."""

    sale: Sale
    disk_factor: Floats  # what a volume costs in the offer's region over its row in the table
    interruptions_per_hour: Floats  # of one machine; 0 but on spot


@dataclass(frozen=True, eq=False)
class Shelf:
    """The types that pass the constraints on types, those of a shape together, each under every wanted purchase."""

    types: Ints
    shape: Ints  # of each of those types
    stands_for: Ints  # itself, and types left out that differ from it in name and price alone, none of them cheaper
    left_out: Floats  # prices of those types: of each row's together, rising
    left_out_from: Ints  # where in ``left_out`` those of each row begin
    product: Ints  # row of the disks, by cloud
    wares: tuple[Wares, ...]  # one a purchase option
    prices: AgreedPrices
    quota: Floats  # machines that may be had, of each of those types
    lost: tuple[Lost, ...]  # in the order in which they are counted


# Own machines stand beside a shelf, and what all may cost an hour is judged later.
_OF_CONSTRAINTS = attrgetter(
    *(one.name for one in fields(Constraints) if one.name not in ("max_usd_per_hour", "own_machines", "max_nodes"))
)


def shelf_key(job: Job, most: int | None) -> Hashable:
    """What a shelf depends on."""
    workload = job.workload
    return _OF_CONSTRAINTS(job.query.constraints), workload.disk, workload.interruptions_per_hour, most


def shelf_of(job: Job, market: Market, most: int | None = None, said: Memories | None = None) -> Shelf:
    """The shelf of all jobs with the same ``shelf_key``; of types that are alike but in price only the ``most``
    cheapest, where that many are enough to list. ``said`` is of the same terms."""
    constraints, types = job.query.constraints, market.catalog.instance_types
    alive, lost = np.ones(len(types), dtype=bool), []
    masks = [*machine_constraints.machine_masks(constraints, market), ("price", priced_of(job, market))]
    for name, passing in masks:
        missing = np.flatnonzero(alive & ~passing)
        accelerated = int(np.count_nonzero(types.accelerator[missing] >= 0))
        lost.append(Lost(name, len(missing) - accelerated, accelerated))
        alive &= passing
    by_shape = market.shapes.by_shape
    rows = by_shape[alive[by_shape]]
    prices = agreed_prices(constraints, market, said)
    product = product_rows(market.prices.disks, types.cloud.words, job.workload.disk.type or "auto")
    whole = Shelf(
        types=rows,
        shape=market.shapes.of_type[rows],
        stands_for=constant(np.int32(1), len(rows)),
        left_out=np.empty(0),
        left_out_from=constant(np.int32(0), len(rows)),
        product=product,
        wares=tuple(_wares(job, market, prices, rows, product, code) for code in purchases_of(constraints)),
        prices=prices,
        quota=_quota(constraints, market, rows),
        lost=tuple(lost),
    )
    return whole if most is None else _cheapest(whole, market, most)


def enough(job: Job, market: Market, limit: int) -> int | None:
    """How many of the types that are alike an answer of ``limit`` entries can need; ``None`` where it takes them all.

    It does where types that are alike stand in another order under each purchase option, or differ in their terms.
    """
    constraints = job.query.constraints
    all_alone = len(market.shapes) == len(market.catalog.instance_types)
    if all_alone or constraints.quotas or constraints.commitments or len(purchases_of(constraints)) > 1:
        return None
    return limit


def _quota(constraints: Constraints, market: Market, rows: Ints) -> Floats:
    if not constraints.quotas:
        return constant(np.float64(np.inf), len(rows))
    return machine_constraints.quota_nodes(constraints, market)[rows]


def _wares(job: Job, market: Market, prices: AgreedPrices, rows: Ints, product: Ints, purchase: int) -> Wares:
    sale = sale_of(job, market, prices, rows, purchase)
    of_type = product[market.catalog.instance_types.cloud.codes[rows]]
    return Wares(
        sale=sale,
        disk_factor=region_factor(market.prices, of_type, sale.offer),
        interruptions_per_hour=interruption_rate(job, market.prices, purchase, sale.offer),
    )


def region_factor(prices: Prices, product: Ints, offer: Ints) -> Floats:
    """What the volume costs in the offer's region over its row in the table; 1 without either."""
    placed = (product >= 0) & (offer >= 0)
    factor = np.ones(len(offer))
    factor[placed] = prices.region_factor[product[placed], prices.offers.region[offer[placed]]]
    return lean(factor)  # in the regions with the cheapest offers volumes mostly cost what the table says


def interruption_rate(job: Job, prices: Prices, purchase: int, offer: Ints) -> Floats:
    """Interruptions of one machine an hour: as the request says, else as the price feed does, else as assumed."""
    if purchase != SPOT:
        return constant(np.float64(0), len(offer))
    stated = job.workload.interruptions_per_hour
    if stated is not None:
        return constant(np.float64(stated), len(offer))
    rate = np.full(len(offer), INTERRUPTIONS_PER_HOUR)
    rate[offer >= 0] = known_or(prices.interruptions_per_hour[offer[offer >= 0]], INTERRUPTIONS_PER_HOUR)
    return rate


def _cheapest(whole: Shelf, market: Market, most: int) -> Shelf:
    """The shelf with the ``most`` cheapest of each group of types that nothing but name and price tells apart.

    The first of a group stands for those that are left out.
    """
    (wares,) = whole.wares
    sale = wares.sale
    apart: list[NDArray[Any]] = [whole.shape, wares.disk_factor, wares.interruptions_per_hour, *sale.masks.values()]
    keys: list[NDArray[Any]] = [market.name_order[whole.types], sale.usd_per_hour, *apart[::-1]]
    order = np.lexsort(keys).astype(np.int32)
    differs = np.zeros(len(order), dtype=bool)
    for column in apart:
        differs[1:] |= column[order[1:]] != column[order[:-1]]
    group = np.cumsum(differs)
    size = np.bincount(group, minlength=1)
    place = np.arange(len(order)) - (np.cumsum(size) - size)[group]
    among = place < most
    kept = np.flatnonzero(among)
    stands_for = np.where(place == 0, size[group] - np.minimum(size[group], most) + 1, 1)[kept].astype(np.int32)
    rows = order[kept]
    masks = {name: mask[rows] for name, mask in sale.masks.items()}
    return replace(
        whole,
        types=whole.types[rows],
        shape=whole.shape[rows],
        stands_for=stands_for,
        left_out=sale.usd_per_hour[order[~among]],
        left_out_from=(np.cumsum(stands_for - 1) - (stands_for - 1)).astype(np.int32),
        wares=(
            Wares(
                Sale(sale.purchase, sale.offer[rows], sale.usd_per_hour[rows], masks),
                wares.disk_factor[rows],
                wares.interruptions_per_hour[rows],
            ),
        ),
        quota=whole.quota[rows],
    )
