"""Notes on a served language model: its weights, its split over devices and machines, and its loading."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.details import Detail
from plimsoll_service.engine.choice.rounding import counted, precision_words
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.rules import estimate, sizing
from plimsoll_service.engine.speculation import drafting_of


def served_notes(job: Job, one: Detail, precision: str) -> Iterator[Note]:
    """Yield how the weights are stored, how a replica is split, and what loads it."""
    stored = job.workload.quantization
    if stored is not None:
        yield sizing.STORED_WEIGHTS.note(f"{stored} weights in {precision_words(precision)}")
    if one.tensor_parallel * one.stages > 1:
        over = f"tensors over {counted(one.tensor_parallel, 'device')}"
        stages = f", layers over {counted(one.stages, 'stage')}" if one.stages > 1 else ""
        apart = f" on {counted(one.span, 'machine')}" if one.span > 1 else ""
        yield sizing.SERVING_LAYOUT.note(f"each replica: {over}{stages}{apart}")
    yield from _shortcuts(job)
    if one.plate.chip is not None:
        text = f"the host's memory holds the weights while they are loaded: {one.host:.1f} GiB with the server"
        yield sizing.HOST_MEMORY.note(text)


def _shortcuts(job: Job) -> Iterator[Note]:
    """Yield what is neither computed nor decoded one by one."""
    cached, asked = job.workload.prefix_cache_hit_rate, job.workload.speculative_decoding
    if cached:
        yield estimate.PREFIX_CACHE.note(f"{cached:.0%} of the input tokens are cached, and not computed")
    if asked is not None and asked.method is not None and asked.draft_tokens and asked.acceptance_rate is not None:
        kept = drafting_of(asked.method, asked.draft_tokens, asked.acceptance_rate).kept
        yield estimate.SPECULATION.note(f"a step drafts {asked.draft_tokens} tokens and yields {kept:.2f} in the mean")
