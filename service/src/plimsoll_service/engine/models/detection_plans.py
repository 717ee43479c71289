"""Layer plans of detectors: backbones with pyramids, heads over boxes and classes."""

from __future__ import annotations

from functools import partial
from math import ceil

from plimsoll_service.engine.models.cnn_efficient import EFFICIENTNET_STAGES, Stage, block, divisible
from plimsoll_service.engine.models.cnn_residual import bottleneck
from plimsoll_service.engine.models.images import Plan
from plimsoll_service.engine.models.walk import Count, Walk

_COCO = 81  # classes with the background
_BOX = 4
_PYRAMID = 256  # channels of a feature pyramid
_OPEN_IMAGES = 264  # classes of MLPerf's RetinaNet
_ANCHORS = 9  # boxes a place of RetinaNet and EfficientDet; 3 of the R-CNNs
_BOXES, _MASKS = 512, 128  # regions an image in training (Detectron's defaults)
_REGION, _MASK_REGION = 7, 14  # pixels a side of a region for boxes and for masks


def _stages(walk: Walk, strides: tuple[int, ...], groups: int = 1, base: int = 64) -> list[Walk]:
    """ResNet-50's stages; each with the stride of its first block."""
    walk.conv(64, 7, 2).pool(3, 2, 1)
    found = []
    for width, count, stride in zip((64, 128, 256, 512), (3, 4, 6, 3), strides, strict=False):
        for index in range(count):
            inner = width * base * groups // 64
            walk = bottleneck(walk.fork(), width, stride if index == 0 else 1, groups, inner)
        found.append(walk)
    return found


def _biased(walk: Walk, channels: int, kernel: int, stride: int = 1, padding: int | None = None) -> Walk:
    return walk.conv(channels, kernel, stride, padding, bias=True, norm=False, act=False)


def ssd300(walk: Walk) -> Walk:
    """Six levels from 38 to 1 places a side; the backbone's third stage keeps its size."""
    level = _stages(walk, (1, 2, 1))[-1]
    levels = [level]
    steps = ((256, 512, 2, 1), (256, 512, 2, 1), (128, 256, 2, 1), (128, 256, 1, 0), (128, 256, 1, 0))
    for inner, outer, stride, padding in steps:
        level = level.fork().conv(inner, 1).conv(outer, 3, stride, padding)
        levels.append(level)
    for place, boxes in zip(levels, (4, 6, 6, 6, 4, 4), strict=True):
        _biased(place.fork(), boxes * _BOX, 3)
        _biased(place.fork(), boxes * _COCO, 3)
    return walk


def _pyramid(levels: list[Walk], extra: int) -> list[Walk]:
    """Lateral 1 x 1 and output 3 x 3 convolutions from coarse to fine (arXiv 1612.03144), and coarser levels."""
    outputs = []
    for level in reversed(levels):
        _biased(level.elementwise(2), _PYRAMID, 1)
        outputs.append(_biased(level.fork(), _PYRAMID, 3))
    coarse = outputs[0]
    for _ in range(extra):
        coarse = _biased(coarse.fork(), _PYRAMID, 3, 2)
        outputs.append(coarse)
    return outputs


def _towers(levels: list[Walk], classes: int, anchors: int) -> None:
    """Two towers of four convolutions on each level; their weights are the same on all levels."""
    count = levels[0].count
    weights = count.parameters
    for index, level in enumerate(levels):
        for outputs in (classes * anchors, _BOX * anchors):
            tower = level.fork()
            for _ in range(4):
                tower.conv(_PYRAMID, 3, bias=True, norm=False)
            _biased(tower, outputs, 3)
        weights = count.parameters if index == 0 else weights
        count.parameters = weights


def retinanet(walk: Walk) -> Walk:
    """ResNeXt-50 with levels 3 to 7."""
    _towers(_pyramid(_stages(walk, (1, 2, 2, 2), groups=32, base=4)[1:], 2), _OPEN_IMAGES, _ANCHORS)
    return walk


def ssd320(walk: Walk) -> Walk:
    """ResNet-50 with levels 3 to 7 and SSD's loss."""
    _towers(_pyramid(_stages(walk, (1, 2, 2, 2))[1:], 2), _COCO, 6)
    return walk


def _regions(walk: Walk, masks: bool) -> Walk:
    """Proposals on five levels, then two products a region, and four convolutions a mask."""
    levels = _pyramid(_stages(walk, (1, 2, 2, 2)), 1)
    count = walk.count
    weights = count.parameters
    for index, level in enumerate(levels):
        tower = level.fork().conv(_PYRAMID, 3, bias=True, norm=False)
        _biased(tower.fork(), 3, 1)
        _biased(tower.fork(), 3 * _BOX, 1)
        weights = count.parameters if index == 0 else weights
        count.parameters = weights
    _repeat(_box_head(), count, _BOXES)
    if masks:
        _repeat(_mask_head(), count, _MASKS)
    return walk


def _repeat(part: Count, whole: Count, times: int) -> None:
    """Adds a head that runs once a region: its weights once, its work and outputs each time."""
    whole.macs += times * part.macs
    whole.outputs += times * part.outputs
    whole.parameters += part.parameters
    whole.kernels += part.kernels


def _box_head() -> Count:
    """Two products of 1,024, classes and sides, of one region."""
    head = Walk(_PYRAMID, _REGION, _REGION).linear(1024, act=True).linear(1024, act=True)
    head.fork().linear(_COCO)
    head.fork().linear(_BOX * _COCO)
    return head.count


def _mask_head() -> Count:
    """Four convolutions, an enlargement and one mask a class, of one region."""
    head = Walk(_PYRAMID, _MASK_REGION, _MASK_REGION)
    for _ in range(4):
        head.conv(_PYRAMID, 3, bias=True, norm=False)
    return _biased(head.upconv(_PYRAMID), _COCO, 1).count


def faster_rcnn(walk: Walk) -> Walk:
    """ResNet-50 with a pyramid, proposals and box heads."""
    return _regions(walk, masks=False)


def mask_rcnn(walk: Walk) -> Walk:
    """Faster R-CNN with masks."""
    return _regions(walk, masks=True)


def _separable(walk: Walk, channels: int, act: bool = True) -> Walk:
    walk.conv(walk.channels, 3, groups=walk.channels, norm=False, act=False)
    return walk.conv(channels, 1, bias=True, act=act)


def _efficientdet(walk: Walk, *, width: float, depth: float, channels: int, layers: int, tower: int) -> Walk:
    """EfficientNet, a repeated two-way pyramid over levels 3 to 7, separable towers (arXiv 1911.09070)."""
    walk.conv(divisible(32 * width), 3, 2)
    levels = []
    for index, stage in enumerate(EFFICIENTNET_STAGES):
        scaled = Stage(
            stage.expand, divisible(stage.channels * width), ceil(stage.blocks * depth), stage.stride, stage.kernel
        )
        for position in range(scaled.blocks):
            block(walk, scaled, scaled.stride if position == 0 else 1)
        if index in (2, 4, 6):
            levels.append(walk.fork().conv(channels, 1, bias=True, act=False))
    coarse = walk.fork().conv(channels, 1, bias=True, act=False).pool(3, 2, 1)
    levels += [coarse, coarse.fork().pool(3, 2, 1)]
    for _ in range(layers):
        for level in (*levels[:4], *levels[1:]):
            _separable(level.fork().elementwise(4), channels)
    count = walk.count
    weights = count.parameters
    for index, level in enumerate(levels):
        for outputs in (90 * _ANCHORS, _BOX * _ANCHORS):
            head = level.fork()
            for _ in range(tower):
                _separable(head, channels)
            _separable(head, outputs, act=False)
        weights = count.parameters if index == 0 else weights
        count.parameters = weights
    return walk


# Backbone's width and depth, pyramid's channels and layers, tower's layers, image side (arXiv 1911.09070, table 1).
_SIZES = (
    (1.0, 1.0, 64, 3, 3, 512), (1.0, 1.1, 88, 4, 3, 640), (1.1, 1.2, 112, 5, 3, 768), (1.2, 1.4, 160, 6, 4, 896),
    (1.4, 1.8, 224, 7, 4, 1024), (1.6, 2.2, 288, 7, 4, 1280),
)  # fmt: skip
EFFICIENTDET: tuple[tuple[Plan, int], ...] = tuple(
    (partial(_efficientdet, width=width, depth=depth, channels=channels, layers=layers, tower=tower), side)
    for width, depth, channels, layers, tower, side in _SIZES
)
