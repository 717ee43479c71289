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

    cloud = Text("The catalog's cloud, such as `aws`.")
    instance_type = Text("The provider's own name, such as `p3.2xlarge`.")
    region = Text("The region; left out, the cheapest allowed one.")
    purchase = Choice(PURCHASES, "Purchase option; left out, `on_demand`.")
    node_count = Whole(bounds.MOST_NODES, "Number of these machines.")
    accelerator = Text("An accelerator's name; see `/v1/accelerators`.")
    count = Number(bounds.MOST_DEVICES, "Accelerators of one machine; a share of a device is a fraction.")
    cpu = Text("A microarchitecture or a processor's name, such as `Skylake` or `AMD EPYC 7763`.")
    vcpus = Number(bounds.MOST_VCPUS, "Hardware threads of all sockets.")
    memory_gib = Size("gib", bounds.MOST_GIB, "Host memory in GiB.")
    network_gbps = Number(bounds.MOST_GBPS, "Network between machines in gigabits per second.")
    usd_per_hour = Number(bounds.MOST_USD, "Your own price of one machine per hour.")
    tensor_parallel = Whole(bounds.MOST_NODES, "Devices that share each layer.")
    pipeline_parallel = Whole(bounds.MOST_NODES, "Devices that share the layers.")
    expert_parallel = Whole(bounds.MOST_NODES, "Devices that share the experts.")
    label = Text("Its name in the answer.")


class OwnMachineSchema(HardwareSchema):
    """A machine of your own, as a candidate beside machines for rent."""

    usd_per_hour = Number(bounds.MOST_USD, "Your own price of one machine per hour; 0 if it is already paid.", least=0)
    max_nodes = Whole(bounds.MOST_NODES, "Number of these machines.")
