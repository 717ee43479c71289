"""Notes on a candidate: reasons for its figures, and advice."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, isnan

import numpy as np

from ..anchors import PROMPT, RATE, TOKEN, Anchoring
from ..datasets import TABLES, TEXT, TEXT_TABLE, TOKENS, as_columns, core_seconds_per_sample, tokenises, tokenising_rate
from ..demand import kind, software
from ..demand.host_process import CACHE_MARGIN, SYSTEM_GIB, data_bytes
from ..demand.job import LINEAR, Feed, Job
from ..estimate.input.pipeline import DISK_BOUND_SHARE
from ..estimate.non_neural.table_memory import forest_gib, on_gpus_gib, peak_gib, threads_grow_trees
from ..estimate.non_neural.tabular import ON_ALL_SOCKETS
from ..estimate.processor_step import lone_voice
from ..estimate.ranges import agreements
from ..estimate.token_training.memory import eager_sinks
from ..known import checks_on
from ..rules import Remark, RuleId
from ..spreads import ALIKE, BASES, CALIBRATED, MEASURED, MEASURED_HERE, MODELLED, UNSTUDIED
from ..units import BYTES, GB, GIB, MILLION, SECONDS_PER_HOUR
from .advice import advice_of, computed_in
from .candidates import ONE_WRITER
from .details import Detail
from .rounding import amount, counted, ordinal, precision_words, said
from .work_notes import inference_notes, served_notes, states_kept, training_layout

ESTIMATE_RULE: dict[str, RuleId] = {
    kind.SAMPLE_TRAINING: RuleId("roofline"),
    kind.TOKEN_TRAINING: RuleId("token-training-time"),
    kind.TABULAR_TRAINING: RuleId("tabular-passes"),
    kind.SERVING: RuleId("serving-steps"),
    kind.INFERENCE: RuleId("roofline"),
    kind.TABULAR_INFERENCE: RuleId("tabular-passes"),
    kind.PREPROCESSING: RuleId("preprocessing-io"),
    kind.HPC: RuleId("hpc-roofline"),
}

BOTTLENECK_WORDS = {
    "cpu_compute": "CPU compute",
    "disk_iops": "disk IOPS",
    "launch_latency": "kernel launch latency",
}

# Their processor's work between kernels is that of the one process of each device; loaders are the input pipeline.
HOSTED_KINDS = (kind.INFERENCE, *kind.NEURAL_TRAINING)
PLAIN_KINDS = (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE, kind.PREPROCESSING, kind.HPC)

BASIS_RULE = {
    "measured": RuleId("basis-measured"),
    "calibrated": RuleId("basis-calibrated"),
    "modelled": RuleId("basis-modelled"),
    "anchored": RuleId("basis-anchored"),
}

BASIS_TEXTS = {
    CALIBRATED: "the formula was fitted to this model and to devices of this generation",
    ALIKE: "the formula was fitted to similar models and to devices of this generation",
    MODELLED: "the formula was fitted to other models, software or devices",
    UNSTUDIED: "the formula alone; no measurement supports it",
}

HALF = 0.5  # of the time: what takes less is not what limits it
MOST_NAMES = 3  # of measured machines in a sentence

MEMORY_RULE = {
    kind.SAMPLE_TRAINING: RuleId("device-memory"),
    kind.INFERENCE: RuleId("device-memory"),
    kind.TOKEN_TRAINING: RuleId("token-training-memory"),
    kind.SERVING: RuleId("serving-memory"),
}

OBJECTIVE_RULE = {
    "cost": RuleId("objective-cost"),
    "time": RuleId("objective-time"),
    "performance_per_cost": RuleId("objective-performance-per-cost"),
    "balanced": RuleId("objective-balanced"),
}

DISK_RULE = {
    kind.SAMPLE_TRAINING: RuleId("disk-in-training"),
    kind.TOKEN_TRAINING: RuleId("disk-in-training"),
    kind.INFERENCE: RuleId("disk-in-inference"),
}

DISK_BOTTLENECKS = ("disk_throughput", "disk_iops")

SCALED_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING)

BATCHED_KINDS = (*SCALED_KINDS, kind.INFERENCE)


def reasons_of(job: Job, one: Detail, bottleneck: str, rank: int | None, objective: str) -> Iterator[Remark]:
    """Yield the reasons for speed, memory, vCPUs and rank, and the advice."""
    device = one.plate.chip is not None
    yield ESTIMATE_RULE[job.kind].note(_limited(job, one, bottleneck))
    yield from _anchored(job, one)
    if one.shown_basis == one.basis:
        run = f"measured with {job.framework.title} in {precision_words(computed_in(job, one.plate.chip))}"
        why = f"{run} on this accelerator" if one.basis == MEASURED else BASIS_TEXTS[one.basis]
        yield BASIS_RULE[BASES[one.basis]].note(why)
    if job.kind == kind.SERVING and device:
        yield from _runs(job, one)
    if device and job.kind in MEMORY_RULE:
        need = f"needs {one.device:.1f} GiB of the {one.usable_device:.1f} GiB usable on each device"
        yield MEMORY_RULE[job.kind].note(need + states_kept(job))
        yield from training_layout(job, one)
    if job.kind == kind.SERVING:
        yield from served_notes(job, one, computed_in(job, one.plate.chip))
    if software.early(job):
        yield from _release(job, one.plate.vcpus, device)
    yield from _vcpus(job, one, first=rank == 1)
    yield from _input(job, one, bottleneck)
    yield from inference_notes(job, one)
    yield from _shared(job, one)
    if rank is not None:
        yield OBJECTIVE_RULE[objective].note(f"ranked {ordinal(rank)} for objective {objective}")
    yield from advice_of(job, one)


def _limited(job: Job, one: Detail, bottleneck: str) -> str:
    if (job.kind, bottleneck) == (kind.SERVING, "input_pipeline"):
        return "limited by the preparation of images in the server's process"
    if job.kind in HOSTED_KINDS and bottleneck == "cpu_compute" and one.plate.chip is not None:
        return "limited by the host's process, on one core: more vCPUs do not shorten it"
    limit = f"limited by {BOTTLENECK_WORDS.get(bottleneck, bottleneck.replace('_', ' '))}"
    share, named = one.disk_share, ""
    if not share >= DISK_BOUND_SHARE:
        sinks = job.kind == kind.TOKEN_TRAINING and eager_sinks(job)
        return f"{limit}; attention with sinks runs without a fused kernel" if sinks else limit
    if share < HALF:  # the processor may take the larger part
        limit = f"CPU compute takes {1 - share:.0%} of the time"
        named = f"; the disk is named as the bottleneck, because it adds at least {DISK_BOUND_SHARE:.0%}"
    by_files = not (job.tuned or job.feed is None or job.feed.sequential or bottleneck == "disk_throughput")
    waits = "; the one process waits for each disk request" if by_files else ""
    return f"{limit}; the disk adds {share:.0%} of the time{waits}{named}"


def _anchored(job: Job, one: Detail) -> Iterator[Remark]:
    if job.anchoring is None:
        return
    place = one.hardware if one.hardware >= 0 else job.anchoring.devices - 1 - one.hardware
    changed, names = _changed(job.anchoring, place), job.anchoring.names[place >= job.anchoring.devices]
    if changed and names:
        rule = RuleId("basis-measured-here") if one.shown_basis == MEASURED_HERE else RuleId("basis-anchored")
        by = f"measurement{'s' if len(names) > 1 else ''} on {' and '.join(names)}"
        by = f"measurements on {len(names)} machines" if len(names) > MOST_NAMES else by
        yield rule.note(f"by your {by} {changed}")
    if job.anchoring.memory_factor != 1 and one.plate.chip is not None:
        times = said(job.anchoring.memory_factor, 3)
        yield RuleId("anchored-memory").note(f"{times} times the memory that the formula alone asks for")


def _changed(anchoring: Anchoring, place: int) -> str:
    """What the measurements make of the estimate of a kind of hardware, in words; empty where they change nothing."""
    words = {RATE: "the speed", TOKEN: "the speed of tokens after the first", PROMPT: "the speed of first tokens"}
    if TOKEN in anchoring.effects:  # the rate follows from them
        del words[RATE]
    known = {what: anchoring.effects[name] for name, what in words.items() if name in anchoring.effects}
    told = ", ".join(
        f"{what} is {said(effect.factor.item(place), 3)} times the estimate without" for what, effect in known.items()
    )
    low, high = anchoring.effects[RATE].left[:, place].tolist() if RATE in anchoring.effects else (1.0, 1.0)
    if low != 1 or high != 1:
        return f"{told}, and the low and high ends are {low:.0%} and {high:.0%} as far from the estimate"
    return told if any(effect.log[place] != 0 for effect in known.values()) else ""


def _runs(job: Job, one: Detail) -> Iterator[Remark]:
    """Notes on runs of just this model and device: those that agree, and those that the fits did not take."""
    device = one.plate.accelerator
    if job.profile is None or not job.known_model or device is None:
        return
    agreed = agreements(job).get(device.name)
    if agreed is not None:
        faster = f"tokens come at {agreed.middle:.2f} of the formula's speed"
        yield RuleId("runs-that-agree").note(
            f"{agreed.rows} runs on this accelerator agree that {faster}: {agreed.source} in /v1/evidence"
        )
    for cell, check in checks_on(job.coefficients.checks, job.profile.name, device.name):
        _, bits, framework, tuning = cell.split(" ")
        past = check.is_of(job.software_year)
        low, high = (check.low, check.high) if past else (check.now_low, check.now_high)
        software = " ".join(filter(None, (job.coefficients.frameworks.title_of(framework), check.releases)))
        what = f"{check.rows} runs in {bits} with {software} ({tuning})"
        estimated = "the estimate" if past else "the estimate for a current release"
        if not check.aged and framework == job.workload.framework:
            estimated = f"the formula's figure; the estimate is {check.middle:.2f} times that figure"
        yield RuleId("measured-runs").note(
            f"{what} on this accelerator reached {low:.2f} to {high:.2f} of {estimated}: {check.source} in /v1/evidence"
        )


def _release(job: Job, vcpus: float, device: bool) -> Iterator[Remark]:
    if not device:
        release = f"a release of {job.framework.title} before 2018"
        yield RuleId("threads-of-2017").note(f"{counted(vcpus, 'vCPU')} with {release}")
        if not job.tuned:
            yield RuleId("compiled-build").note(
                "the estimate is for the packaged build; for a compiled build, set tuning to tuned"
            )
    elif software.looped(job):
        yield RuleId("loops-of-2017").note("the two directions of the LSTM run one after the other")


def _shared(job: Job, one: Detail) -> Iterator[Remark]:
    """Notes on devices that share a run, or have one each, and on the batch that nobody stated."""
    total = one.devices * one.nodes
    if job.kind in SCALED_KINDS and total > 1 and job.experiments == 1:
        yield RuleId("data-parallel").note(f"{total:.0f} devices share the work")
    elif job.kind in SCALED_KINDS and total > 1:
        at_once = min(job.experiments, total)
        yield RuleId("independent-runs").note(f"{at_once:.0f} runs in parallel on {total:.0f} devices")
    if job.workload.batch_size is None and job.kind in BATCHED_KINDS and one.batch > 0:
        most = f"; the largest that fits is {one.largest_batch:.0f}" if one.largest_batch >= one.batch else ""
        yield RuleId("batch-chosen").note(f"batch size {one.batch:.0f} per device{most}")
        if one.global_batch > one.batch:
            yield RuleId("global-batch").note(f"{one.global_batch:.0f} samples a step on all devices of a run together")


def _vcpus(job: Job, one: Detail, first: bool) -> Iterator[Remark]:
    """Note on the vCPUs if they supply the devices with input or do the work themselves."""
    vcpus = one.plate.vcpus
    if job.kind not in PLAIN_KINDS and one.plate.chip is not None:
        rule = RuleId("vcpus-per-accelerator") if job.training else RuleId("vcpus-per-inference-device")
        need = "needs {} for its input" if one.devices == 1 else "need {} for their input"
        yield rule.note(f"{counted(one.devices, 'device')} {need.format(counted(one.vcpus, 'vCPU'))}")
    elif job.kind == kind.TABULAR_TRAINING and not _without_device(one):
        yield from _boosted_on_gpus(job, one)
    elif _without_device(one):
        some = job.kind == kind.TABULAR_TRAINING or (job.kind == kind.PREPROCESSING and not job.tuned)
        working = min(one.vcpus, vcpus) if some or lone_voice(job) else vcpus
        yield RuleId("all-vcpus").note(f"{counted(working, 'vCPU')} {'does' if working == 1 else 'do'} the work")
        if job.kind == kind.TABULAR_TRAINING and one.side_by_side > 1:
            each = max(working // one.side_by_side, 1.0)
            yield RuleId("runs-side-by-side").note(
                f"start {one.side_by_side:.0f} runs side by side on each machine with {counted(each, 'thread')} each"
            )
        elif job.kind == kind.TABULAR_TRAINING and (first or working < vcpus):
            yield from _threads(job, working, vcpus)


def _threads(job: Job, working: float, vcpus: float) -> Iterator[Remark]:
    """How many threads to start for one run on cores, and why no more."""
    rule = RuleId("one-processor")
    if job.learner == "random-forest":
        start = f"set n_jobs to {working:.0f}: by default one thread grows all trees; " * threads_grow_trees(job)
        unknown = "as no measurement shows what a second adds to a forest"
        yield rule.note(f"{start}the estimate counts the cores of one processor at the most, {unknown}")
    elif working < vcpus:
        yield rule.note(f"set the number of threads to {working:.0f}, on one processor; the other vCPUs gain nothing")
    elif job.learner not in ON_ALL_SOCKETS:
        yield rule.note("the trees use the cores of one processor; a second gains nothing")


def _parts(job: Job) -> str:
    """How the processes of several GPUs come to their rows, and what one process that reads them all would take."""
    assert job.feed is not None
    start = "start a process for each with Dask, Spark or Ray, which reads its part into a QuantileDMatrix"
    return f"; {start}; one process that reads the whole table takes {amount(peak_gib(job, job.feed))}"


def _boosted_on_gpus(job: Job, one: Detail) -> Iterator[Remark]:
    """Notes on GPUs that share a table, or that cannot hold it."""
    gpus = 1 if one.plate.accelerator is None else one.plate.accelerator.count
    if job.experiments > 1:
        if gpus > 1:
            idle = f"; the other {gpus - one.devices:.0f} stay idle" if one.devices < gpus else ""
            runs = f"each machine does {counted(one.side_by_side, 'run')} at a time, each on a GPU of its own"
            yield RuleId("runs-side-by-side").note(f"{runs}{idle}")
    elif one.devices > 1:
        how = _parts(job) if job.learner == "xgboost" else ""
        yield RuleId("boosting-on-several-gpus").note(f"{one.devices:.0f} GPUs share the rows{how}")
    if job.learner != "xgboost" or job.feed is None:
        return
    if job.bins_gib > one.devices * one.device * (1 + 1e-6):
        yield RuleId("boosting-in-batches").note(
            "the table exceeds the memory of the GPUs; use ExtMemQuantileDMatrix, which XGBoost's documentation calls "
            "experimental and not ready for production use"
        )
    elif one.host < on_gpus_gib(job, job.feed, np.array([one.devices])).item():
        yield RuleId("boosting-in-batches").note(
            "the table exceeds the memory of the machine; read it in batches with a DataIter into a QuantileDMatrix, "
            "which keeps its bins on the GPUs"
        )


def _without_device(one: Detail) -> bool:
    return one.plate.chip is None or isnan(one.device)


# Processes that a server forks share what was loaded before; others share tensors that were moved to shared memory
# (docs.pytorch.org, multiprocessing, read on 2026-11-28).
SHARED_TABLES = "; the server's processes must share one copy of the embedding tables, loaded before they are forked"


# predict() copies a table to numbers of 64 bits: 213 GB of one of 28 GB in 8 bits (lightgbm-org/LightGBM issue 4033,
# 2021-03-01). It takes no more rows at once than 32 bits count (issue 1590, 2018-08-22).
PREDICTED_BYTES = BYTES["fp64"]
IN_PIECES = "; read and score the table in pieces: whole, it exceeds the memory of the machine"


def _outgrows(job: Job, one: Detail) -> bool:
    """Whether a machine's part of a table that is scored exceeds its memory, as numbers that are predicted from."""
    if job.kind != kind.TABULAR_INFERENCE or job.serves:
        return False
    values = job.samples / one.nodes * float(job.workload.features or 1)
    return values * PREDICTED_BYTES / GIB > one.plate.shown_memory_gib


def _forest(job: Job, one: Detail) -> Iterator[Remark]:
    """What the memory of a forest's trees rests on, where they are a tenth of all."""
    trees = forest_gib(job, job.feed.samples) if job.kind == kind.TABULAR_TRAINING and job.feed is not None else 0.0
    if trees >= 0.1 * one.host:
        yield RuleId("forest-memory").note(
            f"the trees of a classifier of two classes take {amount(trees)} if 10% of the labels are wrong; they take "
            "0.7 to 1.4 times as much with fewer or more, and those of a regressor without limits 5 times"
        )


def _input(job: Job, one: Detail, bottleneck: str) -> Iterator[Remark]:
    """Notes on the input of data: cores, memory, page cache, disk."""
    if job.feed is not None:
        yield from _forest(job, one)
        tables = job.serves and job.profile is not None and job.profile.gathered_bytes > 0 and _without_device(one)
        held = f"the process needs {one.host:.1f} GiB of memory"
        yield RuleId("host-memory").note(held + SHARED_TABLES * tables + IN_PIECES * _outgrows(job, one))
    if bottleneck == "input_pipeline" and job.kind == kind.SERVING:
        alone = "one process of each replica prepares the images, one after another, whatever the vCPUs"
        yield RuleId("input-pipeline").note(f"{alone}; several processes in front of the engine share them")
    elif bottleneck == "input_pipeline":
        loads = f"{counted(one.plate.vcpus, 'vCPU')} {'loads' if one.plate.vcpus == 1 else 'load'} fewer samples"
        fed = "CPU" if _without_device(one) else "devices"
        yield RuleId("input-pipeline").note(f"{loads} than the {fed} can process")
    waits = 0.0 if job.profile is None or _without_device(one) else software.unpacking_seconds(job, job.profile)
    if waits:
        yield RuleId("prepared-in-turn").note(
            f"the training process prepares the samples itself: the device waits {1000 * waits:.0f} ms for each; "
            "with loader workers (dataloader_num_workers) it need not wait: state tuning: tuned"
        )
    if job.feed is not None and job.feed.format == TEXT_TABLE:
        yield from _text_table(job, job.feed, one.plate.vcpus)
    if job.kind == kind.TABULAR_TRAINING and job.learner == LINEAR:
        yield from _zeros(job)
    if one.page_cache > 0:
        yield RuleId("page-cache").note(f"{amount(one.page_cache)} of free memory cache the data that have been read")
    if job.kind == kind.PREPROCESSING:
        yield from _converted(job, one.plate.vcpus)
    if job.kind in DISK_RULE and bottleneck in DISK_BOTTLENECKS and not _in_memory(job, one):
        yield DISK_RULE[job.kind].note("the disk takes at least 10% of the time; consider a faster disk class")
    yield RuleId("disk-size").note(f"{ceil(one.disk_gib)} GiB of disk on each machine")


def _converted(job: Job, vcpus: float) -> Iterator[Remark]:
    """Who converts and writes the data, how a table is read, what arrays of text hold, what is taken of sounds."""
    if not job.tuned:
        several = "; several on shards (tuning tuned) use all of its vCPUs" if vcpus > 1 else ""
        yield RuleId("stock-converter").note(f"one process a machine{several}")
    form = job.workload.dataset.format
    if form in TABLES:
        yield RuleId("preprocessing-io").note(
            "the table is read in blocks: read at once, it takes several times its size"
        )
    if form == TEXT and job.feed is not None:
        yield RuleId("preprocessing-io").note(_tokens(job, job.feed))
    if form == "wav" and job.feed is not None:
        ratio = said(job.feed.written_bytes / job.feed.stored_bytes, 2)
        yield RuleId("preprocessing-io").note(
            f"the output is taken to be {ratio} times as large as the input; resampled sound is as large as the rates' "
            "ratio: 16 kHz from 44.1 kHz is 0.36 times"
        )
    if job.workload.output_format in ONE_WRITER:
        yield RuleId("one-writer").note(
            f"one process writes {job.workload.output_format}; shards can be written side by side"
        )


def _tokens(job: Job, feed: Feed) -> str:
    """Whether tokens are made of texts, and what that takes of the processors' time, or would."""
    rate = tokenising_rate(job.framework.name)
    tokenising = feed.bytes_per_sample / rate
    if not tokenises(TEXT, job.workload.output_format, job.framework.library):
        longer = said((feed.core_seconds + tokenising) / feed.core_seconds, 2)
        more = f"to tokenise them as well takes {longer} times the processor time"
        return f"the texts are written as they are; {more} (output_format array counts it)"
    share = f"{tokenising / feed.core_seconds:.0%}"
    took = f"that takes {share} of the processor time, at {rate / MILLION:g} MB/s of a core"
    if job.workload.output_format == TOKENS:
        return f"arrays of text hold its tokens; {took}"
    plain = "framework spark, dask, polars or pandas writes them as they are"
    return f"the texts are taken to be tokenised; {took}; {plain}"


HOURS_DIGITS = 3  # of a time in words
LONG_PARSE_S = SECONDS_PER_HOUR  # of one core a pass, from which it pays to say so


MANY_FEATURES = 1000.0  # of a table, from which its rows may well be sparse


def _zeros(job: Job) -> Iterator[Remark]:
    """Whether a linear model's table is taken to hold its zeros, where it has many features."""
    if job.sparse:
        yield RuleId("sparse-rows").note(
            f"the rows are taken to be a sparse matrix of {said(job.row_values, 2)} values each; a dense table of "
            f"{job.workload.features:,} features would take far more memory"
        )
    elif float(job.workload.features or 1) >= MANY_FEATURES:
        yield RuleId("sparse-rows").note(
            "the table is taken to be dense; of sparse rows state dataset.samples and dataset.size"
        )


def _text_table(job: Job, feed: Feed, vcpus: float) -> Iterator[Remark]:
    """What reads a table of text, what a pass over it takes beside one of columns, what may be done with it first."""
    tabular = job.kind in (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE) and not job.serves
    if tabular and not job.tuned and vcpus > 1 and job.framework.library != "spark":
        yield RuleId("tabular-passes").note(
            "the CSV file is taken to be read by pandas 3.1 on at most 6 threads; earlier releases use one thread "
            "unless engine is pyarrow"
        )
    family = job.profile.family if job.profile is not None else "tree"
    seconds = feed.samples * core_seconds_per_sample(TEXT_TABLE, feed.bytes_per_sample, family, job.tuned)
    if job.kind != kind.PREPROCESSING and seconds >= LONG_PARSE_S:
        known = job.coefficients.datasets.find(job.workload.dataset.name)
        size, columns = as_columns(feed.stored_bytes, known, family, job.tuned)
        text, other = (said(one / SECONDS_PER_HOUR, HOURS_DIGITS) for one in (seconds, columns))
        yield RuleId("text-table").note(
            f"to parse {feed.stored_bytes / GB:,.0f} GB of text takes {text} h of one core a pass; "
            f"as Parquet, converted once, about {size / GB:,.0f} GB take {other} h"
        )


def _in_memory(job: Job, one: Detail) -> bool:
    """Whether the data of one machine fit in its page cache: only their first reading waits for a disk."""
    nodes = np.array([one.nodes])
    part_gib, room = data_bytes(job, nodes).item() / GIB, one.plate.shown_memory_gib - one.host - SYSTEM_GIB
    return part_gib <= CACHE_MARGIN * room
