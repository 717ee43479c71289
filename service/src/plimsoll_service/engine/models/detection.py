"""Object detectors and instance segmentation, walked layer by layer."""

from __future__ import annotations

from plimsoll_service.engine.models.detection_plans import (
    EFFICIENTDET,
    faster_rcnn,
    mask_rcnn,
    retinanet,
    ssd300,
    ssd320,
)
from plimsoll_service.engine.models.images import FLOP_PER_MAC, KEPT_GATED, KEPT_WITH_NORM, Plan
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.walk import Walk
from plimsoll_service.engine.models.yolo import YOLO_V3, YOLO_V5, YOLO_V8

_SSD_BOXES = 8_732
_SSD_FP32 = _SSD_BOXES * (81 * 3 + 4 * 6)  # losses over all boxes in fp32 (memory study, section 2)
_FROZEN_STAGES = 36.5e6 * 2  # kept elements of stem and first stage at 800 x 1333, which are frozen: not kept


def _detector(
    name: str,
    plan: Plan,
    image: tuple[int, int],
    kin: str,
    source: str,
    *,
    kept: float = KEPT_WITH_NORM,
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
        stored_elements=kept * count.outputs - not_kept,
        kernels=count.kernels,
        source=source,
        aliases=aliases,
        kin=kin,
        reference=Reference(image_size=image),
        scaling="area",
        traffic=traffic,
        fp32_elements=fp32,
        default_dataset="coco",
    )


_YOLO_SIDE = (640, 640)
_RCNN_SIDE = (800, 1333)
_ULTRALYTICS = "the published network of that name, 80 classes, walked layer by layer"

DETECTION = (
    _detector(
        "ssd300",
        ssd300,
        (300, 300),
        "ssd",
        "arXiv 1512.02325 on ResNet-50 to stage 4 at stride 8 (MLPerf), walked layer by layer",
        fp32=_SSD_FP32,
        aliases=("ssd", "ssd-resnet50", "ssd300-resnet50"),
    ),
    _detector(
        "ssd320",
        ssd320,
        (320, 320),
        "ssd",
        "ResNet-50 with a feature pyramid, 320 pixels, walked layer by layer",
        aliases=("ssd-fpn", "ssd320-resnet50-fpn"),
    ),
    _detector(
        "retinanet",
        retinanet,
        (800, 800),
        "rcnn",
        "arXiv 1708.02002 on ResNeXt-50 with 264 classes (MLPerf), walked layer by layer",
        aliases=("retinanet-resnext50",),
    ),
    _detector(
        "faster-rcnn",
        faster_rcnn,
        _RCNN_SIDE,
        "rcnn",
        "arXiv 1506.01497 with arXiv 1612.03144, walked",
        not_kept=_FROZEN_STAGES,
        aliases=("faster-r-cnn", "faster-rcnn-resnet50", "faster-rcnn-r50-fpn"),
    ),
    _detector(
        "mask-rcnn",
        mask_rcnn,
        _RCNN_SIDE,
        "rcnn",
        "arXiv 1703.06870 with arXiv 1612.03144, walked",
        not_kept=_FROZEN_STAGES,
        aliases=("mask-r-cnn", "mask-rcnn-resnet50", "mask-rcnn-r50-fpn"),
    ),
    *(
        _detector(
            f"efficientdet-d{index}",
            plan,
            (side, side),
            "efficient",
            "arXiv 1911.09070, table 1, walked",
            kept=KEPT_GATED,
        )
        for index, (plan, side) in enumerate(EFFICIENTDET)
    ),
    _detector(
        "yolov3",
        YOLO_V3,
        (416, 416),
        "yolo",
        "arXiv 1804.02767, walked layer by layer",
        aliases=("yolo-v3", "darknet53-yolo"),
    ),
    *(_detector(name, plan, _YOLO_SIDE, "yolo", _ULTRALYTICS, kept=KEPT_GATED) for name, plan in (*YOLO_V5, *YOLO_V8)),
)
