"""``python -m sglang.bench_serving --output-file``: a line for each run."""

from __future__ import annotations

from plimsoll.readers.reading import Content, Reading
from plimsoll.readers.serving import serving_reading

TOOL = "sglang.bench_serving"


def recognises(content: Content) -> bool:
    """Whether the lines are runs."""
    return {"total_output_tokens_retokenized", "output_throughput", "median_ttft_ms"} <= content.first.keys()


def read(content: Content) -> Reading:
    """Return the measurement of each run."""
    return serving_reading(TOOL, content.records)
