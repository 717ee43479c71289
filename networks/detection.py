"""Object detectors, walked layer by layer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import ceil

from networks.efficient import EFFICIENTNET_STAGES, Stage, block, divisible
from networks.residual import bottleneck
from networks.walk import FLOP_PER_MAC, KEPT_GATED, KEPT_WITH_NORM, Count, Plan, Walk
from networks.yolo import V8_SIZES, YOLO_CLASSES, YOLO_V3, YOLO_V5, YOLO_V8, v8
from plimsoll_service.engine.models.profile import ModelProfile, Reference

# Backbones with pyramids, heads over boxes and classes.

_COCO = 81  # classes with the background
_BOX = 4
_PYRAMID = 256  # channels of a feature pyramid
_OPEN_IMAGES = 264  # classes of MLPerf's RetinaNet
_ANCHORS = 9  # boxes a place of RetinaNet and EfficientDet; 3 of the R-CNNs
_BOXES, _MASKS = 512, 128  # regions an image in training (Detectron's defaults)
_REGION, _MASK_REGION = 7, 14  # pixels a side of a region for boxes and for masks


def resnet_stages(
    walk: Walk,
    strides: tuple[int, ...],
    groups: int = 1,
    base: int = 64,
    blocks: tuple[int, ...] = (3, 4, 6, 3),
) -> list[Walk]:
    """A ResNet's stages (ResNet-50's, unless ``blocks`` say others); each with the stride of its first block."""
    walk.conv(64, 7, 2).pool(3, 2, 1)
    found = []
    for width, count, stride in zip((64, 128, 256, 512), blocks, strides, strict=False):
        for index in range(count):
            inner = width * base * groups // 64
            walk = bottleneck(walk.fork(), width, stride if index == 0 else 1, groups, inner)
        found.append(walk)
    return found


def _biased(walk: Walk, channels: int, kernel: int, stride: int = 1, padding: int | None = None) -> Walk:
    return walk.conv(channels, kernel, stride, padding, bias=True, norm=False, act=False)


def ssd300(walk: Walk) -> Walk:
    """Six levels from 38 to 1 places a side; the backbone's third stage keeps its size."""
    level = resnet_stages(walk, (1, 2, 1))[-1]
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
    _towers(_pyramid(resnet_stages(walk, (1, 2, 2, 2), groups=32, base=4)[1:], 2), _OPEN_IMAGES, _ANCHORS)
    return walk


def ssd320(walk: Walk) -> Walk:
    """ResNet-50 with levels 3 to 7 and SSD's loss."""
    _towers(_pyramid(resnet_stages(walk, (1, 2, 2, 2))[1:], 2), _COCO, 6)
    return walk


def _regions(walk: Walk, masks: bool) -> Walk:
    """Proposals on five levels, then two products a region, and four convolutions a mask."""
    levels = _pyramid(resnet_stages(walk, (1, 2, 2, 2)), 1)
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


# RetinaFace as people run it (biubug6/Pytorch_Retinaface, models/net.py and retinaface.py; arXiv 1905.00641): three
# levels, of each two anchors with classes, sides and five landmarks, behind a context of 3, 5 and 7 pixels a side.
_FACE_ANCHORS, _FACE_OUTPUTS = 2, 2 + 4 + 2 * 5


def _context(walk: Walk) -> Walk:
    """Convolutions of 3 x 3 in three paths of different reach, side by side (SSH, arXiv 1708.03979)."""
    width = walk.channels
    near = walk.fork().conv(width // 2, 3, act=False)
    shared = walk.fork().conv(width // 4, 3)
    middle = shared.fork().conv(width // 4, 3, act=False)
    far = shared.fork().conv(width // 4, 3).conv(width // 4, 3, act=False)
    return walk.joined(near, middle, far).elementwise()


def _faces(levels: list[Walk], width: int) -> Walk:
    """A pyramid from coarse to fine, whose finer levels are smoothed, and a context with heads on each."""
    laterals = [level.fork().conv(width, 1) for level in levels]
    for index, level in enumerate(laterals):
        if index < len(laterals) - 1:
            level.elementwise(2).conv(width, 3)
        _biased(_context(level), _FACE_ANCHORS * _FACE_OUTPUTS, 1)
    return laterals[0]


def retinaface(walk: Walk) -> Walk:
    """ResNet-50 with levels 3 to 5."""
    return _faces(resnet_stages(walk, (1, 2, 2, 2))[1:], 256)


_QUARTER_STAGES = (((16, 1), (32, 2), (32, 1), (64, 2), (64, 1)), ((128, 2), *((128, 1),) * 5), ((256, 2), (256, 1)))


def retinaface_mobile(walk: Walk) -> Walk:
    """MobileNet at a quarter of its width with levels 3 to 5."""
    walk.conv(8, 3, 2)
    levels = []
    for stage in _QUARTER_STAGES:
        walk = walk.fork()
        for channels, stride in stage:
            walk.conv(walk.channels, 3, stride, groups=walk.channels).conv(channels, 1)
        levels.append(walk)
    return _faces(levels, 64)


_SSD_BOXES = 8_732
_SSD_FP32 = _SSD_BOXES * (81 * 3 + 4 * 6)  # losses over all boxes in fp32 (memory study, section 2)
FROZEN_STAGES = 36.5e6 * 2  # kept elements of stem and first stage at 800 x 1333, which are frozen: not kept


def _detector(
    name: str,
    plan: Plan,
    image: tuple[int, int],
    architecture: str,
    source: str,
    *,
    kept: float = KEPT_WITH_NORM,
    copies_kept: float = 0.0,
    fp32: float = 0.0,
    not_kept: float = 0.0,
    aliases: tuple[str, ...] = (),
    traffic: str = "detection",
) -> ModelProfile:
    count = plan(Walk(3, *image)).count
    return ModelProfile(
        name=name,
        family="detection",
        sample=f"one {image[0]} x {image[1]} image",
        parameters=count.parameters,
        forward_flops=FLOP_PER_MAC * count.macs,
        written_elements=count.outputs,
        stored_elements=kept * count.outputs + copies_kept * count.copies - not_kept,
        kernels=count.kernels,
        source=source,
        aliases=aliases,
        architecture=architecture,
        reference=Reference(image_size=image),
        scaling="area",
        traffic=traffic,
        fp32_elements=fp32,
        default_dataset="coco",
    )


_YOLO_SIDE = (640, 640)
RCNN_SIDE = (800, 1333)
_ULTRALYTICS = "the published network of that name, 80 classes, walked layer by layer"

# Elements of an image that the loss keeps in fp32: scores of all cells and classes, and their targets.
_SCORES = 8_400 * YOLO_CLASSES * 2


def _yolo(name: str, plan: Plan) -> ModelProfile:
    """A YOLO, which keeps what it joins, enlarges and adds up, as the next convolution reads it."""
    fp32 = 0.0 if (name, plan) in YOLO_V5 else _SCORES
    return _detector(name, plan, _YOLO_SIDE, "yolo", _ULTRALYTICS, kept=KEPT_GATED, copies_kept=1.0, fp32=fp32)


def _yolo_world(size: str, depth: float, width: float, most: int) -> ModelProfile:
    """A network for words that were embedded beforehand, as its authors and Ultralytics run it."""
    model = _yolo(f"yolo-world-{size}", partial(v8, depth=depth, width=width, most=most, words=True))
    aliases = (f"yolov8{size}-world", f"yolov8{size}-worldv2", f"yoloworld-{size}", f"yolo-world-v2-{size}")
    return replace(
        model, source="arXiv 2401.17270; Ultralytics, cfg/models/v8/yolov8-worldv2.yaml: walked layer by layer, with "
        "the words embedded beforehand", aliases=(*aliases, "yolo-world", "yoloworld", "yolov8-world", "yolo-world-v2")
        if size == "l" else aliases,
    )  # fmt: skip


# Parameters and GFLOP of a forward pass of YOLO11 at 640 pixels, by size: Ultralytics, cfg/models/11/yolo11.yaml. And
# millions of elements that are kept of an image: an own count on 2026-11-28 of the tensors that a training step of
# Ultralytics 8.4.190 saves in 16 bits.
_YOLO11 = (
    ("n", 2_624_080, 6.6, 59.2), ("s", 9_458_752, 21.7, 115.3), ("m", 20_114_688, 68.5, 243.7),
    ("l", 25_372_160, 87.6, 312.6), ("x", 56_966_176, 196.0, 486.9),
)  # fmt: skip
COUNTED = "elements that are kept counted in a training step of Ultralytics 8.4.190"


def _yolo11(size: str, parameters: float, gflop: float, kept: float) -> ModelProfile:
    """A YOLO11 network: its published work, and the maps of the YOLOv8 network of that size, which has its strides."""
    like = _yolo(f"yolov8{size}", dict(YOLO_V8)[f"yolov8{size}"])
    return replace(
        like, name=f"yolo11{size}", parameters=float(parameters), forward_flops=gflop * 1e9, stored_elements=kept * 1e6,
        source="Ultralytics, cfg/models/11/yolo11.yaml (2024): parameters and GFLOP; "
        f"maps as YOLOv8's of that size, {COUNTED}",
        aliases=(f"yolov11{size}", f"yolo-11{size}", f"yolo-v11{size}"),
    )  # fmt: skip


DETECTION = (
    _detector("ssd300", ssd300, (300, 300), "ssd",
              "arXiv 1512.02325 on ResNet-50 to stage 4 at stride 8 (MLPerf), walked layer by layer", fp32=_SSD_FP32,
              aliases=("ssd", "ssd-resnet50", "ssd300-resnet50")),
    _detector("ssd320", ssd320, (320, 320), "ssd",
              "ResNet-50 with a feature pyramid, 320 pixels, walked layer by layer",
              aliases=("ssd-fpn", "ssd320-resnet50-fpn")),
    _detector("retinanet", retinanet, (800, 800), "rcnn",
              "arXiv 1708.02002 on ResNeXt-50 with 264 classes (MLPerf), walked layer by layer",
              aliases=("retinanet-resnext50",)),
    _detector("faster-rcnn", faster_rcnn, RCNN_SIDE, "rcnn", "arXiv 1506.01497 with arXiv 1612.03144, walked",
              not_kept=FROZEN_STAGES, aliases=("faster-r-cnn", "faster-rcnn-resnet50", "faster-rcnn-r50-fpn")),
    _detector("mask-rcnn", mask_rcnn, RCNN_SIDE, "rcnn", "arXiv 1703.06870 with arXiv 1612.03144, walked",
              not_kept=FROZEN_STAGES, aliases=("mask-r-cnn", "mask-rcnn-resnet50", "mask-rcnn-r50-fpn")),
    *(
        _detector(
            f"efficientdet-d{index}",
            plan,
            (side, side),
            "efficientdet",  # its pyramid and its boxes take the time, not the classifier's network
            "arXiv 1911.09070, table 1, walked",
            kept=KEPT_GATED,
            traffic="depthwise_cnn",
        )
        for index, (plan, side) in enumerate(EFFICIENTDET)
    ),
    _detector("yolov3", YOLO_V3, (416, 416), "yolo", "arXiv 1804.02767, walked layer by layer",
              aliases=("yolo-v3", "darknet53-yolo")),
    *(_yolo(name, plan) for name, plan in (*YOLO_V5, *YOLO_V8)),
    *(_yolo_world(*sizes) for sizes in V8_SIZES[1:]),
    *(
        _detector(name, plan, _YOLO_SIDE, "rcnn", "biubug6/Pytorch_Retinaface, walked layer by layer", traffic=traffic,
                  aliases=aliases)
        for name, plan, traffic, aliases in (
            ("retinaface-resnet50", retinaface, "detection",
             ("retinaface", "retinaface-r50", "retinaface-resnet50-pytorch", "retinaface_resnet50", "resnet50-final")),
            ("retinaface-mobilenet0.25", retinaface_mobile, "depthwise_cnn",
             ("retinaface-mnet0.25", "retinaface-mobilenet", "retinaface-mobile0.25", "retinaface-mnet")),
        )
    ),
    *(_yolo11(*row) for row in _YOLO11),
)  # fmt: skip
