"""The classifiers before residual connections: AlexNet, OverFeat, VGG and the Inceptions."""

from __future__ import annotations

from functools import partial

from networks.classifier import CLASSES, classifier
from networks.walk import (
    KEPT_ALEXNET,
    KEPT_PLAIN,
    KEPT_WITH_RESPONSE_NORM,
    Walk,
)

_WIDE = 4096


def _conv(walk: Walk, channels: int, kernel: int, stride: int = 1, padding: int | None = None, groups: int = 1) -> Walk:
    """A convolution with bias and activation, without normalisation."""
    return walk.conv(channels, kernel, stride, padding, groups=groups, bias=True, norm=False)


def _head(walk: Walk, *widths: int) -> Walk:
    for width in widths:
        walk.linear(width, act=True)
    return walk.linear(CLASSES)


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
    return walk.mean().linear(CLASSES)


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
    return walk.mean().linear(CLASSES)


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
    return walk.mean().linear(CLASSES)


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
    return walk.mean().linear(CLASSES)


INCEPTION = (
    classifier("inception-v3", _inception_v3, "inception", "arXiv 1512.00567, walked layer by layer", side=_SIDE),
    classifier("inception-v4", _inception_v4, "inception", "arXiv 1602.07261, walked layer by layer", side=_SIDE),
)  # fmt: skip
