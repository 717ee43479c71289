"""Image classifiers made of convolutions, walked layer by layer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any

from networks.walk import (
    FLOP_PER_MAC,
    KEPT_ALEXNET,
    KEPT_CONCATENATED,
    KEPT_GATED,
    KEPT_PLAIN,
    KEPT_WITH_NORM,
    KEPT_WITH_RESPONSE_NORM,
    Plan,
    Walk,
)
from plimsoll_service.engine.models.profile import ModelProfile, Reference

_CLASSES = 1000


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


# The classifiers before residual connections: AlexNet, OverFeat, VGG and the Inceptions.

_WIDE = 4096


def _conv(walk: Walk, channels: int, kernel: int, stride: int = 1, padding: int | None = None, groups: int = 1) -> Walk:
    """A convolution with bias and activation, without normalisation."""
    return walk.conv(channels, kernel, stride, padding, groups=groups, bias=True, norm=False)


def _head(walk: Walk, *widths: int) -> Walk:
    for width in widths:
        walk.linear(width, act=True)
    return walk.linear(_CLASSES)


def _alexnet_one_column(walk: Walk, *, fourth: int = 256) -> Walk:
    _conv(walk, 64, 11, 4, 2).pool(3, 2)
    _conv(walk, 192, 5).pool(3, 2)
    _conv(_conv(_conv(walk, 384, 3), fourth, 3), 256, 3).pool(3, 2)
    return _head(walk, _WIDE, _WIDE)


def _alexnet_two_towers(walk: Walk, *, groups: int) -> Walk:
    _conv(walk, 96, 11, 4, 2).elementwise().pool(3, 2)
    _conv(walk, 256, 5, groups=groups).elementwise().pool(3, 2)
    _conv(walk, 384, 3)
    _conv(walk, 384, 3, groups=groups)
    _conv(walk, 256, 3, groups=groups).pool(3, 2)
    return _head(walk, _WIDE, _WIDE)


def _overfeat(walk: Walk) -> Walk:
    _conv(walk, 96, 11, 4, 0).pool(2, 2)
    _conv(walk, 256, 5, padding=0).pool(2, 2)
    _conv(_conv(_conv(walk, 512, 3), 1024, 3), 1024, 3).pool(2, 2)
    return _head(walk, 3072, _WIDE)


def _vgg(walk: Walk, *, convs: tuple[int, ...]) -> Walk:
    for count, width in zip(convs, (64, 128, 256, 512, 512), strict=True):
        for _ in range(count):
            _conv(walk, width, 3)
        walk.pool(2, 2)
    return _head(walk, _WIDE, _WIDE)


# Branch widths of the nine blocks: 1x1, 3x3 reduced, 3x3, 5x5 reduced, 5x5, pool projection (arXiv 1409.4842, table 1).
_GOOGLENET = (
    (64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64), None, (192, 96, 208, 16, 48, 64),
    (160, 112, 224, 24, 64, 64), (128, 128, 256, 24, 64, 64), (112, 144, 288, 32, 64, 64),
    (256, 160, 320, 32, 128, 128), None, (256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128),
)  # fmt: skip


def _googlenet(walk: Walk) -> Walk:
    _conv(walk, 64, 7, 2).elementwise().pool(3, 2, 1)
    _conv(_conv(walk, 64, 1), 192, 3).elementwise().pool(3, 2, 1)
    for block in _GOOGLENET:
        if block is None:
            walk.pool(3, 2, 1)
            continue
        one, reduce3, three, reduce5, five, project = block
        walk.joined(
            _conv(walk.fork(), one, 1),
            _conv(_conv(walk.fork(), reduce3, 1), three, 3),
            _conv(_conv(walk.fork(), reduce5, 1), five, 5),
            _conv(walk.fork().pool(3, 1, 1), project, 1),
        )
    return walk.mean().linear(_CLASSES)


# 1x1, 3x3 reduced, 3x3, double 3x3 reduced, double 3x3, pool projection, stride (arXiv 1502.03167, figure 5).
_INCEPTION_BN = (
    (64, 64, 64, 64, 96, 32, 1), (64, 64, 96, 64, 96, 64, 1), (0, 128, 160, 64, 96, 0, 2),
    (224, 64, 96, 96, 128, 128, 1), (192, 96, 128, 96, 128, 128, 1), (160, 128, 160, 128, 160, 128, 1),
    (96, 128, 192, 160, 192, 128, 1), (0, 128, 192, 192, 256, 0, 2), (352, 192, 320, 160, 224, 128, 1),
    (352, 192, 320, 192, 224, 128, 1),
)  # fmt: skip


def _inception_bn(walk: Walk) -> Walk:
    walk.conv(64, 7, 2).pool(3, 2, 1).conv(64, 1).conv(192, 3).pool(3, 2, 1)
    for one, reduce3, three, reduce_double, double, project, stride in _INCEPTION_BN:
        pooled = walk.fork().pool(3, stride, 1)
        paths = [
            walk.fork().conv(reduce3, 1).conv(three, 3, stride),
            walk.fork().conv(reduce_double, 1).conv(double, 3).conv(double, 3, stride),
            pooled.conv(project, 1) if project else pooled,
        ]
        walk.joined(*([walk.fork().conv(one, 1)] if one else []), *paths)
    return walk.mean().linear(_CLASSES)


_KRIZHEVSKY = "NeurIPS 2012, section 3.5, walked layer by layer"
_SIMONYAN = "arXiv 1409.1556, table 1, walked layer by layer"

CLASSIC = (
    classifier("alexnet", _alexnet_one_column, "plain", "arXiv 1404.5997 (one column), walked layer by layer",
               kept=KEPT_PLAIN, traffic="plain_cnn", aliases=("alexnet-owt",)),
    classifier("alexnet-tensorflow", partial(_alexnet_one_column, fourth=384), "plain",
               "tensorflow/benchmarks@039fa955 (tf_cnn_benchmarks, alexnet_model.py), walked layer by layer",
               kept=KEPT_PLAIN, traffic="plain_cnn"),
    classifier("alexnet-two-towers", partial(_alexnet_two_towers, groups=2), "plain", _KRIZHEVSKY, side=227,
               kept=KEPT_ALEXNET, traffic="plain_cnn", aliases=("alexnet-2012", "caffenet", "bvlc-alexnet")),
    classifier("alexnet-ungrouped", partial(_alexnet_two_towers, groups=1), "plain", _KRIZHEVSKY + ", ungrouped",
               kept=KEPT_ALEXNET, traffic="plain_cnn"),
    classifier("overfeat", _overfeat, "plain", "arXiv 1312.6229, table 1, walked layer by layer", side=231,
               kept=KEPT_WITH_RESPONSE_NORM, traffic="plain_cnn", aliases=("overfeat-fast",)),
    classifier("vgg11", partial(_vgg, convs=(1, 1, 2, 2, 2)), "plain", _SIMONYAN, kept=KEPT_PLAIN, traffic="plain_cnn",
               aliases=("vgg-a",)),
    classifier("vgg13", partial(_vgg, convs=(2, 2, 2, 2, 2)), "plain", _SIMONYAN, kept=KEPT_PLAIN, traffic="plain_cnn"),
    classifier("vgg16", partial(_vgg, convs=(2, 2, 3, 3, 3)), "plain", _SIMONYAN, kept=KEPT_PLAIN, traffic="plain_cnn",
               aliases=("vgg-d",)),
    classifier("vgg19", partial(_vgg, convs=(2, 2, 4, 4, 4)), "plain", _SIMONYAN, kept=KEPT_PLAIN, traffic="plain_cnn",
               aliases=("vgg-e",)),
    classifier("googlenet", _googlenet, "inception", "arXiv 1409.4842, table 1, walked layer by layer",
               kept=KEPT_WITH_RESPONSE_NORM, traffic="plain_cnn", aliases=("inception-v1", "googlenet-v1")),
    classifier("inception-bn", _inception_bn, "inception", "arXiv 1502.03167, figure 5, walked layer by layer",
               aliases=("inception-v2", "bn-inception")),
)  # fmt: skip


# Inception's third and fourth generation: factorised convolutions on 299-pixel images.

_SIDE = 299


def _v3_a(walk: Walk, project: int) -> Walk:
    return walk.joined(
        walk.fork().conv(64, 1),
        walk.fork().conv(48, 1).conv(64, 5),
        walk.fork().conv(64, 1).conv(96, 3).conv(96, 3),
        walk.fork().pool(3, 1, 1).conv(project, 1),
    )


def _v3_c(walk: Walk, inner: int) -> Walk:
    """Seven-tap convolutions split in two directions."""
    long = walk.fork().conv(inner, 1).conv(inner, (7, 1)).conv(inner, (1, 7)).conv(inner, (7, 1)).conv(192, (1, 7))
    return walk.joined(
        walk.fork().conv(192, 1),
        walk.fork().conv(inner, 1).conv(inner, (1, 7)).conv(192, (7, 1)),
        long,
        walk.fork().pool(3, 1, 1).conv(192, 1),
    )


def _split(walk: Walk, channels: int) -> tuple[Walk, Walk]:
    """A row and a column convolution of the same map, both kept."""
    return walk.fork().conv(channels, (1, 3)), walk.fork().conv(channels, (3, 1))


def _v3_e(walk: Walk) -> Walk:
    return walk.joined(
        walk.fork().conv(320, 1),
        *_split(walk.fork().conv(384, 1), 384),
        *_split(walk.fork().conv(448, 1).conv(384, 3), 384),
        walk.fork().pool(3, 1, 1).conv(192, 1),
    )


def _inception_v3(walk: Walk) -> Walk:
    walk.conv(32, 3, 2, 0).conv(32, 3, 1, 0).conv(64, 3).pool(3, 2).conv(80, 1).conv(192, 3, 1, 0).pool(3, 2)
    for project in (32, 64, 64):
        _v3_a(walk, project)
    walk.joined(
        walk.fork().conv(384, 3, 2, 0), walk.fork().conv(64, 1).conv(96, 3).conv(96, 3, 2, 0), walk.fork().pool(3, 2)
    )
    for inner in (128, 160, 160, 192):
        _v3_c(walk, inner)
    walk.joined(
        walk.fork().conv(192, 1).conv(320, 3, 2, 0),
        walk.fork().conv(192, 1).conv(192, (1, 7)).conv(192, (7, 1)).conv(192, 3, 2, 0),
        walk.fork().pool(3, 2),
    )
    _v3_e(_v3_e(walk))
    return walk.mean().linear(_CLASSES)


def _v4_stem(walk: Walk) -> Walk:
    walk.conv(32, 3, 2, 0).conv(32, 3, 1, 0).conv(64, 3)
    walk.joined(walk.fork().pool(3, 2), walk.fork().conv(96, 3, 2, 0))
    walk.joined(
        walk.fork().conv(64, 1).conv(96, 3, 1, 0),
        walk.fork().conv(64, 1).conv(64, (1, 7)).conv(64, (7, 1)).conv(96, 3, 1, 0),
    )
    return walk.joined(walk.fork().conv(192, 3, 2, 0), walk.fork().pool(3, 2))


def _v4_a(walk: Walk) -> Walk:
    return walk.joined(
        walk.fork().conv(96, 1),
        walk.fork().conv(64, 1).conv(96, 3),
        walk.fork().conv(64, 1).conv(96, 3).conv(96, 3),
        walk.fork().pool(3, 1, 1).conv(96, 1),
    )


def _v4_b(walk: Walk) -> Walk:
    long = walk.fork().conv(192, 1).conv(192, (7, 1)).conv(224, (1, 7)).conv(224, (7, 1)).conv(256, (1, 7))
    return walk.joined(
        walk.fork().conv(384, 1),
        walk.fork().conv(192, 1).conv(224, (1, 7)).conv(256, (7, 1)),
        long,
        walk.fork().pool(3, 1, 1).conv(128, 1),
    )


def _v4_c(walk: Walk) -> Walk:
    return walk.joined(
        walk.fork().conv(256, 1),
        *_split(walk.fork().conv(384, 1), 256),
        *_split(walk.fork().conv(384, 1).conv(448, (3, 1)).conv(512, (1, 3)), 256),
        walk.fork().pool(3, 1, 1).conv(256, 1),
    )


def _inception_v4(walk: Walk) -> Walk:
    _v4_stem(walk)
    for _ in range(4):
        _v4_a(walk)
    walk.joined(
        walk.fork().conv(384, 3, 2, 0), walk.fork().conv(192, 1).conv(224, 3).conv(256, 3, 2, 0), walk.fork().pool(3, 2)
    )
    for _ in range(7):
        _v4_b(walk)
    walk.joined(
        walk.fork().conv(192, 1).conv(192, 3, 2, 0),
        walk.fork().conv(256, 1).conv(256, (1, 7)).conv(320, (7, 1)).conv(320, 3, 2, 0),
        walk.fork().pool(3, 2),
    )
    for _ in range(3):
        _v4_c(walk)
    return walk.mean().linear(_CLASSES)


INCEPTION = (
    classifier("inception-v3", _inception_v3, "inception", "arXiv 1512.00567, walked layer by layer", side=_SIDE),
    classifier("inception-v4", _inception_v4, "inception", "arXiv 1602.07261, walked layer by layer", side=_SIDE),
)  # fmt: skip


# Residual and densely connected classifiers.

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


# Classifiers for few operations: depthwise convolutions, scaled widths and depths, ConvNeXt.

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
    return walk.conv(head, 1).mean().linear(_CLASSES)


def _mobilenet_v1(walk: Walk) -> Walk:
    walk.conv(32, 3, 2)
    steps = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1))
    for channels, stride in steps:
        walk.conv(walk.channels, 3, stride, groups=walk.channels).conv(channels, 1)
    return walk.mean().linear(_CLASSES)


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
    return walk.conv(last, 1).mean().linear(head, act=True).linear(_CLASSES)


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
    return walk.mean().linear(_CLASSES)


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

CNN = (*CLASSIC, *INCEPTION, *RESIDUAL, *EFFICIENT)
