"""Figures of instance types as their providers publish them: network, share of the vCPUs, kind of local disk."""

from __future__ import annotations

import re
from dataclasses import dataclass

AWS_GUIDE = "Amazon EC2 user guide, accelerated computing instances, network performance"
GCP_GPU_PAGE = "Compute Engine, network bandwidth of GPU machine types"
GCP_EGRESS_PAGE = "Compute Engine, network bandwidth: 2 Gbit/s a vCPU up to the series' default limit"
AZURE_SIZES = "Azure virtual machine sizes, the series' page"
OCI_SHAPES = "Oracle Cloud compute shapes, RDMA network of bare-metal GPU shapes"


@dataclass(frozen=True)
class Figure:
    """The figure of the types whose "cloud/name" matches; ``per_vcpu`` grows with size up to ``gbps``.

    ``gbps`` of ``None`` says that the gathered figure is wrong and that the provider states none.
    """

    pattern: str
    gbps: float | None
    source: str
    per_vcpu: float | None = None


# The first that matches decides.
FIGURES = (
    Figure(r"aws/(p3\.2xlarge|g3\.4xlarge|g3s\.xlarge|g3\.8xlarge|p2\.8xlarge|p3\.8xlarge)", 10, AWS_GUIDE),
    Figure(r"aws/(g3|p2|p3)\.16xlarge", 25, AWS_GUIDE),
    Figure(r"aws/p2\.xlarge", None, AWS_GUIDE),
    Figure(r"gcp/a3-edgegpu-8g(-nolssd)?", 600, GCP_GPU_PAGE),
    Figure(r"gcp/a3-ultragpu-8g-nolssd", 3600, GCP_GPU_PAGE),
    Figure(r"gcp/a4x-maxgpu-4g-metal", 3600, GCP_GPU_PAGE),
    Figure(r"gcp/(n1|n2|n2d|c2|c2d|t2d)-.*", 32, GCP_EGRESS_PAGE, per_vcpu=2),
    Figure(r"gcp/e2-.*", 16, GCP_EGRESS_PAGE, per_vcpu=2),
    Figure(r"azure/Standard_ND96(asr|asr_A100|amsr_A100)_v4", 1600, AZURE_SIZES),
    Figure(r"azure/Standard_ND96isrf?_(H100|H200|MI300X)_v5", 3200, AZURE_SIZES),
    Figure(r"azure/Standard_ND128isrf?_NDR_GB200_v6", 1600, AZURE_SIZES),
    Figure(r"azure/Standard_ND40rs_v2", 100, AZURE_SIZES),
    Figure(r"azure/Standard_ND40s_v2", 24, AZURE_SIZES),
    Figure(r"azure/Standard_NC24ads_A100_v4", 20, AZURE_SIZES),
    Figure(r"azure/Standard_NC(48ads_A100_v4|40ads_H100_v5)", 40, AZURE_SIZES),
    Figure(r"azure/Standard_NC(96ads_A100_v4|80adis_H100_v5)", 80, AZURE_SIZES),
    Figure(r"azure/Standard_NC(4|8|16)as_T4_v3", 8, AZURE_SIZES),
    Figure(r"azure/Standard_NC64as_T4_v3", 32, AZURE_SIZES),
    Figure(r"azure/Standard_NV6ads_A10_v5", 5, AZURE_SIZES),
    Figure(r"azure/Standard_NV12ads_A10_v5", 10, AZURE_SIZES),
    Figure(r"azure/Standard_NV18ads_A10_v5", 20, AZURE_SIZES),
    Figure(r"azure/Standard_NV36ads_A10_v5", 40, AZURE_SIZES),
    Figure(r"azure/Standard_NV72ads_A10_v5", 80, AZURE_SIZES),
    Figure(r"azure/Standard_HB120(-\d+)?rs_v[23]", 200, AZURE_SIZES),
    Figure(r"azure/Standard_(HB176(-\d+)?rs_v4|HX176(-\d+)?rs)", 400, AZURE_SIZES),
    Figure(r"azure/Standard_(HC44|HB60)(-\d+)?rs", 100, AZURE_SIZES),
    Figure(r"oci/BM\.GPU(2\.2|3\.8)", 50, OCI_SHAPES),
    Figure(r"oci/BM\.GPU\.A10\.4", 100, OCI_SHAPES),
    Figure(r"oci/BM\.GPU\.L40S\.4", 800, OCI_SHAPES),
    Figure(r"oci/BM\.GPU(4\.8|\.A100-v2\.8|\.GB200\.4)", 1600, OCI_SHAPES),
    Figure(r"oci/BM\.GPU\.(H100|H200|B200|MI300X)\.8", 3200, OCI_SHAPES),
)


def network_gbps(key: tuple[str, str], vcpus: float, gathered: float | None) -> float | None:
    """The provider's own figure where one is listed here, else the gathered one."""
    name = "/".join(key)
    figure = next((figure for figure in FIGURES if re.fullmatch(figure.pattern, name)), None)
    if figure is None:
        return gathered
    if figure.per_vcpu is None or figure.gbps is None:
        return figure.gbps
    return min(figure.gbps, figure.per_vcpu * vcpus)


AWS_BURSTABLE = "Amazon EC2 user guide, key concepts for burstable performance instances: baseline utilization per vCPU"
AWS_UNLISTED = (
    "not in the EC2 user guide's table, whose lowest figure stands for it (t1.micro: below t2.micro, no figure)"
)
AZURE_B = "Azure virtual machine sizes, B-series: base CPU performance of VM"
AZURE_B_V2 = "Azure virtual machine sizes, Bsv2, Basv2 and Bpsv2 series: base CPU performance"
AZURE_UNLISTED = "not in the tables of the B family, whose lowest figure stands for it"
GCP_SHARED_CORE = "Compute Engine, general-purpose machine family, shared-core machine types: share of CPU time"
ALIBABA_BURSTABLE = "Alibaba Cloud ECS, burstable instances: average baseline CPU performance"
ALIBABA_UNLISTED = "not in the table of burstable instances, where the family's lowest figure stands for it"
ALIBABA_SHARED = (
    "no baseline is published: all vCPUs of ecs.e-c1m2.xlarge over the median ecs.u1 of four vCPUs, "
    "Spare Cores inspector 2026, the lowest of the family"
)
WHOLE = 1.0


@dataclass(frozen=True)
class Baseline:
    """The share of the types whose "cloud/name" matches."""

    pattern: str
    share: float
    source: str


# The first that matches decides; a type that none matches has its vCPUs to itself.
BASELINES = (
    Baseline(r"aws/(t2|t3|t3a|t4g)\.nano", 0.05, AWS_BURSTABLE),
    Baseline(r"aws/(t2|t3|t3a|t4g)\.micro", 0.1, AWS_BURSTABLE),
    Baseline(r"aws/(t2|t3|t3a|t4g)\.(small|medium)", 0.2, AWS_BURSTABLE),
    Baseline(r"aws/(t2|t3|t3a|t4g)\.large", 0.3, AWS_BURSTABLE),
    Baseline(r"aws/t2\.xlarge", 0.225, AWS_BURSTABLE),
    Baseline(r"aws/t2\.2xlarge", 0.17, AWS_BURSTABLE),
    Baseline(r"aws/(t3|t3a|t4g)\.2?xlarge", 0.4, AWS_BURSTABLE),
    Baseline(r"aws/t\d[a-z]*\..*", 0.05, AWS_UNLISTED),
    Baseline(r"azure/Standard_B1ls", 0.05, AZURE_B),
    Baseline(r"azure/Standard_B1s", 0.1, AZURE_B),
    Baseline(r"azure/Standard_(B1ms|B2s)", 0.2, AZURE_B),
    Baseline(r"azure/Standard_B2ms", 0.3, AZURE_B),
    Baseline(r"azure/Standard_B4ms", 0.225, AZURE_B),
    Baseline(r"azure/Standard_B(8|12|16|20)ms", 0.17, AZURE_B),
    Baseline(r"azure/Standard_B\d+[ap]?ts_v2", 0.2, AZURE_B_V2),
    Baseline(r"azure/Standard_B\d+[ap]?ls_v2", 0.3, AZURE_B_V2),
    Baseline(r"azure/Standard_B\d+[ap]?s_v2", 0.4, AZURE_B_V2),
    Baseline(r"azure/Standard_B\d+.*", 0.05, AZURE_UNLISTED),
    Baseline(r"gcp/e2-micro", 0.125, GCP_SHARED_CORE),
    Baseline(r"gcp/e2-small", 0.25, GCP_SHARED_CORE),
    Baseline(r"gcp/e2-medium", 0.5, GCP_SHARED_CORE),
    Baseline(r"gcp/f1-micro", 0.2, GCP_SHARED_CORE),
    Baseline(r"gcp/g1-small", 0.5, GCP_SHARED_CORE),
    Baseline(r"alibaba/ecs\.t6-c4m1\.large", 0.05, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t6-c2m1\.large", 0.1, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t6-c1m[12]\.large", 0.2, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t6-c1m4\.large", 0.3, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t6-c1m4\.2?xlarge", 0.4, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t6-.*", 0.05, ALIBABA_UNLISTED),
    Baseline(r"alibaba/ecs\.t5-c.*", 0.25, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t5-lc.*", 0.2, ALIBABA_BURSTABLE),
    Baseline(r"alibaba/ecs\.t5-.*", 0.2, ALIBABA_UNLISTED),
    Baseline(r"alibaba/ecs\.e-.*", 0.82, ALIBABA_SHARED),
)


def sustained_cpu(key: tuple[str, str]) -> float:
    """The share of (cloud, instance type), above 0 and at most 1."""
    name = "/".join(key)
    return next((baseline.share for baseline in BASELINES if re.fullmatch(baseline.pattern, name)), WHOLE)


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
