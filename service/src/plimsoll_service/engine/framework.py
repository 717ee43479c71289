"""What a framework is to the engine."""

from __future__ import annotations

from dataclasses import dataclass

VISION_AND_TEXT = ("cnn", "detection", "segmentation", "rnn", "mlp", "encoder", "speech", "recommender")
BOTH = ("training", "inference")
TRAIN = ("training",)
SERVE = ("inference",)

# Host memory of the process before any data, GiB: the libraries, the interpreter and the host side of the context.
# S3-06: a whole MXNet run took 1 GB; later CUDA libraries alone map about as much again (modelled).
SMALL_BASE_GIB = 0.9
TODAYS_BASE_GIB = 2.0
NO_DEVICE_BASE_GIB = 0.3  # an interpreter with NumPy and a learner, modelled


@dataclass(frozen=True)
class Framework:
    """A framework or serving engine.

    ``holding`` names how it holds data in host memory (``HOLDING``), ``serving`` the engine of the serving
    fit, ``base`` the framework that its kernels come from. ``compiled``: the graph is compiled before it runs.
    """

    name: str
    families: tuple[str, ...]
    tasks: tuple[str, ...]
    source: str
    aliases: tuple[str, ...] = ()
    base: str = ""
    compiled: bool = False
    version: str | None = None  # the newest of the evidence
    holding: str = "streamed"
    serving: str | None = None
    host_base_gib: float = TODAYS_BASE_GIB
    models: tuple[str, ...] = ()  # where it runs these alone
    precision: str | None = None  # what it computes in unasked, where that is not the customary mixed one
    vendors: tuple[str, ...] = ()  # accelerator vendors that it is bound to; empty: not bound
