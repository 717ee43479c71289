"""Figures of the candidates that an answer shows in full; each column is gathered once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.nameplates import Nameplate
from plimsoll_service.engine.choice.software import Verdict
from plimsoll_service.engine.columns import Column, Lazy
from plimsoll_service.engine.estimate.outcome import ColdStart, Outcome, TrainingLayout
from plimsoll_service.engine.hardware import Ints, Places
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.units import MS


class Detail(NamedTuple):
    """Figures behind the sizing, reasons and warnings of one candidate; memory in GiB."""

    plate: Nameplate
    page_cache: float
    host_parts: tuple[float, ...]  # of what is required, in the order of the outcome's
    device_parts: tuple[float, ...]
    nodes: float
    basis: int
    shown_basis: int
    hardware: int  # the accelerator, or −1 less the vector class of processors
    device: float  # required of one device
    usable_device: float
    host: float  # required
    recommended_host: float  # with the page cache that pays
    vcpus: float  # required
    devices: float
    batch: float
    largest_batch: float
    global_batch: float  # NaN of work without one
    lost_share: float  # of the devices' speed for want of input; NaN where that is unknown
    emulated: bool
    capacity: float
    product: int
    local_disk: bool
    disk_gib: float
    root_gib: float  # of the volume beside a local disk
    written_mib_s: float
    disk_iops: float
    disk_mib_s: float
    longest_context: float  # tokens; NaN of other work than serving of language models
    most_requests: float  # likewise
    tensor_parallel: float  # likewise, and the two below
    stages: float
    span: float  # machines of a replica
    first_s: float  # to the first token and to the end of the answer, 95th percentile
    answer_s: float
    start: tuple[float, ...]  # seconds of each part of the cold start; empty of work without one
    by_hour: tuple[float, ...]  # machines of each hour of a day; empty without one
    layout: tuple[float, ...]  # of the trained model in memory; empty of other work
    runs: Verdict


UNKNOWN = nan  # in all rows


def details_of(estimates: Estimates, rows: Places, plates: Sequence[Nameplate]) -> list[Detail]:
    """Return the details of the candidates in these rows; ``plates`` are those of their machines."""
    outcome = estimates.outcome
    columns = (
        estimates.nodes,
        estimates.machines.basis,
        estimates.machines.shown_basis,
        Lazy(lambda rows: _hardware(estimates.machines, rows)),
        outcome.device.required,
        outcome.device.usable,
        outcome.host.required,
        Lazy(outcome.host.recommended),
        outcome.vcpus_required,
        outcome.devices_used,
        outcome.batch_used,
        outcome.batch_largest,
        UNKNOWN if outcome.together is None else outcome.together.samples,
        UNKNOWN if outcome.lost_share is None else outcome.lost_share,
        outcome.emulated,
        outcome.capacity,
        estimates.product,
        outcome.local_disk,
        outcome.disk.size_gib,
        outcome.disk.root_gib,
        outcome.disk.written_mib_s,
        outcome.disk.iops,
        outcome.disk.throughput_mib_s,
        *_served(outcome),
    )
    host, device = (
        {name: part[rows].tolist() for name, part in parts.items()}
        for parts in (outcome.host.parts, on_device(outcome))
    )
    parts = host.get("page_cache", [0.0] * len(rows)), _by_row(host, len(rows)), _by_row(device, len(rows))
    gathered = [[one] * len(rows) if isinstance(one, float) else one[rows].tolist() for one in columns]
    runs = [estimates.grounds.of(row) for row in rows.tolist()]
    start = (
        _by_row({}, len(rows)) if outcome.cold_start is None else _by_row(_parts(outcome.cold_start, rows), len(rows))
    )
    hours = [()] * len(rows) if estimates.day is None else list(map(tuple, estimates.day.nodes[:, rows].T.tolist()))
    laid = _by_row({} if outcome.layout is None else _parts(outcome.layout, rows), len(rows))
    return [Detail(*one) for one in zip(plates, *parts, *gathered, start, hours, laid, runs, strict=True)]


def _hardware(machines: Machines, rows: Places) -> Ints:
    accelerator = machines.accelerator[rows]
    return np.where(accelerator >= 0, accelerator, -1 - machines.vector[rows])


def _parts(columns: ColdStart | TrainingLayout, rows: Places) -> dict[str, list[float]]:
    return {name: part[rows].tolist() for name, part in vars(columns).items()}


def _served(outcome: Outcome) -> tuple[Column | float, ...]:
    """What a language model's layout holds, the layout, and the times of its answers."""
    serving = outcome.serving
    if serving is None:
        return (UNKNOWN,) * 7
    held = serving.longest_context, serving.most_requests
    layout = serving.tensor_parallel, serving.pipeline_parallel, serving.nodes_per_replica
    first = Lazy(lambda rows: outcome.latency_ms[rows] / MS)
    return (*held, *layout, first, Lazy(lambda rows: serving.end_to_end_p95_ms[rows] / MS))


def on_device(outcome: Outcome) -> dict[str, Column]:
    """Parts of the memory need of one device."""
    return {name: part for name, part in outcome.device.parts.items() if name != "host"}


def _by_row(parts: Mapping[str, list[float]], rows: int) -> list[tuple[float, ...]]:
    return list(zip(*parts.values(), strict=True)) if parts else [()] * rows
