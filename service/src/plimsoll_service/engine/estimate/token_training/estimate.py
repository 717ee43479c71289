"""Training of language models by tokens: layout, micro-batch and devices of each candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...clusters import Clusters, Drives, Splits, device_counts, machines_working, side_by_side
from ...columns import Lookup, put, take
from ...demand.anchored import speed
from ...demand.global_batch import sensible
from ...demand.host_process import TRAINING_VCPUS, busy_vcpus, process_of
from ...demand.job import Job, dimensions_of
from ...demand.software import own_script
from ...hardware import Flags, Floats, Ints, Places
from ...machines import Machines
from ...spreads import MEASURED
from ...units import GIB
from ...workload import OFFLOADS
from ..arithmetic import Arithmetic, arithmetic
from ..job_time import Run, finish
from ..outcome import GlobalBatch, Outcome, TrainingLayout, looked_up
from ..ranges import Ends, ends, no_faster, no_surer
from ..requirements import (
    device_memory,
    model_on_host,
    obstacles,
    recommended_memory_share,
    usable_gib,
    weights_loading,
)
from .layouts import NOWHERE, LaidOut, lay_out
from .memory import SELECTIVE_SHARE, Layout, Trained, offloaded_bytes, offloads, trained_of
from .step import STOCK_MODELS, TokenRun, eager_slowness, least_seconds, micro_batch_seconds

# Less than a hundredth of the time is no reason to set a layout that is not the first. A decision of this project.
WORTH_SETTING = 1.01
# Where tuned recipes alone were measured, a stock script may gain less from the device: BERT-large in PyTorch runs 1.69
# times as fast on B200 as on H100 (lambda, mixed precision), whose peak rates differ by 2.28.
TUNED_THERE, STOCK_SHARE = ("megatron",), 1.69 / 2.28
# Whole runs of stock scripts that spread states, over the formula, which counts each sequence as full. In LLaMA-Factory
# on 32 H100, 113,957 samples of up to 16,384 tokens three times took OpenThinker-32B around 90 h where the formula says
# 40.1, and OpenThinker-7B 20 h where it says 10.1 (huggingface.co/open-thoughts, model cards, 2025-02-12, 2025-01-28).
# Alpaca's first script took 3 h on eight A100, where it says 0.82 (crfm.stanford.edu, 2023-03-13).
STOCK_RUN = 40.1 / 90


@dataclass(frozen=True, eq=False)
class _Plan:
    """How many devices of each machine take part, how the model lies on them, and sequences a second of them all."""

    devices: Floats
    layout: Places  # among those laid out
    rate: Floats
    bottleneck: Ints
    eager: Floats  # of a plain script: its time over that of the measured trainers


@dataclass(frozen=True, eq=False)
class Prepared:
    """The faster plan of each candidate, with its needs and its range; and the largest micro-batch."""

    run: Run
    largest: Lookup


def estimate(job: Job, clusters: Clusters, known: Prepared, drives: Drives) -> tuple[Outcome, Floats]:
    """The time that the tokens take, and their way in."""
    machines, nodes = clusters.machines, clusters.fixed_nodes
    return finish(job, machines, nodes, known.run, drives, largest=known.largest, floor=TRAINING_VCPUS), nodes


def prepare(job: Job, clusters: Clusters) -> Prepared:
    """Each candidate with all its devices, or with one where that is faster (PCIe, tiny batches)."""
    machines, nodes = clusters.machines, clusters.fixed_nodes
    kinds = machines.hardware_groups
    numbers = arithmetic(machines.take(kinds.rows), job.precision, job.half_falls_back, job.coefficients.roofline)
    plan, laid = _planned(job, machines, nodes, numbers, clusters.splits)
    of, sequences = plan.layout, laid.few.sequences.take(plan.layout)
    need_gib = laid.few.need_gib.take(of)
    device = device_memory(machines, need_gib, {name: Lookup(part, of) for name, part in laid.parts.items()})
    devices, rate = np.where(machines.has_accelerator(), plan.devices, 0.0), plan.rate * speed(job, machines)
    run = Run(
        devices=devices,
        batch=Lookup(laid.few.sequences, of),
        rate=rate,
        busy=busy_vcpus(machines, rate / machines_working(job.experiments, devices, nodes)),
        bottleneck=plan.bottleneck,
        spread=no_faster(
            _ends(job, machines, plan.eager, _spread(laid.few).take(of)),
            np.maximum(devices, 1.0)
            * nodes
            / (least_seconds(job, trained_of(job), numbers.peak).take(kinds.of) * rate),
        ),
        device=device,
        process=process_of(
            job,
            devices,
            sequences,
            _on_host(job, machines, laid.few, of, need_gib, devices),
            weights_loading(job, machines, _loaded_share(trained_of(job), laid.few, of, devices)),
        ),
        emulated=numbers.emulated.take(kinds.of),
        obstacles=obstacles(job, machines, nodes, numbers.supported.take(kinds.of), device, only_devices=True),
        together=_global_batch(job, laid.few, of),
        layout=looked_up(_as_laid(job, laid.few), of),
    )
    return Prepared(run, Lookup(laid.few.largest, of))


def _as_laid(job: Job, few: Layout) -> TrainingLayout:
    """The few layouts in the terms of the answer."""
    place, nothing = few.place, np.zeros_like(few.sequences)
    stages = [(place.sharded > 0), (place.gradients_spread > 0), (place.optimizer_spread > 0)]
    return TrainingLayout(
        recomputed=np.where(few.selective > 0, SELECTIVE_SHARE, few.recomputed),
        stage=np.select(stages, [3.0, 2.0, 1.0], 0.0),
        devices=place.devices,
        tensor=place.tensor,
        pipeline=place.pipeline,
        expert=np.where((place.sharded == 0) | trained_of(job).software.spreads_experts, place.expert, 1.0),
        in_turn=place.in_turn,
        offload=nothing + OFFLOADS.index(job.workload.offload or "none"),
        frozen=nothing,
        roomier=nothing,
    )


def _spread(few: Layout) -> Flags:
    """Whether devices share the states or the layers of one copy."""
    return (few.place.optimizer_spread > 0) | (few.place.tensor > 1)


def _on_host(job: Job, machines: Machines, few: Layout, of: Places, need_gib: Floats, devices: Floats) -> Floats | None:
    """GiB in the host's memory: of the model where there is no device, of states that are kept there."""
    model = model_on_host(machines, need_gib)
    if not offloads(job):
        return model
    states: Floats = offloaded_bytes(job, trained_of(job), few.place).take(of) / GIB * devices
    return states if model is None else states + model


def _loaded_share(trained: Trained, few: Layout, of: Places, devices: Floats) -> Floats:
    """Share of the weights that the devices of one machine hold together: all of them where each has a copy."""
    states = few.place.state_share(trained.parameters - trained.experts, trained.experts)
    return np.minimum(states.take(of) * np.maximum(devices, 1.0), 1.0)


def _global_batch(job: Job, few: Layout, of: Places) -> GlobalBatch:
    """Global batch of each candidate, from that of the few layouts; one sequence keeps a device busy."""
    samples = few.sequences * few.place.replicas * few.micro_batches
    return GlobalBatch(Lookup(samples, of), sensible(job, samples, few.place.replicas).take(of))


def _planned(job: Job, machines: Machines, nodes: Floats, numbers: Arithmetic, splits: Splits) -> tuple[_Plan, LaidOut]:
    """The faster plan of each candidate; ``numbers`` are of each hardware group."""
    trained, counts = trained_of(job), device_counts(machines)
    rows = counts.rows[: counts.candidates] if splits.stated else counts.rows
    some, devices = machines.take(rows), counts.devices[: len(rows)]
    shares = side_by_side(job.experiments, devices, nodes[rows])
    laid = lay_out(job, trained, some, shares.of_a_run, devices, splits)
    at = _At(some, take(numbers, machines.hardware_groups.of[rows]), devices, shares.at_once)
    both = _plan(job, trained, at, laid.few, laid.of)
    for other in laid.others:
        both = _faster(job, trained, at, laid, both, other)
    if splits.stated:
        return both, laid
    fits = laid.few.need_gib.take(both.layout) <= usable_gib(some) * recommended_memory_share(job)
    return take(both, counts.best(both.rate / shares.rounds(job.experiments), fits)), laid


@dataclass(frozen=True, eq=False)
class _At:
    """Machines of which so many devices take part, with runs at once on all of them."""

    machines: Machines
    numbers: Arithmetic
    devices: Floats
    at_once: Floats

    def take(self, rows: Places) -> _At:
        """Some of them."""
        some = self.machines.take(rows), take(self.numbers, rows), self.devices.take(rows), self.at_once.take(rows)
        return _At(*some)


def _plan(job: Job, trained: Trained, at: _At, few: Layout, of: Places) -> _Plan:
    """The plan of each machine in the layout that is given."""
    layout = take(few, of)
    run = TokenRun(job, trained, at.machines, at.numbers, layout, at.devices)
    seconds, limit = micro_batch_seconds(run)
    rate = layout.sequences * layout.place.replicas * at.at_once / seconds
    return _Plan(at.devices, of, rate, limit, eager_slowness(run, seconds))


def _faster(job: Job, trained: Trained, at: _At, laid: LaidOut, known: _Plan, other: Places) -> _Plan:
    """The plans with another layout where that is worth setting; layers are split over fast links alone."""
    whole, linked = laid.few.place.tensor.take(other) <= 1, at.machines.link_gb_s > 0
    rows = ((other != NOWHERE) & (whole | linked)).nonzero()[0]
    rival = _plan(job, trained, at.take(rows), laid.few, other.take(rows))
    better = (rival.rate > WORTH_SETTING * known.rate.take(rows)).nonzero()[0]
    return put(known, rows.take(better), take(rival, better))


def _ends(job: Job, machines: Machines, eager: Floats, spread: Flags) -> Ends:
    """The range of the fit; no row of it is of a plain script, which may run its kernels one by one.

    The user's own measurements know how the script runs, and so does a measurement of just this work.
    """
    of_fit = ends(job, machines, range_of(job))
    if not job.tuned and job.workload.framework not in TUNED_THERE and job.anchoring is None:
        of_fit = no_surer(of_fit, np.where(machines.tuned_alone & (machines.basis != MEASURED), STOCK_SHARE, 1.0))
    if runs_stock(job) and job.anchoring is None:
        unsure = spread & ~machines.compiled_chip & (machines.basis != MEASURED)
        of_fit = no_surer(of_fit, np.where(unsure, STOCK_RUN, 1.0))
    if not own_script(job.workload) or job.anchoring is not None:
        return of_fit
    one_by_one = ~machines.compiled_chip & (machines.basis != MEASURED)
    return no_surer(of_fit, np.where(one_by_one, 1 / eager, 1.0))


def runs_stock(job: Job) -> bool:
    """Whether all weights are trained by a stock script on the models' own code. Rule: stock-models."""
    return job.method == "full" and not job.tuned and (job.program in STOCK_MODELS or job.program == "pytorch")


def range_of(job: Job) -> str:
    """The name of the range: experts depend more on the release of the software, adapters on the trainer."""
    if dimensions_of(job).moe is not None:
        return "token_training_moe"
    return "token_training" if job.method == "full" else "token_training_adapters"
