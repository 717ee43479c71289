"""Kinds of local disks by family: the gathered column counts any local disk, but they differ tenfold in speed."""

from __future__ import annotations

import re

# The first pattern that matches "cloud/family" decides; a local disk that matches none is a SATA SSD.
KINDS = (
    (r"^aws/(m1|c1|m2|t1|d2|d3|d3en|h1|hs1)$", "hdd"),
    (r"^aws/(c3|m3|r3|g2|i2|x1|x1e)$", "ssd"),
    (r"^aws/", "nvme"),
    (r"^azure/(A|A_v2|Am_v2|Basic_A)$", "hdd"),
    (r"^azure/L", "nvme"),
    (r"^azure/N[CD]\w*_(A100|H100|H200|MI300X|GB200)_v\d$", "nvme"),
    (r"^azure/(NDasr_v4|NCCads_H100_v5)$", "nvme"),
    (r"^gcp/", "nvme"),
    (r"^oci/", "nvme"),
    (r"^alibaba/ecs\.(d1|d1ne|d2c|d2s|d3c)$", "hdd"),
    (r"^alibaba/ecs\.gn5$", "nvme"),  # S3-05: its local disks are NVMe
    (r"^alibaba/ecs\.(i2|i2g|i2gne|i2ne|i3|i3g|i4|i4g|i4r|d3s)$", "nvme"),
)


def local_disk_type(cloud: str, family: str) -> str:
    """``nvme``, ``ssd`` or ``hdd``, of a family that has local disks."""
    return next((kind for pattern, kind in KINDS if re.match(pattern, f"{cloud}/{family}")), "ssd")
