"""Every resource of the contract."""

from __future__ import annotations

from . import (
    accelerators,
    comparisons,
    disks,
    docs,
    estimates,
    evidence,
    frameworks,
    health,
    instance_types,
    models,
    price_changes,
    price_snapshots,
    prices,
    recommendations,
    regions,
    rules,
)

BLUEPRINTS = tuple(
    resource.blueprint
    for resource in (
        recommendations, estimates, comparisons, instance_types, accelerators, models, frameworks, regions, disks,
        prices, price_changes, price_snapshots, rules, evidence, health, docs,
    )
)  # fmt: skip
