"""Accelerators and processors by their usual spellings, known to the catalog or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from . import names
from .hardware import UNIFIED, Accelerators

# Words before a name that tell no device from another, by maker.
_SERIES = {
    "NVIDIA": ("nvidia", "geforce", "nvidia geforce", "tesla", "nvidia tesla", "quadro", "nvidia quadro"),
    "AMD": ("amd", "instinct", "amd instinct", "radeon", "amd radeon", "radeon pro", "amd radeon pro"),
    "Intel": ("intel",),
    "Apple": ("apple", "apple silicon"),
    "Intel Habana": ("intel", "habana", "intel habana"),
    "Google": ("google", "google cloud"),
    "AWS": ("aws",),
}
# A form factor's other spellings, most particular first.
_FORMS = {"SXM2": ("SXM",), "SXM4": ("SXM",), "SXM5": ("SXM",), "SXM": ("SXM4", "SXM5")}
# Sizes of the memory that a device shares with its processor, GB: makers sell each in some of them.
_SHARED_SIZES = (8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512)
# Providers' own words for a chip: the instance family's, the slice's.
_OTHERS = {
    "Trainium1": ("trn1", "trainium"),
    "Trainium2": ("trn2",),
    "Inferentia": ("inf1",),
    "Inferentia2": ("inf2",),
    "TPU-v5e": ("v5litepod",),
}


def accelerator_spellings(accelerators: Accelerators) -> dict[str, str]:
    """Key of each spelling → the catalog's name; listed names and aliases come before derived ones."""
    listed = list(zip(accelerators.name, accelerators.aliases, strict=True))
    derived = [(name, tuple(_derived(place, accelerators))) for place, name in enumerate(accelerators.name)]
    return names.index([*listed, *derived])


def _derived(place: int, accelerators: Accelerators) -> Iterator[str]:
    name, vendor = accelerators.name[place], accelerators.vendor[place]
    largest = accelerators.memory_gib[place]
    sizes = [size for size in _SHARED_SIZES if size < largest and accelerators.interconnect[place] == UNIFIED]
    memory = [f"{size:g}gb" for size in (largest, *sizes)]
    for plain in (name, *accelerators.aliases[place], *_OTHERS.get(name, ())):
        for form in (plain, *_with_forms(plain)):
            for spelled in (form, *(f"{form} {size}" for size in memory)):
                yield spelled
                yield from (f"{word} {spelled}" for word in _SERIES.get(vendor, ()))


def _with_forms(name: str) -> Iterator[str]:
    form = next((form for form in _FORMS if form in name), None)
    if form is not None:
        yield from (name.replace(form, other) for other in _FORMS[form])


# A processor's number tells its generation (Intel's and AMD's numbering conventions): that of a processor that no cloud
# rents still names its microarchitecture, or of Intel's desktops the last one before it that some cloud rents.

# Words that tell nothing apart: marks, clock, core count.
_NOISE = re.compile(
    r"\((r|tm)\)|\bcpu\b|@.*$|\bt?\s*\d+(\.\d+)?\s*ghz\b.*$|\b\d+-core\b.*$|\bprocessor\b|\bwith\b.*$", re.IGNORECASE
)
# The number's shape → microarchitecture; the first that matches.
_GENERATIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(shape, re.IGNORECASE), generation)
    for shape, generation in (
        (r"\be[57]-?\s?\d{4}\w*\s*v4\b", "Broadwell"),
        (r"\be[57]-?\s?\d{4}\w*\s*v3\b", "Haswell"),
        (r"\be[57]-?\s?\d{4}\w*\s*v2\b", "Ivy Bridge"),
        (r"\be5-?\s?\d{4}\w*\b", "Sandy Bridge"),
        (r"\b(platinum|gold|silver|bronze)\s*\d1\d\d", "Skylake"),
        (r"\b(platinum|gold|silver|bronze)\s*\d2\d\d", "Cascade Lake"),
        (r"\b(platinum|gold|silver|bronze)\s*\d3\d\dh", "Cooper Lake"),
        (r"\b(platinum|gold|silver|bronze)\s*\d3\d\d", "Ice Lake"),
        (r"\b(platinum|gold|silver|bronze|max)\s*\d4\d\d", "Sapphire Rapids"),
        (r"\b(platinum|gold|silver|bronze)\s*\d5\d\d", "Emerald Rapids"),
        (r"\bxeon\s*6?\s*6[579]\d\dp", "Granite Rapids"),
        (r"\bw[3579]-?\s?[23][45]\d\d", "Sapphire Rapids"),
        (r"\bw-33\d\d", "Ice Lake"),
        (r"\bw-[23]2\d\d", "Cascade Lake"),
        (r"\bw-21\d\d", "Skylake"),
        (r"\bi[79]-?\s?109\d\dx", "Cascade Lake"),
        (r"\bi[79]-?\s?[79][89]\d\dx", "Skylake"),
        (r"\bi[3579]-?\s?11\d{3}", "Rocket Lake"),
        (r"\bi[3579]-?\s?[67]\d{3}", "Kaby Lake"),
        (r"\bi[3579]-?\s?[45]\d{3}(?!\d)", "Haswell"),
        (r"\bi[3579]-?\s?[23]\d{3}(?!\d)", "Ivy Bridge"),
        (r"\bcore\s*(i[3579]|ultra)|\bi[3579]-?\s?\d{4,5}", "Coffee Lake"),  # later ones have no more than AVX2
        (r"\b(threadripper|ryzen)\b.*\b9\d\d[05]|\bryzen\s*ai\b", "Zen 5"),
        (r"\b(threadripper|ryzen)\b.*\b[78]\d\d[05]", "Zen 4"),
        (r"\b(threadripper|ryzen)\b.*\b[56]\d\d[05]", "Zen 3"),
        (r"\b(threadripper|ryzen)\b.*\b[34]\d\d[05]", "Zen 2"),
        (r"\b(threadripper|ryzen)\b.*\b[12]\d\d0", "Zen"),
        (r"\bjetson-.*orin", "Neoverse N1"),  # Cortex-A78AE, with as many vectors and no SVE
        (r"\bjetson-thor", "Neoverse V3"),
        (r"\bepyc\s*7[\da-z]{2}1p?\b", "Zen"),
        (r"\bepyc\s*7[\da-z]{2}2p?\b", "Zen 2"),
        (r"\bepyc\s*7[\da-z]{2}3x?p?\b", "Zen 3"),
        (r"\bepyc\s*[89][\da-z]{2}4[xpfs]?\b", "Zen 4"),
        (r"\bepyc\s*9[\da-z]{2}5[xpf]?\b", "Zen 5"),
        (r"\b(intel\s*)?xeon\b", "Intel x86_64, generic"),
        (r"\b(epyc|ryzen|threadripper)\b", "AMD x86_64, generic"),
    )
)


def find_processor(name: str, spellings: Mapping[str, str]) -> str | None:
    """The catalog's processor or microarchitecture that ``name`` means, or ``None``."""
    return _exact(name, spellings) or _by_number(name, spellings)


def by_generation(name: str, spellings: Mapping[str, str]) -> bool:
    """Whether only the generation of this processor is known, from its number."""
    return _exact(name, spellings) is None and _by_number(name, spellings) is not None


def _exact(name: str, spellings: Mapping[str, str]) -> str | None:
    return names.find(name, spellings) or names.find(_NOISE.sub(" ", name), spellings)


def _by_number(name: str, spellings: Mapping[str, str]) -> str | None:
    plain = _NOISE.sub(" ", name)
    found = (generation for shape, generation in _GENERATIONS if shape.search(plain))
    return next((names.find(generation, spellings) for generation in found), None)
