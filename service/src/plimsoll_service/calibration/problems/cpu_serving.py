"""Serving on processors: its coefficients and its rows, all of rented instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from plimsoll_service.engine.serving_coefficients import VectorRates
from plimsoll_service.evidence.measurement import Measurement

CLASSES = tuple(one.name for one in fields(VectorRates))
RATE_DEVIATION = 0.4  # of ln(GFLOP/s of a core)
FORM: Mapping[str, float] = {
    "cpu.bandwidth_llama_cpp": 0.2, "cpu.bandwidth_kv": 0.3, "cpu.sockets_reading": 0.3,
    "cpu.sockets_prefill": 0.3, "cpu.decode_cores": 0.05, "cpu.prefill_cores": 0.05, "cpu.host_exponent": 0.3,
    "cpu.layer_s": 0.5, "cpu.layer_core_s": 0.5, "cpu.layer_llama_cpp_s": 0.5, "cpu.layer_core_llama_cpp_s": 0.5,
    "cpu.step_s": 0.5, "cpu.sequence_s": 0.5, "cpu.first_token_s": 0.5, "cpu.prefill_batch": 0.4,
    "cpu.interference": 0.3, "cpu.queue": 0.7, "cpu.attention": 0.5, "cpu.fp16_decode": 0.4, "cpu.fp16_prefill": 0.4,
    "cpu.word_s": 1.0, "cpu.undivided_prefill": 0.4,
}  # fmt: skip
PROCESSORS: Mapping[str, float] = {
    **FORM,
    **{
        f"{table}.{name}": RATE_DEVIATION
        for table in ("decode", "prefill", "decode_llama_cpp", "prefill_llama_cpp")
        for name in CLASSES
    },
}
MOST_ALIKE = 6  # rows of one model and load on one processor: thousands of machines differ in size alone


def thinned(rows: Sequence[Measurement]) -> list[Measurement]:
    """Of rows alike but for the machine's size, lengths and load, so many evenly spread; in the order given."""
    alike: dict[tuple[object, ...], list[Measurement]] = {}
    for one in rows:
        key = (one.source, one.cpu, one.model, one.precision, one.metric, one.load)
        alike.setdefault(key, []).append(one)
    kept = {one.id for members in alike.values() for one in _spread(members)}
    return [one for one in rows if one.id in kept]


def _spread(members: list[Measurement]) -> list[Measurement]:
    """Evenly spread in order of size, lengths and load."""
    ordered = sorted(members, key=lambda one: (one.vcpus or 0, one.input_tokens or 0, one.concurrency or 0.0, one.id))
    count = min(len(ordered), MOST_ALIKE)
    return [ordered[(2 * place + 1) * len(ordered) // (2 * count)] for place in range(count)]
