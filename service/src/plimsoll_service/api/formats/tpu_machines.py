"""Names of TPU machines in Compute Engine and Kubernetes Engine; source: GKE, "Plan TPUs in GKE"."""

from __future__ import annotations

from dataclasses import dataclass

_CLOUD = "gcp"


@dataclass(frozen=True)
class TpuMachine:
    """One host: its machine type, the topology of its chips, and the label of GKE's nodes."""

    machine_type: str
    topology: str
    label: str


_MACHINES = {
    name: TpuMachine(name, topology, label)
    for name, topology, label in (
        ("ct4p-hightpu-4t", "2x2x1", "tpu-v4-podslice"),
        ("ct5lp-hightpu-1t", "1x1", "tpu-v5-lite-podslice"),
        ("ct5lp-hightpu-4t", "2x2", "tpu-v5-lite-podslice"),
        ("ct5lp-hightpu-8t", "2x4", "tpu-v5-lite-podslice"),
        ("ct5p-hightpu-4t", "2x2x1", "tpu-v5p-slice"),
        ("ct6e-standard-1t", "1x1", "tpu-v6e-slice"),
        ("ct6e-standard-4t", "2x2", "tpu-v6e-slice"),
        ("ct6e-standard-8t", "2x4", "tpu-v6e-slice"),
        ("tpu7x-standard-4t", "2x2x1", "tpu7x"),
    )
}
# Cloud TPU's names of slices of one host; v4 and v5p count two cores per chip.
_SLICES = {
    "v4-8": "ct4p-hightpu-4t",
    "v5litepod-1": "ct5lp-hightpu-1t",
    "v5litepod-4": "ct5lp-hightpu-4t",
    "v5litepod-8": "ct5lp-hightpu-8t",
    "v5p-8": "ct5p-hightpu-4t",
    "v6e-1": "ct6e-standard-1t",
    "v6e-4": "ct6e-standard-4t",
    "v6e-8": "ct6e-standard-8t",
}


def tpu_machine(cloud: str, instance_type: str) -> TpuMachine | None:
    """The machine of an instance type or slice; ``None`` for machines without a TPU and for older TPUs."""
    return _MACHINES.get(_SLICES.get(instance_type, instance_type)) if cloud == _CLOUD else None
