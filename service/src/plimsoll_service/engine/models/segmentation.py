"""Semantic segmentation of images and volumes: U-Net and its kin."""

from __future__ import annotations

from functools import partial

from plimsoll_service.engine.models.images import FLOP_PER_MAC, KEPT_PLAIN, Plan
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.walk import Walk

_VOLUME_SIDE = 128
_VOLUME_TAPS = 27  # of a 3 x 3 x 3 convolution


def _twice(walk: Walk, width: int, padding: int) -> Walk:
    for _ in range(2):
        walk.conv(width, 3, 1, padding, bias=True, norm=False)
    return walk


def _unet(walk: Walk, *, widths: tuple[int, ...], padding: int, classes: int) -> Walk:
    """Down by pooling, up by transposed convolutions, each level joined with its twin (arXiv 1505.04597)."""
    twins = []
    for width in widths[:-1]:
        twins.append(_twice(walk, width, padding).fork())
        walk.pool(2, 2)
    _twice(walk, widths[-1], padding)
    for width in reversed(widths[:-1]):
        walk.upconv(width)
        twin = twins.pop()
        twin.height, twin.width = walk.height, walk.width  # cropped to what the valid convolutions left
        _twice(walk.joined(walk.fork(), twin), width, padding)
    return walk.conv(classes, 1, bias=True, norm=False, act=False)


def _profile(
    name: str,
    image: tuple[int, ...],
    counts: tuple[float, float, float, float],
    source: str,
    aliases: tuple[str, ...],
    dataset: str | None,
) -> ModelProfile:
    """``counts``: FLOPs, parameters, written elements and kernels of a forward pass."""
    flops, parameters, written, kernels = counts
    return ModelProfile(
        name=name,
        family="segmentation",
        sample=f"one {' x '.join(map(str, image))} image",
        parameters=parameters,
        forward_flops=flops,
        written_elements=written,
        stored_elements=KEPT_PLAIN * written,
        kernels=kernels,
        source=source,
        aliases=aliases,
        kin="unet",
        reference=Reference(image_size=image),
        scaling="area",
        traffic="segmentation",
        default_dataset=dataset,
    )


def _walked(
    name: str, plan: Plan, side: int, source: str, aliases: tuple[str, ...] = (), dataset: str | None = None
) -> ModelProfile:
    count = plan(Walk(1, side, side)).count
    figures = (FLOP_PER_MAC * count.macs, count.parameters, count.outputs, count.kernels)
    return _profile(name, (side, side), figures, source, aliases, dataset)


def _volume_counts(widths: tuple[int, ...]) -> tuple[float, float, float, float]:
    """The same plan over volumes, with padding and normalisation (arXiv 1606.06650 and its medical successors)."""
    macs = parameters = written = kernels = 0.0
    places, channels = float(_VOLUME_SIDE**3), 1

    def conv(inputs: int, outputs: int, taps: int) -> None:
        nonlocal macs, parameters, written, kernels
        macs += places * inputs * outputs * taps
        parameters += inputs * outputs * taps + 2 * outputs
        written += places * outputs
        kernels += 3

    for level, width in enumerate(widths):
        places /= 8 if level else 1
        conv(channels, width, _VOLUME_TAPS)
        conv(width, width, _VOLUME_TAPS)
        channels = width
    for width in reversed(widths[:-1]):
        places *= 8
        conv(channels, width, 1)  # a transposed 2 x 2 x 2 convolution: one tap an output
        parameters += 7 * channels * width
        conv(2 * width, width, _VOLUME_TAPS)
        conv(width, width, _VOLUME_TAPS)
        channels = width
    conv(channels, 3, 1)
    return FLOP_PER_MAC * macs, parameters, written, kernels


SEGMENTATION = (
    _walked(
        "unet",
        partial(_unet, widths=(64, 128, 256, 512, 1024), padding=0, classes=2),
        572,
        "arXiv 1505.04597, figure 1, walked layer by layer",
        ("u-net", "unet-medical", "u-net-medical"),
        "em-segmentation",
    ),
    _profile(
        "unet-industrial",
        (512, 512),
        (75e9, 1.85e6, 70e6, 70.0),
        "throughput study, section 8 (within 30%)",
        ("u-net-industrial",),
        None,
    ),
    _profile(
        "unet-3d",
        (128, 128, 128),
        _volume_counts((32, 64, 128, 256, 320, 320)),
        "arXiv 1606.06650 with MLPerf's widths (KiTS19), walked layer by layer",
        ("3d-unet", "3d-u-net", "unet3d"),
        None,
    ),
)
