"""Inception's third and fourth generation: factorised convolutions on 299-pixel images."""

from __future__ import annotations

from plimsoll_service.engine.models.images import classifier
from plimsoll_service.engine.models.walk import Walk

_CLASSES = 1000
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
)
