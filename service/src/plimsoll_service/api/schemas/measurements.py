"""The user's own measurements of the workload."""

from __future__ import annotations

from marshmallow import fields

from ...engine import workload as words
from . import bounds
from .fields import Choice, Number, Whole
from .hardware import HardwareSchema
from .quantities import Duration, Size
from .strict import StrictSchema

MOST_MEASUREMENTS = 50


class MeasurementSchema(StrictSchema):
    """A run of the workload that you measured, in the units of the answer; conditions are stated where they differ."""

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
    input_tokens = Whole(bounds.MOST_LENGTH, "Serving: tokens of a prompt.")
    output_tokens = Whole(bounds.MOST_LENGTH, "Serving: tokens of an answer.")
