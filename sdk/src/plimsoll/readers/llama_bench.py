"""``llama-bench -o json`` (or ``jsonl``, ``csv``): a row for each test of prompts or of generated tokens."""

from __future__ import annotations

import re

from plimsoll import names
from plimsoll.readers.reading import MS, Content, Reading, Record, number, stated, whole

TOOL = "llama-bench"
# The precision that the API calls a format of GGUF by: the bits of most weights.
_FORMAT = re.compile(r"\b(?:I?Q(\d)_|(BF16|F16|F32|MXFP4)\b)")
_BITS = {"8": "int8", "4": "int4"}


def recognises(content: Content) -> bool:
    """Whether the rows are tests."""
    return {"n_prompt", "n_gen", "avg_ts", "model_filename"} <= content.first.keys()


def read(content: Content) -> Reading:
    """Return a measurement for each test; one user at a time."""
    unseen = ["the cloud and the instance type", "the accelerators' memory"]
    kinds = {_precision(one) for one in content.records}
    if None in kinds:
        unseen.append(f"a precision for {content.first.get('model_type')}: the workload's holds")
    if any(_on_processor(one) for one in content.records):
        unseen.append("the vCPUs: its threads are taken for them")
    if any(number(one, "n_prompt") and number(one, "n_gen") is None for one in content.records):
        unseen.append("the model's loading and the sampling: its tests leave them out")
    told = ("build_commit", "build_number", "model_type", "test_time", "backends")
    said = {name: content.first[name] for name in told if name in content.first}
    spread = [number(one, "stddev_ts") for one in content.records]
    return Reading(TOOL, [_measurement(one) for one in content.records], unseen, said | {"tokens_per_s_stddev": spread})


def _measurement(one: Record) -> dict[str, object]:
    prompt, generated = number(one, "n_prompt"), number(one, "n_gen")
    rate, before = number(one, "avg_ts") or 0.0, number(one, "n_depth") or 0.0
    seen = stated(on=_hardware(one), precision=_precision(one), concurrency=1)
    if not rate:
        return seen
    if prompt and generated:
        seconds = (prompt + generated) / rate
        return seen | {
            "throughput": generated / seconds, "input_tokens": whole(before + prompt), "output_tokens": whole(generated)
        }  # fmt: skip
    if prompt:
        return seen | {"ttft_ms": MS * prompt / rate, "input_tokens": whole(before + prompt)}
    return seen | {"tpot_ms": MS / rate, "input_tokens": whole(before), "output_tokens": whole(generated)}


def _on_processor(one: Record) -> bool:
    return not one.get("gpu_info") or not number(one, "n_gpu_layers")


def _hardware(one: Record) -> dict[str, object]:
    if _on_processor(one):
        return names.processor(str(one.get("cpu_info", ""))) | stated(vcpus=whole(number(one, "n_threads")))
    devices = [name.strip() for name in str(one["gpu_info"]).split(", ") if name.strip()]
    used = devices[:1] if one.get("split_mode") == "none" else devices
    return names.accelerators(used[0], len(used)) | names.processor(str(one.get("cpu_info", "")))


def _precision(one: Record) -> str | None:
    found = _FORMAT.search(str(one.get("model_type", "")).upper())
    if found is None:
        return None
    return _BITS.get(found.group(1) or "") or names.precision(found.group(2))
