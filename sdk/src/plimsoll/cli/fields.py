"""The options of a question, named like the query parameters of ``GET /v1/recommendations``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "number", "count", "flag", "texts", "numbers"]

# Members of these objects have their own options, which begin with the object's name.
_OBJECTS = ("dataset", "disk", "speculative_decoding")
_LONGEST_NUMBER = 50
# What people write behind a count: 50M tokens.
_MULTIPLES = {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
# Files of the user's own measurements, which no option can state.
MEASUREMENT = "measurement"
_STORED_AS = "jpeg png wav text csv parquet lmdb recordio tfrecord webdataset array memory"


@dataclass(frozen=True)
class Field:
    """One option: its name with ``_``, the kind of its value, its help text, and its words where they are few.

    ``known`` are the things of the service by whose names it is completed.
    """

    name: str
    kind: Kind
    help: str
    words: tuple[str, ...] = ()
    known: str = ""

    @property
    def option(self) -> str:
        """Name of the option on the command line."""
        return "--" + self.name.replace("_", "-")

    def value(self, text: str) -> Any:
        """Return the JSON value of the text; other text is returned as it is, and the service refuses it."""
        if self.kind == "text":
            return text
        parts = [part.strip() for part in text.split(",")]
        if self.kind == "texts":
            return parts
        if self.kind == "count":
            return _count(text)
        numbers = [_number(part) for part in parts]
        return numbers if self.kind == "numbers" and len(numbers) > 1 else _number(text)


def _field(name: str, kind: Kind, help_text: str, words: str = "", known: str = "") -> Field:
    return Field(name, kind, help_text, tuple(words.split()), known)


WORKLOAD = (
    _field("task", "text", "Kind of work.", "training inference preprocessing hpc"),
    _field("model", "text", "A known model; see `plimsoll models`.", known="models"),
    _field(
        "framework",
        "text",
        "Software, such as vllm; in preprocessing, what the data are written for.",
        known="frameworks",
    ),
    _field("framework_version", "text", "Its version, such as 2.4."),
    _field("tuning", "text", "Your own script, or a vendor's optimised one.", "stock tuned"),
    _field("precision", "text", "Arithmetic.", "fp64 fp32 tf32 mixed fp16 bf16 fp8 int8 fp4 int4 auto"),
    _field("batch_size", "number", "Samples per device and forward pass."),
    _field("global_batch_size", "number", "Samples per optimizer step, over all devices."),
    _field("dataset_name", "text", "A known data set, such as imagenet-1k."),
    _field("dataset_size", "text", "Size as stored, with its unit, such as 240GB."),
    _field("dataset_size_gb", "number", "Size in GB (10^9 bytes) instead."),
    _field("dataset_size_gib", "number", "Size in GiB (2^30 bytes) instead."),
    _field("dataset_size_tb", "number", "Size in TB (10^12 bytes) instead."),
    _field("dataset_samples", "count", "Images, sequences, rows ..., such as 1.2M."),
    _field("dataset_sharded", "flag", "Whether each machine stores its own part only."),
    _field("dataset_region", "text", "Where the data are: a region or a cloud.", known="regions"),
    _field("dataset_format", "text", "Storage format.", _STORED_AS),
    _field("epochs", "number", "Passes over the data set."),
    _field("deadline", "text", "Duration or UTC time: 24h, PT36H, 2030-01-31T12:00:00Z."),
    _field("budget_usd", "number", "Cost of the job, at most."),
    _field("disk_type", "text", "Generic class of disk.", "auto nvme ssd balanced efficiency hdd"),
    _field("image_size", "numbers", "Pixels a side, or height,width; in preprocessing, of what is written."),
    _field("sequence_length", "number", "Tokens of a sequence."),
    _field("steps", "number", "Denoising steps of a generated image."),
    _field("optimizer", "text", "Optimizer, whose state is kept in memory.", "adamw adamw8bit sgd adagrad adafactor"),
    _field("tokens", "count", "Language models: tokens of all epochs, or output tokens of a job, such as 50M."),
    _field("method", "text", "Full training, or low-rank adapters.", "full lora qlora"),
    _field("lora_rank", "number", "Rank of the adapters."),
    _field("lora_targets", "text", "Which matrices have adapters.", "attention all"),
    _field("activation_recomputation", "text", "Activation checkpointing.", "auto none selective full"),
    _field("sharding", "text", "States spread over devices.", "auto none zero1 zero2 zero3"),
    _field("offload", "text", "States in host memory.", "none optimizer parameters"),
    _field("input_tokens", "number", "Serving: tokens of a prompt."),
    _field("output_tokens", "number", "Serving: tokens of an answer."),
    _field("max_model_len", "number", "Serving: the longest context, in tokens."),
    _field(
        "quantization",
        "text",
        "Language models: format of the weights.",
        "none awq gptq bitsandbytes fp8 int8 mxfp4 gguf",
    ),
    _field("kv_cache_precision", "text", "Serving: precision of the KV cache.", "auto fp8 int8"),
    _field("concurrency", "number", "Serving: concurrent requests."),
    _field("requests_per_second", "number", "Serving: rate of requests."),
    _field("requests_per_second_by_hour", "numbers", "Serving: rate of requests in each of 24 hours."),
    _field("spare_replicas", "number", "Serving: replicas beyond those that the load takes."),
    _field("requests", "count", "Inference as a job: requests in all, such as 2M."),
    _field("hours_of_audio", "number", "Inference as a job, of speech models: audio in all."),
    _field("latency_ms", "number", "Serving: 95th percentile of the time to the first token (else: to the answer)."),
    _field("prefix_cache_hit_rate", "number", "Language models: share of the input tokens that is cached, 0 to 1."),
    _field(
        "speculative_decoding_method",
        "text",
        "Language models: how tokens are drafted.",
        "eagle3 mtp eagle medusa draft_model ngram",
    ),
    _field("speculative_decoding_draft_tokens", "number", "Tokens drafted for each step."),
    _field("speculative_decoding_acceptance_rate", "number", "Chance that a drafted token is accepted, 0 to 1."),
    _field("tpot_ms", "number", "Language models: 95th percentile of the time between two tokens; none for no target."),
    _field("end_to_end_ms", "number", "Serving: 95th percentile of the time to the whole answer; none for no target."),
    _field("experiments", "number", "Independent runs of the same training, in parallel."),
    _field("flops", "number", "HPC: floating-point operations of the whole job."),
    _field("bytes", "number", "HPC: memory traffic of the whole job."),
    _field("memory_gib", "number", "HPC: working set."),
    _field("trees", "number", "Classical ML: trees of the ensemble."),
    _field("depth", "number", "Classical ML: depth of a tree."),
    _field("features", "number", "Classical ML: columns of the table."),
    _field("output_format", "text", "Preprocessing: storage format of the output.", _STORED_AS),
    _field("checkpoint_gib", "number", "Spot: size of a checkpoint."),
    _field("checkpoint_interval_minutes", "number", "Spot: time between checkpoints."),
    _field("interruptions_per_hour", "number", "Spot: interruptions of one machine in an hour."),
)

CONSTRAINTS = (
    _field("clouds", "texts", "Any of these clouds, such as aws,gcp.", known="clouds"),
    _field("regions", "texts", "Any of these regions.", known="regions"),
    _field("purchase", "texts", "Any of these purchase options.", "on_demand spot"),
    _field("architectures", "texts", "Any of these processor architectures.", "x86_64 arm64"),
    _field("cpu_vendors", "texts", "Any of these processor vendors."),
    _field("instance_types", "texts", "Any of these instance types.", known="instance_types"),
    _field("instance_families", "texts", "Any of these families, by the provider's own names."),
    _field("exclude", "texts", "Instance types and families to leave out.", known="instance_types"),
    _field("exclude_clouds", "texts", "Clouds to leave out.", known="clouds"),
    _field("retired", "flag", "Whether retired instance types may be recommended."),
    _field("allow_porting", "flag", "Whether hardware that the software must be ported to may be recommended."),
    _field("accelerators", "texts", "Any of these accelerators.", known="accelerators"),
    _field("min_accelerators", "number", "Accelerators of one machine, at least."),
    _field("max_accelerators", "number", "Accelerators of one machine, at most; 0 for none."),
    _field("max_total_accelerators", "number", "Accelerators of all machines together, at most."),
    _field("min_vcpus", "number", "vCPUs of one machine, at least."),
    _field("min_memory_gib", "number", "Host memory of one machine, at least."),
    _field("min_accelerator_memory_gib", "number", "Memory of one device, at least."),
    _field("interconnect", "text", "Interconnect between a machine's devices.", "nvlink any"),
    _field("max_nodes", "number", "Machines, at most."),
    _field("basis", "texts", "Any of these bases of the estimate.", "measured calibrated modelled anchored"),
    _field("max_usd_per_hour", "number", "Hourly price of the whole recommendation, USD, at most."),
    _field("price_confidence", "texts", "Prices of any of these confidences.", "list derived estimated undated"),
)

OBJECTIVE = _field("objective", "text", "Objective of the ranking.", "cost time performance_per_cost balanced")
LIMIT = _field("limit", "number", "How many recommendations to list, up to 100.  [default: 5]")
GROUP = _field("group", "text", "One recommendation for each kind of hardware, or all.", "hardware none")

# Path of each field's value in a question.
PATHS: dict[str, tuple[str, ...]] = {
    **{field.name: ("constraints", field.name) for field in CONSTRAINTS},
    **{field.name: (field.name,) for field in (OBJECTIVE, LIMIT, GROUP)},
}


def _workload_path(name: str) -> tuple[str, ...]:
    for object_name in _OBJECTS:
        if name.startswith(f"{object_name}_"):
            return ("workload", object_name, name.removeprefix(f"{object_name}_"))
    return ("workload", name)


PATHS |= {field.name: _workload_path(field.name) for field in WORKLOAD}
FIELDS = {field.name: field for field in (*WORKLOAD, *CONSTRAINTS, OBJECTIVE, LIMIT, GROUP)}


def _number(text: str) -> Any:
    # Python also reads "1_000" as a number, and hundreds of digits.
    if "_" in text or len(text) > _LONGEST_NUMBER:
        return text
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if math.isfinite(number) else text
    return text


def _count(text: str) -> Any:
    """Return a number, also with K, M, B or T behind it; other text as it is."""
    multiple = _MULTIPLES.get(text[-1:].upper())
    if multiple is None:
        return _number(text)
    number = _number(text[:-1].rstrip())
    return text if isinstance(number, str) else round(number * multiple)
