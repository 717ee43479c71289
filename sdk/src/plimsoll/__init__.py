"""Python client of Plimsoll, the service that sizes, prices and explains machines for machine-learning workloads."""

from plimsoll._version import __version__
from plimsoll.async_client import AsyncClient
from plimsoll.client import Client
from plimsoll.config import Retry, Timeouts
from plimsoll.errors import (
    ApiError,
    BadAnswer,
    BadRequest,
    ConnectionFailed,
    Fault,
    NotFound,
    PlimsollError,
    Problem,
    RateLimited,
    ServerError,
    TimedOut,
    TooLarge,
    Unavailable,
    ValidationError,
)
from plimsoll.inputs import Constraints, CustomModel, Dataset, Discount, Disk, Hardware, Query, Quota, Workload
from plimsoll.models import Answer, Comparison, HardwareEstimate, Recommendation

__all__ = [
    "Answer",
    "ApiError",
    "AsyncClient",
    "BadAnswer",
    "BadRequest",
    "Client",
    "Comparison",
    "ConnectionFailed",
    "Constraints",
    "CustomModel",
    "Dataset",
    "Discount",
    "Disk",
    "Fault",
    "Hardware",
    "HardwareEstimate",
    "NotFound",
    "PlimsollError",
    "Problem",
    "Query",
    "Quota",
    "RateLimited",
    "Recommendation",
    "Retry",
    "ServerError",
    "TimedOut",
    "Timeouts",
    "TooLarge",
    "Unavailable",
    "ValidationError",
    "Workload",
    "__version__",
]
