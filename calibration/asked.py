"""Question that a user would ask the API for a measurement: the workload and the machine it ran on."""

from __future__ import annotations

import re
from typing import Any

from plimsoll_service.engine.demand.kind import ADAPTED
from plimsoll_service.engine.models.stored import GPTQ
from plimsoll_service.engine.workload import LORA_TARGETS, Dataset, Hardware, Workload
from plimsoll_service.evidence import models
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.statements import frameworks

# For machines without stated processors and memory, which must not limit the figures of the devices.
AMPLE_VCPUS = 192
AMPLE_MEMORY_GIB = 2048.0
MEMORY_A_VCPU_GIB = 4.0  # of general-purpose machines, for processors whose memory is not stated
TOKENS_TO_TRAIN = 1e9  # any number: it selects the rate in tokens
# Processors that the catalog lacks, with a microarchitecture that it knows.
_MICROARCHITECTURES = {
    "Intel Core i9-10940X": "Cascade Lake",
    "Intel Core Processor (Broadwell, no TSX, IBRS)": "Broadwell",
    "Intel Core Processor (Haswell, no TSX)": "Haswell",
    "Intel Core Processor (Skylake, IBRS, no TSX)": "Skylake",
    "Intel Xeon Processor (Cascadelake)": "Cascade Lake",
    "Intel Xeon Processor (Skylake, IBRS)": "Skylake",
    "Intel Xeon E5-2630 v3": "Haswell",
    "Intel Xeon E5-2670 v3": "Haswell",
    "Intel Xeon Platinum 8480+": "Sapphire Rapids",
    "Intel Xeon Platinum 8592+": "Emerald Rapids",
    "Intel Xeon 6980P": "Granite Rapids",
}
_SERVED = ("output_tokens/s", "prefill_tokens/s", "ttft_ms", "tpot_ms")
# Checkpoints that were served with a cache of 8 bits (serving study, section 2).
_EIGHT_BIT_CACHE = ("fp8", "fp4")
_FULL_LOADS = ("offline", "server")
_GPTQ = ("qwen",)  # sources whose QLoRA has GPTQ's weights; others have those of bitsandbytes


def asked(measurement: Measurement) -> tuple[Workload, Hardware]:
    """Return the question for a row, without what the API cannot express (the row's ``doubt`` says so)."""
    return _workload(measurement), _hardware(measurement)


def _workload(row: Measurement) -> Workload:
    """Return the workload; samples come from memory, because the source of the data is not stated."""
    shared: dict[str, Any] = {
        "task": row.task,
        "framework": row.framework,
        "framework_version": _version(row),
        "tuning": row.tuning,
        "model": row.model,
        "precision": row.precision,
        "image_size": row.image_size,
        "steps": row.steps,
    }
    if row.metric == "seconds":
        return _table(row)
    if _serving(row):
        return Workload(**shared, **_requests(row))
    training = row.task == "training"
    return Workload(
        **shared,
        batch_size=row.batch_size,
        global_batch_size=row.global_batch_size,
        sequence_length=row.sequence_length,
        optimizer=row.optimizer,
        method=(row.method if row.method in ADAPTED else "full") if training else None,
        quantization=GPTQ if row.method == "qlora" and row.source in _GPTQ else None,
        lora_targets=LORA_TARGETS[0] if row.method in ADAPTED else None,
        activation_recomputation=row.activation_recomputation,
        tokens=TOKENS_TO_TRAIN if row.metric == "tokens/s" and training else None,
        dataset=Dataset(format="memory") if training else Dataset(),
    )


def _table(row: Measurement) -> Workload:
    """Return the fit of a tree or linear learner over a whole table."""
    return Workload(
        task="training",
        framework=row.framework,
        model=row.model,
        trees=row.trees,
        depth=row.depth,
        features=row.features,
        dataset=Dataset(samples=row.rows),
    )


# A version is the framework's own where the text begins with it, or with the name of NVIDIA's containers, or names a
# year: behind the name of a library, an extension or a script (cuDNN 5.1, Intel Extension for TensorFlow 1.2.0, YOLOv5
# 7.0) it is that one's.
_OWN_VERSION = re.compile(r"(NGC )?\d+\.\d|.*\b20\d\d\b")


def states_software(row: Measurement) -> bool:
    """Whether the row prints a version of the framework whose release date is known."""
    printed = row.framework_version or ""
    if frameworks().of(row.framework).year_of(printed) is None:
        return False
    return row.metric != "samples/s" or _OWN_VERSION.match(printed) is not None


def _version(row: Measurement) -> str | None:
    """Version of the framework; ``None`` where its release date is unknown, because the API refuses it.

    Work counted in samples without such a version has the software of the row's date, as a container is named.
    """
    if states_software(row):
        return row.framework_version
    return _software_of(row.date) if row.metric == "samples/s" and frameworks().find(row.framework) else None


def _software_of(date: str | None) -> str | None:
    """The month as ``year.month`` of a container, or the year; ``None`` without a date."""
    return None if not date else f"{date[2:4]}.{date[5:7]}" if len(date) > len("2020") else date


def _serving(row: Measurement) -> bool:
    """Whether the row is of a language model that answers requests token by token."""
    return row.task == "inference" and (row.metric in _SERVED or row.input_tokens is not None)


def _requests(row: Measurement) -> dict[str, Any]:
    """Return the load; no concurrency, that is as many requests as fit, where the source sent all at once."""
    concurrency = None if row.load in _FULL_LOADS or row.concurrency is None else max(1, round(row.concurrency))
    return {
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "concurrency": concurrency,
        "kv_cache_precision": "fp8" if row.precision in _EIGHT_BIT_CACHE else None,
        "quantization": _quantization(row),
    }


def _quantization(row: Measurement) -> str | None:
    """Format of the weights; vLLM's stock 4 bits in dense models were those of bitsandbytes."""
    model = models.find(row.model)
    unpacked = row.framework == "vllm" and row.precision == "int4" and row.tuning == "stock"
    return "bitsandbytes" if unpacked and model is not None and model.family == "decoder" else None


def _hardware(row: Measurement) -> Hardware:
    if row.accelerator is None:
        return _processor(row)
    count = row.device_count // row.node_count
    if row.cloud is not None and row.cpu is not None and row.vcpus is not None:
        used = (row.tensor_parallel or count) * (row.pipeline_parallel or 1)
        if used == count:
            return _rented(row)
        count = used  # the rest of the machine's devices were idle
    return Hardware(
        accelerator=row.accelerator,
        count=count,
        node_count=row.node_count,
        vcpus=row.vcpus or AMPLE_VCPUS,
        memory_gib=row.memory_gib or AMPLE_MEMORY_GIB,
        network_gbps=row.network_gbps,
        tensor_parallel=row.tensor_parallel,
        pipeline_parallel=row.pipeline_parallel,
        expert_parallel=row.expert_parallel,
    )


def _rented(row: Measurement) -> Hardware:
    """Return the catalog's machine."""
    return Hardware(
        cloud=row.cloud,
        instance_type=row.instance_type,
        node_count=row.node_count,
        tensor_parallel=row.tensor_parallel if row.accelerator else None,
        pipeline_parallel=row.pipeline_parallel,
    )


def _processor(row: Measurement) -> Hardware:
    """Return the catalog's machine where its name is known, otherwise the processor alone."""
    if row.instance_type is not None:
        return _rented(row)
    vcpus = row.vcpus or AMPLE_VCPUS
    return Hardware(
        cpu=_MICROARCHITECTURES.get(row.cpu or "", row.cpu),
        vcpus=vcpus,
        memory_gib=row.memory_gib or vcpus * MEMORY_A_VCPU_GIB,
        node_count=row.node_count,
    )
