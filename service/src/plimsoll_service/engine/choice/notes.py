"""Notes on a candidate: reasons for its figures, and advice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..anchors import PROMPT, RATE, TOKEN, Anchoring
from ..demand import kind, software
from ..demand.job import Job
from ..estimate.input.pipeline import DISK_BOUND_SHARE
from ..estimate.non_neural.table_memory import on_gpus_gib, peak_gib, threads_grow_trees
from ..estimate.non_neural.tabular import ON_ALL_SOCKETS
from ..estimate.processor_step import lone_voice
from ..estimate.ranges import agreements
from ..estimate.token_training.memory import eager_sinks
from ..known import checks_on
from ..rules import Remark, RuleId
from ..spreads import ALIKE, BASES, CALIBRATED, MEASURED, MEASURED_HERE, MODELLED, UNSTUDIED
from .advice import advice_of, computed_in
from .details import Detail
from .input_notes import input_notes, without_device
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
    yield from input_notes(job, one, bottleneck)
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
    elif job.kind == kind.TABULAR_TRAINING and not without_device(one):
        yield from _boosted_on_gpus(job, one)
    elif without_device(one):
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
