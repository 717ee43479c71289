"""Every resource of the contract."""

from __future__ import annotations

from . import docs, evidence, health, instance_types, named_hardware, prices, recommendations, reference_data

BLUEPRINTS = tuple(
    resource.blueprint
    for resource in (
        recommendations, named_hardware, instance_types, reference_data, prices, evidence, health, docs,
    )
)  # fmt: skip
