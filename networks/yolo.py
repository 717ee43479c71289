"""YOLO's third, fifth and eighth generation, walked at 640 (the third: 416) pixels; 80 classes."""

from __future__ import annotations

from functools import partial

from networks.walk import Plan, Walk

YOLO_CLASSES = 80
_YOLO_ANCHORS = 3  # boxes a cell and level of the third and fifth generation
_YOLO_BOX = 5  # four sides and an objectness
_BINS = 16  # a side's distribution in the eighth generation


def _width(channels: float) -> int:
    """Channels rounded up to a multiple of eight."""
    return int(-(-channels // 8) * 8)


def _csp(walk: Walk, channels: int, blocks: int) -> Walk:
    """Two half-width paths, bottlenecks on one (C3)."""
    half = channels // 2
    path = walk.fork().conv(half, 1)
    for _ in range(blocks):
        path.conv(half, 1).conv(half, 3).elementwise()
    return walk.joined(path, walk.fork().conv(half, 1)).conv(channels, 1)


def _csp_all(walk: Walk, channels: int, blocks: int) -> Walk:
    """Every bottleneck's output is kept to the end (C2f)."""
    walk.conv(channels, 1)
    half = Walk(channels // 2, walk.height, walk.width, walk.count)
    paths = [half, half.fork()]
    for _ in range(blocks):
        paths.append(paths[-1].fork().conv(channels // 2, 3).conv(channels // 2, 3).elementwise())
    return walk.joined(*paths).conv(channels, 1)


_WORDS, _WORD_WIDTH, _WORD_HEAD = 80, 512, 32  # prompts of an image, their embeddings, and width of a head


def _attended(walk: Walk, words: int) -> Walk:
    """The map weighted by its likeness to the words (YOLO-World's max-sigmoid attention, arXiv 2401.17270)."""
    weighted = walk.fork()
    if walk.channels != words:
        weighted.conv(words, 1, act=False)
    Walk(_WORD_WIDTH, 1, 1, walk.count).linear(words)
    walk.count.parameters += words // _WORD_HEAD  # a bias of each head
    walk.count.macs += walk.height * walk.width * _WORDS * words
    return walk.fork().conv(walk.channels, 3, act=False).elementwise(5)


def _csp_words(walk: Walk, channels: int, blocks: int) -> Walk:
    """As ``_csp_all``, with a path more: the last bottleneck's output, attended to the words (C2fAttn)."""
    walk.conv(channels, 1)
    half = Walk(channels // 2, walk.height, walk.width, walk.count)
    paths = [half, half.fork()]
    for _ in range(blocks):
        paths.append(paths[-1].fork().conv(channels // 2, 3).conv(channels // 2, 3).elementwise())
    paths.append(_attended(paths[-1], channels // 2))
    return walk.joined(*paths).conv(channels, 1)


def _pyramid_pool(walk: Walk, channels: int) -> Walk:
    walk.conv(walk.channels // 2, 1)
    return walk.joined(walk.fork(), *(walk.fork().pool(5, 1, 2) for _ in range(3))).conv(channels, 1)


def _head_v5(walk: Walk) -> Walk:
    return walk.conv(_YOLO_ANCHORS * (_YOLO_BOX + YOLO_CLASSES), 1, bias=True, norm=False, act=False)


def _head_v8(walk: Walk, first: int) -> Walk:
    """A path for the sides and a path for the classes."""
    boxes, classes = max(16, first // 4, 4 * _BINS), max(first, min(YOLO_CLASSES, 100))
    walk.fork().conv(boxes, 3).conv(boxes, 3).conv(4 * _BINS, 1, bias=True, norm=False, act=False)
    return walk.fork().conv(classes, 3).conv(classes, 3).conv(YOLO_CLASSES, 1, bias=True, norm=False, act=False)


def _head_words(walk: Walk, first: int) -> Walk:
    """A path for the sides, and one for an embedding that is compared with those of the words."""
    boxes, classes = max(16, first // 4, 4 * _BINS), max(first, min(YOLO_CLASSES, 100))
    walk.fork().conv(boxes, 3).conv(boxes, 3).conv(4 * _BINS, 1, bias=True, norm=False, act=False)
    walk.count.macs += walk.height * walk.width * _WORDS * _WORD_WIDTH
    return walk.fork().conv(classes, 3).conv(classes, 3).conv(_WORD_WIDTH, 1, bias=True, act=False)


def _path_aggregation(
    levels: list[Walk], widths: list[int], blocks: int, eighth: bool, words: bool = False
) -> list[Walk]:
    """Down to the fine level and back up, levels joined on the way (arXiv 1803.01534)."""
    unit = _csp_words if words else _csp_all if eighth else _csp
    fine, middle, coarse = levels
    top = coarse if eighth else coarse.conv(widths[1], 1)
    second = unit(middle.joined(top.fork().upsample(), middle.fork()), widths[1], blocks)
    lateral = second if eighth else second.conv(widths[0], 1)
    third = unit(fine.joined(lateral.fork().upsample(), fine.fork()), widths[0], blocks)
    fourth = third.fork().conv(widths[0], 3, 2)
    fourth = unit(fourth.joined(fourth.fork(), lateral), widths[1], blocks)
    fifth = fourth.fork().conv(widths[1], 3, 2)
    fifth = unit(fifth.joined(fifth.fork(), top), widths[2], blocks)
    return [third, fourth, fifth]


def _v5(walk: Walk, *, depth: float, width: float) -> Walk:
    sizes = [_width(channels * width) for channels in (128, 256, 512, 1024)]
    walk.conv(_width(64 * width), 6, 2, 2)
    levels = []
    for size, blocks in zip(sizes, (3, 6, 9, 3), strict=True):
        walk = _csp(walk.fork().conv(size, 3, 2), size, max(round(blocks * depth), 1))
        levels.append(walk)
    levels[-1] = _pyramid_pool(levels[-1], sizes[-1])
    for level in _path_aggregation(levels[1:], sizes[1:], max(round(3 * depth), 1), eighth=False):
        _head_v5(level)
    return walk


def v8(walk: Walk, *, depth: float, width: float, most: int, words: bool = False) -> Walk:
    sizes = [_width(min(channels, most) * width) for channels in (128, 256, 512, 1024)]
    walk.conv(_width(64 * width), 3, 2)
    levels = []
    for size, blocks in zip(sizes, (3, 6, 6, 3), strict=True):
        walk = _csp_all(walk.fork().conv(size, 3, 2), size, max(round(blocks * depth), 1))
        levels.append(walk)
    levels[-1] = _pyramid_pool(levels[-1], sizes[-1])
    for level in _path_aggregation(levels[1:], sizes[1:], max(round(3 * depth), 1), eighth=True, words=words):
        (_head_words if words else _head_v8)(level, sizes[1])
    return walk


def _v3(walk: Walk) -> Walk:
    """Darknet-53 with heads on three levels (arXiv 1804.02767)."""
    walk.conv(32, 3)
    levels = []
    for width, blocks in ((64, 1), (128, 2), (256, 8), (512, 8), (1024, 4)):
        walk = walk.fork().conv(width, 3, 2)
        for _ in range(blocks):
            walk.conv(width // 2, 1).conv(width, 3).elementwise()
        levels.append(walk)
    carried: Walk | None = None
    for level, width in zip(reversed(levels[2:]), (512, 256, 128), strict=True):
        if carried is not None:
            level = level.joined(carried.fork().conv(width, 1).upsample(), level.fork())
        for index in range(5):
            level.conv(width if index % 2 == 0 else 2 * width, 1 if index % 2 == 0 else 3)
        carried = level
        _head_v5(level.fork().conv(2 * width, 3))
    return walk


YOLO_V3: Plan = _v3
YOLO_V5: tuple[tuple[str, Plan], ...] = tuple(
    (f"yolov5{size}", partial(_v5, depth=depth, width=width))
    for size, depth, width in (
        ("n", 0.33, 0.25),
        ("s", 0.33, 0.5),
        ("m", 0.67, 0.75),
        ("l", 1.0, 1.0),
        ("x", 1.33, 1.25),
    )
)
V8_SIZES = (
    ("n", 0.33, 0.25, 1024), ("s", 0.33, 0.5, 1024), ("m", 0.67, 0.75, 768), ("l", 1.0, 1.0, 512),
    ("x", 1.0, 1.25, 512),
)  # fmt: skip
YOLO_V8: tuple[tuple[str, Plan], ...] = tuple(
    (f"yolov8{size}", partial(v8, depth=depth, width=width, most=most)) for size, depth, width, most in V8_SIZES
)
