"""Residual and densely connected classifiers, and embedders of faces."""

from __future__ import annotations

from functools import partial
from typing import Any

from networks.classifier import CLASSES, classifier
from networks.walk import (
    KEPT_CONCATENATED,
    Plan,
    Walk,
)
from plimsoll_service.engine.models.profile import ModelProfile

_WIDTHS = (64, 128, 256, 512)
_BOTTLENECK = 4  # outputs of a bottleneck block per inner channel
_DENSE_BOTTLENECK = 4


def _basic(walk: Walk, width: int, stride: int) -> Walk:
    """Two 3 x 3 convolutions beside the identity (arXiv 1512.03385)."""
    shortcut = walk.fork()
    body = walk.fork().conv(width, 3, stride).conv(width, 3)
    if stride > 1 or shortcut.channels != width:
        shortcut.conv(width, 1, stride, act=False)
    return body.elementwise()


def bottleneck(walk: Walk, width: int, stride: int, groups: int = 1, inner: int = 0, squeeze: bool = False) -> Walk:
    """1 x 1, 3 x 3 (which strides: v1.5), 1 x 1 beside the identity; grouped in ResNeXt (arXiv 1611.05431)."""
    outputs = _BOTTLENECK * width
    shortcut = walk.fork()
    body = walk.fork().conv(inner or width, 1).conv(inner or width, 3, stride, groups=groups).conv(outputs, 1)
    if squeeze:
        body.squeeze_excite(outputs // 16)
    if stride > 1 or shortcut.channels != outputs:
        shortcut.conv(outputs, 1, stride, act=False)
    return body.elementwise()


def _resnet(
    walk: Walk, *, blocks: tuple[int, ...], basic: bool = False, groups: int = 1, base: int = 64, squeeze: bool = False
) -> Walk:
    """Stem, four stages of blocks, mean and product; ``base`` is the inner width a group of the first stage."""
    walk.conv(64, 7, 2).pool(3, 2, 1)
    for stage, (count, width) in enumerate(zip(blocks, _WIDTHS, strict=True)):
        for block in range(count):
            stride = 2 if stage > 0 and block == 0 else 1
            inner = width * base * groups // 64
            walk = _basic(walk, width, stride) if basic else bottleneck(walk, width, stride, groups, inner, squeeze)
    return walk.mean().linear(CLASSES)


def _densenet(walk: Walk, *, blocks: tuple[int, ...], growth: int, stem: int) -> Walk:
    """Each layer sees all before it; transitions halve the channels (arXiv 1608.06993)."""
    walk.conv(stem, 7, 2).pool(3, 2, 1)
    for index, layers in enumerate(blocks):
        for _ in range(layers):
            new = walk.fork().conv(_DENSE_BOTTLENECK * growth, 1).conv(growth, 3)
            walk = walk.joined(walk.fork(), new)
        if index < len(blocks) - 1:
            walk.conv(walk.channels // 2, 1).pool(2, 2)
    return walk.mean().linear(CLASSES)


def _residual(*blocks: int, **settings: Any) -> Plan:
    return partial(_resnet, blocks=blocks, **settings)


_HE = "arXiv 1512.03385, table 1 (v1.5), walked layer by layer"
_XIE = "arXiv 1611.05431, walked layer by layer"
_HUANG = "arXiv 1608.06993, table 1, walked layer by layer"
_HU = "arXiv 1709.01507, walked layer by layer"

RESIDUAL = (
    classifier("resnet18", _residual(2, 2, 2, 2, basic=True), "resnet", _HE),
    classifier("resnet34", _residual(3, 4, 6, 3, basic=True), "resnet", _HE),
    classifier("resnet50", _residual(3, 4, 6, 3), "resnet", _HE,
               aliases=("resnet50-v1.5", "resnet50-v1", "resnet50-v2")),
    classifier("resnet101", _residual(3, 4, 23, 3), "resnet", _HE),
    classifier("resnet152", _residual(3, 8, 36, 3), "resnet", _HE),
    classifier("resnet200", _residual(3, 24, 36, 3), "resnet", "arXiv 1603.05027, walked layer by layer"),
    classifier("wide-resnet50-2", _residual(3, 4, 6, 3, base=128), "resnet", "arXiv 1605.07146, walked layer by layer",
               aliases=("wide-resnet50", "wide-resnet")),
    classifier("resnext50-32x4d", _residual(3, 4, 6, 3, groups=32, base=4), "resnet", _XIE, traffic="grouped_cnn",
               aliases=("resnext50",)),
    classifier("resnext101-32x4d", _residual(3, 4, 23, 3, groups=32, base=4), "resnet", _XIE, traffic="grouped_cnn",
               aliases=("resnext101",)),
    classifier("resnext101-32x8d", _residual(3, 4, 23, 3, groups=32, base=8), "resnet", _XIE, traffic="grouped_cnn"),
    classifier("se-resnext50-32x4d", _residual(3, 4, 6, 3, groups=32, base=4, squeeze=True), "resnet", _HU,
               traffic="grouped_cnn", aliases=("se-resnext50",)),
    classifier("se-resnext101-32x4d", _residual(3, 4, 23, 3, groups=32, base=4, squeeze=True), "resnet", _HU,
               traffic="grouped_cnn", aliases=("se-resnext101", "se-resnext")),
    classifier("densenet121", partial(_densenet, blocks=(6, 12, 24, 16), growth=32, stem=64), "densenet", _HUANG,
               kept=KEPT_CONCATENATED),
    classifier("densenet161", partial(_densenet, blocks=(6, 12, 36, 24), growth=48, stem=96), "densenet", _HUANG,
               kept=KEPT_CONCATENATED),
    classifier("densenet169", partial(_densenet, blocks=(6, 12, 32, 32), growth=32, stem=64), "densenet", _HUANG,
               kept=KEPT_CONCATENATED),
    classifier("densenet201", partial(_densenet, blocks=(6, 12, 48, 32), growth=32, stem=64), "densenet", _HUANG,
               kept=KEPT_CONCATENATED),
)  # fmt: skip


# Embeddings of faces (insightface, recognition/arcface_torch/backbones/iresnet.py; arXiv 1801.07698): blocks
# of two convolutions behind a norm, whose second has the stride, and one product with the last map.
_FACE_SIDE, _FACE_EMBEDDING = 112, 512


def _faces(walk: Walk, *, blocks: tuple[int, int, int, int]) -> Walk:
    walk.conv(64, 3)
    for stage, count in enumerate(blocks):
        width = 64 * 2**stage
        for block in range(count):
            stride = 2 if block == 0 else 1
            if block == 0:
                walk.fork().conv(width, 1, 2, act=False)
            walk = walk.fork().elementwise().conv(width, 3).conv(width, 3, stride, act=False).elementwise()
    return walk.elementwise().linear(_FACE_EMBEDDING).elementwise()


def _face_embedder(depth: int, blocks: tuple[int, int, int, int], *aliases: str) -> ModelProfile:
    source = "arXiv 1801.07698; deepinsight/insightface, iresnet.py, walked layer by layer"
    plan = partial(_faces, blocks=blocks)
    names = (f"arcface-r{depth}", f"insightface-r{depth}", f"arcface-resnet{depth}", *aliases)
    return classifier(f"iresnet{depth}", plan, "resnet", source, side=_FACE_SIDE, aliases=names)


FACES = (
    _face_embedder(18, (2, 2, 2, 2)),
    _face_embedder(34, (3, 4, 6, 3)),
    _face_embedder(50, (3, 4, 14, 3), "insightface", "buffalo-l"),
    _face_embedder(100, (3, 13, 30, 3), "arcface", "lresnet100e-ir", "glint360k-r100"),
)
