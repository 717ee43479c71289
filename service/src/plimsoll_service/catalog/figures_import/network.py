"""Network figures that the gathered lists lack or have wrong, each from the provider's documentation (Gbit/s)."""

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
