"""Which machines Vertex AI trains on, and how it names them; source: "Configure compute resources for training"."""

from __future__ import annotations

from typing import Any

from .machines import Machine, machine_type

# Machine families with processors alone, and the sizes (in vCPUs) from which on they may be had.
_PROCESSOR_FAMILIES = {
    "e2-standard": 4, "e2-highmem": 2, "e2-highcpu": 16,
    "n1-standard": 4, "n1-highmem": 2, "n1-highcpu": 16,
    "n2-standard": 4, "n2-highmem": 2, "n2-highcpu": 16,
    "c2-standard": 4, "m1-ultramem": 40, "m1-megamem": 96,
}  # fmt: skip
_LARGEST_N2 = 80  # vCPUs; Compute Engine has larger ones
# Machine families with GPUs built in, and what Vertex AI's AcceleratorType calls them.
_GPU_FAMILIES = {
    "a2-highgpu": "NVIDIA_TESLA_A100",
    "a2-megagpu": "NVIDIA_TESLA_A100",
    "a2-ultragpu": "NVIDIA_A100_80GB",
    "a3-highgpu": "NVIDIA_H100_80GB",
    "a3-megagpu": "NVIDIA_H100_MEGA_80GB",
    "a3-ultragpu": "NVIDIA_H200_141GB",
    "a4-highgpu": "NVIDIA_B200",
    "a4x-highgpu": "NVIDIA_GB200",
    "g2-standard": "NVIDIA_L4",
    "g4-standard": "NVIDIA_RTX_PRO_6000",
}
# GPUs that are attached to an N1 machine. K80 has reached its end there.
_ATTACHED = {
    "P100": "NVIDIA_TESLA_P100",
    "V100-16GB": "NVIDIA_TESLA_V100",
    "P4": "NVIDIA_TESLA_P4",
    "T4": "NVIDIA_TESLA_T4",
}
_LOCAL_SSD_CHOICE = "-nolssd"  # a variant of Compute Engine's that Vertex AI has no name for
# Cloud TPU's slices of one host as Vertex AI takes them.
_TPU_SLICES: dict[str, dict[str, Any]] = {
    "v2-8": {"machineType": "cloud-tpu", "acceleratorType": "TPU_V2", "acceleratorCount": 8},
    "v3-8": {"machineType": "cloud-tpu", "acceleratorType": "TPU_V3", "acceleratorCount": 8},
    "v5litepod-1": {"machineType": "ct5lp-hightpu-1t", "tpuTopology": "1x1"},
    "v5litepod-4": {"machineType": "ct5lp-hightpu-4t", "tpuTopology": "2x2"},
    "v5litepod-8": {"machineType": "ct5lp-hightpu-8t", "tpuTopology": "2x4"},
    "v6e-1": {"machineType": "ct6e-standard-1t", "tpuTopology": "1x1"},
    "v6e-4": {"machineType": "ct6e-standard-4t", "tpuTopology": "2x2"},
    "v6e-8": {"machineType": "ct6e-standard-8t", "tpuTopology": "2x4"},
}
_TPU_MACHINES = {spec["machineType"]: spec for spec in _TPU_SLICES.values() if "tpuTopology" in spec}
_TPUS = _TPU_SLICES | _TPU_MACHINES
# Machine families that boot from a Hyperdisk alone; source: Compute Engine, "Machine families", supported disk types.
HYPERDISK_ONLY = frozenset({"a3-ultragpu", "a4-highgpu", "a4x-highgpu", "g4-standard"})


def launches(machine: Machine) -> bool:
    """Whether Vertex AI trains on it."""
    if machine.instance_type in _TPUS:
        return True
    if machine.attached:
        return machine.accelerator in _ATTACHED
    if machine.family in _GPU_FAMILIES:
        return machine.whole and not machine.instance_type.endswith(_LOCAL_SSD_CHOICE)
    return machine.accelerator is None and _large_enough(machine)


def machine_spec(machine: Machine) -> dict[str, Any]:
    """Its MachineSpec."""
    if machine.instance_type in _TPUS:
        return dict(_TPUS[machine.instance_type])
    spec: dict[str, Any] = {"machineType": machine_type(machine.instance_type)}
    names = _ATTACHED if machine.attached else _GPU_FAMILIES
    name = names.get((machine.accelerator if machine.attached else machine.family) or "")
    return spec | ({"acceleratorType": name, "acceleratorCount": int(machine.count)} if name else {})


def _large_enough(machine: Machine) -> bool:
    least = _PROCESSOR_FAMILIES.get(machine.family or "")
    size = machine.instance_type.rpartition("-")[2]
    most = _LARGEST_N2 if (machine.family or "").startswith("n2-") else None
    return least is not None and size.isdecimal() and least <= int(size) and (most is None or int(size) <= most)
