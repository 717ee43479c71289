"""An image classifier as a profile, from the plan of its layers."""

from __future__ import annotations

from networks.walk import (
    FLOP_PER_MAC,
    KEPT_WITH_NORM,
    Plan,
    Walk,
)
from plimsoll_service.engine.models.profile import ModelProfile, Reference

CLASSES = 1000


def classifier(
    name: str,
    plan: Plan,
    architecture: str,
    source: str,
    *,
    side: int = 224,
    traffic: str = "cnn",
    kept: float = KEPT_WITH_NORM,
    aliases: tuple[str, ...] = (),
    dataset: str = "imagenet-1k",
    channels: int = 3,
) -> ModelProfile:
    """An image classifier whose plan is walked at ``side`` pixels."""
    count = plan(Walk(channels, side, side)).count
    return ModelProfile(
        name=name,
        family="cnn",
        sample=f"one {side} x {side} image",
        parameters=count.parameters,
        forward_flops=FLOP_PER_MAC * count.macs,
        transformed_share=round(count.transformed / count.macs, 3),
        written_elements=count.outputs,
        stored_elements=kept * count.outputs,
        kernels=count.kernels,
        source=source,
        aliases=aliases,
        architecture=architecture,
        reference=Reference(image_size=(side, side)),
        scaling="area",
        traffic=traffic,
        default_dataset=dataset,
    )
