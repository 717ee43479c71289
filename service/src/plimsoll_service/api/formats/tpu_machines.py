"""Names of TPU machines in Compute Engine and Kubernetes Engine; source: GKE, "Plan TPUs in GKE"."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

_CLOUD = "gcp"


@dataclass(frozen=True)
class TpuMachine:
    """One host: its machine type, the topology of its chips, and the label of GKE's nodes."""

    machine_type: str
    topology: str
    label: str


@cache
def _machines() -> dict[str, TpuMachine]:
    """Hosts by machine type, and by Cloud TPU's name of a slice of one (v4 and v5p count two cores a chip there)."""
    text = resources.files(__package__).joinpath("tpu_machines.csv").read_text(encoding="utf-8")
    rows = [(row.pop("slice"), TpuMachine(**row)) for row in csv.DictReader(text.splitlines())]
    return {machine.machine_type: machine for _, machine in rows} | {name: machine for name, machine in rows if name}


def tpu_machine(cloud: str, instance_type: str) -> TpuMachine | None:
    """The machine of an instance type or slice; ``None`` for machines without a TPU and for older TPUs."""
    return _machines().get(instance_type) if cloud == _CLOUD else None
