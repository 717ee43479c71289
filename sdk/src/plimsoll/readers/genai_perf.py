"""``genai-perf profile`` and its successor AIPerf: ``profile_export_genai_perf.json``, ``…_aiperf.json``."""

from __future__ import annotations

from plimsoll.readers.reading import HARDWARE, MS, Content, Reading, Record, number, stated, whole
from plimsoll.readers.serving import PRECISION

TOOL = "genai-perf"
_SECONDS = {"ms": 1.0, "us": 1 / MS, "ns": 1 / MS**2, "s": MS, "sec": MS}
_CONCURRENCY = (
    "input_config.perf_analyzer.stimulus.concurrency",
    "input_config.loadgen.concurrency",
    "input_config.concurrency",
)


def recognises(content: Content) -> bool:
    """Whether the file is an export: statistics as objects with a unit."""
    rate = content.first.get("request_throughput")
    return isinstance(rate, dict) and "unit" in rate and "avg" in rate


def read(content: Content) -> Reading:
    """Return the measurement of the profile."""
    one = content.first
    unseen = [HARDWARE, PRECISION]
    if "time_to_first_token" not in one:
        unseen.append("the times to the first token and between tokens: the run had no --streaming")
    said = {name: one[name] for name in ("input_config", "start_time", "end_time", "aiperf_version") if name in one}
    return Reading(TOOL, [_measurement(one)], unseen, said)


def _measurement(one: Record) -> dict[str, object]:
    rate, out = number(one, "request_throughput.avg"), number(one, "output_sequence_length.avg")
    every = rate * out if rate and out else None
    return stated(
        throughput=number(one, "output_token_throughput.avg") or every,
        ttft_ms=_milliseconds(one, "time_to_first_token", "p50"),
        tpot_ms=_milliseconds(one, "inter_token_latency", "avg"),
        concurrency=whole(_concurrency(one, rate)),
        input_tokens=whole(number(one, "input_sequence_length.avg")),
        output_tokens=whole(out),
    )


def _concurrency(one: Record, rate: float | None) -> float | None:
    """Requests at the same time: as stated, or else by Little's law."""
    asked = number(one, *_CONCURRENCY) or number(_last_phase(one), "concurrency")
    latency = _milliseconds(one, "request_latency", "avg")
    return asked or (rate * latency / MS if rate and latency else None)


def _last_phase(one: Record) -> Record:
    """The phase that AIPerf measured: those before it are warm-up."""
    phases = (one.get("input_config") or {}).get("phases") or [{}]
    last: Record = phases[-1] if isinstance(phases, list) else {}
    return last


def _milliseconds(one: Record, name: str, statistic: str) -> float | None:
    value, record = number(one, f"{name}.{statistic}", f"{name}.avg"), one.get(name)
    if value is None or not isinstance(record, dict):
        return None
    return value * _SECONDS.get(str(record.get("unit")), 1.0)
