"""Figures of the candidates that an answer shows in full; each column is gathered once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, NamedTuple

import numpy as np

from ..columns import Column, Lazy
from ..estimate.outcome import ColdStart, Outcome, TrainingLayout
from ..hardware import Ints, Places
from ..machines import Machines
from ..units import MS
from .estimating import Estimates
from .nameplates import Nameplate
from .software import Verdict


class Detail(NamedTuple):
    """Figures behind the sizing, reasons and warnings of one candidate; memory in GiB."""

    plate: Nameplate
    page_cache: float
    host_model: float  # weights that stay in the host's memory
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
    disk_share: float  # of the time, that the disk adds; NaN of other work than preprocessing
    side_by_side: float  # runs on each machine; NaN of other work than a tabular learner's training
    emulated: bool
    capacity: float
    capacity_low: float
    max_concurrency: float  # of all replicas; NaN of other work than serving of language models
    product: int
    local_disk: bool
    disk_gib: float
    root_gib: float  # of the volume beside a local disk
    written_mib_s: float
    disk_iops: float
    disk_mib_s: float
    longest_context: float  # tokens; NaN of other work than serving of language models
    most_requests: float  # likewise
    tensor_parallel: float  # likewise, and the three below
    stages: float
    divided: float  # devices that the requests are divided over; 1 where heads are
    span: float  # machines of a replica
    first_s: float  # to the first token and to the end of the answer, 95th percentile
    answer_s: float
    load: float  # requests that a replica runs
    measured_load: float  # the most of one that was measured
    start: tuple[float, ...]  # seconds of each part of the cold start; empty of work without one
    by_hour: tuple[float, ...]  # machines of each hour of a day; empty without one
    layout: tuple[float, ...]  # of the trained model in memory; empty of other work
    runs: Verdict


def details_of(estimates: Estimates, rows: Places, plates: Sequence[Nameplate]) -> list[Detail]:
    """Return the details of the candidates in these rows; ``plates`` are those of their machines."""
    outcome, disk = estimates.outcome, estimates.outcome.disk
    columns: dict[str, Any] = {
        "nodes": estimates.nodes,
        "basis": estimates.machines.basis,
        "shown_basis": estimates.machines.shown_basis,
        "hardware": Lazy(lambda rows: _hardware(estimates.machines, rows)),
        "device": outcome.device.required,
        "usable_device": outcome.device.usable,
        "host": outcome.host.required,
        "recommended_host": Lazy(outcome.host.recommended),
        "vcpus": outcome.vcpus_required,
        "devices": outcome.devices_used,
        "batch": outcome.batch_used,
        "largest_batch": outcome.batch_largest,
        "global_batch": None if outcome.together is None else outcome.together.samples,
        "lost_share": outcome.lost_share,
        "disk_share": outcome.disk_share,
        "side_by_side": outcome.runs,
        "emulated": outcome.emulated,
        "capacity": outcome.capacity,
        "capacity_low": outcome.capacity_low,
        "product": estimates.product,
        "local_disk": outcome.local_disk,
        "disk_gib": disk.size_gib,
        "root_gib": disk.root_gib,
        "written_mib_s": disk.written_mib_s,
        "disk_iops": disk.iops,
        "disk_mib_s": disk.throughput_mib_s,
        **_served(outcome),
    }
    host, device = (
        {name: part[rows].tolist() for name, part in parts.items()}
        for parts in (outcome.host.parts, on_device(outcome))
    )
    starts, layouts, day = outcome.cold_start, outcome.layout, estimates.day
    gathered: dict[str, Sequence[Any]] = {
        name: [one] * len(rows) if isinstance(one, float) else one[rows].tolist()
        for name, one in columns.items()
        if one is not None
    } | {
        "plate": plates,
        "page_cache": host.get("page_cache", [0.0] * len(rows)),
        "host_model": host.get("model", [0.0] * len(rows)),
        "host_parts": _by_row(host, len(rows)),
        "device_parts": _by_row(device, len(rows)),
        "start": _by_row({} if starts is None else _parts(starts, rows), len(rows)),
        "by_hour": [()] * len(rows) if day is None else list(map(tuple, day.nodes[:, rows].T.tolist())),
        "layout": _by_row({} if layouts is None else _parts(layouts, rows), len(rows)),
        "runs": [estimates.grounds.of(row) for row in rows.tolist()],
    }
    unknown = [nan] * len(rows)
    return [Detail(*one) for one in zip(*(gathered.get(name, unknown) for name in Detail._fields), strict=True)]


def _hardware(machines: Machines, rows: Places) -> Ints:
    accelerator = machines.accelerator[rows]
    return np.where(accelerator >= 0, accelerator, -1 - machines.vector[rows])


def _parts(columns: ColdStart | TrainingLayout, rows: Places) -> dict[str, list[float]]:
    return {name: part[rows].tolist() for name, part in vars(columns).items()}


def _served(outcome: Outcome) -> dict[str, Column]:
    """What a language model's layout holds, the layout, and the times of its answers."""
    serving = outcome.serving
    if serving is None:
        return {}
    return {
        "max_concurrency": serving.max_concurrency,
        "longest_context": serving.longest_context,
        "most_requests": serving.most_requests,
        "tensor_parallel": serving.tensor_parallel,
        "stages": serving.pipeline_parallel,
        "divided": serving.attention_data_parallel,
        "span": serving.nodes_per_replica,
        "first_s": Lazy(lambda rows: outcome.latency_ms[rows] / MS),
        "answer_s": Lazy(lambda rows: serving.end_to_end_p95_ms[rows] / MS),
        "load": serving.load,
        "measured_load": serving.measured_load,
    }


def on_device(outcome: Outcome) -> dict[str, Column]:
    """Parts of the memory need of one device."""
    return {name: part for name, part in outcome.device.parts.items() if name != "host"}


def _by_row(parts: Mapping[str, list[float]], rows: int) -> list[tuple[float, ...]]:
    return list(zip(*parts.values(), strict=True)) if parts else [()] * rows
