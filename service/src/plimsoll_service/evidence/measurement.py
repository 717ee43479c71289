"""One published measurement: workload, software, machine, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass

# What is measured, with its unit; throughput is of all devices together.
METRICS = (
    "samples/s",
    "tokens/s",
    "output_tokens/s",
    "prefill_tokens/s",
    "ttft_ms",
    "tpot_ms",
    "latency_ms",
    "peak_memory_gib",
    "largest_batch",
    "fits",
    "seconds",
)
# How requests arrive: one at a time; a fixed number at once; all at once; at a constant or random rate; as fast as
# they are served; under a latency target (MLPerf's Server); one fixed batch.
LOADS = ("single", "closed", "saturated", "rate", "offline", "server", "static")


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure with its source; ``None`` where a column has no meaning for the row or is not known.

    ``value`` is in the unit of ``metric``: samples as the model's profile counts them, tokens for language-model
    training, GiB of one device for memory, 0 for ``fits`` where it ran out of it; ``seconds`` are of a whole fit.
    ``batch_size`` is per device and forward pass, ``memory_gib`` and ``vcpus`` of one machine, ``device_count`` of all
    machines (1 on processors). ``spread`` is the full range over the median, where several machines were merged.
    A ``doubt`` keeps a row out of fits.
    """

    id: str
    source: str
    task: str
    model: str
    printed_model: str
    framework: str
    framework_version: str | None
    tuning: str
    date: str
    precision: str
    batch_size: int | None
    sequence_length: int | None
    image_size: tuple[int, ...] | None
    input_tokens: int | None
    output_tokens: int | None
    concurrency: float | None
    load: str | None
    method: str | None
    optimizer: str | None
    activation_recomputation: str | None
    compiled: bool | None
    packed: bool | None
    global_batch_size: int | None
    tensor_parallel: int | None
    pipeline_parallel: int | None
    expert_parallel: int | None
    context_parallel: int | None
    attention_data_parallel: bool
    accelerator: str | None
    cpu: str | None
    device_count: int
    node_count: int
    vcpus: int | None
    memory_gib: float | None
    cloud: str | None
    instance_type: str | None
    metric: str
    value: float
    printed_value: str
    printed_unit: str
    spread: float | None
    doubt: str
    max_running: int | None = None  # requests that the engine was set to run at once
    network_gbps: float | None = None  # between machines, where stated
    steps: int | None = None  # denoising steps of an image
    rows: int | None = None  # of a table that a tree or linear learner fits
    features: int | None = None
    trees: int | None = None
    depth: int | None = None
