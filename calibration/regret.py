"""Regret: the cost of picking a device by the estimate instead of the measurement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.results import Residual
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog
from plimsoll_service.evidence.measurement import Measurement

LEAST_DEVICES = 4
GAINS = ("scaling",)  # kinds whose residuals are of a gain over one device, not of a rate
RATES = ("samples/s", "tokens/s", "output_tokens/s")


@dataclass(frozen=True)
class Regret:
    """One workload on several devices: the extra cost of the picked device, by price or by device."""

    source: str
    kind: str
    workload: str
    priced: bool
    picked: str
    share: float  # cost of the picked ÷ cost of the best − 1


@dataclass(frozen=True)
class _Choice:
    """A device for a workload: measured cost of a unit of work, and the estimate with the device held out."""

    device: str
    true_cost: float
    estimated_cost: float


def regrets(
    residuals: Sequence[Residual], measurements: Sequence[Measurement], prices: Mapping[str, float]
) -> list[Regret]:
    """Return the regret of every workload with rates of at least four devices; each device is held out of its estimate.

    It is judged in USD per unit of work where at least four devices have a price, otherwise in work per device.
    """
    rows = {one.id: one for one in measurements}
    errors = {
        one.measurement_id: one
        for one in residuals
        if one.scheme == "device" and one.metric in RATES and one.kind not in GAINS
    }
    grouped: dict[tuple[object, ...], list[Residual]] = defaultdict(list)
    for name, residual in errors.items():
        if rows[name].accelerator is not None:
            grouped[_workload(rows[name])].append(residual)
    found = []
    for members in grouped.values():
        by_price, by_device = _choices(members, rows, prices), _choices(members, rows, None)
        priced = len(by_price) >= LEAST_DEVICES
        if len(by_device) >= LEAST_DEVICES:
            found.append(_regret(members[0], rows, by_price if priced else by_device, priced))
    return sorted(found, key=lambda one: (one.source, one.kind, one.workload, one.priced))


def hourly_prices(catalog: Catalog) -> dict[str, float]:
    """USD an hour of one device of each accelerator: its cheapest current on-demand offer in unrestricted regions."""
    offers, types = catalog.offers, catalog.instance_types
    allowed = offers.current & (offers.purchase == PURCHASE_NAMES.index("on_demand"))
    allowed &= ~catalog.regions.restricted[offers.region]
    row = types.accelerator[offers.instance_type]
    count = types.accelerator_count[offers.instance_type]
    allowed &= (row >= 0) & (count > 0)
    each = np.full(len(catalog.accelerators), np.inf)
    np.minimum.at(each, row[allowed], offers.usd_per_hour[allowed] / count[allowed])
    return {name: float(usd) for name, usd in zip(catalog.accelerators.name, each, strict=True) if np.isfinite(usd)}


def _workload(row: Measurement) -> tuple[object, ...]:
    """Key of a workload: everything that a user fixes before choosing a device. The batch depends on the device."""
    return (
        row.source, row.task, row.model, row.framework, row.tuning, row.precision, row.sequence_length, row.image_size,
        row.input_tokens, row.output_tokens, row.concurrency, row.load, row.method, row.activation_recomputation,
        row.metric, row.device_count, row.node_count,
    )  # fmt: skip


def _choices(
    members: Sequence[Residual], rows: Mapping[str, Measurement], prices: Mapping[str, float] | None
) -> list[_Choice]:
    """Return the fastest row of each device, measured and estimated."""
    truths: dict[str, list[float]] = defaultdict(list)
    estimates: dict[str, list[float]] = defaultdict(list)
    for one in members:
        rate = rows[one.measurement_id].value
        truths[one.device].append(rate)
        estimates[one.device].append(rate * float(np.exp(one.log_error)))
    price = dict.fromkeys(truths, 1.0) if prices is None else prices
    return [
        _Choice(name, price[name] / max(truths[name]), price[name] / max(estimates[name]))
        for name in sorted(truths)
        if name in price
    ]


def _regret(member: Residual, rows: Mapping[str, Measurement], choices: Sequence[_Choice], priced: bool) -> Regret:
    row = rows[member.measurement_id]
    picked = min(choices, key=lambda one: one.estimated_cost)
    best = min(choices, key=lambda one: one.true_cost)
    details = (row.model, row.framework, row.precision, row.sequence_length, row.input_tokens, row.output_tokens)
    return Regret(
        source=member.source,
        kind=member.kind,
        workload=" ".join(str(part) for part in details if part is not None),
        priced=priced,
        picked=picked.device,
        share=picked.true_cost / best.true_cost - 1,
    )
