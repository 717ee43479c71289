"""Tabular learners: passes over a matrix of rows × features, bound by memory traffic or by cores; and their answers.

Gradient boosting by histograms touches every value once per level of a tree (Chen and Guestrin 2016, section 3;
Ke et al. 2017, section 2.1); a forest's trees and a linear model's passes likewise. Rows that are answered walk the
trees on all cores, and each call to predict costs its own time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...clusters import Clusters, Drives
from ...coefficients import (
    CATBOOST_CORES_EXPONENT,
    CATBOOST_GPU_VALUE_NS,
    CATBOOST_OVER_XGBOOST,
    FOREST_BYTES,
    FOREST_NS,
    REFERENCE_GB_S,
    REFERENCE_GZIP_MB_S,
    VALUE_NS,
    Boosting,
    grown_depth,
)
from ...columns import Lazy, select, take, with_rows
from ...demand import kind
from ...demand.anchored import speed
from ...demand.host_process import SYSTEM_GIB, workers_within
from ...demand.job import BIN_BYTES, Feed, Job, most_nodes
from ...demand.requests import HTTP_US, somebody_waits
from ...hardware import Flags, Floats, Ints, Places
from ...machines import Machines
from ...obstacles import bottleneck
from ...spreads import UNSTUDIED_SPREAD
from ...units import GB, HOURS_PER_MONTH, MIB, MS
from ..arithmetic import Arithmetic, arithmetic
from ..batch_queue import BatchService, Operation, asked_load, limit_seconds, machines_needed, operation
from ..input import disks, pipeline
from ..input.disks import Disk, disk_columns
from ..outcome import MemoryColumns, Outcome
from ..ranges import Ends, ends, over_http, unstudied
from ..requirements import Obstacles, obstacles, recommended_memory_share, usable_gib
from ..samples.layouts import exchange_inside
from .common import (
    DeviceUse,
    PlainWork,
    bare_process,
    device_columns,
    devices_idle,
    host_parts,
    plain_disk,
    plain_outcome,
)
from .table_memory import fitting_gib, on_gpus_gib, peak_gib, thread_gib

GRADIENT_BYTES = 8.0  # gradient and hessian of a row, read once a level
# Spark's logistic regression: time of a pass besides its rows, and of a core for a value. The fits of Spark 2.1 on rows
# of 39 hashed features (rambler-digital-solutions/criteo-1tb-benchmark@78b80c17, results/metrics.cluster.tsv, read on
# 2026-11-29) took 139 to 175 s for 0.1 to 10 million rows, whatever their number, and beyond those 150 s 279, 506,
# 4,983 and 5,577 s for 0.1 and 0.3 billion on 256 cores, and 1 and 3 on 512; the geometric mean, over at most 100
# passes (apache/spark: LogisticRegression.scala, maxIter). They are off by up to 2.6 times, the 51 s for 10,000 by 2.9.
SPARK_PASS_S, SPARK_VALUE_NS = 1.5, 238.0
PARALLEL_EXPONENT = 0.9  # of the cores, for learners without a measured row: forests and linear models
ON_GPUS = ("xgboost", "catboost")  # learners that a GPU speeds up; LightGBM's measured runs on GPUs are slower
ON_ALL_SOCKETS = ("logistic-regression", "catboost")  # CatBoost's published time is that of two sockets
COMPUTE, MEMORY, INPUT, DISK, DEVICE_MEMORY = (
    np.int32(bottleneck(name))
    for name in ("cpu_compute", "memory_bandwidth", "input_pipeline", "disk_throughput", "accelerator_memory_bandwidth")
)
# Cores of the smallest processor of any machine with two of them: where a socket would have fewer, only parts of
# machines were seen, and the machine counts as one socket.
SMALLEST_SOCKET = 8.0
# Several GPUs add up the histograms of all nodes of a level: by default 256 bins of a feature, each with a sum of
# gradients and one of hessians in 64 bits (XGBoost: max_bin; Mitchell et al. 2018, arXiv 1806.11248).
BINS, SUM_BYTES = 256.0, 16.0
# Time of a level in which GPUs wait for each other, each time their number doubles. Two Quadro RTX 6000 are no faster
# than one at 1,000 trees on 270,230 rows of 77 features (kezhaozhang.github.io, 2022-06-16), for which 0.1 ms make up;
# eight V100 take 59.9 s for 3,500 trees of depth 8 on 581,012 rows of 54 (dmlc/xgboost pull request 4951, 2019-10-16),
# for which 0.2 do: their geometric mean.
MEETING_MS = 0.14
# Tables that are read in batches (dmlc/xgboost@00f09637, doc/tutorials/external_memory.rst): the input is read once
# more, a batch is a sixth of the memory or less. A QuantileDMatrix keeps the bins on the devices; beyond their memory
# an ExtMemQuantileDMatrix caches them on the host. A row's label, prediction and gradients are held.
READS_IN_BATCHES, BATCH_GIB = 2.0, 2.0
# Both need an iterator, and the latter is called experimental: smaller tables go where they fit. Memory of the largest
# size of the clouds' general series (m7i.48xlarge and the like in the catalog).
BATCHES_FROM_GIB = 768.0
# Threads of pandas.read_csv, unless its options say otherwise (pandas 3.1.1, io/parsers/readers.py, read on
# 2026-11-28). Earlier releases take one.
TEXT_THREADS = 6.0
# A volume's throughput is paid for the whole job, and machines wait while it reads: the cost is least at the root of
# (price of the machines × bytes) / (price of the throughput × time). A vCPU costs about as much an hour as 1 MiB/s of
# gp3 does a month: 0.04 USD (catalog; saisci.com/aws/gp3-throughput-explained, 2021-01-13; c7g.large: 0.0725 USD).
MIB_S_HOURS_PER_VCPU = HOURS_PER_MONTH
LEAST_LEAF_ROWS = 20.0  # LightGBM's own bound; XGBoost's weight bound does much the same


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything that no amounts decide: machines on their processors, and those whose GPU does the work well."""

    use: DeviceUse
    gpus: _Gpus


def prepare_training(job: Job, clusters: Clusters) -> Prepared:
    """Both ways to train."""
    return Prepared(prepare_inference(job, clusters), _gpus(job, clusters.machines))


def training(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """Rows a second through the whole training (all trees, or all passes), on cores or, where faster, on a GPU."""
    machines, nodes, feed = clusters.machines, clusters.fixed_nodes, job.feed
    assert feed is not None  # a job of this kind always has rows
    held_gib = peak_gib(job, feed)
    disk = plain_disk(job, drives)
    parse = pipeline.decode_seconds(feed, _parsing_cores(job, feed, machines))
    soonest = partial(_loading, feed, disk, machines, parse, 0.0 * parse)
    cores = _fastest_runs(job, machines, nodes, soonest, held_gib)
    runs, seconds = cores.runs, (cores.compute + cores.traffic) / cores.runs
    seconds += _spark_waits(job, feed, nodes)
    gpus = known.gpus
    found, outside = _on_gpu(job, gpus, feed.samples, held_gib)
    table = on_gpus_gib(job, feed, gpus.devices)
    streamed = outside | (_in_batches(job, held_gib) & (held_gib > gpus.memory_gib))
    # On the host lie two batches for each device, and bins that devices do not hold.
    in_batches = np.where(outside, job.bins_gib, 0.0) + 2 * BATCH_GIB * gpus.devices
    needed = np.where(streamed, np.minimum(in_batches, table), table)
    # A table that the host cannot hold passes through it in batches, and is worked on by the device.
    only = streamed & (held_gib > gpus.memory_gib) & (needed <= gpus.memory_gib)
    each = _runs_on_gpus(job, machines.take(gpus.rows), nodes.take(gpus.rows), needed)
    faster = (found / each < seconds.take(gpus.rows)) | only
    on_gpu, rows = np.zeros(len(machines), dtype=bool), gpus.rows[faster]
    on_gpu[rows] = True
    seconds[rows], runs[rows] = (found / each)[faster], each[faster]
    table_gib, devices = np.full(len(machines), held_gib), np.ones(len(machines))
    table_gib[rows], devices[rows] = needed[faster], gpus.devices[faster]
    parts = nodes if job.divides_rows else 1.0
    growing = np.maximum(fitting_gib(job, feed) + cores.cores * _core_gib(job, machines) - held_gib, 0.0)
    host_gib = runs * (table_gib + growing) / parts + (runs - 1) * job.host_base_gib
    again, reads = gpus.rows[faster & outside], np.ones(len(machines))
    reads[gpus.rows[faster & streamed]] = READS_IN_BATCHES
    loading = _loading(feed, disk, machines, parse, seconds, reads)
    load = loading.seconds

    def limit(rows: Any) -> Ints:
        by_cores = np.where(cores.compute[rows] >= cores.traffic[rows], COMPUTE, MEMORY)
        working = np.where(on_gpu[rows], DEVICE_MEMORY, by_cores)
        waited = np.where(reads[rows] * parse[rows] >= load[rows] * 0.5, INPUT, DISK)
        return np.where(load[rows] > seconds[rows], waited, working)

    used, use = machines.on_processors, known.use
    if len(rows):
        room = gpus.room_gib[faster] / devices[rows]
        held = np.minimum(job.bins_gib / devices[rows], room)
        use = _with_gpus(job, clusters, known.use, rows, held, take(gpus.numbers, faster.nonzero()[0]))
        used = machines.changed(accelerator=with_rows(used.accelerator, rows, machines.accelerator.take(rows)))
    alone = drives if job.divides_rows else drives.unshared(job.experiments)
    whole = disk if alone is drives else plain_disk(job, alone)
    working = devices * np.where(on_gpu, runs, 1.0)
    vcpus = np.where(on_gpu, working, np.ceil(runs * cores.cores * machines.vcpus / machines.cores))
    working_nodes = nodes if job.divides_rows else np.minimum(job.experiments / runs, nodes)
    rate = working_nodes / (seconds + load) * speed(job, used)
    work = plain_of(job, use, whole, rate, Lazy(limit), host_gib, vcpus)
    work = replace(work, devices=working, runs=runs, reading=loading.ordered)
    spread = ends(job, used, kind.TABULAR_TRAINING, devices=devices)
    if len(again):  # nobody measured tables in batches
        low, high = UNSTUDIED_SPREAD.low, UNSTUDIED_SPREAD.high
        spread = Ends(with_rows(spread.low[:], again, low), with_rows(spread.high[:], again, high))
    return plain_outcome(job, used, nodes, work, spread), nodes


@dataclass(frozen=True, eq=False)
class _Loading:
    """The reading of a table before the work on it: seconds a row, and rows a second that the disk is ordered for."""

    seconds: Floats
    ordered: Floats


def _loading(
    feed: Feed, disk: Disk, machines: Machines, parse: Floats, working: Floats, reads: Floats | float = 1.0
) -> _Loading:
    """The reading before ``working`` seconds a row, as fast as pays, and as the disk and the cores can.

    Nothing else is done meanwhile: the volume is ordered for just the speed that the time is reckoned with.
    """
    if feed.format == "memory":  # already in the process: nothing is read
        return _Loading(reads * parse, 0.0 * parse)
    most, included = (disks.read_rate(feed, disk, mib_s).take(disk.of) for mib_s in (disk.mib_s, disk.included_mib_s))
    with np.errstate(divide="ignore"):  # without any work, as fast as can be
        wanted = np.sqrt(MIB_S_HOURS_PER_VCPU * machines.vcpus * reads / (feed.bytes_per_sample / MIB * working))
    reading = np.clip(np.minimum(wanted, 1 / parse), included, most)
    return _Loading(reads * pipeline.wait(parse, 1 / reading), np.minimum(reading, 1 / parse))


def _parsing_cores(job: Job, feed: Feed, machines: Machines) -> Floats:
    """Reference cores that read the table: of text no more than the threads of pandas, unless the reader is tuned."""
    cores = machines.reference_cores
    few = feed.format == "csv" and not job.tuned and not job.on_spark
    return np.minimum(cores, TEXT_THREADS * machines.core_speed) if few else cores


def _in_batches(job: Job, held_gib: float) -> bool:
    """Whether a table is so large that a script reads it in batches, of which XGBoost keeps the bins."""
    return job.learner == "xgboost" and held_gib > BATCHES_FROM_GIB


def _with_gpus(
    job: Job, clusters: Clusters, idle: DeviceUse, rows: Places, held: Floats, numbers: Arithmetic
) -> DeviceUse:
    """The use where in some rows GPUs, each of which holds its part of the table, are not idle."""
    some, usable, context = clusters.machines.take(rows), idle.memory.usable, _context_gib(job)
    gib = with_rows(np.full(len(idle.emulated), np.nan), rows, held)
    needs = MemoryColumns(held + context, usable.take(rows), {})
    mine = obstacles(job, some, clusters.fixed_nodes.take(rows), numbers.supported, needs)
    still = np.isnan(gib[idle.obstacles.barred])
    known = Obstacles(
        weak=with_rows(idle.obstacles.weak, rows, mine.weak),
        barred=np.concatenate([idle.obstacles.barred[still], rows[mine.barred]]),
        strong=np.concatenate([idle.obstacles.strong[still], mine.strong]),
    )
    return DeviceUse(with_rows(idle.emulated, rows, numbers.emulated), device_columns(gib, usable, context), known)


@dataclass(frozen=True, eq=False)
class _OnCores:
    """Runs side by side on each machine: how many, and of one the seconds a row and the cores at work."""

    runs: Floats
    compute: Floats  # leaves included
    traffic: Floats  # of memory
    cores: Floats

    def all_seconds(self, job: Job, nodes: Floats, load: Floats) -> Floats:
        """Time of all experiments, which share the disk and the cores that load, in seconds a row."""
        rounds = np.ceil(job.experiments / np.minimum(job.experiments, self.runs * nodes))
        return rounds * (self.compute + self.traffic + self.runs * load)


def _fastest_runs(
    job: Job, machines: Machines, nodes: Floats, soonest: Callable[[], _Loading], held_gib: float
) -> _OnCores:
    """As many runs side by side as end all experiments soonest: one, or more by doubling where memory holds them.

    Threads of one run wait for each other; runs do not.
    """
    chosen = _on_cores(job, machines, np.ones(len(machines)))
    if job.experiments == 1:
        return chosen
    most = np.minimum(np.ceil(job.experiments / nodes), machines.cores)
    most = workers_within(machines, most, SYSTEM_GIB, job.host_base_gib + held_gib)
    if not (most > 1).any():
        return chosen
    runs, load = 2.0, soonest().seconds
    while (runs <= most).any():
        found = _on_cores(job, machines, np.full(len(machines), runs))
        sooner = (runs <= most) & (found.all_seconds(job, nodes, load) < chosen.all_seconds(job, nodes, load))
        chosen = select(sooner, found, chosen)
        runs *= 2
    return chosen


def _on_cores(job: Job, machines: Machines, runs: Floats) -> _OnCores:
    """So many runs on each machine, each with its share of the cores and of their memory's bandwidth."""
    assert job.feed is not None
    features, passes, rows = _tried(job), _passes(job), job.feed.samples
    boosting, parts = _boosting(job), np.maximum(_sockets(job, machines), runs)
    speed, bandwidth = machines.gzip_mb_s / REFERENCE_GZIP_MB_S, machines.cpu_bandwidth_gb_s / parts * GB
    if boosting is None:
        exponent = 1.0 if job.on_spark else PARALLEL_EXPONENT
        core, cores = _value_ns(job) * 1e-9 / speed, _growing(job, machines, runs, machines.cores / parts)
        stream = passes * (features * BIN_BYTES + GRADIENT_BYTES) / bandwidth
        return _OnCores(runs, passes * features * core / cores**exponent, stream, cores)
    row_ns, leaves = boosting.row_ns + features * boosting.value_ns, _leaves(job, rows) / rows
    alone = (passes * row_ns * 1e-9 + leaves * features * boosting.split_us * 1e-6) / speed
    cores = _fastest(boosting, machines.cores / parts, alone, leaves)
    leaf = boosting.leaf_core_us * cores * 1e-6
    moved = passes * (features * boosting.value_bytes + GRADIENT_BYTES) / bandwidth
    return _OnCores(runs, alone / cores**boosting.cores_exponent + leaves * leaf, moved, cores)


def _spark_waits(job: Job, feed: Feed, nodes: Floats) -> Floats | float:
    """Seconds a row of each machine in which the passes of a linear model of Spark begin, and add up."""
    if not job.on_spark:
        return 0.0
    return SPARK_PASS_S * _passes(job) / feed.samples * (nodes if job.divides_rows else 1.0)


def _growing(job: Job, machines: Machines, runs: Floats, cores: Floats) -> Floats:
    """Of the ``cores`` of each run those that work: no more than a forest has trees, or memory has room for."""
    assert job.feed is not None
    if job.learner != "random-forest":
        return cores
    cores, each = np.minimum(cores, float(job.workload.trees or 1)), _core_gib(job, machines)
    if not each.any():
        return cores
    room = machines.memory_gib * recommended_memory_share(job) - SYSTEM_GIB
    room -= runs * (job.host_base_gib + fitting_gib(job, job.feed))
    return np.minimum(cores, np.maximum(np.floor(room / (runs * each)), 1.0))


def _core_gib(job: Job, machines: Machines) -> Floats:
    """GiB that growing a forest takes on each core, all of whose threads grow a tree each."""
    assert job.feed is not None
    return thread_gib(job, job.feed.samples) * machines.vcpus / machines.cores


def _value_ns(job: Job) -> float:
    """Time of a core for a value and pass; of a forest by the bytes that a stated table of text takes for a value."""
    dataset, feed = job.workload.dataset, job.feed
    if job.on_spark:
        return SPARK_VALUE_NS
    if job.learner != "random-forest" or feed is None or dataset.format != "csv" or dataset.size_bytes is None:
        return VALUE_NS[job.learner]
    stored = dataset.size_bytes / (feed.samples * float(job.workload.features or 1))
    return float(np.exp(np.interp(stored, FOREST_BYTES, np.log(FOREST_NS))))


def _tried(job: Job) -> float:
    """Features that are looked at in each pass: all, but of a forest of classifiers the square root of them.

    scikit-learn 1.9: max_features of RandomForestClassifier; RandomForestRegressor looks at all.
    """
    features = job.row_values
    return max(1.0, float(int(features**0.5))) if job.learner == "random-forest" else features


def _sockets(job: Job, machines: Machines) -> Floats:
    """Sockets of each machine, of which trees are grown on one; linear models and CatBoost take all of them.

    On the threads of two, LightGBM took 2.27 times as long and XGBoost 1.28 times (medians over GBM-perf's runs on 192
    vCPUs, each over the same table on 96 of one socket), so those of the second are left idle.
    """
    several = (machines.cores >= SMALLEST_SOCKET * machines.sockets) & (job.learner not in ON_ALL_SOCKETS)
    return np.where(several, machines.sockets, 1.0)


def _fastest(boosting: Boosting, cores: Floats, alone: Floats, leaves: float) -> Floats:
    """Cores at work: of few rows more of them would wait for each other longer than they save, and stay idle.

    ``alone``: seconds a row on one core; ``leaves``: leaves a row. Where the derivative by cores of the time is 0.
    """
    exponent = boosting.cores_exponent
    most = (exponent * alone / (leaves * boosting.leaf_core_us * 1e-6)) ** (1 / (1 + exponent))
    return np.minimum(cores, np.maximum(most, 1.0))


@dataclass(frozen=True, eq=False)
class _Gpus:
    """Machines with GPUs that do the work well: seconds a value on all, and GiB that all of them may hold."""

    rows: Places
    devices: Floats
    value_seconds: Floats
    room_gib: Floats  # beside the context of each
    bus_gb_s: Floats  # from the host to all of them
    summing: Floats  # seconds to add up a byte of each
    memory_gib: Floats  # of the host
    numbers: Arithmetic


def _gpus(job: Job, machines: Machines) -> _Gpus:
    fit, boosted = job.coefficients.xgboost_on_gpu, job.learner in ON_GPUS
    rows = np.flatnonzero(machines.nvidia & boosted & ~np.isnan(machines.bandwidth_gb_s))
    some, value_ns = machines.take(rows), CATBOOST_GPU_VALUE_NS if job.learner == "catboost" else fit.value_ns
    share = np.minimum(some.count, 1.0)  # of one device: the exponent is of whole ones, a share has its part of theirs
    value = value_ns * 1e-9 * (REFERENCE_GB_S * share / some.bandwidth_gb_s) ** fit.bandwidth_exponent / share
    devices = np.maximum(some.devices, 1.0) if job.experiments == 1 else np.ones(len(some))
    return _Gpus(
        rows=rows,
        devices=devices,
        value_seconds=value / devices,
        room_gib=devices * np.maximum(usable_gib(some) * recommended_memory_share(job) - _context_gib(job), 0.0),
        bus_gb_s=devices * some.pcie_gb_s,
        summing=exchange_inside(job.coefficients.scaling, some, devices, np.ones(len(some))),
        memory_gib=some.memory_gib,
        numbers=arithmetic(some, "fp32"),
    )


def _runs_on_gpus(job: Job, machines: Machines, nodes: Floats, table_gib: Floats) -> Floats:
    """Runs side by side on each machine, each on a GPU of its own, as many as host memory has room for."""
    most = np.minimum(np.maximum(machines.devices, 1.0), np.ceil(job.experiments / nodes))
    return workers_within(machines, most, SYSTEM_GIB, job.host_base_gib + table_gib)


def _context_gib(job: Job) -> float:
    """GiB that the driver's context and the libraries take on each device, as beside networks."""
    return job.coefficients.memory.context_gib


def _on_gpu(job: Job, gpus: _Gpus, rows: float, held_gib: float) -> tuple[Floats, Flags]:
    """Seconds a row on the GPUs of each machine, and where they do not hold the table.

    They share the rows, and add up the histograms of each level. Of bins beyond their memory XGBoost keeps the rest
    in the host's, and as many on the devices as they hold; each pass moves the others. Only large tables are worked
    on so, and CatBoost has no such way.
    """
    passes, features = _passes(job), float(job.workload.features or 1)
    level = (job.coefficients.xgboost_on_gpu.level_ms + MEETING_MS * np.log2(gpus.devices)) * 1e-3
    leaves = float(job.workload.trees or 1) * 2.0 ** float(job.workload.depth or 1)
    summed = leaves * features * BINS * SUM_BYTES * gpus.summing
    seconds = passes * (features * gpus.value_seconds + level / rows) + summed / rows
    bins_gib = job.bins_gib
    outside = bins_gib > gpus.room_gib
    moved = np.clip(1 - gpus.room_gib / bins_gib, 0.0, 1.0) * features * BIN_BYTES
    slower = passes * moved / (gpus.bus_gb_s * GB)
    beyond = slower if _in_batches(job, held_gib) else np.full(len(seconds), np.inf)
    return np.where(outside, seconds + beyond, seconds), outside & np.isfinite(beyond)


def _leaves(job: Job, rows: float) -> float:
    """Leaves of all trees: a full tree's, or as many as the rows allow."""
    full: float = 2.0 ** float(job.workload.depth or 1)
    return float(job.workload.trees or 1) * min(full, max(rows / LEAST_LEAF_ROWS, 1.0))


def _boosting(job: Job) -> Boosting | None:
    """The fitted learner; CatBoost's after XGBoost's, on many cores as published; ``None`` for all others."""
    if job.learner == "catboost":
        nearest = job.coefficients.xgboost
        value_ns, row_ns = CATBOOST_OVER_XGBOOST * nearest.value_ns, CATBOOST_OVER_XGBOOST * nearest.row_ns
        return replace(nearest, value_ns=value_ns, row_ns=row_ns, cores_exponent=CATBOOST_CORES_EXPONENT)
    return {"xgboost": job.coefficients.xgboost, "lightgbm": job.coefficients.lightgbm}.get(job.learner)


def _passes(job: Job) -> float:
    """How often every value is read: a pass a level of each tree, or an epoch of a linear model."""
    if job.profile is not None and job.profile.family == "tree":
        return float(job.workload.trees or 1) * _levels(job)
    return float(job.workload.epochs or 1)


def _levels(job: Job) -> float:
    """Levels of a tree; no more than a forest's trees grow to on so many rows."""
    depth = float(job.workload.depth or 1)
    if job.learner != "random-forest" or job.feed is None:
        return depth
    return min(depth, grown_depth(job.feed.samples))


def plain_of(
    job: Job, use: DeviceUse, disk: Disk, rate: Floats, limit: Ints | Lazy, held_gib: float | Floats,
    vcpus: Floats | None = None,
) -> PlainWork:  # fmt: skip
    """The work of one process that holds the table; ``vcpus``: those at work, else one."""
    ones, bare = np.ones(len(rate)), bare_process(job, len(rate))
    return PlainWork(
        rate=rate,
        bottleneck=limit,
        use=use,
        devices=ones,
        host_gib=bare.gib(job) + held_gib,
        host_parts=host_parts(job, bare, Lazy(lambda rows: (held_gib + 0.0 * ones)[rows])),
        vcpus=ones if vcpus is None else vcpus,
        disk=disk,
    )


# A level of a tree, or a feature of a linear model, at inference on a reference core; 5 where none was measured. Own
# measurement on 2026-11-23 of 60,000 to 180,000 rows on one core of AMD EPYC (Zen 4), 28 and 100 features, the least of
# three runs: XGBoost 1.7 to 2.4, LightGBM 8.3 to 12.0 (leaves of 5 to 6 levels), scikit-learn's forest 5.5; medians.
LEVEL_NS, OTHER_LEVEL_NS = {"xgboost": 2.2, "lightgbm": 12.0, "random-forest": 5.9}, 5.0
# Time of a call to predict besides its rows (checks, conversion, threads), µs on a reference core; of a forest also
# at each tree. Own measurement on 2026-11-21, medians of one row through scikit-learn's interface on a core 1.5 times
# the reference: XGBoost 3.2 97, LightGBM 4.7 325, scikit-learn 1.9's forest 150 and 27 a tree, its linear model 82.
# CatBoost 1.2.10 took 0.92 of XGBoost's time beside it on 2026-11-23.
CALL_US = {"xgboost": 145.0, "catboost": 135.0, "lightgbm": 490.0, "random-forest": 225.0, "logistic-regression": 125.0}
CALL_TREE_US = {"random-forest": 40.0}


@dataclass(frozen=True)
class Request:
    """A request over HTTP, in µs of a reference core: the server, the call to predict, and each of its rows."""

    http_us: float
    call_us: float
    row_us: float
    rows: float

    @property
    def seconds(self) -> float:
        return (self.http_us + self.call_us + self.rows * self.row_us) * 1e-6


def request_of(job: Job) -> Request:
    """The request of a row, or of as many as a batch has."""
    trees, depth = float(job.workload.trees or 1), float(job.workload.depth or 1)
    walked = job.profile is not None and job.profile.family == "tree"
    steps = trees * depth if walked else float(job.workload.features or 1)
    call_us = CALL_US[job.learner] + trees * CALL_TREE_US.get(job.learner, 0.0)
    row_us = steps * LEVEL_NS.get(job.learner, OTHER_LEVEL_NS) * 1e-3
    return Request(HTTP_US, call_us, row_us, float(job.workload.batch_size or 1))


def prepare_inference(job: Job, clusters: Clusters) -> DeviceUse:
    """The machines on their processors, in whatever number."""
    nodes = np.ones(1) if clusters.nodes is None else clusters.nodes
    return devices_idle(job, clusters.machines.on_processors, nodes)


def inference(job: Job, clusters: Clusters, use: DeviceUse, drives: Drives) -> tuple[Outcome, Floats]:
    """Rows a second: each walks every tree (or one product), all cores side by side.

    Requests are calls over HTTP, of a row each or of a batch. Where nobody waits for one, rows are answered by the
    table, which is read for it, and no call counts.
    """
    machines, nodes = clusters.machines.on_processors, clusters.nodes
    request = request_of(job)
    scalar = machines.gzip_mb_s / REFERENCE_GZIP_MB_S * speed(job, machines)
    answer = request.seconds / scalar
    spread = ends(job, machines, kind.TABULAR_TRAINING) if over_http(job) else unstudied(job, machines)
    low, waited = spread.low[:], one_by_one(job)
    service = BatchService(
        job.coefficients.waits, np.ones(1), answer[None], np.ones((1, len(machines)), bool), machines.cores
    )
    load, limit = asked_load(job, low), limit_seconds(job)
    load = replace(load, rate=None if load.rate is None else load.rate / request.rows)  # of requests
    if nodes is None:
        nodes = machines_needed(service, load, limit, most_nodes(job))
    run = operation(service, load, nodes, limit)
    run = replace(run, delivered=run.delivered * request.rows, capacity=run.capacity * request.rows)
    disk = plain_disk(job, drives.unshared() if job.serves else drives)
    if waited:
        busy = np.ceil(run.delivered / request.rows / nodes * answer * machines.vcpus / machines.cores)
        every, busy = np.full(len(machines), COMPUTE), np.clip(busy, 1.0, machines.vcpus)
        work = plain_of(job, use, disk, run.capacity, every, 0.0, busy)
    else:
        work = _scoring(job, machines, use, disk, request.row_us * 1e-6 / scalar, nodes)
    outcome = plain_outcome(job, machines, nodes, work, spread)
    return _served(outcome, job, run, nodes, disk, waited, spread), nodes


def _scoring(job: Job, machines: Machines, use: DeviceUse, disk: Disk, row: Floats, nodes: Floats) -> PlainWork:
    """The work on rows of a table, each of which takes a core ``row`` seconds."""
    walking, loading = row / machines.cores, _part(job, machines, disk, row / machines.cores)
    reading = 0.0 * walking if loading is None else loading.seconds
    limit = np.where(reading > walking, INPUT, COMPUTE)
    work = plain_of(job, use, disk, nodes / (walking + reading), limit, 0.0, machines.vcpus)
    return work if loading is None else replace(work, reading=loading.ordered)


def _part(job: Job, machines: Machines, disk: Disk, walking: Floats) -> _Loading | None:
    """The reading of a machine's part of a table; a service's rows come with the requests."""
    if job.serves or job.feed is None:
        return None
    parse = pipeline.decode_seconds(job.feed, _parsing_cores(job, job.feed, machines))
    return _loading(job.feed, disk, machines, parse, walking)


def one_by_one(job: Job) -> bool:
    """Whether somebody waits for each request."""
    return job.workload.batch_size is not None or somebody_waits(job.workload)


def _served(
    outcome: Outcome, job: Job, run: Operation, nodes: Floats, disk: Disk, waited: bool, spread: Ends
) -> Outcome:
    """The outcome with the time to answer a row, and no more delivered than is asked."""
    delivered, fixed = run.delivered if waited else outcome.capacity, job.workload.requests_per_second is not None
    return replace(
        outcome,
        throughput=delivered,
        throughput_low=np.minimum(delivered, outcome.throughput_low[:]),
        throughput_high=delivered if fixed else outcome.throughput_high,
        disk=disk_columns(job, disk, delivered / nodes) if waited else outcome.disk,
        latency_ms=run.seconds * MS,
        latency_low_ms=run.seconds_at(spread.high[:]) * MS,
        latency_high_ms=run.late_seconds * MS,
        lone_latency_ms=run.lone_seconds * MS,
    )
