"""Classifiers for few operations: depthwise convolutions, scaled widths and depths, ConvNeXt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil

from networks.classifier import CLASSES, classifier
from networks.walk import (
    KEPT_GATED,
    Walk,
)

_SQUEEZE = 4  # EfficientNet: squeeze-and-excite to a quarter of the block's input


@dataclass(frozen=True)
class Stage:
    """Blocks alike: expansion, outputs, how many, stride of the first, kernel, squeezed, fused."""

    expand: float
    channels: int
    blocks: int
    stride: int
    kernel: int = 3
    squeeze: bool = True
    fused: bool = False


def divisible(value: float, divisor: int = 8) -> int:
    """Rounded to a multiple of ``divisor``, never down by more than a tenth."""
    rounded = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * value else rounded


def block(walk: Walk, stage: Stage, stride: int) -> Walk:
    """Expand, depthwise (or one full convolution where fused), project, beside the identity."""
    inputs, inner = walk.channels, int(walk.channels * stage.expand)
    if stage.fused:
        if inner != inputs:
            walk.conv(inner, stage.kernel, stride)
        else:
            return walk.conv(stage.channels, stage.kernel, stride).elementwise()
    else:
        if inner != inputs:
            walk.conv(inner, 1)
        walk.conv(inner, stage.kernel, stride, groups=inner)
        if stage.squeeze:
            walk.squeeze_excite(max(1, inputs // _SQUEEZE))
    walk.conv(stage.channels, 1, act=False)
    return walk.elementwise() if stride == 1 and inputs == stage.channels else walk


def _mobile(walk: Walk, *, stem: int, stages: tuple[Stage, ...], head: int) -> Walk:
    walk.conv(stem, 3, 2)
    for stage in stages:
        for index in range(stage.blocks):
            block(walk, stage, stage.stride if index == 0 else 1)
    return walk.conv(head, 1).mean().linear(CLASSES)


def _mobilenet_v1(walk: Walk) -> Walk:
    walk.conv(32, 3, 2)
    steps = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1))
    for channels, stride in steps:
        walk.conv(walk.channels, 3, stride, groups=walk.channels).conv(channels, 1)
    return walk.mean().linear(CLASSES)


_MOBILENET_V2 = (
    Stage(1, 16, 1, 1, squeeze=False), Stage(6, 24, 2, 2, squeeze=False), Stage(6, 32, 3, 2, squeeze=False),
    Stage(6, 64, 4, 2, squeeze=False), Stage(6, 96, 3, 1, squeeze=False), Stage(6, 160, 3, 2, squeeze=False),
    Stage(6, 320, 1, 1, squeeze=False),
)  # fmt: skip

# Kernel, inner width, outputs, squeezed, stride (arXiv 1905.02244, tables 1 and 2).
_V3_LARGE = (
    (3, 16, 16, 0, 1), (3, 64, 24, 0, 2), (3, 72, 24, 0, 1), (5, 72, 40, 1, 2), (5, 120, 40, 1, 1), (5, 120, 40, 1, 1),
    (3, 240, 80, 0, 2), (3, 200, 80, 0, 1), (3, 184, 80, 0, 1), (3, 184, 80, 0, 1), (3, 480, 112, 1, 1),
    (3, 672, 112, 1, 1), (5, 672, 160, 1, 2), (5, 960, 160, 1, 1), (5, 960, 160, 1, 1),
)  # fmt: skip
_V3_SMALL = (
    (3, 16, 16, 1, 2), (3, 72, 24, 0, 2), (3, 88, 24, 0, 1), (5, 96, 40, 1, 2), (5, 240, 40, 1, 1), (5, 240, 40, 1, 1),
    (5, 120, 48, 1, 1), (5, 144, 48, 1, 1), (5, 288, 96, 1, 2), (5, 576, 96, 1, 1), (5, 576, 96, 1, 1),
)  # fmt: skip


def _mobilenet_v3(walk: Walk, *, blocks: tuple[tuple[int, int, int, int, int], ...], last: int, head: int) -> Walk:
    walk.conv(16, 3, 2)
    for kernel, inner, channels, squeezed, stride in blocks:
        if inner != walk.channels:
            walk.conv(inner, 1)
        walk.conv(inner, kernel, stride, groups=inner)
        if squeezed:
            walk.squeeze_excite(divisible(inner / 4))
        walk.conv(channels, 1, act=False).elementwise()
    return walk.conv(last, 1).mean().linear(head, act=True).linear(CLASSES)


EFFICIENTNET_STAGES = (
    Stage(1, 16, 1, 1), Stage(6, 24, 2, 2), Stage(6, 40, 2, 2, 5), Stage(6, 80, 3, 2), Stage(6, 112, 3, 1, 5),
    Stage(6, 192, 4, 2, 5), Stage(6, 320, 1, 1),
)  # fmt: skip


def _efficientnet(walk: Walk, *, width: float, depth: float) -> Walk:
    """EfficientNet-B0 with widths and depths multiplied (arXiv 1905.11946, table 1)."""
    stages = tuple(
        Stage(s.expand, divisible(s.channels * width), ceil(s.blocks * depth), s.stride, s.kernel)
        for s in EFFICIENTNET_STAGES
    )
    return _mobile(walk, stem=divisible(32 * width), stages=stages, head=divisible(1280 * width))


def _fused(expand: float, channels: int, blocks: int, stride: int) -> Stage:
    return Stage(expand, channels, blocks, stride, squeeze=False, fused=True)


_V2_S = (_fused(1, 24, 2, 1), _fused(4, 48, 4, 2), _fused(4, 64, 4, 2), Stage(4, 128, 6, 2), Stage(6, 160, 9, 1),
         Stage(6, 256, 15, 2))  # fmt: skip
_V2_M = (_fused(1, 24, 3, 1), _fused(4, 48, 5, 2), _fused(4, 80, 5, 2), Stage(4, 160, 7, 2), Stage(6, 176, 14, 1),
         Stage(6, 304, 18, 2), Stage(6, 512, 5, 1))  # fmt: skip
_V2_L = (_fused(1, 32, 4, 1), _fused(4, 64, 7, 2), _fused(4, 96, 7, 2), Stage(4, 192, 10, 2), Stage(6, 224, 19, 1),
         Stage(6, 384, 25, 2), Stage(6, 640, 7, 1))  # fmt: skip


def _convnext(walk: Walk, *, widths: tuple[int, int, int, int], blocks: tuple[int, int, int, int]) -> Walk:
    """Depthwise 7 x 7 and a block of four times the width (arXiv 2201.03545)."""
    walk.conv(widths[0], 4, 4, 0, bias=True, act=False)
    for index, (width, count) in enumerate(zip(widths, blocks, strict=True)):
        if index:
            walk.elementwise().conv(width, 2, 2, 0, bias=True, norm=True, act=False)
        for _ in range(count):
            walk.conv(width, 7, groups=width, bias=True, act=False)
            walk.conv(4 * width, 1, bias=True, norm=False).conv(width, 1, bias=True, norm=False, act=False)
            walk.elementwise(2)
    return walk.mean().linear(CLASSES)


_TAN = "arXiv 1905.11946, walked layer by layer"
_TAN2 = "arXiv 2104.00298, table 4, walked layer by layer"
_LIU = "arXiv 2201.03545, walked layer by layer"
_B = ((1.0, 1.0, 224), (1.0, 1.1, 240), (1.1, 1.2, 260), (1.2, 1.4, 300), (1.4, 1.8, 380), (1.6, 2.2, 456),
      (1.8, 2.6, 528), (2.0, 3.1, 600))  # fmt: skip

EFFICIENT = (
    classifier("mobilenet-v1", _mobilenet_v1, "efficient", "arXiv 1704.04861, table 1, walked layer by layer",
               traffic="depthwise_cnn"),
    classifier("mobilenet-v2", partial(_mobile, stem=32, stages=_MOBILENET_V2, head=1280), "efficient",
               "arXiv 1801.04381, table 2, walked layer by layer", traffic="depthwise_cnn"),
    classifier("mobilenet-v3-large", partial(_mobilenet_v3, blocks=_V3_LARGE, last=960, head=1280), "efficient",
               "arXiv 1905.02244, walked layer by layer", traffic="depthwise_cnn", kept=KEPT_GATED,
               aliases=("mobilenet-v3",)),
    classifier("mobilenet-v3-small", partial(_mobilenet_v3, blocks=_V3_SMALL, last=576, head=1024), "efficient",
               "arXiv 1905.02244, walked layer by layer", traffic="depthwise_cnn", kept=KEPT_GATED),
    *(
        classifier(
            f"efficientnet-b{index}",
            partial(_efficientnet, width=width, depth=depth),
            "efficient",
            _TAN,
            side=side,
            traffic="depthwise_cnn",
            kept=KEPT_GATED,
            aliases=(f"efficientnet-v1-b{index}", f"efficientnet-widese-b{index}"),
        )
        for index, (width, depth, side) in enumerate(_B)
    ),
    classifier("efficientnet-v2-s", partial(_mobile, stem=24, stages=_V2_S, head=1280), "efficient", _TAN2, side=384,
               traffic="depthwise_cnn", kept=KEPT_GATED, aliases=("efficientnet-v2", "efficientnetv2-s")),
    classifier("efficientnet-v2-m", partial(_mobile, stem=24, stages=_V2_M, head=1280), "efficient", _TAN2, side=480,
               traffic="depthwise_cnn", kept=KEPT_GATED),
    classifier("efficientnet-v2-l", partial(_mobile, stem=32, stages=_V2_L, head=1280), "efficient", _TAN2, side=480,
               traffic="depthwise_cnn", kept=KEPT_GATED),
    classifier("convnext-tiny", partial(_convnext, widths=(96, 192, 384, 768), blocks=(3, 3, 9, 3)), "efficient", _LIU,
               traffic="inverted_cnn", aliases=("convnext-t", "convnext")),
    classifier("convnext-small", partial(_convnext, widths=(96, 192, 384, 768), blocks=(3, 3, 27, 3)), "efficient",
               _LIU, traffic="inverted_cnn", aliases=("convnext-s",)),
    classifier("convnext-base", partial(_convnext, widths=(128, 256, 512, 1024), blocks=(3, 3, 27, 3)), "efficient",
               _LIU, traffic="inverted_cnn", aliases=("convnext-b",)),
    classifier("convnext-large", partial(_convnext, widths=(192, 384, 768, 1536), blocks=(3, 3, 27, 3)), "efficient",
               _LIU, traffic="inverted_cnn", aliases=("convnext-l",)),
)  # fmt: skip
