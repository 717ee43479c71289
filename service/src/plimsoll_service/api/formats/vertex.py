"""The machines of a Vertex AI custom job: its workerPoolSpecs, and its scheduling where they are spot."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from ..encode import encode
from .consumer import Consumer
from .facts import LOCAL_DISK, SPOT
from .format import Format
from .machines import Machine, machine_of
from .vertex_machines import HYPERDISK_ONLY, launches, machine_spec

# Source: Vertex AI's DiskSpec: 100 GB is the default and the least that its images are made for, 64,000 the most.
_LEAST_GB, _MOST_GB = 100, 64_000
_DISK_TYPES = {"hdd": "pd-standard"}
_DEFAULT_DISK_TYPE = "pd-ssd"
_HYPERDISK = "hyperdisk-balanced"
_TPU_VENDOR = "Google"

CONSUMER = Consumer(("gcp",), launches)


def _job(answer: Answer, catalog: Catalog) -> bytes:
    first = CONSUMER.first(_of_single_tpu_hosts(answer, catalog), catalog)
    if first is None:
        return encode({})
    machine = machine_of(first, catalog)
    pool = {"machineSpec": machine_spec(machine), "diskSpec": _disk(first, machine)}
    # The first pool is the primary replica, of which there is one; the others are workers.
    counts = (1, first.node_count - 1) if first.node_count > 1 else (1,)
    spec: dict[str, Any] = {"workerPoolSpecs": [{**pool, "replicaCount": count} for count in counts]}
    return encode(spec | ({"scheduling": {"strategy": "SPOT"}} if first.purchase == SPOT else {}))


def _of_single_tpu_hosts(answer: Answer, catalog: Catalog) -> Answer:
    """Without several hosts with TPUs: of those Vertex AI makes one slice, which is not what was estimated."""
    kept = (
        one for one in answer.recommendations if one.node_count == 1 or machine_of(one, catalog).vendor != _TPU_VENDOR
    )
    return replace(answer, recommendations=tuple(kept))


def _disk(first: Recommendation, machine: Machine) -> dict[str, Any]:
    disk = first.sizing.disk
    size = 0 if disk.type == LOCAL_DISK else math.ceil(disk.size_gib)
    kind = _DISK_TYPES.get(disk.type, _DEFAULT_DISK_TYPE)
    return {
        "bootDiskType": _HYPERDISK if machine.family in HYPERDISK_ONLY else kind,
        "bootDiskSizeGb": min(max(size, _LEAST_GB), _MOST_GB),
    }


RECOMMENDATIONS = Format("vertex", "application/vnd.plimsoll.vertex+json", _job, CONSUMER)
