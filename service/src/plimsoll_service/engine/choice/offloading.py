"""States in the host's memory, where the devices do not hold them and the request does not say: a way that works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..answer import Shortfall
from ..demand import kind
from ..demand.job import Job
from ..workload import OFFLOADS, Hardware, Query
from .loosening import Choose, Looser
from .market import Market
from .named_hardware import named_hardware_of, shortfalls
from .rounding import said

HOURS_DIGITS = 3  # of a time in words
OPTIMIZER, PARAMETERS = OFFLOADS[1:]
# Programs that keep states in the host's memory, and which. Fully sharded data parallel: docs.pytorch.org,
# torch.distributed.fsdp CPUOffloadPolicy; huggingface/accelerate fsdp_offload_params; bitsandbytes, fsdp_qlora;
# torchtune fsdp_cpu_offload; torchtitan training.enable_cpu_offload. DeepSpeed: deepspeed.ai, ZeRO-Offload. MaxText:
# configs/base.yml, optimizer_memory_host_offload and parameter_memory_host_offload. Megatron Core:
# --optimizer-cpu-offload. All read on 2026-11-28.
BY_FSDP = ("pytorch", "huggingface", "peft", "axolotl", "llama-factory", "lightning", "torchtune", "torchtitan")
KEPT_BY = {
    **dict.fromkeys((*BY_FSDP, "deepspeed", "maxtext"), (OPTIMIZER, PARAMETERS)),
    "megatron": (OPTIMIZER,),
}


def _kept(job: Job) -> tuple[str, ...]:
    """What the job's software keeps in the host's memory on request, the fewest states first."""
    return KEPT_BY.get(job.program, ()) if job.kind in kind.NEURAL_TRAINING else ()


def loosened(query: Query, choose: Choose) -> Iterator[Looser]:
    """Yield the fewest states in the host's memory that leave options."""
    for what in _kept(choose(query)[0]) if query.workload.offload is None else ():
        job, chosen = choose(replace(query, workload=replace(query.workload, offload=what)))
        if len(chosen.feasible):
            yield Looser("offload", what, job, chosen)
            return


def remedy(job: Job, market: Market, on: Hardware, short: tuple[Shortfall, ...]) -> str:
    """Return what makes the work fit on hardware whose devices hold too little; empty where nothing is known to."""
    unasked = any(one.field == "offload" for one in job.assumptions)
    if not unasked or [one.resource for one in short] != ["accelerator_memory_gib"]:
        return ""
    for what in _kept(job):
        workload = replace(job.workload, offload=what)
        other = replace(job, workload=workload, query=replace(job.query, workload=workload))
        named = named_hardware_of(other, market, on)
        if not shortfalls(other, named):
            hours = named.options.hours.item(0)
            time = f" and takes {said(hours, HOURS_DIGITS)} h" if np.isfinite(hours) else ""
            return f"; with offload {what} it fits{time}"
    return ""
