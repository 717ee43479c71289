"""How the accelerators of one machine are joined: measured where somebody did, else as the provider builds it."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Links are measured one way; the catalog counts both.
DIRECTIONS = 2

# Bridges join cards only where the provider says so: (cloud/type, both directions in GB/s per device).
BRIDGED = (
    (r"^azure/Standard_NC(48|96)ads_A100_v4$", 600.0),
    (r"^azure/Standard_NC80adis_H100_v5$", 600.0),
    (r"^hyperstack/n3-[AH]100x8-NVLink$", 600.0),
)
FABRICS = ("Infinity Fabric", "NeuronLink", "ICI", "RoCE")


@dataclass(frozen=True)
class Wiring:
    """The kind of link (``nvlink``, ``fabric``, ``pcie``) and GB/s per device, both directions together."""

    kind: str | None
    gb_s: float | None


@dataclass(frozen=True)
class Card:
    """What a specification says of an accelerator's links."""

    interconnect: str
    gb_s: float | None


NONE = Wiring(None, None)


def wiring(key: tuple[str, str], count: float, card: Card, read_gb_s: float | None, feed_gb_s: float | None) -> Wiring:
    """The links of a machine with ``count`` devices, given what was measured between and into them."""
    if count <= 1:
        return NONE
    name = "/".join(key)
    bridge = next((gb_s for pattern, gb_s in BRIDGED if re.match(pattern, name)), None)
    if bridge:
        return Wiring("nvlink", bridge)
    if any(fabric in card.interconnect for fabric in FABRICS):
        return Wiring("fabric", card.gb_s)
    if re.match(r"NVLink\d", card.interconnect):
        return Wiring("nvlink", card.gb_s)
    measured = read_gb_s or feed_gb_s
    return Wiring("pcie", DIRECTIONS * measured if measured else None)
