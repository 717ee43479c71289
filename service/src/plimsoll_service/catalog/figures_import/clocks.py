"""Clocks of processors on all cores, as the providers state them for the families that use the processor."""

from __future__ import annotations

# GHz with every core busy; where the provider states only "up to" for one core, the processor is not listed.
ALL_CORE_GHZ = {
    "AWS Graviton": 2.3,
    "AWS Graviton2": 2.5,
    "AWS Graviton3": 2.6,
    "AWS Graviton3E": 2.6,
    "AWS Graviton4": 2.8,
    "Alibaba Yitian 710": 2.75,
    "Ampere Altra": 3.0,
    "Azure Cobalt 100": 3.4,
    "Intel Xeon E5-2666 v3": 2.9,
    "Intel Xeon E5-2676 v3": 2.4,
    "Intel Xeon E5-2686 v4": 2.7,
    "Intel Xeon Platinum 8124M": 3.4,
    "Intel Xeon Platinum 8175M": 3.1,
    "Intel Xeon Platinum 8259CL": 3.1,
    "Intel Xeon Platinum 8275CL": 3.6,
    "Intel Xeon Platinum 8252C": 4.5,
    "Intel Xeon Platinum 8151": 4.0,
    "Intel Xeon Platinum 8375C": 3.5,
    "Intel Xeon Platinum 8488C": 3.2,
    "Intel Xeon Platinum 8481C": 3.0,
    "Intel Xeon Platinum 8269CY": 3.2,
    "Intel Xeon Platinum 8163": 2.7,
    "Intel Xeon Platinum 8168": 3.4,
    "Intel Xeon Platinum 8272CL": 3.4,
    "Intel Xeon 6975P-C": 3.9,
    "AMD EPYC 7551": 2.55,
    "AMD EPYC 7571": 2.5,
    "AMD EPYC 7R32": 3.3,
    "AMD EPYC 7R13": 3.6,
    "AMD EPYC 9R14": 3.7,
    "AMD EPYC 9R45": 4.5,
    "AMD EPYC 9R05": 5.0,
}
