"""A workload, with the user's own measurements of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import ValidationError, fields

from ...engine import workload as words
from ...engine.models.families import MODEL_FAMILIES
from ...engine.speculation import METHODS
from ...engine.units import GB, GIB, HOURS_PER_DAY, TB
from ...engine.workload import CustomModel
from ...evidence.statements import frameworks
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
    throughput = Number(bounds.MOST_COUNT)
    ttft_ms = Duration("ms", bounds.MOST_MILLISECONDS)
    tpot_ms = Duration("ms", bounds.MOST_MILLISECONDS)
    accelerator_memory_gib = Size("gib", bounds.MOST_GIB)
    batch_size = Whole(bounds.MOST_LENGTH)
    concurrency = Whole(bounds.MOST_LENGTH)
    precision = Choice(words.PRECISIONS)
    sequence_length = Whole(bounds.MOST_LENGTH)
    input_tokens = Whole(bounds.MOST_LENGTH)
    output_tokens = Whole(bounds.MOST_LENGTH)


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

    name = Text()
    config = Configuration()
    family = Choice(MODEL_FAMILIES)
    parameters = Number(MOST_COUNT)
    active_parameters = Number(MOST_COUNT)
    forward_flops_per_sample = Number(MOST_FLOPS)
    forward_flops_per_token = Number(MOST_FLOPS)
    layers = Whole(MOST_LAYERS)
    hidden_size = Whole(MOST_LENGTH)


class Model(fields.Nested):
    """A name, or a ``CustomModel``."""

    def __init__(self) -> None:
        super().__init__(CustomModelSchema)

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

    size = Size("bytes", bounds.MOST_BYTES, bare=False)
    size_gb = Number(bounds.MOST_BYTES / GB)
    size_gib = Number(bounds.MOST_BYTES / GIB)
    size_tb = Number(bounds.MOST_BYTES / TB)
    samples = Number(bounds.MOST_COUNT)
    format = Choice(
        words.DATASET_FORMATS,
        instead=dict.fromkeys(VIDEOS, "videos are not sized; state their frames as jpeg, with size and samples"),
    )
    name = Text()
    sharded = Flag()
    region = Text()

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

    type = Choice(words.DISK_TYPES)


class SpeculativeDecodingSchema(StrictSchema):
    """Speculative decoding; a missing value is the published one of the method."""

    target = words.SpeculativeDecoding

    method = Choice(tuple(METHODS))
    draft_tokens = Whole(bounds.MOST_LAYERS)
    acceptance_rate = Number(bounds.WHOLE, least=0)


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

    task = Choice(words.TASKS, required=True)
    framework = KnownName([name for each in frameworks().rows for name in (each.name, *each.aliases)])
    framework_version = Text()
    tuning = Choice(words.TUNINGS)
    model = Model()
    precision = Choice(words.PRECISIONS)
    quantization = Choice(words.QUANTIZATIONS)
    batch_size = Whole(bounds.MOST_LENGTH)
    global_batch_size = Whole(bounds.MOST_LENGTH)
    dataset = fields.Nested(DatasetSchema)
    epochs = Number(bounds.MOST_COUNT)
    deadline = Deadline(attribute="deadline_hours")
    budget_usd = Number(bounds.MOST_USD)
    disk = fields.Nested(DiskSchema)
    image_size = Sides()
    sequence_length = Whole(bounds.MOST_LENGTH)
    steps = Whole(bounds.MOST_LENGTH)
    optimizer = Choice(words.OPTIMIZERS)
    tokens = Number(bounds.MOST_COUNT)
    method = Choice(words.METHODS, instead=OTHER_METHODS)
    lora_rank = Whole(bounds.MOST_LAYERS)
    lora_targets = Choice(words.LORA_TARGETS)
    activation_recomputation = Choice(words.RECOMPUTATIONS)
    sharding = Choice(words.SHARDINGS)
    offload = Choice(words.OFFLOADS)
    input_tokens = Whole(bounds.MOST_LENGTH)
    output_tokens = Whole(bounds.MOST_LENGTH)
    max_model_len = Whole(bounds.MOST_LENGTH)
    kv_cache_precision = Choice(words.KV_CACHE_PRECISIONS)
    concurrency = Whole(bounds.MOST_LENGTH)
    requests_per_second = Number(bounds.MOST_PER_SECOND)
    requests_per_second_by_hour = Several(
        Number(bounds.MOST_PER_SECOND, least=0), least=HOURS_PER_DAY, most=HOURS_PER_DAY
    )
    spare_replicas = Whole(bounds.MOST_LAYERS, least=0)
    requests = Number(bounds.MOST_COUNT)
    hours_of_audio = Number(bounds.MOST_COUNT)
    latency_ms = Duration("ms", bounds.MOST_MILLISECONDS)
    prefix_cache_hit_rate = Number(bounds.WHOLE, least=0)
    speculative_decoding = fields.Nested(SpeculativeDecodingSchema)
    tpot_ms = Target("ms", bounds.MOST_MILLISECONDS)
    end_to_end_ms = Target("ms", bounds.MOST_MILLISECONDS)
    experiments = Whole(bounds.MOST_LAYERS)
    flops = Number(bounds.MOST_FLOPS)
    bytes = Size("bytes", bounds.MOST_FLOPS)
    memory_gib = Size("gib", bounds.MOST_GIB)
    trees = Whole(bounds.MOST_LENGTH)
    depth = Whole(bounds.MOST_LAYERS)
    features = Whole(bounds.MOST_LENGTH)
    output_format = Choice(words.DATASET_FORMATS)
    checkpoint_gib = Size("gib", bounds.MOST_GIB)
    checkpoint_interval_minutes = Duration("minutes", bounds.MOST_MINUTES)
    interruptions_per_hour = Number(bounds.MOST_PER_SECOND, least=0)
    measurements = Several(fields.Nested(MeasurementSchema), most=MOST_MEASUREMENTS)


# Set here because schemas of constraints or measurements that knew the workload's fields would be cycles.
ConstraintsSchema.homes = MeasurementSchema.homes = dict.fromkeys(WorkloadSchema().fields, "workload")
