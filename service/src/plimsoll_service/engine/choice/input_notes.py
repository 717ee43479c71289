"""Notes on the input of a candidate: memory for data and tables, loading, conversion, disk."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, isnan

import numpy as np

from ..datasets import TABLES, TEXT, TEXT_TABLE, TOKENS, as_columns, core_seconds_per_sample, tokenises, tokenising_rate
from ..demand import kind, software
from ..demand.host_process import CACHE_MARGIN, SYSTEM_GIB, data_bytes
from ..demand.job import LINEAR, Feed, Job
from ..estimate.non_neural.table_memory import forest_gib
from ..rules import Remark, RuleId
from ..units import BYTES, GB, GIB, MILLION, SECONDS_PER_HOUR
from .candidates import ONE_WRITER
from .details import Detail
from .rounding import amount, counted, said

DISK_RULE = {
    kind.SAMPLE_TRAINING: RuleId("disk-in-training"),
    kind.TOKEN_TRAINING: RuleId("disk-in-training"),
    kind.INFERENCE: RuleId("disk-in-inference"),
}

DISK_BOTTLENECKS = ("disk_throughput", "disk_iops")


def without_device(one: Detail) -> bool:
    """Return whether processors do the work, also where the machine has a device."""
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


def input_notes(job: Job, one: Detail, bottleneck: str) -> Iterator[Remark]:
    """Yield notes on the input of data: cores, memory, page cache, disk."""
    if job.feed is not None:
        yield from _forest(job, one)
        tables = job.serves and job.profile is not None and job.profile.gathered_bytes > 0 and without_device(one)
        held = f"the process needs {one.host:.1f} GiB of memory"
        yield RuleId("host-memory").note(held + SHARED_TABLES * tables + IN_PIECES * _outgrows(job, one))
    if bottleneck == "input_pipeline" and job.kind == kind.SERVING:
        alone = "one process of each replica prepares the images, one after another, whatever the vCPUs"
        yield RuleId("input-pipeline").note(f"{alone}; several processes in front of the engine share them")
    elif bottleneck == "input_pipeline":
        loads = f"{counted(one.plate.vcpus, 'vCPU')} {'loads' if one.plate.vcpus == 1 else 'load'} fewer samples"
        fed = "CPU" if without_device(one) else "devices"
        yield RuleId("input-pipeline").note(f"{loads} than the {fed} can process")
    waits = 0.0 if job.profile is None or without_device(one) else software.unpacking_seconds(job, job.profile)
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
