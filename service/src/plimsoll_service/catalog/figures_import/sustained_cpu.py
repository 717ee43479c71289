"""Which share of its vCPUs a burstable or shared type can use all the time, as its provider publishes it."""

from __future__ import annotations

import re
from dataclasses import dataclass

AWS_GUIDE = "Amazon EC2 user guide, key concepts for burstable performance instances: baseline utilization per vCPU"
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
    Baseline(r"aws/(t2|t3|t3a|t4g)\.nano", 0.05, AWS_GUIDE),
    Baseline(r"aws/(t2|t3|t3a|t4g)\.micro", 0.1, AWS_GUIDE),
    Baseline(r"aws/(t2|t3|t3a|t4g)\.(small|medium)", 0.2, AWS_GUIDE),
    Baseline(r"aws/(t2|t3|t3a|t4g)\.large", 0.3, AWS_GUIDE),
    Baseline(r"aws/t2\.xlarge", 0.225, AWS_GUIDE),
    Baseline(r"aws/t2\.2xlarge", 0.17, AWS_GUIDE),
    Baseline(r"aws/(t3|t3a|t4g)\.2?xlarge", 0.4, AWS_GUIDE),
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
