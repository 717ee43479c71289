"""A recommended machine for launchers: the provider's names, with facts of the catalog."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from ...engine.answer import Recommendation
from ...engine.hardware import Catalog
from .. import data_files

# The catalog's regions that no provider's API has.
OWN = "own"  # the cloud of an operator's own machines
NO_REGION = ("global", "default", OWN)
SPOT = "spot"  # of a recommendation's purchase
LOCAL_DISK = "nvme"  # of a disk's type: it comes with the machine, and no volume is ordered
CATALOGS_KEPT = 4  # a process serves one, tests build a few
ATTACHED = "+"  # n1-standard-8+nvidia-tesla-v100x1
FLEXIBLE = "$"  # VM.Standard.A1.Flex$_16ocpu_128gb
# Cloud TPU's names of slices (v5litepod-8), which are not machine types of Compute Engine (ct5lp-hightpu-8t).
_TPU_SLICE = re.compile(r"v\d+[a-z]*-\d+")


@dataclass(frozen=True)
class Machine:
    """One machine of an instance type; ``count`` of a share is a fraction, unknown facts are ``None``."""

    cloud: str
    instance_type: str
    family: str | None
    architecture: str | None
    accelerator: str | None
    vendor: str | None
    count: float
    local_disk_gb: float

    @property
    def whole(self) -> bool:
        """Whether its accelerators are whole ones (or none)."""
        return self.count == int(self.count)

    @property
    def tpu_slice(self) -> bool:
        """Whether it has a name of Cloud TPU."""
        return self.cloud == "gcp" and _TPU_SLICE.fullmatch(self.instance_type) is not None

    @property
    def attached(self) -> bool:
        """Whether its accelerators are attached to a machine type that exists without them."""
        return ATTACHED in self.instance_type


def machine_type(instance_type: str) -> str:
    """The name in the provider's API; the catalog's name also has attached GPUs and flexible sizes."""
    return instance_type.partition(ATTACHED)[0].partition(FLEXIBLE)[0]


def recommended_type(recommendation: Recommendation) -> str:
    """The name to launch the recommended machine by: the provider's, or the operator's own in full."""
    return recommendation.label or machine_type(recommendation.instance_type)


def region_name(recommendation: Recommendation) -> str | None:
    """The region in the provider's API, if it has one."""
    return None if recommendation.region in NO_REGION else recommendation.region


def machine_of(recommendation: Recommendation, catalog: Catalog) -> Machine:
    """The recommended machine; the facts of an operator's own machine come from the recommendation."""
    one, device, known = recommendation, recommendation.accelerator, catalog.accelerators
    found = _by_name(catalog).get((one.cloud, one.instance_type))
    if found is not None or device is None:
        return found or Machine(one.cloud, one.instance_type, None, None, None, None, 0.0, 0.0)
    vendor = known.vendor[known.name.index(device.name)] if device.name in known.name else None
    return Machine(one.cloud, one.instance_type, None, None, device.name, vendor, device.count, 0.0)


def machines(catalog: Catalog) -> Iterator[Machine]:
    """Every instance type of the catalog."""
    types = catalog.instance_types
    for row, name in enumerate(types.name):
        device = int(types.accelerator[row])
        yield Machine(
            cloud=types.cloud[row] or "",
            instance_type=name,
            family=types.family[row],
            architecture=types.architecture[row],
            accelerator=catalog.accelerators.name[device] if device >= 0 else None,
            vendor=catalog.accelerators.vendor[device] if device >= 0 else None,
            count=_known(types.accelerator_count[row]),
            local_disk_gb=_known(types.local_disk_gb[row]),
        )


@lru_cache(maxsize=CATALOGS_KEPT)
def _by_name(catalog: Catalog) -> dict[tuple[str, str], Machine]:
    return {(machine.cloud, machine.instance_type): machine for machine in machines(catalog)}


def _known(value: float) -> float:
    return 0.0 if math.isnan(value) else float(value)


@dataclass(frozen=True)
class TpuMachine:
    """One host of Compute Engine: its machine type, the topology of its chips, and the label of GKE's nodes.

    Source: GKE, "Plan TPUs in GKE".
    """

    machine_type: str
    topology: str
    label: str


@cache
def _machines() -> dict[str, TpuMachine]:
    """Hosts by machine type, and by Cloud TPU's name of a slice of one (v4 and v5p count two cores a chip there)."""
    rows = [(row.pop("slice"), TpuMachine(**row)) for row in data_files.rows("formats/tpu_machines.csv")]
    return {machine.machine_type: machine for _, machine in rows} | {name: machine for name, machine in rows if name}


def tpu_machine(cloud: str, instance_type: str) -> TpuMachine | None:
    """The machine of an instance type or slice; ``None`` for machines without a TPU and for older TPUs."""
    return _machines().get(instance_type) if cloud == "gcp" else None
