"""Instance families as each provider names them, taken from the type's name."""

from __future__ import annotations

import re

# Per cloud: what to drop from a type's name to be left with the provider's family.
PATTERNS: dict[str, tuple[tuple[str, str], ...]] = {
    "aws": ((r"\..*", ""),),
    # n1-standard-8+nvidia-tesla-t4x1 -> n1-standard; ct5lp-hightpu-4t -> ct5lp-hightpu; v5litepod-8 -> v5litepod
    "gcp": ((r"\+.*", ""), (r"-\d+[gt]?(-.*)?$", "")),
    # Standard_E4-2ads_v5 -> Eads_v5: the numbers of vCPUs go, whatever tells hardware apart stays
    "azure": ((r"^Standard_", ""), (r"^([A-Z]+)\d+", r"\1"), (r"-\d+", "")),
    # ecs.gn6v-c8g1.2xlarge -> ecs.gn6v; ecs.vgn6i-m4-vws.xlarge -> ecs.vgn6i-vws
    "alibaba": ((r"^(ecs\.[^.]+)\..*", r"\1"), (r"-(l?c\d\w*|\d+x|m\d+s?|x\d+|\d+g)(?=-|$)", "")),
    "oci": ((r"\.(Flex.*|\d+)$", ""),),
    "lambda": ((r"_\d+x_", "_"),),
    "nebius": ((r"_.*", ""),),
    "hyperstack": ((r"x\d+", ""),),
    "verda": ((r"^\d+", ""), (r"\.\d+V.*$", "")),
    "ovh": ((r"-\d+$", ""),),
    "runpod": ((r"^\d+x_", ""),),
    "hyperbolic": ((r"^\d+x-", ""), (r"-.*", "")),
}


def family_of(cloud: str, instance_type: str) -> str:
    """The provider's own family of a type; of a cloud without a pattern the type's name itself."""
    family = instance_type
    for pattern, replacement in PATTERNS.get(cloud, ()):
        family = re.sub(pattern, replacement, family)
    return family
