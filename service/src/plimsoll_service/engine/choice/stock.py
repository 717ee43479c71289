"""What candidates may be rented at, whatever the amount of work: the types of each, at their offers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from plimsoll_service.engine.choice.constant import Column, constant, taken
from plimsoll_service.engine.choice.contenders import Lineup, behind
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.offers import Sale, commit
from plimsoll_service.engine.choice.own_machines import OwnMachines
from plimsoll_service.engine.choice.pricing_agreements import ON_DEMAND
from plimsoll_service.engine.choice.shelf import SPOT, Shelf, Wares, interruption_rate, region_factor
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places
from plimsoll_service.engine.prices import Prices


@dataclass(frozen=True, eq=False)
class Stock:
    """One row a candidate's type and purchase option: all under the first option, then all under the next."""

    candidate: Ints
    purchase: Ints
    machine_row: Ints  # a catalog type, or len(types) + own machine
    stands_for: Ints  # how many types (see ``Shelf``)
    left_out: Floats  # prices of the types that rows stand for beside their own (see ``Shelf``)
    left_out_from: Ints
    offer: Ints  # row of the market's offers; -1 for own machines (and where there is no price)
    usd_per_hour: Floats  # one machine; NaN where there is no price
    disk_factor: Floats  # what the candidate's volume costs in the offer's region over its row in the table
    interruptions_per_hour: Floats  # of one machine; 0 but on spot
    name_order: Ints  # the last tie-break
    quota: Floats  # machines that may be had
    masks: dict[str, Flags]  # rows that may be rented, by each reason why others may not
    purchases: int  # how many options: blocks of rows
    aligned: bool  # in each block one row a candidate, in their order

    def __len__(self) -> int:
        return len(self.candidate)

    @cached_property
    def on_spot(self) -> bool:
        """Whether any row is."""
        return bool(np.any(self.purchase == SPOT))

    @cached_property
    def rationed(self) -> bool:
        """Whether any row has a quota."""
        return bool(np.any(self.quota < np.inf))

    @cached_property
    def to_be_had(self) -> Flags:
        """Rows that may be rented."""
        rows = np.ones(len(self), dtype=bool)
        for passing in self.masks.values():
            rows &= passing
        return rows

    def survivors(self, alive: Flags, stands_for: Ints) -> int:
        """How many types, in their numbers of machines, have an option that is alive; rows stand for that many."""
        lines: Flags = alive if self.purchases == 1 else np.any(alive.reshape(self.purchases, -1), axis=0)
        return int(stands_for[: len(lines)] @ lines if len(self.left_out) else np.count_nonzero(lines))


def stock_of(job: Job, market: Market, own: OwnMachines, lineup: Lineup, shelf: Shelf, nodes: Floats) -> Stock:
    """The types of each candidate at their cheapest allowed offers, when ``nodes`` machines are rented."""
    candidate, place, aligned = _lines(market, lineup, shelf)
    machines = np.arange(len(own), dtype=np.int32) + np.int32(len(market.catalog.instance_types))
    nothing, single = np.zeros(len(own), dtype=np.int32), np.ones(len(own), dtype=np.int32)
    machine_row = behind(shelf.types, machines).take(place)
    name_order = behind(market.name_order[shelf.types], machines).take(place)
    blocks = []
    for wares in shelf.wares:
        whole = _with_own(job, market, wares, own)
        block = _rows(whole, place)
        if wares.sale.purchase == ON_DEMAND:
            sale = block.sale
            commit(job, market, shelf.prices, machine_row, nodes[candidate], sale.offer, sale.usd_per_hour)
        blocks.append(block)
    several = len(blocks)
    return Stock(
        candidate=_repeated(candidate, several),
        purchase=_joined([constant(np.int32(one.sale.purchase), len(candidate)) for one in blocks]),
        machine_row=_repeated(machine_row, several),
        stands_for=_repeated(taken(behind(shelf.stands_for, single), place), several),
        left_out=shelf.left_out,
        left_out_from=_repeated(taken(behind(shelf.left_out_from, nothing), place), several),
        offer=_joined([one.sale.offer for one in blocks]),
        usd_per_hour=_joined([one.sale.usd_per_hour for one in blocks]),
        disk_factor=_joined([one.disk_factor for one in blocks]),
        interruptions_per_hour=_joined([one.interruptions_per_hour for one in blocks]),
        name_order=_repeated(name_order, several),
        quota=_repeated(taken(behind(shelf.quota, own.max_nodes), place), several),
        masks={name: _joined([one.sale.masks[name] for one in blocks]) for name in blocks[0].sale.masks},
        purchases=several,
        aligned=aligned,
    )


def _joined(blocks: list[Column]) -> Column:
    """The blocks of a column, one after the other."""
    return cast(Column, np.concatenate(blocks)) if len(blocks) > 1 else blocks[0]


def _repeated(column: Column, times: int) -> Column:
    """The same column for each of so many blocks."""
    return cast(Column, np.tile(column, times)) if times > 1 else column


def one_item(job: Job, prices: Prices, product: Ints, purchase: int, offer: Ints, usd_per_hour: Floats) -> Stock:
    """A single candidate under a single purchase option."""
    nothing = np.zeros(1, dtype=np.int32)
    return Stock(
        candidate=nothing,
        purchase=np.array([purchase], dtype=np.int32),
        machine_row=nothing,
        stands_for=np.ones(1, dtype=np.int32),
        left_out=np.empty(0),
        left_out_from=nothing,
        offer=offer,
        usd_per_hour=usd_per_hour,
        disk_factor=region_factor(prices, product, offer),
        interruptions_per_hour=interruption_rate(job, prices, purchase, offer),
        name_order=nothing,
        quota=np.full(1, np.inf),
        masks={},
        purchases=1,
        aligned=True,
    )


def _lines(market: Market, lineup: Lineup, shelf: Shelf) -> tuple[Ints, Places, bool]:
    """One row a candidate's type on the shelf: the candidate, its place there (own machines come after all types)."""
    shapes = len(market.shapes)
    rows = np.bincount(shelf.shape, minlength=shapes)
    first = np.cumsum(rows) - rows
    own = lineup.shape >= shapes
    shape = np.where(own, 0, lineup.shape)
    start = np.where(own, len(shelf.types) + lineup.shape - shapes, first[shape])
    several = np.where(own, 1, rows[shape])
    if np.all(several == 1):
        return np.arange(len(start), dtype=np.int32), start.astype(np.intp), True
    candidate = np.repeat(np.arange(len(start), dtype=np.int32), several)
    within = np.arange(len(candidate)) - np.repeat(np.cumsum(several) - several, several)
    return candidate, (start[candidate] + within).astype(np.intp), False


def _with_own(job: Job, market: Market, wares: Wares, own: OwnMachines) -> Wares:
    """The wares and then the user's own machines, which are to be had at their own price without a term."""
    if not len(own):
        return wares
    sale = wares.sale
    none, all_of = np.full(len(own), -1, dtype=np.int32), np.ones(len(own), dtype=bool)
    regular = sale.purchase == ON_DEMAND
    mine = {"purchase": all_of & regular, "regions": all_of}
    return Wares(
        Sale(
            sale.purchase,
            np.concatenate([sale.offer, none]),
            np.concatenate([sale.usd_per_hour, own.usd_per_hour if regular else np.full(len(own), np.nan)]),
            {name: np.concatenate([mask, mine[name]]) for name, mask in sale.masks.items()},
        ),
        np.concatenate([wares.disk_factor, np.ones(len(own))]),
        np.concatenate([wares.interruptions_per_hour, interruption_rate(job, market.prices, sale.purchase, none)]),
    )


def _rows(wares: Wares, place: Places) -> Wares:
    sale = wares.sale
    masks = {name: mask.take(place) for name, mask in sale.masks.items()}
    return Wares(
        Sale(sale.purchase, sale.offer.take(place), sale.usd_per_hour.take(place), masks),
        taken(wares.disk_factor, place),
        taken(wares.interruptions_per_hour, place),
    )
