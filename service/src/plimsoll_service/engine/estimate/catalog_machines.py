"""The catalog's instance types as machines: their columns joined with accelerator and processor figures."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.estimate.hardware_columns import TYPICAL_BOOT_S, alike, device_columns, processor_columns
from plimsoll_service.engine.estimate.kinds import paired
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.hardware import (
    Accelerators,
    Catalog,
    Floats,
    InstanceTypes,
    Ints,
    Processors,
    known_or,
)
from plimsoll_service.engine.spreads import MODELLED


def machines_of(catalog: Catalog) -> Machines:
    """Every instance type of the catalog as a machine."""
    return join(catalog.instance_types, catalog.accelerators, catalog.processors)


def join(types: InstanceTypes, accelerators: Accelerators, processors: Processors) -> Machines:
    """Instance types with the figures of their accelerators and processors."""
    nvlink = np.isin(types.interconnect.codes, [types.interconnect.code_of(name) for name in ("nvlink", "fabric")])
    local_nvme = types.local_disk_type.codes == types.local_disk_type.code_of("nvme")
    wired = np.where(nvlink & ~np.isnan(types.interconnect_gb_s), types.interconnect_gb_s / 2, 0.0)
    on_cores = processor_columns(types.vcpus, types.sustained_cpu, types.processor, processors)
    on_device = {"link_gb_s": wired, **device_columns(types, accelerators)}
    return Machines(
        vcpus=types.vcpus,
        memory_gib=types.memory_gib,
        network_gbps=types.network_gbps,
        local_disk_gb=np.nan_to_num(types.local_disk_gb),
        local_nvme=local_nvme & (np.nan_to_num(types.local_disk_gb) > 0),
        disk_mib_s=types.disk_mib_s,
        boot_seconds=known_or(types.boot_seconds, TYPICAL_BOOT_S),
        catalog_row=np.arange(len(types), dtype=np.int32),
        basis=np.full(len(types), MODELLED, dtype=np.int32),
        memory_alike=np.unique(types.memory_gib, return_inverse=True)[1].astype(np.int32),
        disk_alike=_disk_alike(types.disk_mib_s, np.where(local_nvme, np.nan_to_num(types.local_disk_gb), 0.0)),
        alike=alike(on_cores, on_device),
        **on_cores,
        **on_device,
    )


def _disk_alike(disk_mib_s: Floats, nvme_gb: Floats) -> Ints:
    """Numbers the pairs of both."""
    _, drive = np.unique(nvme_gb, return_inverse=True)
    return paired(drive.astype(np.int32), disk_mib_s).of.astype(np.int32)
