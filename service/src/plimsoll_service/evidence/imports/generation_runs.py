"""Figures of one run of generation held against each other."""

from __future__ import annotations

from collections.abc import Iterable

from plimsoll_service.evidence.measurement import Measurement

_NEEDED = ("output_tokens/s", "ttft_ms", "tpot_ms")
MS_A_SECOND = 1e3
APART = 0.06  # rate × time over a batch's tokens: the runs that agree stay below 0.05, the others are above 0.08


def contradicting(measurements: Iterable[Measurement]) -> set[str]:
    """Identities of the rows of static batches whose rate is not what their times give."""
    runs: dict[tuple[object, ...], dict[str, Measurement]] = {}
    for row in measurements:
        if row.source == "neuron" and row.load == "static":
            load = (row.concurrency, row.input_tokens, row.output_tokens)
            runs.setdefault((row.model, row.precision, row.framework_version, *load), {})[row.metric] = row
    wrong = (run for run in runs.values() if len(run) == len(_NEEDED) and not _agrees(run))
    return {row.id for run in wrong for row in run.values()}


def _agrees(run: dict[str, Measurement]) -> bool:
    rate, first, each = (run[name] for name in _NEEDED)
    tokens = (rate.concurrency or 1) * (rate.output_tokens or 1)
    seconds = (first.value + ((rate.output_tokens or 1) - 1) * each.value) / MS_A_SECOND
    return abs(rate.value * seconds / tokens - 1) <= APART
