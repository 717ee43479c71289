"""Names in the catalog, in any spelling of a filter."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..engine.faults import Fault
from ..engine.hardware import Catalog
from ..engine.names import find, index, unknown


class NamesByKind:
    """Names of several kinds by their usual spellings."""

    def __init__(self, own: Mapping[str, Collection[str]]) -> None:
        self._own = {kind: dict.fromkeys(names) for kind, names in own.items()}
        self._spellings = {kind: index((name, ()) for name in names) for kind, names in own.items()}

    def find(self, kind: str, name: str) -> str | None:
        """The own spelling of a name, or ``None``."""
        return name if name in self._own[kind] else find(name, self._spellings[kind])

    def unknown(self, kind: str, name: str) -> str:
        """The message about an unknown name."""
        return unknown(kind.replace("_", " "), name, self._own[kind])

    def faults(self, filters: Mapping[str, Any], besides: Collection[str] = ()) -> tuple[Fault, ...]:
        """A fault for every unknown name in the filters; ``besides`` are words that are allowed too."""
        return tuple(
            Fault(f"/{kind}", self.unknown(kind, name))
            for kind in self._own
            for wanted in [filters.get(kind, ())]
            for name in ([wanted] if isinstance(wanted, str) else wanted)
            if name not in besides and self.find(kind, name) is None
        )


class CatalogNames(NamesByKind):
    """The clouds, regions, instance types, processors and accelerators by their usual spellings."""

    def __init__(self, catalog: Catalog) -> None:
        types, accelerators = catalog.instance_types, catalog.accelerators
        own = {
            "cloud": catalog.clouds,
            "region": catalog.regions.name,
            "instance_type": types.name,
            "family": types.family.words,
            "architecture": types.architecture.words,
            "cpu": (*catalog.processors.name, *catalog.processors.microarchitecture),
            "cpu_vendor": types.cpu_vendor.words,
            "interconnect": types.interconnect.words,
            "local_disk_type": types.local_disk_type.words,
            "accelerator": accelerators.name,
        }
        super().__init__(own)
        self._spellings["accelerator"] = index(zip(accelerators.name, accelerators.aliases, strict=True))
