"""Outcome of an estimate: one array a figure, one row a candidate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..columns import Column, Lazy, Lookup, changed, columnar
from ..hardware import Flags, Floats, Ints, Places
from ..obstacles import LOADING

Ranged = tuple[Floats, Floats, Floats]  # a figure, and both ends of its range


@columnar
class MemoryColumns:
    """Memory of one device or of the host, GiB: ``required``, ``usable``, and the parts it is made of."""

    required: Floats
    usable: Floats
    parts: Mapping[str, Column]
    cache: Column | None = None  # page cache that pays, of the host

    def recommended(self, rows: Places) -> Floats:
        """GiB that the work requires, and the page cache that pays for itself."""
        required = self.required[rows]
        return required if self.cache is None else required + self.cache[rows]

    def roomy(self, share: float) -> Flags:
        """Rows whose need is within that share of the memory: all but weights that pass through mapped files."""
        passing = self.parts.get(LOADING)
        rest = self.required if passing is None else self.required - passing[:]
        return (self.required <= self.usable) & (rest <= share * self.usable)

    def within(self, share: float) -> Flags:
        """Rows whose need, where it is known, is within that share of the usable memory."""
        return np.isnan(self.required) | (self.required <= self.usable * share)


@columnar
class DiskColumns:
    """Size and speed that a volume must have for one machine: GiB, requests a second, MiB/s."""

    size_gib: Lookup
    root_gib: Lookup  # of the volume that a machine with the data on its own NVMe starts from
    rate: Column  # samples a second that one machine's disk moves
    requests: float  # a sample
    mib: float  # a sample
    written_mib_s: float = 0.0  # for checkpoints

    @property
    def iops(self) -> Lazy:
        """Requests a second."""
        return Lazy(lambda rows: np.ceil(self.rate[rows] * self.requests))

    @property
    def throughput_mib_s(self) -> Lazy:
        """MiB/s."""
        return Lazy(lambda rows: np.maximum(self.rate[rows] * self.mib, self.written_mib_s))


@columnar
class ServingColumns:
    """Serving of a language model: of all replicas of the candidate together, but the splits of one."""

    concurrency: Column
    max_concurrency: Column
    expected_concurrency: Column  # the same at the middle of the range
    ttft_ms: Column
    tpot_ms: Column
    tpot_p95_ms: Column
    tpot_p95_high_ms: Column
    end_to_end_p95_ms: Column
    end_to_end_p95_high_ms: Column
    tensor_parallel: Column
    replicas: Column
    nodes_per_replica: Column
    pipeline_parallel: Column
    attention_data_parallel: Column  # devices that the requests are divided over; 1 where heads are
    longest_context: Column  # tokens, of one request alone
    most_requests: Column  # that the caches hold at the asked lengths
    possible: Column  # tokens a second whatever the targets
    possible_low: Column  # the same at the low end of the range
    highest_rate: Callable[[Places], Ranged]  # tokens a second that the answer shows, at the middle of the targets
    load: Column  # requests that a replica runs
    measured_load: Column  # the most of one that was measured; infinite where no load is far


@columnar
class GlobalBatch:
    """Samples of a step over all devices of a run, and whether that is sensible; a row a candidate."""

    samples: Column
    sensible: Flags


@columnar
class TrainingLayout:
    """How the trained model lies in memory."""

    recomputed: Column  # share of the activations that is computed again
    stage: Column  # of ZeRO: 0 to 3
    devices: Column  # that share the states of a stage above 0
    tensor: Column  # devices that share each layer
    pipeline: Column  # stages that the layers are split into
    expert: Column  # devices that share the experts of a layer, and gather none
    in_turn: Column  # 1 where one stage works at a time
    offload: Column  # place in ``workload.OFFLOADS``
    frozen: Column  # 1 where outputs of frozen encoders come from before, 2 where frozen weights are in 8 bits too
    roomier: Column  # 1 where activations are computed again for a larger batch alone


def looked_up(few: TrainingLayout, of: Places) -> TrainingLayout:
    """The layouts of all candidates, from a row for each group of them."""
    return TrainingLayout(**{name: Lookup(column[:], of) for name, column in vars(few).items()})


@columnar
class ColdStart:
    """Seconds from the order of a machine until it answers, in parts; ``fetch`` and ``load`` are of the weights."""

    boot: Column
    image: Column
    fetch: Column
    load: Column
    engine: Column

    @property
    def seconds(self) -> Lazy:
        """All parts together."""
        return Lazy(lambda rows: np.sum([part[rows] for part in vars(self).values()], axis=0))


@columnar
class Outcome:
    """Figures of candidates. Rates are of the whole candidate (all its machines); NaN is "has no meaning here".

    ``low`` and ``high`` are the ends of an 80% prediction interval.
    """

    obstacle: Ints
    throughput: Floats  # delivered
    capacity: Floats  # the most that it can deliver
    capacity_low: Column
    capacity_high: Column
    throughput_low: Column
    throughput_high: Column
    hours: Floats  # of the whole job, start-up and checkpoints included
    hours_low: Column
    hours_high: Column
    checkpoint_hours: Lookup  # to write one checkpoint
    bottleneck: Ints | Lookup | Lazy
    batch_used: Column
    batch_largest: Column
    vcpus_required: Column
    host: MemoryColumns
    device: MemoryColumns
    disk: DiskColumns
    local_disk: Lookup  # the data lie on the machine's own NVMe, which its price includes
    emulated: Flags | Lookup
    devices_used: Column
    latency_ms: Floats  # 95th percentile of the whole answer (language models: of the first token)
    latency_low_ms: Column
    latency_high_ms: Column
    serving: ServingColumns | None = None
    together: GlobalBatch | None = None  # of a neural training
    lost_share: Column | None = None  # of the devices' speed in training, for want of input
    disk_share: Column | None = None  # of the time of preprocessing, that the disk adds
    runs: Column | None = None  # of a tabular learner, side by side on each machine
    start_seconds: Floats | None = None  # from the order until the work begins
    filled_mib_s: Column | None = None  # at which data from elsewhere are written to one machine's disk
    cold_start: ColdStart | None = None  # of inference
    layout: TrainingLayout | None = None  # of a neural training
    lone_latency_ms: Column | None = None  # of a request that has the service to itself

    def __len__(self) -> int:
        return len(self.obstacle)

    def changed(self, **columns: Any) -> Outcome:
        """This outcome with some columns replaced."""
        return changed(self, **columns)
