"""Processors by the names that makers and operating systems give them, known to the catalog or not.

A server processor's number tells its generation (Intel's and AMD's numbering conventions): that of a processor
that no cloud rents still names its microarchitecture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from plimsoll_service.engine import names

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
        (r"\bi9-109\d\dx", "Cascade Lake"),
        (r"\bepyc\s*7[\da-z]{2}1\b", "Zen"),
        (r"\bepyc\s*7[\da-z]{2}2\b", "Zen 2"),
        (r"\bepyc\s*7[\da-z]{2}3x?p?\b", "Zen 3"),
        (r"\bepyc\s*[89][\da-z]{2}4[xpfs]?\b", "Zen 4"),
        (r"\bepyc\s*9[\da-z]{2}5[xpf]?\b", "Zen 5"),
        (r"\b(intel\s*)?xeon\b", "Intel x86_64, generic"),
        (r"\b(amd\s*)?epyc\b", "AMD x86_64, generic"),
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
