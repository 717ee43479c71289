"""Detectors, image encoders and segmenters of later years, and networks over clips of video, by published size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from networks.cnn import CNN
from networks.detection import COUNTED, DETECTION, FROZEN_STAGES, RCNN_SIDE, resnet_stages
from networks.vision_transformers import SAM_SIDE, VISION_TRANSFORMERS
from networks.walk import KEPT_WITH_NORM, Count, Walk, dimensions
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.transformers import (
    DECODER_KERNELS_PER_LAYER,
    KERNELS_PER_LAYER,
    encoder_decoder_model,
    forward_flops,
    parameters_of,
    stored_elements,
    written_elements,
)
from plimsoll_service.engine.models.vision_transformers import (
    COLOURS,
    KERNELS_AROUND,
    patches_of,
    product_elements,
    vision_encoder,
)

_DETECTORS = {model.name: model for model in DETECTION}
_SAM = next(model for model in VISION_TRANSFORMERS if model.name == "sam-vit-b")


def _published(
    name: str, like: str, million: float, gflop: float, source: str, *aliases: str, side: int | None = None,
    decoder: int = 0,
) -> ModelProfile:  # fmt: skip
    """A detector's published parameters and GFLOP, with the maps of a known one scaled to its work.

    ``decoder``: layers that decode its queries.
    """
    known = _DETECTORS[like]
    work = gflop * 1e9 / known.forward_flops
    return replace(
        known, name=name, aliases=aliases, parameters=million * 1e6, forward_flops=gflop * 1e9,
        written_elements=known.written_elements * work**0.5, stored_elements=known.stored_elements * work**0.5,
        kernels=known.kernels + (KERNELS_PER_LAYER + DECODER_KERNELS_PER_LAYER) * decoder,
        source=f"{source}; maps as {like}'s, by the root of the work", fp32_elements=0.0,
        reference=known.reference if side is None else Reference(image_size=(side, side)),
        sample=known.sample if side is None else f"one {side} x {side} image",
    )  # fmt: skip


_RESNET_50, _RESNET_101 = (3, 4, 6, 3), (3, 4, 23, 3)
_QUERY_LAYERS, _QUERY_WIDTH, _QUERY_HEADS = 6, 256, 8  # of the encoder, and of the decoder of the queries
# Places of the maps at strides of 32 alone, which all see each other, and at 8 to 64, where a few samples are seen
# (arXiv 2005.12872, section 3.2; arXiv 2010.04159, section 4).
_COARSE, _SAMPLED = (32,), (8, 16, 32, 64)
# A frozen normalisation is seven operations in place of one, five of them on a value a channel (facebookresearch/detr,
# models/backbone.py @0908daeb, FrozenBatchNorm2d): as three starts more the three published rates (V100: 28, 20 and 19
# images a second) take 0.91 to 1.05 times the estimate. It follows each convolution.
_FROZEN_KERNELS = 3


def _by_queries(
    name: str, million: float, gflop: float, blocks: tuple[int, ...], strides: tuple[int, ...], inner: int, source: str,
    *aliases: str,
) -> ModelProfile:  # fmt: skip
    """A detector's published parameters and GFLOP, with the maps of its ResNet and of its encoder's layers."""
    high, wide = RCNN_SIDE
    body = Walk(3, high, wide)
    resnet_stages(body, (1, 2, 2, 2), blocks=blocks)
    places = sum(ceil(high / stride) * ceil(wide / stride) for stride in strides)
    sizes = (_QUERY_LAYERS, _QUERY_WIDTH, _QUERY_HEADS, _QUERY_HEADS, _QUERY_WIDTH // _QUERY_HEADS, inner)
    encoder, scores = dimensions(sizes, 0, places, gated=False, tied=True, causal=False), strides == _COARSE
    return replace(
        _DETECTORS["faster-rcnn"], name=name, aliases=aliases, parameters=million * 1e6, forward_flops=gflop * 1e9,
        architecture="detr",
        written_elements=body.count.outputs + written_elements(encoder, places, scores),
        stored_elements=KEPT_WITH_NORM * body.count.outputs - FROZEN_STAGES + stored_elements(encoder, places, scores),
        kernels=body.count.kernels + _FROZEN_KERNELS * (1 + 3 * sum(blocks) + len(blocks))
        + (KERNELS_PER_LAYER + DECODER_KERNELS_PER_LAYER) * _QUERY_LAYERS,
        source=f"{source}; maps of its ResNet and its encoder, layer by layer",
    )  # fmt: skip


_YOLOV6 = "meituan/YOLOv6 @0020dd85, README (release 3.0)"
_YOLOV9 = "arXiv 2402.13616, table 1; Ultralytics, docs/en/models/yolov9.md"
_YOLOV10 = "arXiv 2405.14458, table 1; THU-MIG/yolov10: README"
_YOLOV12 = "ultralytics/ultralytics @00772cfc98: docs/en/models/yolo12.md"
_YOLO26 = "docs.ultralytics.com, models/yolo26, read on 2026-11-28"
_YOLOX = "Megvii-BaseDetection/YOLOX @01668879, README"
_RT_DETR = "PaddlePaddle/PaddleDetection: configs/rtdetr/README.md; lyuwenyu/RT-DETR issue 401: 60 GFLOP of R18"
_DETR = "arXiv 2005.12872, table 1; GFLOP as multiply-adds"
_DEFORMABLE = "arXiv 2010.04159, table 1; GFLOP as multiply-adds"
_DINO = "arXiv 2203.03605, table 1; GFLOP as multiply-adds"
_OWL = "config.json of google/owlv2; the tower of images alone"
_RF_DETR = "arXiv 2511.09554, table of real-time detectors on COCO"
_MASK2FORMER = "arXiv 2112.01527, table 1; GFLOP as multiply-adds"
_ONEFORMER = "arXiv 2211.06220, table of COCO; GFLOP as multiply-adds"


# By size: the size of YOLOv8 whose maps are scaled, millions of parameters, GFLOP, and millions of elements that are
# kept of an image, counted like those of YOLO11.
_LATER_YOLOS: tuple[tuple[int, str, tuple[tuple[str, str, float, float, float], ...]], ...] = (
    (9, _YOLOV9, (("t", "n", 2.0, 7.7, 70.5), ("s", "s", 7.2, 26.7, 137.5), ("m", "m", 20.1, 76.8, 244.4),
                  ("c", "l", 25.5, 102.8, 317.9), ("e", "x", 58.1, 192.5, 608.6))),
    (10, _YOLOV10, (("n", "n", 2.3, 6.7, 74.5), ("s", "s", 7.2, 21.6, 139.8), ("m", "m", 15.4, 59.1, 246.5),
                    ("b", "m", 19.1, 92.0, 325.0), ("l", "l", 24.4, 120.3, 387.2), ("x", "x", 29.5, 160.4, 528.9))),
    (12, _YOLOV12, (("n", "n", 2.6, 6.5, 74.7), ("s", "s", 9.3, 21.4, 145.9), ("m", "m", 20.2, 67.5, 287.9),
                    ("l", "l", 26.4, 88.9, 405.8), ("x", "x", 59.1, 199.0, 627.4))),
    (26, _YOLO26, (("n", "n", 2.4, 5.4, 69.1), ("s", "s", 9.5, 20.7, 137.0), ("m", "m", 20.4, 68.2, 277.0),
                    ("l", "l", 24.8, 86.4, 343.8), ("x", "x", 55.7, 193.9, 534.5))),
)  # fmt: skip


def _yolos() -> Iterator[ModelProfile]:
    for number, source, rows in _LATER_YOLOS:
        for size, like, million, gflop, kept in rows:
            found = _published(f"yolov{number}{size}", f"yolov8{like}", million, gflop, source, *_spelled(number, size))
            known = _DETECTORS[f"yolov8{like}"]
            yield replace(
                found, stored_elements=kept * 1e6, fp32_elements=known.fp32_elements,
                source=f"{found.source}, {COUNTED}",
            )  # fmt: skip


# By size: the size of YOLOv8 whose maps are scaled, millions of parameters, and GFLOP, of the network that is deployed.
_YOLOV6S = (("n", "n", 4.7, 11.4), ("s", "s", 18.5, 45.3), ("m", "m", 34.9, 85.8), ("l", "l", 59.6, 150.7))


def _deployed_yolos() -> Iterator[ModelProfile]:
    for size, like, million, gflop in _YOLOV6S:
        yield _published(f"yolov6{size}", f"yolov8{like}", million, gflop, _YOLOV6, *_spelled(6, size))


def _spelled(number: int, size: str) -> tuple[str, ...]:
    return (f"yolo{number}{size}", f"yolov{number}-{size}")


_DINOV2, _DINOV3 = "arXiv 2304.07193, table 17; facebook/dinov2", "facebook/dinov3: dimensions"
_SIGLIP = "config.json of google/siglip"
_CLIP = "arXiv 2103.00020, table 20; the tower of images alone"


def _tower(
    name: str, layers: int, hidden: int, heads: int, side: int, patch: int, source: str, *aliases: str,
    inner: int | None = None, gated: bool = False,
) -> ModelProfile:  # fmt: skip
    tokens = patches_of(side, patch)
    sizes = (layers, hidden, heads, heads, hidden // heads, inner or 4 * hidden)
    encoder = dimensions(sizes, 0, tokens, gated=gated, tied=True, causal=False, positions=tokens)
    return replace(vision_encoder(name, encoder, side, patch, source), aliases=aliases)


# ViTPose (arXiv 2204.12484; ViTAE-Transformer/ViTPose, configs of COCO): a ViT over a person of 256 x 192 pixels, and
# two transposed convolutions of 256 channels that make the map of 17 joints.
_PERSON, _PERSON_PATCH, _JOINTS, _JOINT_WIDTH = (256, 192), 16, 17, 256


def _pose(size: str, layers: int, hidden: int, heads: int, *aliases: str) -> ModelProfile:
    high, wide = (side // _PERSON_PATCH for side in _PERSON)
    tokens, sizes = high * wide, (layers, hidden, heads, heads, hidden // heads, 4 * hidden)
    encoder = dimensions(sizes, 0, tokens, gated=False, tied=True, causal=False, positions=tokens + 1)
    head = Walk(hidden, high, wide).upconv(_JOINT_WIDTH, 4).elementwise(2).upconv(_JOINT_WIDTH, 4).elementwise(2)
    decoder = head.conv(_JOINTS, 1, bias=True, norm=False, act=False).count
    patches = COLOURS * _PERSON_PATCH**2 * hidden
    written = product_elements(encoder, tokens) + decoder.outputs
    return ModelProfile(
        name=f"vitpose-{size}", family="encoder", sample=f"one person of {_PERSON[0]} x {_PERSON[1]} pixels",
        parameters=parameters_of(encoder) + patches + decoder.parameters,
        forward_flops=forward_flops(encoder, tokens) + 2.0 * (patches * tokens + decoder.macs),
        written_elements=written, stored_elements=1.6 * written,
        kernels=float((KERNELS_PER_LAYER - 3) * layers + KERNELS_AROUND) + decoder.kernels,
        source="arXiv 2204.12484; ViTAE-Transformer/ViTPose, configs of COCO: by dimensions, without the detector of "
        "persons", aliases=(f"vitpose-{size[0]}", f"vitpose-{size}-simple", f"vitpose-plus-{size}", *aliases),
        architecture="bert", reference=Reference(image_size=_PERSON), scaling="area", traffic="transformer",
        memory="encoder", default_dataset="coco", width=float(hidden),
    )  # fmt: skip


# SAM 2's image encoder: the width of its first stage, blocks of each of the four, patches a side of their windows, and
# blocks of the third that see all patches. A stage doubles the width and halves the sides in its first block, whose
# windows are still those of the stage before.
_HIERA_SIDE, _HIERA_GLOBAL, _HIERA_NECK = SAM_SIDE // 4, 3, 256
_HIERA_WINDOWS, _HIERA_LARGE_WINDOWS = (8, 4, 14, 7), (8, 4, 16, 8)
_HIERA_PATCH = 3 * 7 * 7  # of a convolution with stride 4


def hiera_count(width: int, blocks: tuple[int, int, int, int], windows: tuple[int, int, int, int]) -> Count:
    """Stages of windowed attention, whose products for attention are made of padded windows, and the neck."""
    count = Count(
        macs=float(_HIERA_SIDE**2 * _HIERA_PATCH * width), kernels=float((KERNELS_PER_LAYER + 5) * sum(blocks))
    )
    for stage, layers in enumerate(blocks):
        wide, side = width * 2**stage, _HIERA_SIDE // 2**stage
        tokens, window = side**2, windows[stage]
        padded = (-(-side // window) * window) ** 2
        everywhere = _HIERA_GLOBAL if stage == 2 else 0
        inside = layers - everywhere - (stage > 0)
        count.macs += inside * padded * (4 * wide**2 + 2 * window**2 * wide) + layers * tokens * 8 * wide**2
        count.macs += everywhere * tokens * (4 * wide**2 + 2 * tokens * wide) + tokens * wide * _HIERA_NECK
        count.outputs += layers * tokens * 10 * wide
        if stage:  # 4 x as many tokens: a product of half the width for queries, keys, values and the way around them
            count.macs += 4 * tokens * 4 * (wide // 2) * wide + tokens * (wide**2 + 2 * windows[stage - 1] ** 2 * wide)
            count.outputs += 3 * tokens * 4 * wide
    return count


def _segmenter(
    name: str,
    million: float,
    width: int,
    blocks: tuple[int, int, int, int],
    *aliases: str,
    windows: tuple[int, int, int, int] = _HIERA_WINDOWS,
) -> ModelProfile:
    """SAM 2's image encoder, which does most of its work on an image; its attention is one fused kernel."""
    count = hiera_count(width, blocks, windows)
    return replace(
        _SAM, name=name, aliases=aliases, parameters=million * 1e6, forward_flops=2 * count.macs,
        written_elements=count.outputs, stored_elements=1.6 * count.outputs, kernels=count.kernels + KERNELS_AROUND,
        source="facebook/sam2.1: parameters; facebookresearch/sam2, modeling/backbones/hieradet.py and "
        "configs/sam2.1: dimensions of the image encoder", live_elements=0.0, traffic="transformer", width=None,
    )  # fmt: skip


_SAM3_SIDE, _SAM3_PATCH, _SAM3_WINDOW, _SAM3_GLOBAL, _SAM3_INNER = 1008, 14, 24 * 24, 4, 4.625


def _segmenter_by_words() -> ModelProfile:
    """SAM 3's image encoder, which does most of its work on an image; its attention is one fused kernel."""
    layers, hidden, tokens = 32, 1024, (_SAM3_SIDE // _SAM3_PATCH) ** 2
    seen = (layers - _SAM3_GLOBAL) * _SAM3_WINDOW + _SAM3_GLOBAL * tokens
    weights = layers * (4 + 2 * _SAM3_INNER) * hidden**2
    written = tokens * layers * hidden * (6 + _SAM3_INNER)
    return replace(
        _SAM, name="sam3", aliases=("sam-3", "sam3-image", "segment-anything-3"), parameters=848e6,
        forward_flops=2.0 * tokens * (weights + 2 * hidden * seen), written_elements=written,
        stored_elements=1.6 * written, kernels=_SAM.kernels * layers / 12, live_elements=0.0, traffic="transformer",
        source="facebookresearch/sam3, model_builder.py: dimensions of the image encoder; its README: 848 M parameters",
        reference=Reference(image_size=(_SAM3_SIDE, _SAM3_SIDE)), sample=f"one {_SAM3_SIDE} x {_SAM3_SIDE} image",
        width=float(hidden),
    )  # fmt: skip


def _florence(name: str, layers: int, hidden: int, tower_million: float, *aliases: str) -> ModelProfile:
    """A text-to-text model as BART behind a tower of images; a sample has 128 tokens of text."""
    sizes = (2 * layers, hidden, hidden // 64, hidden // 64, 64, 4 * hidden)
    pair = dimensions(
        sizes, 51_289, 1024, gated=False, tied=True, causal=False, cross_attention_layers=layers, positions=2_052
    )
    source = "arXiv 2311.06242: dimensions as BART's; its tower of images is held beside it"
    model = encoder_decoder_model(name, parameters_of(pair), pair, source, 128)
    return replace(model, aliases=aliases, frozen_parameters=tower_million * 1e6)


VISION = (
    *_deployed_yolos(),
    *_yolos(),
    _published("yolox-s", "yolov8s", 9.0, 26.8, _YOLOX),
    _published("yolox-m", "yolov8m", 25.3, 73.8, _YOLOX, "yolox"),
    _published("yolox-l", "yolov8l", 54.2, 155.6, _YOLOX),
    _published("yolox-x", "yolov8x", 99.1, 281.9, _YOLOX),
    _published("rt-detr-r18", "yolov8s", 20.0, 60.0, _RT_DETR, "rtdetr-r18", "rtdetr-r18vd", "rtdetr_r18vd_coco_o365",
               decoder=3),
    _published("rt-detr-r34", "yolov8m", 31.0, 92.0, _RT_DETR, "rtdetr-r34", "rtdetr-r34vd", decoder=4),
    _published("rt-detr-r50", "yolov8l", 42.0, 136.0, _RT_DETR, "rtdetr-r50", "rtdetr-r50vd", "rt-detr", "rtdetr",
               "rtdetr_r50vd_coco_o365", "rtdetr-v2-r50", "rtdetrv2", decoder=6),
    _published("rt-detr-r101", "yolov8x", 76.0, 259.0, _RT_DETR, "rtdetr-r101", "rtdetr-r101vd", decoder=6),
    _published("rt-detr-l", "yolov8l", 32.0, 110.0, _RT_DETR, "rtdetr-l", decoder=6),
    _published("rt-detr-x", "yolov8x", 67.0, 234.0, _RT_DETR, "rtdetr-x", decoder=6),
    _by_queries("detr-resnet-50", 41.0, 172.0, _RESNET_50, _COARSE, 2048, _DETR, "detr", "detr-r50", "detr-resnet50"),
    _by_queries("detr-resnet-101", 60.0, 304.0, _RESNET_101, _COARSE, 2048, _DETR, "detr-r101", "detr-resnet101"),
    _by_queries("deformable-detr-r50", 40.0, 346.0, _RESNET_50, _SAMPLED, 1024, _DEFORMABLE, "deformable-detr"),
    _by_queries("dino-detr-r50", 47.0, 558.0, _RESNET_50, _SAMPLED, 2048, _DINO, "dino-detr", "dino-4scale", "dino-r50",
                "dino"),
    _published("rf-detr-nano", "yolov8s", 30.5, 31.9, _RF_DETR, "rfdetr-nano", "rf-detr-n", side=384),
    _published("rf-detr-small", "yolov8s", 32.1, 59.8, _RF_DETR, "rfdetr-small", "rf-detr-s", side=512),
    _published("rf-detr-medium", "yolov8m", 33.7, 78.8, _RF_DETR, "rfdetr-medium", "rf-detr-m", "rf-detr", "rfdetr",
               side=576),
    *(
        _published(f"mask2former-{name}", "mask-rcnn", million, 2 * gmacs, _MASK2FORMER,
                   f"mask2former-{long}-coco-panoptic", f"mask2former-{long}-coco-instance", *aliases)
        for name, long, million, gmacs, aliases in (
            ("r50", "resnet-50", 44.0, 226.0, ("mask2former-resnet50",)),
            ("r101", "resnet-101", 63.0, 293.0, ("mask2former-resnet101",)),
            ("swin-tiny", "swin-tiny", 47.0, 232.0, ("mask2former-swin-t",)),
            ("swin-small", "swin-small", 69.0, 313.0, ("mask2former-swin-s",)),
            ("swin-base", "swin-base", 107.0, 466.0, ("mask2former-swin-b",)),
            ("swin-large", "swin-large", 216.0, 868.0, ("mask2former-swin-l", "mask2former")),
        )
    ),
    _published("oneformer-swin-large", "mask-rcnn", 219.0, 2 * 891.0, _ONEFORMER, "oneformer", "oneformer-swin-l",
               "oneformer-coco-swin-large", "oneformer-ade20k-swin-large", "oneformer-cityscapes-swin-large"),
    # Swin-T at 800 x 1333, six layers of 1.5 M parameters over 22,100 places of its maps, and the words.
    _published("grounding-dino-tiny", "faster-rcnn", 172.0, 600.0, "arXiv 2303.05499; by dimensions", "grounding-dino",
               "groundingdino", "grounding-dino-t", "groundingdino-swint-ogc"),
    _published("grounding-dino-base", "faster-rcnn", 233.0, 1050.0, "arXiv 2303.05499; by dimensions",
               "grounding-dino-b", "groundingdino-swinb-cogcoor"),
    _tower("owlv2-base", 12, 768, 12, 960, 16, _OWL, "owlv2", "owlv2-base-patch16", "owlv2-base-patch16-ensemble"),
    _tower("owlv2-large", 24, 1024, 16, 1008, 14, _OWL, "owlv2-large-patch14", "owlv2-large-patch14-ensemble"),
    _segmenter_by_words(),
    _pose("small", 12, 384, 12),
    _pose("base", 12, 768, 12, "vitpose"),
    _pose("large", 24, 1024, 16),
    _pose("huge", 32, 1280, 16),
    _tower("dinov2-small", 12, 384, 6, 224, 14, _DINOV2, "dinov2-s", "dinov2-vits14"),
    _tower("dinov2-base", 12, 768, 12, 224, 14, _DINOV2, "dinov2", "dinov2-b", "dinov2-vitb14"),
    _tower("dinov2-large", 24, 1024, 16, 224, 14, _DINOV2, "dinov2-l", "dinov2-vitl14"),
    _tower("dinov2-giant", 40, 1536, 24, 224, 14, _DINOV2, "dinov2-g", "dinov2-vitg14", inner=4096, gated=True),
    _tower("dinov3-small", 12, 384, 6, 224, 16, _DINOV3, "dinov3-vits16", "dinov3-vits16-pretrain-lvd1689m"),
    _tower("dinov3-base", 12, 768, 12, 224, 16, _DINOV3, "dinov3", "dinov3-vitb16", "dinov3-vitb16-pretrain-lvd1689m"),
    _tower("dinov3-large", 24, 1024, 16, 224, 16, _DINOV3, "dinov3-vitl16", "dinov3-vitl16-pretrain-lvd1689m"),
    _tower("dinov3-huge", 32, 1280, 20, 224, 16, _DINOV3, "dinov3-vith16plus", inner=5120, gated=True),
    _tower("dinov3-7b", 40, 4096, 32, 224, 16, _DINOV3, "dinov3-vit7b16", inner=8192, gated=True),
    _tower("siglip-base", 12, 768, 12, 224, 16, _SIGLIP, "siglip-base-patch16-224", "siglip", "siglip2",
           "siglip2-base-patch16-224", "siglip2-base"),
    _tower("siglip-large", 24, 1024, 16, 256, 16, _SIGLIP, "siglip-large-patch16-256", "siglip2-large-patch16-256"),
    _tower("siglip-so400m", 27, 1152, 16, 224, 14, _SIGLIP, "siglip-so400m-patch14-224", "siglip2-so400m",
           "siglip2-so400m-patch14-224", inner=4304),
    _tower("siglip-so400m-384", 27, 1152, 16, 384, 14, _SIGLIP, "siglip-so400m-patch14-384",
           "siglip2-so400m-patch14-384", inner=4304),
    _tower("clip-vit-b-16", 12, 768, 12, 224, 16, _CLIP, "clip-vit-base-patch16", "clip-b-16"),
    _tower("clip-vit-l-14", 24, 1024, 16, 224, 14, _CLIP, "clip-vit-large-patch14", "clip-large", "clip-l-14"),
    _tower("clip-vit-l-14-336", 24, 1024, 16, 336, 14, _CLIP, "clip-vit-large-patch14-336"),
    _tower("clip-vit-h-14", 32, 1280, 16, 224, 14, _CLIP, "clip-vit-h-14-laion2b-s32b-b79k", "openclip-vit-h-14"),
    _tower("depth-anything-v2-small", 12, 384, 6, 518, 14, _DINOV2 + "; head left out", "depth-anything-small"),
    _tower("depth-anything-v2-base", 12, 768, 12, 518, 14, _DINOV2 + "; head left out", "depth-anything-base"),
    _tower("depth-anything-v2-large", 24, 1024, 16, 518, 14, _DINOV2 + "; head left out", "depth-anything-large",
           "depth-anything", "depth-anything-v2"),
    _segmenter("sam2-hiera-tiny", 38.9, 96, (1, 2, 7, 2), "sam2.1-hiera-tiny", "sam2-tiny", "sam2-t", "sam2.1-tiny"),
    _segmenter("sam2-hiera-small", 46.0, 96, (1, 2, 11, 2), "sam2.1-hiera-small", "sam2-small", "sam2-s",
               "sam2.1-small"),
    _segmenter("sam2-hiera-base-plus", 80.8, 112, (2, 3, 16, 3), "sam2.1-hiera-base-plus", "sam2-base-plus", "sam2-b+",
               "sam2", "sam-2", "sam2.1", "sam2-base"),
    _segmenter("sam2-hiera-large", 224.4, 144, (2, 6, 36, 4), "sam2.1-hiera-large", "sam2-large", "sam2-l",
               "sam2.1-large", windows=_HIERA_LARGE_WINDOWS),
    _florence("florence-2-base", 6, 768, 90.0, "florence-2", "florence2", "florence-2-base-ft"),
    _florence("florence-2-large", 12, 1024, 360.0, "florence2-large", "florence-2-large-ft"),
)  # fmt: skip

_MODEL_ZOO = (
    "PyTorchVideo, docs/source/model_zoo.md: Kinetics-400, GFLOPs as multiply-adds; maps as ResNet-50's of a frame"
)
_CLIP_SIDE = 256  # of the model zoo's views
_FRAME = next(model for model in CNN if model.name == "resnet50")
_LARGER = (_CLIP_SIDE / 224) ** 2


def _of_clips(
    name: str, gmacs: float, parameters: float, frames: int, maps: float, depth: float, aliases: tuple[str, ...]
) -> ModelProfile:
    """``maps``: of frames with ResNet-50's channels; ``depth``: blocks and paths over ResNet-50's."""
    written = maps * depth * _LARGER * _FRAME.written_elements
    return ModelProfile(
        name=name, family="video", sample=f"one clip of {frames} frames of {_CLIP_SIDE} x {_CLIP_SIDE}",
        parameters=parameters, forward_flops=2e9 * gmacs, written_elements=written,
        stored_elements=written * _FRAME.stored_elements / _FRAME.written_elements, kernels=depth * _FRAME.kernels,
        source=_MODEL_ZOO, aliases=aliases, architecture="video",
        reference=Reference(image_size=(_CLIP_SIDE, _CLIP_SIDE), frames=frames), scaling="area",
    )  # fmt: skip


# SlowFast's fast path has four times the frames and an eighth of the channels: 8 + 32 / 8 frames of ResNet-50.
CONVOLUTIONAL_VIDEO = (
    _of_clips("i3d-r50", 37.53, 28.04e6, 8, 8.0, 1.0, ("i3d", "i3d-resnet50", "i3d-8x8-r50")),
    _of_clips("slowfast-r50", 65.71, 34.57e6, 32, 12.0, 1.0, ("slowfast-resnet50", "slowfast-8x8-r50")),
    _of_clips("slowfast-r101", 127.20, 62.83e6, 32, 12.0, 101 / 50, ("slowfast-resnet101", "slowfast-8x8-r101")),
)
