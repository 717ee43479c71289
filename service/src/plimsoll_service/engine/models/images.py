"""Profiles of image networks from a walk through their layers."""

from __future__ import annotations

from collections.abc import Callable

from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.walk import Walk

FLOP_PER_MAC = 2

# Elements kept for the backward pass per written element (memory study, section 2).
KEPT_WITH_NORM = 2.0  # input of the normalisation and output of the activation
KEPT_PLAIN = 2.25  # outputs before and after the activation, and the pools
KEPT_WITH_RESPONSE_NORM = 2.5
KEPT_ALEXNET = 3.0  # two local response normalisations on its widest maps
KEPT_GATED = 3.0  # SiLU and squeeze-and-excite
KEPT_CONCATENATED = 3.2  # DenseNet: every concatenation is a copy

Plan = Callable[[Walk], Walk]


def classifier(
    name: str,
    plan: Plan,
    kin: str,
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
        written_elements=count.outputs,
        stored_elements=kept * count.outputs,
        kernels=count.kernels,
        source=source,
        aliases=aliases,
        kin=kin,
        reference=Reference(image_size=(side, side)),
        scaling="area",
        traffic=traffic,
        default_dataset=dataset,
    )
