"""Common part of the clients of serving benchmarks: sums over a run of requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plimsoll.readers.reading import HARDWARE, MS, Content, Reading, Record, number, stated, whole

PRECISION = "the precision and the quantization: the workload's hold"


@dataclass
class ServingClient:
    """A client whose result has all of the fields ``marks``; several runs may follow one another as lines."""

    TOOL: str
    marks: frozenset[str]

    def recognises(self, content: Content) -> bool:
        """Whether the records are runs."""
        return self.marks <= content.first.keys()

    def read(self, content: Content) -> Reading:
        """Return the measurement of each run."""
        records = content.records
        unseen = [HARDWARE, PRECISION, "the accelerators' memory"]
        failed = sum(int(number(one, "failed") or 0) for one in records)
        if failed:
            unseen.append(f"{failed} requests that failed")
        if any(number(one, "mean_tpot_ms") is None for one in records):
            unseen.append("the time per token: the run did not stream")
        return Reading(self.TOOL, [_measurement(one) for one in records], unseen, circumstances(records[-1]))


# ``python -m sglang.bench_serving --output-file`` and ``vllm bench serve --save-result``.
SGLANG = ServingClient(
    "sglang.bench_serving", frozenset({"total_output_tokens_retokenized", "output_throughput", "median_ttft_ms"})
)
VLLM = ServingClient("vllm bench serve", frozenset({"num_prompts", "output_throughput", "median_ttft_ms", "duration"}))


def circumstances(record: Record) -> dict[str, Any]:
    """Other facts in the record about its run."""
    names = ("date", "backend", "model_id", "dataset_name", "request_rate", "duration", "completed", "server_info")
    return {name: record[name] for name in names if record.get(name) is not None}


def _measurement(one: Record) -> dict[str, Any]:
    done = number(one, "completed") or 1.0
    into, out = number(one, "total_input_tokens"), number(one, "total_output_tokens")
    return stated(
        throughput=number(one, "output_throughput"),
        ttft_ms=number(one, "median_ttft_ms", "mean_ttft_ms"),
        tpot_ms=number(one, "mean_tpot_ms"),
        concurrency=_concurrency(one, done, out),
        input_tokens=whole(into and into / done),
        output_tokens=whole(out and out / done),
    )


def _concurrency(one: Record, done: float, out: float | None) -> int | None:
    """Requests in service at the same time: as the client limited them, or else by Little's law."""
    held = number(one, "max_concurrency")
    unlimited = one.get("request_rate") in (None, "inf", float("inf"))
    if held is not None and unlimited:
        return whole(min(held, done))
    said = number(one, "concurrency")
    if said is not None:
        return whole(said)
    seconds, first, token = (number(one, name) for name in ("duration", "mean_ttft_ms", "mean_tpot_ms"))
    if seconds is None or first is None or out is None:
        return None
    each = number(one, "mean_e2el_ms") or first + (token or 0.0) * max(0.0, out / done - 1)
    return whole(done * each / MS / seconds)
