"""Instance families, as each provider names them."""

from __future__ import annotations

import pytest
from gathered.catalog.gathered import family_of


@pytest.mark.parametrize(
    ("cloud", "instance_type", "expected"),
    [
        ("aws", "p3.2xlarge", "p3"),
        ("aws", "p3dn.24xlarge", "p3dn"),
        ("aws", "p6-b200.48xlarge", "p6-b200"),
        ("gcp", "n1-standard-8", "n1-standard"),
        ("gcp", "n1-standard-8+nvidia-tesla-t4x1", "n1-standard"),
        ("gcp", "a2-highgpu-1g", "a2-highgpu"),
        ("gcp", "a3-edgegpu-8g-nolssd", "a3-edgegpu"),
        ("gcp", "e2-micro", "e2-micro"),
        ("gcp", "v5litepod-8", "v5litepod"),
        ("azure", "Standard_NC24ads_A100_v4", "NCads_A100_v4"),
        ("azure", "Standard_E4-2ads_v5", "Eads_v5"),
        ("azure", "Standard_M208s-104_6_v3", "Ms_6_v3"),
        ("azure", "Standard_NC6_Promo", "NC_Promo"),
        ("alibaba", "ecs.gn6v-c8g1.2xlarge", "ecs.gn6v"),
        ("alibaba", "ecs.vgn6i-m4-vws.xlarge", "ecs.vgn6i-vws"),
        ("oci", "VM.GPU3.1", "VM.GPU3"),
        ("oci", "BM.GPU.A100-v2.8", "BM.GPU.A100-v2"),
        ("oci", "VM.Standard.A1.Flex$_16ocpu_64gb", "VM.Standard.A1"),
        ("lambda", "gpu_8x_a100", "gpu_a100"),
        ("nebius", "gpu-h100-sxm_8gpu-128vcpu-1600gb", "gpu-h100-sxm"),
        ("hyperstack", "n3-A100x8-NVLink", "n3-A100-NVLink"),
        ("verda", "1H100.80S.32V", "H100.80S"),
        ("elsewhere", "anything-1", "anything-1"),
    ],
)
def test_family_is_the_providers_own(cloud: str, instance_type: str, expected: str) -> None:
    """The family has the name in the provider's documentation; a type of an unknown cloud is its own family."""
    assert family_of(cloud, instance_type) == expected
