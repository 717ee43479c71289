"""What a gathered source says about a price: a readable name, and how far the price may be trusted."""

from __future__ import annotations

import re
from dataclasses import dataclass

# AWS publishes average savings of spot over on-demand; these are of this day.
SPOT_SAVINGS_DATE = "2025-07-28"


@dataclass(frozen=True)
class PriceSource:
    """How the prices of a gathered source are named and trusted, on demand and spot."""

    pattern: str
    name: str
    confidence: str = "list"
    spot_confidence: str = "list"
    spot_name: str | None = None


AWS_SPOT = {"spot_confidence": "estimated"}
# The first pattern that matches the beginning of a source decides.
PRICE_SOURCES = (
    PriceSource(r"karpenter-aws", "AWS price list, by karpenter-provider-aws 1d927085", **AWS_SPOT),
    PriceSource(r"tsaol", "AWS price list, by aws-gpu 77fcd9fe (Vantage)", **AWS_SPOT),
    PriceSource(
        r"libcloud-family-derived",
        "AWS us-east-1 price x the family's ratio of regions, by apache-libcloud 3.9.1",
        "derived",
        **AWS_SPOT,
    ),
    PriceSource(r"libcloud", "AWS price list, by apache-libcloud 3.9.1", **AWS_SPOT),
    PriceSource(r"karpenter-azure", "Azure retail prices, by karpenter-provider-azure 352646f5"),
    PriceSource(
        r"karpenter-gcp\+k8s-autoscaler",
        "GCP machine price + accelerator price, by karpenter-provider-gcp 417f047b and kubernetes/autoscaler 55c37cd5",
        "derived",
        "derived",
    ),
    PriceSource(r"karpenter-gcp", "GCP price list, by karpenter-provider-gcp 417f047b"),
    PriceSource(r"gpuhunt-tpu", "GCP TPU prices, by gpuhunt 35841515"),
    PriceSource(
        r"karpenter-alibabacloud",
        "Alibaba Cloud list in CNY at 7.25 to the USD, by karpenter-provider-alibabacloud cb536aff",
        "derived",
        "derived",
    ),
    PriceSource(
        r"cloudpilot-priceserver",
        "Alibaba Cloud list in CNY at 7.25 to the USD, by priceserver 183c15e3",
        "derived",
        "derived",
    ),
    PriceSource(
        r"zoom/karpenter-oci",
        "Oracle list price per OCPU and GB, by karpenter-oci ff0a12c1",
        "derived",
        "derived",
        "Oracle list price per OCPU and GB, by karpenter-oci ff0a12c1; preemptible costs 50%",
    ),
    PriceSource(
        r"skypilot-catalog v8 oci",
        "Oracle list price, by skypilot-catalog 05887511",
        "list",
        "derived",
        "Oracle list price, by skypilot-catalog 05887511; preemptible costs 50%",
    ),
    PriceSource(r"skypilot-catalog", "provider's price list, by skypilot-catalog v8"),
)
HARDWARE_SOURCES = (
    (r"moto", "moto 5.2.5 (AWS API, 2026-10)"),
    (r"sparecores", "Spare Cores (2026-01)"),
    (r"k8s-autoscaler", "kubernetes/autoscaler (2026-03)"),
    (r"known", "provider documentation"),
    (r"name-derived", "the type's name"),
)


def price_source(gathered: str) -> PriceSource | None:
    """The rule for a gathered source; ``None`` where nobody said how it is to be trusted."""
    return next((source for source in PRICE_SOURCES if re.match(source.pattern, gathered)), None)


def hardware_source(gathered: str) -> str | None:
    """Where the hardware figures of a gathered row come from; ``None`` where they come with the price."""
    spec = re.search(r"spec=([^;]*)", gathered)
    return next((name for pattern, name in HARDWARE_SOURCES if spec and re.match(pattern, spec[1])), None)
