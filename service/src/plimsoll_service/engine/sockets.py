"""Sockets of processors, found by the product number in a processor's name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple


class Socket(NamedTuple):
    """The most cores of a generation's processors, and the memory of one: channels, MT/s, the smallest module in GB.

    A core has so many ``threads``; ``clock_ghz`` is NaN where that of the catalog's nearest processor holds.
    """

    cores: float
    channels: float
    mt_s: float
    module_gb: float
    threads: float = 2.0
    clock_ghz: float = float("nan")


@dataclass(frozen=True, eq=False)
class Sockets:
    """Patterns of product numbers, each with its socket; the first that matches decides."""

    rows: tuple[tuple[re.Pattern[str], Socket], ...] = ()

    def of(self, name: str | None) -> Socket | None:
        """Return the socket of a processor by its name."""
        return next((socket for number, socket in self.rows if name and number.search(name)), None)
