"""What the release of a framework keeps in memory while training (memory study, section 2)."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine import frameworks
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.framework_releases import version_of

# PyTorch: encoders on cards that came out with 1.7 ran at batches that unfused ones could not; 16 bits were still
# cast everywhere by scripts then, natively (with exceptions) from 1.9 on; WaveGlow took 0.72 from 1.13 on.
FIRST_FUSED, FIRST_NATIVE_CAST, FIRST_LEAN_CONVOLUTIONS = (1, 7), (1, 9), (1, 13)


@dataclass(frozen=True)
class MemorySoftware:
    """``eager``: transformers unfused; ``casts_all``: 16 bits for all; ``lean_convolutions``: one-dimensional ones;
    ``adaptive``: softmax by frequency of words.
    """

    eager: bool
    casts_all: bool
    lean_convolutions: bool
    adaptive: bool


def memory_software(job: Job) -> MemorySoftware:
    """That of the stated release of PyTorch; of anything else, of today."""
    framework = frameworks.find(job.workload.framework) if job.workload.framework else None
    release = version_of(job.workload.framework_version or "")
    if framework is None or framework.base != "pytorch" or release is None:
        return MemorySoftware(eager=False, casts_all=False, lean_convolutions=True, adaptive=job.tuned)
    return MemorySoftware(
        eager=release < FIRST_FUSED,
        casts_all=release < FIRST_NATIVE_CAST,
        lean_convolutions=release >= FIRST_LEAN_CONVOLUTIONS,
        adaptive=job.tuned,
    )
