"""Python client of Plimsoll, the service that sizes, prices and explains machines for machine-learning workloads."""

import importlib
from typing import TYPE_CHECKING

from plimsoll._version import __version__

if TYPE_CHECKING:
    from plimsoll import models as models
    from plimsoll import offers as offers
    from plimsoll import resources as resources
    from plimsoll.async_client import AsyncClient
    from plimsoll.client import Client
    from plimsoll.config import Retry, Timeouts
    from plimsoll.describing import describe
    from plimsoll.errors import (
        ApiError,
        BadAnswer,
        BadRequest,
        ConnectionFailed,
        Fault,
        Forbidden,
        NotFound,
        NotInstalled,
        PlimsollError,
        Problem,
        RateLimited,
        ServerError,
        TimedOut,
        TooLarge,
        Unauthorized,
        Unavailable,
        UnreadableFile,
        ValidationError,
    )
    from plimsoll.frames import to_dataframe
    from plimsoll.inputs import (
        Commitment,
        Constraints,
        CustomModel,
        Dataset,
        Discount,
        Disk,
        Hardware,
        OwnMeasurement,
        Query,
        Quota,
        SpeculativeDecoding,
        Workload,
    )
    from plimsoll.measurements import load_measurements
    from plimsoll.measuring import measure
    from plimsoll.models import Answer, Comparison, HardwareEstimate, Recommendation
    from plimsoll.readers import read_measurement

__all__ = [
    "Answer",
    "ApiError",
    "AsyncClient",
    "BadAnswer",
    "BadRequest",
    "Client",
    "Commitment",
    "Comparison",
    "ConnectionFailed",
    "Constraints",
    "CustomModel",
    "Dataset",
    "Discount",
    "Disk",
    "Fault",
    "Forbidden",
    "Hardware",
    "HardwareEstimate",
    "NotFound",
    "NotInstalled",
    "OwnMeasurement",
    "PlimsollError",
    "Problem",
    "Query",
    "Quota",
    "RateLimited",
    "Recommendation",
    "Retry",
    "ServerError",
    "SpeculativeDecoding",
    "TimedOut",
    "Timeouts",
    "TooLarge",
    "Unauthorized",
    "Unavailable",
    "UnreadableFile",
    "ValidationError",
    "Workload",
    "__version__",
    "describe",
    "load_measurements",
    "measure",
    "read_measurement",
    "to_dataframe",
]

# Loaded when one of their names is first used (PEP 562): making the classes of answers takes half as long as importing
# httpx, and a program that asks for text or only catches errors needs none of them.
_NAMES = {
    "async_client": ("AsyncClient",),
    "client": ("Client",),
    "config": ("Retry", "Timeouts"),
    "describing": ("describe",),
    "errors": (
        "ApiError", "BadAnswer", "BadRequest", "ConnectionFailed", "Fault", "Forbidden", "NotFound", "NotInstalled",
        "PlimsollError", "Problem", "RateLimited", "ServerError", "TimedOut", "TooLarge", "Unauthorized", "Unavailable",
        "UnreadableFile", "ValidationError",
    ),
    "frames": ("to_dataframe",),
    "inputs": (
        "Commitment", "Constraints", "CustomModel", "Dataset", "Discount", "Disk", "Hardware", "OwnMeasurement",
        "Query", "Quota", "SpeculativeDecoding", "Workload",
    ),
    "measurements": ("load_measurements",),
    "measuring": ("measure",),
    "models": ("Answer", "Comparison", "HardwareEstimate", "Recommendation"),
    "offers": (),
    "readers": ("read_measurement",),
    "resources": (),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:

    def __getattr__(name):
        if name in _NAMES:
            return importlib.import_module(f"{__name__}.{name}")
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)

    def __dir__():
        return sorted({*globals(), *__all__})
