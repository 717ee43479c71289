"""Accelerators as Kubernetes counts them: extended resources of the vendors' device plugins."""

from __future__ import annotations

import math

from .machines import Machine

# By vendor of the accelerator; each plugin's own documentation.
_RESOURCES = {
    "NVIDIA": "nvidia.com/gpu",
    "AMD": "amd.com/gpu",
    "AWS": "aws.amazon.com/neuron",
    "Google": "google.com/tpu",
    "Intel Habana": "habana.ai/gaudi",
}


def devices(machine: Machine) -> dict[str, int]:
    """The devices of one machine by resource name; a share of one counts as one, as its plugin has it."""
    resource = _RESOURCES.get(machine.vendor or "")
    return {resource: math.ceil(machine.count)} if resource else {}
