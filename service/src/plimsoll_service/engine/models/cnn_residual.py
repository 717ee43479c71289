"""Residual and densely connected classifiers."""

from __future__ import annotations

from functools import partial

from plimsoll_service.engine.models.images import KEPT_CONCATENATED, Plan, classifier
from plimsoll_service.engine.models.walk import Walk

_CLASSES = 1000
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
    return walk.mean().linear(_CLASSES)


def _densenet(walk: Walk, *, blocks: tuple[int, ...], growth: int, stem: int) -> Walk:
    """Each layer sees all before it; transitions halve the channels (arXiv 1608.06993)."""
    walk.conv(stem, 7, 2).pool(3, 2, 1)
    for index, layers in enumerate(blocks):
        for _ in range(layers):
            new = walk.fork().conv(_DENSE_BOTTLENECK * growth, 1).conv(growth, 3)
            walk = walk.joined(walk.fork(), new)
        if index < len(blocks) - 1:
            walk.conv(walk.channels // 2, 1).pool(2, 2)
    return walk.mean().linear(_CLASSES)


def _residual(*blocks: int, **settings: int | bool) -> Plan:
    return partial(_resnet, blocks=blocks, **settings)  # type: ignore[arg-type]


_HE = "arXiv 1512.03385, table 1 (v1.5), walked layer by layer"
_XIE = "arXiv 1611.05431, walked layer by layer"
_HUANG = "arXiv 1608.06993, table 1, walked layer by layer"
_HU = "arXiv 1709.01507, walked layer by layer"

RESIDUAL = (
    classifier("resnet18", _residual(2, 2, 2, 2, basic=True), "resnet", _HE),
    classifier("resnet34", _residual(3, 4, 6, 3, basic=True), "resnet", _HE),
    classifier(
        "resnet50", _residual(3, 4, 6, 3), "resnet", _HE, aliases=("resnet50-v1.5", "resnet50-v1", "resnet50-v2")
    ),
    classifier("resnet101", _residual(3, 4, 23, 3), "resnet", _HE),
    classifier("resnet152", _residual(3, 8, 36, 3), "resnet", _HE),
    classifier("resnet200", _residual(3, 24, 36, 3), "resnet", "arXiv 1603.05027, walked layer by layer"),
    classifier(
        "wide-resnet50-2",
        _residual(3, 4, 6, 3, base=128),
        "resnet",
        "arXiv 1605.07146, walked layer by layer",
        aliases=("wide-resnet50", "wide-resnet"),
    ),
    classifier(
        "resnext50-32x4d",
        _residual(3, 4, 6, 3, groups=32, base=4),
        "resnet",
        _XIE,
        traffic="grouped_cnn",
        aliases=("resnext50",),
    ),
    classifier(
        "resnext101-32x4d",
        _residual(3, 4, 23, 3, groups=32, base=4),
        "resnet",
        _XIE,
        traffic="grouped_cnn",
        aliases=("resnext101",),
    ),
    classifier("resnext101-32x8d", _residual(3, 4, 23, 3, groups=32, base=8), "resnet", _XIE, traffic="grouped_cnn"),
    classifier(
        "se-resnext50-32x4d",
        _residual(3, 4, 6, 3, groups=32, base=4, squeeze=True),
        "resnet",
        _HU,
        traffic="grouped_cnn",
        aliases=("se-resnext50",),
    ),
    classifier(
        "se-resnext101-32x4d",
        _residual(3, 4, 23, 3, groups=32, base=4, squeeze=True),
        "resnet",
        _HU,
        traffic="grouped_cnn",
        aliases=("se-resnext101", "se-resnext"),
    ),
    classifier(
        "densenet121",
        partial(_densenet, blocks=(6, 12, 24, 16), growth=32, stem=64),
        "densenet",
        _HUANG,
        kept=KEPT_CONCATENATED,
    ),
    classifier(
        "densenet161",
        partial(_densenet, blocks=(6, 12, 36, 24), growth=48, stem=96),
        "densenet",
        _HUANG,
        kept=KEPT_CONCATENATED,
    ),
    classifier(
        "densenet169",
        partial(_densenet, blocks=(6, 12, 32, 32), growth=32, stem=64),
        "densenet",
        _HUANG,
        kept=KEPT_CONCATENATED,
    ),
    classifier(
        "densenet201",
        partial(_densenet, blocks=(6, 12, 48, 32), growth=32, stem=64),
        "densenet",
        _HUANG,
        kept=KEPT_CONCATENATED,
    ),
)
