"""Accelerators by their usual spellings: with the maker's and the series' word, with the memory's size."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine import names
from plimsoll_service.engine.hardware import Accelerators

# Words before a name that tell no device from another, by maker.
_SERIES = {
    "NVIDIA": ("nvidia", "geforce", "nvidia geforce", "tesla", "nvidia tesla", "quadro", "nvidia quadro"),
    "AMD": ("amd", "instinct", "amd instinct", "radeon pro", "amd radeon pro"),
    "Intel Habana": ("intel", "habana", "intel habana"),
    "Google": ("google", "google cloud"),
    "AWS": ("aws",),
}
# A form factor's other spellings, most particular first.
_FORMS = {"SXM2": ("SXM",), "SXM4": ("SXM",), "SXM5": ("SXM",), "SXM": ("SXM4", "SXM5")}
# Providers' own words for a chip: the instance family's, the slice's.
_OTHERS = {
    "Trainium1": ("trn1", "trainium"),
    "Trainium2": ("trn2",),
    "Inferentia": ("inf1",),
    "Inferentia2": ("inf2",),
    "TPU-v5e": ("v5litepod",),
}


def spellings(accelerators: Accelerators) -> dict[str, str]:
    """Key of each spelling → the catalog's name; listed names and aliases come before derived ones."""
    listed = list(zip(accelerators.name, accelerators.aliases, strict=True))
    derived = [(name, tuple(_derived(place, accelerators))) for place, name in enumerate(accelerators.name)]
    return names.index([*listed, *derived])


def _derived(place: int, accelerators: Accelerators) -> Iterator[str]:
    name, vendor = accelerators.name[place], accelerators.vendor[place]
    memory = f"{accelerators.memory_gib[place]:g}gb"
    for plain in (name, *accelerators.aliases[place], *_OTHERS.get(name, ())):
        for form in (plain, *_with_forms(plain)):
            for spelled in (form, f"{form} {memory}"):
                yield spelled
                yield from (f"{word} {spelled}" for word in _SERIES.get(vendor, ()))


def _with_forms(name: str) -> Iterator[str]:
    form = next((form for form in _FORMS if form in name), None)
    if form is not None:
        yield from (name.replace(form, other) for other in _FORMS[form])
