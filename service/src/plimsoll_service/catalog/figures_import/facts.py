"""What was measured on rented instances, by type: processor, seconds to boot, how devices are joined."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll_service.catalog.figures_import.families import family_of
from plimsoll_service.catalog.figures_import.gathered import Gathered
from plimsoll_service.catalog.figures_import.processor_names import processor_name

TypeKey = tuple[str, str]


@dataclass(frozen=True)
class Facts:
    """Lookups by (cloud, instance type) and by (cloud, family)."""

    processors: dict[TypeKey, str]
    family_processors: dict[TypeKey, str]
    boot_seconds: dict[TypeKey, float]
    family_boot_seconds: dict[TypeKey, float]
    device_read_gb_s: dict[TypeKey, float]
    feed_gb_s: dict[TypeKey, float]

    def processor(self, key: TypeKey) -> str | None:
        """The processor measured in the type, else the one most common in its family."""
        return self.processors.get(key) or self.family_processors.get((key[0], family_of(*key)))

    def boot(self, key: TypeKey) -> float | None:
        """Seconds from order to running, of the type, else the median of its family."""
        return self.boot_seconds.get(key) or self.family_boot_seconds.get((key[0], family_of(*key)))


def facts(rows: Iterable[Gathered]) -> Facts:
    """The lookups over the measured rows."""
    processors: dict[TypeKey, str] = {}
    boots: dict[TypeKey, float] = {}
    family_names: dict[TypeKey, Counter[str]] = defaultdict(Counter)
    family_boots: dict[TypeKey, list[float]] = defaultdict(list)
    reads: dict[TypeKey, float] = {}
    feeds: dict[TypeKey, float] = {}
    for row in rows:
        family = (row["cloud"], family_of(*row.type_key))
        name = processor_name(row)
        if name:
            processors[row.type_key] = name
            family_names[family][name] += 1
        for column, found in (("boot_seconds", boots), ("d2d_read_gbs", reads), ("host_to_all_gbs", feeds)):
            value = row.number(column)
            if value:
                found[row.type_key] = value
        if row.type_key in boots:
            family_boots[family].append(boots[row.type_key])
    return Facts(
        processors,
        {family: min(names, key=lambda name: (-names[name], name)) for family, names in family_names.items()},
        boots,
        {family: statistics.median(values) for family, values in family_boots.items()},
        reads,
        feeds,
    )
