"""What a deployment script needs of the first recommendation, under names of its own."""

from __future__ import annotations

from typing import Any

from ...engine.answer import Answer, Recommendation
from ...engine.quantities import Range
from .machines import recommended_type

# What the catalog writes where a provider sells by no region that its own interface would take.
NO_REGION = ("global", "default", "own")
SPOT = "spot"  # of a recommendation's purchase
LOCAL_DISK = "nvme"  # of a disk's type: it comes with the machine, and no volume is to be ordered
FACTS = (
    "cloud", "region", "instance_type", "machine_type", "node_count", "purchase", "accelerator", "accelerator_count",
    "disk_type", "disk_product", "disk_size_gib", "disk_iops", "disk_throughput_mib_s", "usd_per_hour",
    "time_hours", "cost_usd",
)  # fmt: skip


def facts(answer: Answer) -> dict[str, Any]:
    """Every fact of ``FACTS``; all ``None`` where there is no recommendation."""
    if not answer.recommendations:
        return dict.fromkeys(FACTS)
    return _facts(answer.recommendations[0])


def region_name(recommendation: Recommendation) -> str | None:
    """The region as the provider's own interface takes it, if it has any."""
    return None if recommendation.region in NO_REGION else recommendation.region


def _facts(first: Recommendation) -> dict[str, Any]:
    disk, accelerator, estimate = first.sizing.disk, first.accelerator, first.estimate
    return {
        "cloud": first.cloud,
        "region": first.region,
        "instance_type": first.instance_type,
        "machine_type": recommended_type(first),
        "node_count": first.node_count,
        "purchase": first.purchase,
        "accelerator": accelerator.name if accelerator else None,
        "accelerator_count": accelerator.count if accelerator else 0,
        "disk_type": disk.type,
        "disk_product": disk.product,
        "disk_size_gib": disk.size_gib,
        "disk_iops": disk.iops,
        "disk_throughput_mib_s": disk.throughput_mib_s,
        "usd_per_hour": first.price.usd_per_hour,
        "time_hours": _value(estimate.time_hours),
        "cost_usd": _value(estimate.cost_usd),
    }


def _value(found: Range | None) -> float | None:
    return None if found is None else found.value
