"""What a catalog command did, in a form that prints well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll_service.catalog.faults import RejectedRow


@dataclass(frozen=True)
class Report:
    """Instance types and offers by cloud, the rows left out, and the version where a catalog was made."""

    instance_types: dict[str, int]
    offers: dict[str, int]
    rejected: tuple[RejectedRow, ...] = ()
    version: str | None = None

    def __str__(self) -> str:
        lines = [f"catalog {self.version}"] if self.version else []
        lines.append(f"{'cloud':<12}{'instance types':>15}{'offers':>10}")
        for cloud in sorted(self.instance_types):
            lines.append(f"{cloud:<12}{self.instance_types[cloud]:>15,}{self.offers.get(cloud, 0):>10,}")
        lines.append(f"{'total':<12}{sum(self.instance_types.values()):>15,}{sum(self.offers.values()):>10,}")
        if self.rejected:
            lines.append(f"{len(self.rejected):,} rows rejected:")
            lines.extend(f"  {row}" for row in self.rejected)
        return "\n".join(lines)


def count(clouds: Iterable[str]) -> dict[str, int]:
    """How often each cloud stands in ``clouds``."""
    return dict(sorted(Counter(clouds).items()))
