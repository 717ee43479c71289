"""How far measured figures lay from estimates that had not seen them, by kind of estimate and nearest evidence."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.fitted.spreads import SCALING
from plimsoll_service.engine.fitted.spreads import SPREADS as FITTED_SPREADS
from plimsoll_service.engine.fitted.spreads_cloud import SPREADS as CLOUD_SPREADS

# How near the evidence is, nearest first: the basis of an estimate. What is calibrated has rows of the model itself, or
# only of its like; work or makers of devices without any row at all are modelled, with a range of their own.
BASES = ("measured", "calibrated", "calibrated", "modelled", "modelled")
MEASURED, CALIBRATED, ALIKE, MODELLED, UNSTUDIED = range(len(BASES))


@dataclass(frozen=True)
class Spread:
    """10th and 90th percentile of measured ÷ estimated, on what the fit had not seen."""

    low: float
    high: float


# What scaling over devices adds to ln of either end: so much, and so much more each time their number doubles.
SCALING_ERROR, SCALING_GROWTH = SCALING["error"], SCALING["growth"]
UNSTUDIED_SPREAD = Spread(1 / 2.9, 2.9)  # nothing measured: the widest class of the throughput study, section 3

# By kind of estimate: one spread for each of BASES, as ``plimsoll-service calibrate`` found them. What runs in clouds
# were measured for counts them and the bundled measurements together. Another laboratory's run of just what was
# measured errs no less than a new device does: both have the range of a known model.
SPREADS: dict[str, tuple[Spread, ...]] = {
    name: (Spread(*known), Spread(*known), Spread(*alike), Spread(*modelled), UNSTUDIED_SPREAD)
    for name, (known, alike, modelled) in {**FITTED_SPREADS, **CLOUD_SPREADS}.items()
}
# Weights, states and activations are as large on any maker's device: what nobody measured is no wider than modelled.
MEMORY_SPREADS: tuple[Spread, ...] = (*SPREADS["memory"][:UNSTUDIED], SPREADS["memory"][MODELLED])
