"""Coefficients of gradient boosting by histograms: one set a learner, and the one learner that runs well on GPUs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Boosting:
    """Seconds of a tree: values and bytes of each level over all cores, and what each leaf costs besides.

    Defaults are where a fit starts: own measurements of small tables, and LightGBM's documentation.
    """

    value_ns: float = 1.2  # of one core, to take in one value in one level
    value_bytes: float = 10.0  # moved per value and level: bins, row indices, gradients out of order
    leaf_us: float = 5.0  # to find a leaf's split, however few rows it has
    leaf_core_us: float = 0.5  # and to gather it from each core
    cores_exponent: float = 0.9  # what more cores bring: boosting synchronises every leaf


@dataclass(frozen=True)
class BoostingOnGpu:
    """The same on one accelerator: a level's kernels, and values at a rate that bandwidth moves only partly."""

    level_ms: float = 0.7
    value_ns: float = 0.045  # at the reference bandwidth
    bandwidth_exponent: float = 0.3  # gathers and atomic additions are no streams


# What no published row stands behind, per value and pass: an own measurement on 2026-11-21 (scikit-learn, 0.1 to 2
# million rows of 28 features, a core 1.5 times the reference).
VALUE_NS = {"random-forest": 15.0, "logistic-regression": 2.4}
REFERENCE_GZIP_MB_S = 28.0  # one thread of the core that the figures are for; the machine's own scales them
REFERENCE_GB_S = 800.0

BOOSTING = Boosting()
BOOSTING_ON_GPU = BoostingOnGpu()
