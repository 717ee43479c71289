"""Named hardware: a machine of the catalog, or bare hardware."""

from __future__ import annotations

from ...engine.workload import PURCHASES, Hardware
from . import bounds
from .fields import Choice, Number, Text, Whole
from .quantities import Size
from .strict import StrictSchema


class HardwareSchema(StrictSchema):
    """A machine of the catalog (`cloud` and `instance_type`) or bare hardware; figures are those of one machine."""

    target = Hardware

    cloud = Text()
    instance_type = Text()
    region = Text()
    purchase = Choice(PURCHASES)
    node_count = Whole(bounds.MOST_NODES)
    accelerator = Text()
    count = Number(bounds.MOST_DEVICES)
    cpu = Text()
    vcpus = Number(bounds.MOST_VCPUS)
    memory_gib = Size("gib", bounds.MOST_GIB)
    network_gbps = Number(bounds.MOST_GBPS)
    usd_per_hour = Number(bounds.MOST_USD)
    tensor_parallel = Whole(bounds.MOST_NODES)
    pipeline_parallel = Whole(bounds.MOST_NODES)
    expert_parallel = Whole(bounds.MOST_NODES)
    label = Text()


class OwnMachineSchema(HardwareSchema):
    """A machine of your own, as a candidate beside machines for rent."""

    usd_per_hour = Number(bounds.MOST_USD, least=0)
    max_nodes = Whole(bounds.MOST_NODES)
