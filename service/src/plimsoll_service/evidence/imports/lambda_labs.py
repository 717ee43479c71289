"""Lambda's PyTorch training: throughput of 1 to 16 devices, the largest batch by card, and the driver's peak memory."""

from __future__ import annotations

import re

from plimsoll_service.evidence.imports.common import Columns, common
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.sample_rates import set_rate
from plimsoll_service.evidence.imports.words import found, found_whole

_RANGE = re.compile(r"range ([\d.e+]+)-([\d.e+]+)")
_VCPUS_OF_P3 = {"p3.2xlarge": 8, "p3.8xlarge": 32, "p3.16xlarge": 64}
REAL_FILES = "reads real files from an unstated disk, decoded by the host's processor"
NCF_TOGETHER = "several devices with this recommender: some figures of the source are far above linear"


def lambda_labs(raw: RawRow) -> Columns:
    """A row of any of the three kinds; half precision is automatic mixed precision."""
    columns = common(raw)
    detail = raw["workload_detail"]
    if columns["precision"] == "fp16":
        columns["precision"] = "mixed"
    if columns["model"].startswith("bert"):
        columns["sequence_length"] = found_whole(r"seq len (\d+)", detail)
    _measured(columns, raw)
    columns["spread"] = _spread(raw)
    columns["cpu"] = found(r"; CPU (.+)$", raw["note"])
    instance = raw["instance_type"]
    columns |= {"instance_type": instance or None, "vcpus": _VCPUS_OF_P3.get(instance)}
    if columns["device_count"] > 1 and "real ImageNet files" in detail:
        columns["doubts"].append(REAL_FILES)
    if columns["device_count"] > 1 and columns["model"] == "ncf":
        columns["doubts"].append(NCF_TOGETHER)
    return columns


def _measured(columns: Columns, raw: RawRow) -> None:
    """The metric and value; memory is what the driver reports, in GiB."""
    if raw["metric"] == "max_batch":
        batch = float(raw["value"])
        columns |= {"metric": "largest_batch", "value": batch, "batch_size": int(batch)}
    elif raw["metric"] == "peak_memory_gb":
        columns |= {"metric": "peak_memory_gib", "value": float(raw["value"])}
    else:
        set_rate(columns, raw)


def _spread(raw: RawRow) -> float | None:
    """Full range over the value, where several machines were merged."""
    limits = _RANGE.search(raw["note"])
    return (float(limits[2]) - float(limits[1])) / float(raw["value"]) if limits else None
