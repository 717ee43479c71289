"""Inference from its cold start on, and with an end: the time of requests that all machines share evenly.

The cold start is from the order of a machine until it answers, in parts that follow one another.

Weights are fetched from object storage to the machine's disk, at no more than 1.78 GB/s (S3 in 16 streams), then read
by each process that serves: 0.31 GB/s of safetensors, from a volume of 1,000 MiB/s as from one of 4,000 (both Run:ai
model streamer, docs/src/benchmarks.md at f73a19ac, 15 GB on an A10G, 2024). Then the engine starts: Llama-3.1-8B
under vLLM on an L40S, nothing cached, took 94 s to import and initialise, 10 s to trace, 42 s to compile and 54 s to
capture graphs (tensorfuse.io, reducing GPU cold start, 2025-09-01). Of other serving engines nothing is published;
they are taken to need as long. On TPUs, XLA compiled DeepSeek under vLLM in 630 s (vllm-project/tpu-inference pull
request 2415, 2026-04-27); in 2024 the first start took 10 to 30 minutes, and later ones, with its cache, 1 to 3
(vllm-project/vllm pull request 7533, 2024-08-14).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..clusters import Drives
from ..columns import EVERY, Column, Lazy, Lookup
from ..demand.job import Job, profile_of, tokens_per_sample
from ..demand.kind import INFERENCE, SERVING, TABULAR_INFERENCE
from ..demand.served_model import LLAMA_CPP, PYTORCH
from ..hardware import Floats
from ..machines import Machines
from ..units import BITS_PER_BYTE, GB, GIGA, MIB, SECONDS_PER_HOUR
from .input.disks import Disk, disk_need, disk_of, filled_mib_s
from .job_time import IMAGE_PULL_SECONDS, model_bytes
from .outcome import ColdStart, Outcome

LOADER_BYTES_PER_SECOND, STORAGE_BYTES_PER_SECOND = 0.31 * GB, 1.78 * GB
IMPORT_SECONDS, COMPILE_SECONDS, CAPTURE_SECONDS = 94.0, 10.0 + 42.0, 54.0
XLA_SECONDS = 630.0  # on TPUs, of what is compiled and captured elsewhere


def started(job: Job, machines: Machines, served_bytes: float | None, drives: Drives, outcome: Outcome) -> Outcome:
    """The outcome of inference with its cold start; of inference with an end also with its hours.

    ``served_bytes``: weights of a language model, as an engine holds them.
    """
    weight_bytes = model_bytes(job) if served_bytes is None else served_bytes

    @cache
    def disk() -> Disk:
        shared = drives.unshared() if job.serves else drives
        return disk_of(job, shared, disk_need(job, shared.nodes, weight_bytes, 0.0))

    start = cold_start(job, machines, disk, weight_bytes, _sharing_weights(outcome))
    outcome = outcome.changed(cold_start=start)
    return outcome if job.serves else as_job(job, outcome, start, disk())


def _sharing_weights(outcome: Outcome) -> Column:
    """Processes that each load their part of the weights: those of one replica."""
    serving = outcome.serving
    if serving is None:
        return np.ones(len(outcome))
    return Lazy(lambda rows: serving.tensor_parallel[rows] * serving.pipeline_parallel[rows])


def cold_start(
    job: Job, machines: Machines, disk: Callable[[], Disk], weight_bytes: float, processes: Column
) -> ColdStart:
    """The cold start of each candidate; each of so many ``processes`` loads its part of the weights."""
    boot = machines.boot_seconds
    nothing = Lazy(lambda rows: 0.0 * boot[rows])
    if job.kind == TABULAR_INFERENCE:
        return ColdStart(boot, nothing, nothing, nothing, nothing)

    def fetch(rows: Any) -> Floats:
        written = disk().filling_mib_s[disk().of[rows]] * MIB
        network = np.fmin(machines.network_gbps[rows] * GIGA / BITS_PER_BYTE, STORAGE_BYTES_PER_SECOND)
        return np.where(boot[rows] > 0, weight_bytes / np.fmin(written, network), 0.0)

    return ColdStart(
        boot=boot,
        image=Lazy(
            lambda rows: np.where((machines.accelerator[rows] >= 0) & (boot[rows] > 0), IMAGE_PULL_SECONDS, 0.0)
        ),
        fetch=Lazy(fetch),
        load=Lazy(lambda rows: weight_bytes / np.maximum(processes[rows], 1.0) / LOADER_BYTES_PER_SECOND),
        engine=Lazy(lambda rows: _engine_seconds(job, machines, rows)),
    )


def _engine_seconds(job: Job, machines: Machines, rows: Any) -> Floats:
    """Seconds until a serving engine is ready once it has its weights.

    None are published of other programs; on processors nothing is compiled or captured. Some programs compile and
    capture nothing unasked, and answer once the weights are read; a script of Transformers imports it first, in seconds
    (huggingface/transformers pull request 45599, 2026-04-28: 1.8 to 2.8 s before it).
    """
    engine = job.framework.serving
    if job.kind != SERVING or engine == LLAMA_CPP or (engine == PYTORCH and not job.framework.compiled):
        return np.zeros_like(machines.vcpus[rows])
    readied = np.where(machines.tpu[rows], XLA_SECONDS, COMPILE_SECONDS + CAPTURE_SECONDS)
    return IMPORT_SECONDS + np.where(machines.accelerator[rows] >= 0, readied, 0.0)


def as_job(job: Job, outcome: Outcome, start: ColdStart, disk: Disk) -> Outcome:
    """The outcome of a service without a load, with the hours that the requests take at its rate.

    Answers are written as they come: there is no checkpoint, and an interruption loses those in progress.
    """
    factor = unit_factor(job)
    started = start.seconds[:]
    amount = job.samples * factor
    rate, low, high = (
        _scaled(one, factor) for one in (outcome.throughput, outcome.throughput_low, outcome.throughput_high)
    )

    def hours(at: Column) -> Callable[[Any], Floats]:
        return lambda rows: (amount / at[rows] + started[rows]) / SECONDS_PER_HOUR

    return outcome.changed(
        throughput=rate[:],
        capacity=rate[:],
        throughput_low=low,
        throughput_high=high,
        capacity_low=low,
        capacity_high=high,
        hours=hours(rate)(EVERY),
        hours_low=Lazy(hours(high)),
        hours_high=Lazy(hours(low)),
        checkpoint_hours=Lookup(np.zeros(len(disk.nodes)), disk.of),
        start_seconds=started,
        filled_mib_s=filled_mib_s(disk, outcome.disk),
    )


def unit_factor(job: Job) -> float:
    """Units of the throughput a sample: tokens, where the work is stated in them; else 1."""
    return tokens_per_sample(profile_of(job)) if job.by_tokens and job.kind == INFERENCE else 1.0


def _scaled(rate: Column, factor: float) -> Column:
    return rate if factor == 1 else Lazy(lambda rows: rate[rows] * factor)
