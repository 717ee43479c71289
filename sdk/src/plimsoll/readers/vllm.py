"""``vllm bench serve --save-result``."""

from __future__ import annotations

from plimsoll.readers.reading import Content, Reading
from plimsoll.readers.serving import serving_reading

TOOL = "vllm bench serve"


def recognises(content: Content) -> bool:
    """Whether the file is a result, or several appended as lines."""
    return {"num_prompts", "output_throughput", "median_ttft_ms", "duration"} <= content.first.keys()


def read(content: Content) -> Reading:
    """Return the measurement of each run."""
    return serving_reading(TOOL, content.records)
