"""A workload, with the user's own measurements of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import ValidationError, fields

from ...engine import workload as words
from ...engine.frameworks import FRAMEWORKS
from ...engine.models.families import MODEL_FAMILIES
from ...engine.speculation import METHODS
from ...engine.units import GB, GIB, HOURS_PER_DAY, TB
from ...engine.workload import CustomModel
from . import bounds
from .bounds import MOST_COUNT, MOST_FLOPS, MOST_LAYERS, MOST_LENGTH
from .constraints import ConstraintsSchema
from .fields import Choice, Flag, KnownName, Number, Several, Sides, StrictField, Text, Whole, shown
from .hardware import HardwareSchema
from .quantities import Deadline, Duration, Size, Target
from .strict import StrictSchema

MOST_MEASUREMENTS = 50
VIDEOS = ("video", "mp4", "mkv", "avi", "mov", "webm", "h264")
# A pair of answers is two sequences; the model that they are compared with reads them once more (arXiv 2305.18290).
# Of the three passes of a step, it adds one; with adapters, which train in two, half again.
_PAIRS = (
    "state full, lora or qlora, with two samples for each pair of answers; a reference model, as of DPO, adds its "
    "forward pass to each: 1.33 times the time, with adapters 1.5 times"
)
_GENERATES = "training that generates text as it goes is not sized; state its steps as full, lora or qlora"
OTHER_METHODS = {
    **dict.fromkeys(("sft", "finetune", "fine-tuning"), "state how weights are trained: full, lora or qlora"),
    **dict.fromkeys(("dpo", "orpo", "ipo", "kto", "simpo"), _PAIRS),
    **dict.fromkeys(("ppo", "grpo", "rlhf", "rloo"), _GENERATES),
}


class MeasurementSchema(StrictSchema):
    """A run of the workload that you measured, in the units of the answer; state its conditions if they differ."""

    target = words.OwnMeasurement

    on = fields.Nested(HardwareSchema, required=True, error_messages={"required": "is required"})
    throughput = Number(
        bounds.MOST_COUNT, "Throughput of all machines together: samples/s, tokens/s or gflop/s, as the answer states."
    )
    ttft_ms = Duration("ms", bounds.MOST_MILLISECONDS, "Serving of language models: median time to the first token.")
    tpot_ms = Duration("ms", bounds.MOST_MILLISECONDS, "Serving of language models: mean time between two tokens.")
    accelerator_memory_gib = Size("gib", bounds.MOST_GIB, "Peak memory of one device in GiB, as reserved.")
    batch_size = Whole(bounds.MOST_LENGTH, "Samples per device and forward pass.")
    concurrency = Whole(bounds.MOST_LENGTH, "Serving: requests in service at the same time.")
    precision = Choice(words.PRECISIONS, "Precision of the arithmetic.")
    sequence_length = Whole(bounds.MOST_LENGTH, "Tokens of a sequence.")
    input_tokens = Whole(bounds.MOST_LENGTH, "Serving: tokens of a prompt; of an encoder-decoder, of its source.")
    output_tokens = Whole(bounds.MOST_LENGTH, "Serving: tokens of an answer; of an encoder-decoder, of its target.")


NAME = Text()


class Configuration(StrictField):
    """A Hugging Face configuration: the content of the model's ``config.json``."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or not value:
            raise ValidationError("must be the object that the model's config.json holds")
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": True, "minProperties": 1}


class CustomModelSchema(StrictSchema):
    """A model that is not in the list: `config` alone, or `family` with `parameters`."""

    target = CustomModel

    name = Text("Its name in the answer.")
    config = Configuration("A Hugging Face configuration.")
    family = Choice(MODEL_FAMILIES, "The architecture's family.")
    parameters = Number(MOST_COUNT, "Number of all parameters.")
    active_parameters = Number(MOST_COUNT, "Parameters used per token; a mixture of experts has fewer than all.")
    forward_flops_per_sample = Number(MOST_FLOPS, "Operations of a forward pass; a multiply-add counts as two.")
    forward_flops_per_token = Number(MOST_FLOPS, "Operations of a forward pass over one token.")
    layers = Whole(MOST_LAYERS, "Layers of a transformer or recurrent network.")
    hidden_size = Whole(MOST_LENGTH, "Width of a layer.")


class Model(fields.Nested):
    """A name, or a ``CustomModel``."""

    def __init__(self, description: str) -> None:
        super().__init__(CustomModelSchema, metadata={"description": description})

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, partial: Any = None, **options: Any
    ) -> Any:
        if isinstance(value, str):
            return NAME._deserialize(value, attr, data)
        if not isinstance(value, dict):
            raise ValidationError(f"must be a model's name (see /v1/models) or an object, not {shown(value)}")
        return super()._deserialize(value, attr, data, partial, **options)

    def from_text(self, text: str) -> object:
        """The name, as the query parameter has it."""
        return text


# The fields for the size of a data set, with the bytes of their unit.
SIZE_FIELDS = {"size": 1.0, "size_gb": GB, "size_gib": GIB, "size_tb": TB}


class DatasetSchema(StrictSchema):
    """The stored data; a known name implies size and samples."""

    target = words.Dataset
    synonyms: ClassVar = dict.fromkeys(
        ("hours", "hours_of_audio", "duration", "images", "rows", "clips", "utterances", "sequences"), "samples"
    )

    size = Size("bytes", bounds.MOST_BYTES, "Size as stored, with its unit.", bare=False)
    size_gb = Number(bounds.MOST_BYTES / GB, "Size in GB (10^9 bytes), instead of `size`.")
    size_gib = Number(bounds.MOST_BYTES / GIB, "Size in GiB (2^30 bytes), instead of `size`.")
    size_tb = Number(bounds.MOST_BYTES / TB, "Size in TB (10^12 bytes), instead of `size`.")
    samples = Number(
        bounds.MOST_COUNT,
        "Number of samples: images, sequences, rows, …; in inference without a load, the number to answer.",
    )
    format = Choice(
        words.DATASET_FORMATS,
        "How the samples are stored. `memory`: the process holds all of them; `array`: numbers as they are.",
        instead=dict.fromkeys(VIDEOS, "videos are not sized; state their frames as jpeg, with size and samples"),
    )
    name = Text("A known data set, such as `imagenet-1k`.")
    sharded = Flag("Whether each machine stores only its own part; left out, each stores all data that it may read.")
    region = Text(
        "Where the data are: a region (see `/v1/regions`) or a cloud. Machines elsewhere pay for moving them. "
        "Left out, nothing is moved."
    )

    def contradictions(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        """A duplicate size, even if both agree."""
        said = [name for name in SIZE_FIELDS if name in data]
        return {name: [f"give the size once, not as {' and '.join(said)}"] for name in said} if len(said) > 1 else {}

    def build(self, data: dict[str, Any]) -> words.Dataset:
        """The data set with its size in bytes."""
        sizes = [data[name] * factor for name, factor in SIZE_FIELDS.items() if name in data]
        rest = {name: value for name, value in data.items() if name not in SIZE_FIELDS}
        return words.Dataset(size_bytes=sizes[0] if sizes else None, **rest)


class DiskSchema(StrictSchema):
    """The requested disk, as a generic class."""

    target = words.Disk

    type = Choice(words.DISK_TYPES, "Generic class, mapped to each cloud's product; `nvme` is local.")


class SpeculativeDecodingSchema(StrictSchema):
    """Speculative decoding; for a value that is left out, the published one of the method applies."""

    target = words.SpeculativeDecoding

    method = Choice(tuple(METHODS), "How tokens are drafted.")
    draft_tokens = Whole(bounds.MOST_LAYERS, "Tokens that are drafted for each step.")
    acceptance_rate = Number(bounds.WHOLE, "Chance that a drafted token is accepted, between 0 and 1.", least=0)


class WorkloadSchema(StrictSchema):
    """The workload. Only `task` is required; the answer lists the values that it assumes for other fields."""

    target = words.Workload
    homes = dict.fromkeys(ConstraintsSchema().fields, "constraints")
    synonyms: ClassVar = {
        "users": "concurrency",
        **dict.fromkeys(("qps", "rps", "fps", "frames_per_second", "streams", "cameras"), "requests_per_second"),
        **dict.fromkeys(
            ("audio_seconds", "audio_hours", "audio_length", "audio_minutes", "duration"), "hours_of_audio"
        ),
        **dict.fromkeys(("images", "num_images", "videos", "documents", "passages", "pairs", "queries"), "requests"),
        **dict.fromkeys(("resolution", "width", "height"), "image_size"),
        "num_inference_steps": "steps",
    }

    task = Choice(words.TASKS, "The kind of work.", required=True)
    framework = KnownName(
        [name for each in FRAMEWORKS for name in (each.name, *each.aliases)],
        "The software, such as `pytorch` or `vllm`; see `/v1/frameworks`. In preprocessing, it sets the output format.",
    )
    framework_version = Text("Version of the software, such as `2.4`.")
    tuning = Choice(words.TUNINGS, "`stock` for a user's own script, `tuned` for a vendor's optimised scripts.")
    model = Model(
        "A known name (see `/v1/models`), a name that begins with one or states a known family and a size, or an "
        "object that describes the model."
    )
    precision = Choice(
        words.PRECISIONS,
        "Precision of the arithmetic; `auto` is 8 bits or fewer only if the model's weights are published so.",
    )
    quantization = Choice(
        words.QUANTIZATIONS, "Serving: how the weights are stored; the ending of a model's name can say it too."
    )
    batch_size = Whole(bounds.MOST_LENGTH, "Samples per device and forward pass.")
    global_batch_size = Whole(bounds.MOST_LENGTH, "Samples per optimizer step, over all devices.")
    dataset = fields.Nested(DatasetSchema)
    epochs = Number(bounds.MOST_COUNT, "Passes over the data set.")
    deadline = Deadline(
        "Time limit of the work: a duration, or a time in UTC. For inference, state the amount of work too.",
        attribute="deadline_hours",
    )
    budget_usd = Number(
        bounds.MOST_USD, "Highest cost of the job, in USD. For inference, state the amount of work too."
    )
    disk = fields.Nested(DiskSchema)
    image_size = Sides(
        "Pixels per side, or a list (height, width; depth first for volumes); in preprocessing, of the output."
    )
    sequence_length = Whole(bounds.MOST_LENGTH, "Tokens of a sequence.")
    steps = Whole(bounds.MOST_LENGTH, "Denoising steps of a generated image.")
    optimizer = Choice(words.OPTIMIZERS, "The optimizer, whose state takes memory.")
    tokens = Number(
        bounds.MOST_COUNT,
        "Tokens to train on, all passes together; instead of `epochs`. Inference as a job: all output tokens.",
    )
    method = Choice(words.METHODS, "Full training, or low-rank adapters.", instead=OTHER_METHODS)
    lora_rank = Whole(bounds.MOST_LAYERS, "Rank of the adapters.")
    lora_targets = Choice(words.LORA_TARGETS, "The matrices that have adapters.")
    activation_recomputation = Choice(
        words.RECOMPUTATIONS, "Activation checkpointing: whether activations are computed again instead of stored."
    )
    sharding = Choice(words.SHARDINGS, "States spread over the devices of a run; FSDP is `zero3`.")
    offload = Choice(words.OFFLOADS, "States kept in host memory; `parameters` includes those of the optimizer.")
    input_tokens = Whole(bounds.MOST_LENGTH, "Serving: tokens of a prompt; of an encoder-decoder, of its source.")
    output_tokens = Whole(bounds.MOST_LENGTH, "Serving: tokens of an answer; of an encoder-decoder, of its target.")
    max_model_len = Whole(
        bounds.MOST_LENGTH, "Serving: the longest context; the cache holds at least one request of that length."
    )
    kv_cache_precision = Choice(words.KV_CACHE_PRECISIONS, "Serving: how the KV cache is kept; `auto` is 16 bits.")
    concurrency = Whole(bounds.MOST_LENGTH, "Serving: requests in service at the same time.")
    requests_per_second = Number(bounds.MOST_PER_SECOND, "Serving: rate of requests.")
    requests_per_second_by_hour = Several(
        Number(bounds.MOST_PER_SECOND, least=0),
        "Serving: rate of requests in each hour of a day, from hour 0; sized for the peak.",
        least=HOURS_PER_DAY,
        most=HOURS_PER_DAY,
    )
    spare_replicas = Whole(bounds.MOST_LAYERS, "Serving: replicas beyond those that the load needs.", least=0)
    requests = Number(bounds.MOST_COUNT, "Inference as a job: number of requests.")
    hours_of_audio = Number(bounds.MOST_COUNT, "Inference as a job, for speech models: hours of audio.")
    latency_ms = Duration(
        "ms",
        bounds.MOST_MILLISECONDS,
        "Serving: latency target at the 95th percentile, to the first token (other models: to the answer).",
    )
    prefix_cache_hit_rate = Number(
        bounds.WHOLE, "Serving of language models: share of the input tokens that a prefix cache holds.", least=0
    )
    speculative_decoding = fields.Nested(SpeculativeDecodingSchema)
    tpot_ms = Target(
        "ms",
        bounds.MOST_MILLISECONDS,
        "Serving of language models: target for the time between two tokens at the 95th percentile. 100 is assumed "
        "if users are stated without a target of speed; `none` removes it.",
    )
    end_to_end_ms = Target(
        "ms",
        bounds.MOST_MILLISECONDS,
        "Serving: target for the time to the whole answer at the 95th percentile. One is assumed if "
        "`concurrency` of a model other than a language model is stated without one; `none` removes it.",
    )
    experiments = Whole(bounds.MOST_LAYERS, "Independent runs of the same training, at the same time.")
    flops = Number(bounds.MOST_FLOPS, "HPC: floating-point operations of the whole job.")
    bytes = Size("bytes", bounds.MOST_FLOPS, "HPC: memory traffic of the whole job in bytes.")
    memory_gib = Size("gib", bounds.MOST_GIB, "HPC: working set in GiB.")
    trees = Whole(bounds.MOST_LENGTH, "Classical ML: trees of the ensemble.")
    depth = Whole(bounds.MOST_LAYERS, "Classical ML: depth of a tree.")
    features = Whole(bounds.MOST_LENGTH, "Classical ML: columns of the table.")
    output_format = Choice(words.DATASET_FORMATS, "Preprocessing: format of the output.")
    checkpoint_gib = Size("gib", bounds.MOST_GIB, "Size of a checkpoint in GiB.")
    checkpoint_interval_minutes = Duration("minutes", bounds.MOST_MINUTES, "Time between checkpoints.")
    interruptions_per_hour = Number(bounds.MOST_PER_SECOND, "Spot: interruptions of one machine per hour.", least=0)
    measurements = Several(
        fields.Nested(MeasurementSchema),
        "Your own measurements of this workload, on any hardware: they anchor every estimate. Not stored.",
        most=MOST_MEASUREMENTS,
    )


# Set here because a schema of constraints that knew the workload's fields would be a cycle.
ConstraintsSchema.homes = dict.fromkeys(WorkloadSchema().fields, "workload")
