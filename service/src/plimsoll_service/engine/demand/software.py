"""Effect of the framework's version: older software is slower, and keeps more for the backward pass."""

from __future__ import annotations

from plimsoll_service.engine.frameworks import Framework, line_of, released

# Throughput study, section 2: ×1.10 a year on matrix units from 2014 on, zero at 2021; the fit's rows lie about that
# year, so later versions are taken as the fit has them and only older ones are slower.
GAIN_PER_YEAR = 1.10
FIT_YEAR = 2021.0
FIRST_YEAR = 2014.0


def software_factor(framework: Framework | None, version: str | None) -> float:
    """Return the speed of a version relative to the fit; 1 without a version."""
    if framework is None or version is None:
        return 1.0
    year = released(line_of(framework.name, framework.base), version)
    if year is None:
        return 1.0
    return float(GAIN_PER_YEAR ** (min(max(year, FIRST_YEAR), FIT_YEAR) - FIT_YEAR))


def software_year(framework: Framework | None, version: str | None) -> float | None:
    """Return the decimal year of the version's release; ``None`` if no version is given or known."""
    if framework is None or version is None:
        return None
    return released(line_of(framework.name, framework.base), version)


def datable(framework: Framework, version: str) -> bool:
    """Whether the release date of the version is known."""
    return released(line_of(framework.name, framework.base), version) is not None
