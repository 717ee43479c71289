"""``trtllm-bench throughput --report_json`` and ``latency --report_json``."""

from __future__ import annotations

from plimsoll import names
from plimsoll.readers.reading import Content, Reading, Record, number, stated, whole

TOOL = "trtllm-bench"


def recognises(content: Content) -> bool:
    """Whether the file is a report."""
    return {"engine", "world_info", "request_info", "performance"} <= content.first.keys()


def read(content: Content) -> Reading:
    """Return the measurement of the report, which has hardware, layout, load and speed."""
    unseen = ["the accelerators' memory", "the cloud and the instance type"]
    if "streaming_metrics" not in content.first:
        unseen.append("the times to the first token and between tokens: the run had no --streaming")
    if _hardware(content.first) is None:
        unseen.append("the hardware: give on")
    one = content.first
    said = {name: one[name] for name in ("engine", "world_info", "dataset") if name in one}
    return Reading(TOOL, [_measurement(one) for one in content.records], unseen, said)


def _measurement(one: Record) -> dict[str, object]:
    engine = one["engine"]
    return stated(
        on=_hardware(one),
        throughput=number(one, "performance.system_output_throughput_tok_s"),
        ttft_ms=number(one, "streaming_metrics.ttft_percentiles.p50", "streaming_metrics.avg_ttft_ms"),
        tpot_ms=number(one, "streaming_metrics.avg_tpot_ms"),
        concurrency=whole(number(one, "request_info.avg_num_concurrent_requests")),
        input_tokens=whole(number(one, "request_info.avg_input_length")),
        output_tokens=whole(number(one, "request_info.avg_output_length")),
        precision=names.precision(engine.get("quantization")) or names.precision(engine.get("dtype")),
    )


def _hardware(one: Record) -> dict[str, object] | None:
    name = (one.get("machine") or {}).get("name")
    count = number(one, "world_info.world_size")
    if not name or count is None:
        return None
    layout = {
        field: whole(number(one, f"world_info.{size}"))
        for field, size in (("tensor_parallel", "tp_size"), ("pipeline_parallel", "pp_size"))
    }
    return names.accelerators(str(name), int(count)) | stated(**layout)
