"""When a framework's versions came out: the age of the software is worth a factor on its speed."""

from __future__ import annotations

import re

# Decimal year of a minor release, from each project's own list of releases; intermediate ones take the one before.
_RELEASES: dict[str, tuple[tuple[tuple[int, int], float], ...]] = {
    "pytorch": (
        ((0, 1), 2017.0), ((0, 3), 2017.9), ((0, 4), 2018.3), ((1, 0), 2018.9), ((1, 1), 2019.3), ((1, 2), 2019.6),
        ((1, 3), 2019.8), ((1, 4), 2020.0), ((1, 5), 2020.3), ((1, 6), 2020.6), ((1, 7), 2020.8), ((1, 8), 2021.2),
        ((1, 9), 2021.5), ((1, 10), 2021.8), ((1, 11), 2022.2), ((1, 12), 2022.5), ((1, 13), 2022.8),
        ((2, 0), 2023.2), ((2, 1), 2023.8), ((2, 2), 2024.1), ((2, 3), 2024.3), ((2, 4), 2024.6), ((2, 5), 2024.8),
        ((2, 6), 2025.1), ((2, 7), 2025.3), ((2, 8), 2025.6), ((2, 9), 2025.8),
    ),
    "tensorflow": (
        ((0, 5), 2015.9), ((0, 8), 2016.3), ((0, 12), 2016.9), ((1, 0), 2017.1), ((1, 2), 2017.5), ((1, 4), 2017.8),
        ((1, 8), 2018.3), ((1, 12), 2018.8), ((1, 15), 2019.8), ((2, 0), 2019.8), ((2, 1), 2020.0),
        ((2, 2), 2020.4), ((2, 3), 2020.6), ((2, 4), 2020.9), ((2, 5), 2021.4), ((2, 6), 2021.6), ((2, 8), 2022.1),
        ((2, 10), 2022.7), ((2, 12), 2023.2), ((2, 14), 2023.7), ((2, 16), 2024.2), ((2, 18), 2024.8),
        ((2, 20), 2025.6),
    ),
    # Its own numbers, which from 2.5 to 2.15 were TensorFlow's.
    "keras": (
        ((1, 0), 2016.3), ((2, 0), 2017.2), ((2, 1), 2017.9), ((2, 2), 2018.4), ((2, 3), 2019.7), ((2, 4), 2020.5),
        ((2, 5), 2021.4), ((2, 6), 2021.6), ((2, 8), 2022.1), ((2, 10), 2022.7), ((2, 12), 2023.2), ((2, 14), 2023.7),
        ((3, 0), 2023.9), ((3, 3), 2024.3), ((3, 6), 2024.8),
    ),
    "mxnet": (
        ((0, 7), 2016.4), ((0, 9), 2017.1), ((0, 12), 2017.8), ((1, 0), 2017.9), ((1, 2), 2018.4), ((1, 3), 2018.7),
        ((1, 4), 2019.1), ((1, 5), 2019.5), ((1, 6), 2020.1), ((1, 7), 2020.6), ((1, 8), 2021.2), ((1, 9), 2022.0),
    ),
}  # fmt: skip

_CONTAINER = re.compile(r"(?:ngc\s*|nv)(\d{2})\.(\d{2})", re.IGNORECASE)  # NVIDIA's containers: year.month
_YEAR = re.compile(r"\b(20[12]\d)\b")
_VERSION = re.compile(r"(\d+)\.(\d+)")


def line_of(name: str, base: str) -> str:
    """Whose numbers a framework's versions are: its own where they are listed, else those of what it is based on."""
    return name if name in _RELEASES else base or name


def version_of(text: str) -> tuple[int, int] | None:
    """Major and minor number of a version string, or ``None`` where it has none."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else None


def released(framework: str, version: str) -> float | None:
    """Decimal year in which that version came out, or ``None`` where that is not known."""
    container = _CONTAINER.search(version)
    if container:
        return 2000 + int(container[1]) + (int(container[2]) - 1) / 12
    year = _YEAR.search(version)
    if year:
        return float(year[1])
    number = version_of(version)
    if number is None:
        return None
    known = [when for release, when in _RELEASES.get(framework, ()) if release <= number]
    return known[-1] if known else None
