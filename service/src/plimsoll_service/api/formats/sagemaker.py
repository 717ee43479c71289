"""The ResourceConfig of a SageMaker training job."""

from __future__ import annotations

import math
from importlib import resources

import yaml

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from ..encode import encode
from .format import Consumer, Format
from .machines import Machine, machine_of

_GB_PER_GIB = 1.073741824
_SIZES = yaml.safe_load(resources.files(__package__).joinpath("sagemaker_types.yaml").read_text(encoding="utf-8"))
_INSTANCE_TYPES = frozenset(f"{family}.{size}" for family, sizes in _SIZES.items() for size in sizes.split())


def _launches(machine: Machine) -> bool:
    return machine.instance_type in _INSTANCE_TYPES


CONSUMER = Consumer(("aws",), _launches)


def _resource_config(answer: Answer, catalog: Catalog) -> bytes:
    first = CONSUMER.first(answer, catalog)
    if first is None:
        return encode({})
    return encode(
        {
            "InstanceType": f"ml.{first.instance_type}",
            "InstanceCount": first.node_count,
            "VolumeSizeInGB": _volume(first.sizing.disk.size_gib, machine_of(first, catalog)),
        }
    )


def _volume(size_gib: float, machine: Machine) -> int:
    """The size in GB; a machine with local disks gets no volume, so that the size is limited to theirs."""
    wanted = max(math.ceil(size_gib), 1)
    own = math.floor(machine.local_disk_gb / _GB_PER_GIB)
    return min(wanted, own) if own else wanted


SAGEMAKER = Format(
    "sagemaker", "application/vnd.plimsoll.sagemaker+json", _resource_config, CONSUMER
)  # fmt: skip
