"""Networks that segment images and volumes, walked layer by layer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from networks.detection import resnet_stages
from networks.walk import FLOP_PER_MAC, KEPT_PLAIN, KEPT_WITH_NORM, Plan, Walk
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.transformers import KERNELS_PER_LAYER

_VOLUME_SIDE = 128
_VOLUME = (_VOLUME_SIDE,) * 3
_VOLUME_TAPS = 27  # of a 3 x 3 x 3 convolution


def _twice(walk: Walk, width: int, padding: int) -> Walk:
    for _ in range(2):
        walk.conv(width, 3, 1, padding, bias=True, norm=False)
    return walk


def _unet(walk: Walk, *, widths: tuple[int, ...], padding: int, classes: int) -> Walk:
    """Down by pooling, up by transposed convolutions, each level joined with its twin (arXiv 1505.04597)."""
    twins = []
    for width in widths[:-1]:
        twins.append(_twice(walk, width, padding).fork())
        walk.pool(2, 2)
    _twice(walk, widths[-1], padding)
    for width in reversed(widths[:-1]):
        walk.upconv(width)
        twin = twins.pop()
        twin.height, twin.width = walk.height, walk.width  # cropped to what the valid convolutions left
        _twice(walk.joined(walk.fork(), twin), width, padding)
    return walk.conv(classes, 1, bias=True, norm=False, act=False)


def _profile(
    name: str,
    image: tuple[int, ...],
    counts: tuple[float, float, float, float],
    source: str,
    aliases: tuple[str, ...],
    dataset: str | None,
) -> ModelProfile:
    """``counts``: FLOPs, parameters, written elements and kernels of a forward pass.

    Networks of volumes have an architecture of their own: the rows of those of images say nothing of their speed.
    """
    flops, parameters, written, kernels = counts
    volumes = len(image) == len(_VOLUME)
    return ModelProfile(
        name=name,
        family="segmentation",
        sample=f"one {' x '.join(map(str, image))} image",
        parameters=parameters,
        forward_flops=flops,
        written_elements=written,
        stored_elements=KEPT_PLAIN * written,
        kernels=kernels,
        source=source,
        aliases=aliases,
        architecture="unet3d" if volumes else "unet",
        reference=Reference(image_size=image),
        scaling="area",
        traffic="volumes" if volumes else "segmentation",
        default_dataset=dataset,
    )


def _walked(
    name: str, plan: Plan, side: int, source: str, aliases: tuple[str, ...] = (), dataset: str | None = None
) -> ModelProfile:
    count = plan(Walk(1, side, side)).count
    figures = (FLOP_PER_MAC * count.macs, count.parameters, count.outputs, count.kernels)
    return _profile(name, (side, side), figures, source, aliases, dataset)


def _volume_counts(widths: tuple[int, ...]) -> tuple[float, float, float, float]:
    """MACs, parameters, written elements and kernels of a U-Net over volumes (arXiv 1606.06650 and its successors)."""
    macs = parameters = written = kernels = 0.0
    places, channels = float(_VOLUME_SIDE**3), 1

    def conv(inputs: int, outputs: int, taps: int) -> None:
        nonlocal macs, parameters, written, kernels
        macs += places * inputs * outputs * taps
        parameters += inputs * outputs * taps + 2 * outputs
        written += places * outputs
        kernels += 3

    for level, width in enumerate(widths):
        places /= 8 if level else 1
        conv(channels, width, _VOLUME_TAPS)
        conv(width, width, _VOLUME_TAPS)
        channels = width
    for width in reversed(widths[:-1]):
        places *= 8
        conv(channels, width, 1)  # a transposed 2 x 2 x 2 convolution: one tap an output
        parameters += 7 * channels * width
        conv(2 * width, width, _VOLUME_TAPS)
        conv(width, width, _VOLUME_TAPS)
        channels = width
    conv(channels, 3, 1)
    return FLOP_PER_MAC * macs, parameters, written, kernels


# ResNets that keep an eighth of the image's sides, with heads over their maps (pytorch/vision@0289e3f,
# models/segmentation/deeplabv3.py and fcn.py, 2022): weights of 21 classes, with the auxiliary head.
_SIDE = 520
_CLASSES, _HEAD, _RATES = 21, 256, 3  # classes of Pascal VOC; channels and dilated branches of DeepLab's head
_BLOCKS = {"resnet50": (3, 4, 6, 3), "resnet101": (3, 4, 23, 3)}
_KEPT_STRIDES = (1, 2, 1, 1)  # of the stages; the last two dilate instead


def _fcn_head(walk: Walk) -> Walk:
    return walk.conv(walk.channels // 4, 3).conv(_CLASSES, 1, bias=True, norm=False, act=False).upsample(8)


def _deeplab_head(walk: Walk) -> Walk:
    """Branches of several reaches side by side, and the mean of the map (arXiv 1706.05587)."""
    branches = [walk.fork().conv(_HEAD, 1), *(walk.fork().conv(_HEAD, 3) for _ in range(_RATES))]
    walk.fork().mean().conv(_HEAD, 1)
    joined = walk.joined(*branches, branches[0])  # the mean is as wide as a branch
    return joined.conv(_HEAD, 1).conv(_HEAD, 3).conv(_CLASSES, 1, bias=True, norm=False, act=False).upsample(8)


def _dilated(walk: Walk, *, blocks: tuple[int, ...], head: Plan) -> Walk:
    third, last = resnet_stages(walk, _KEPT_STRIDES, blocks=blocks)[-2:]
    _fcn_head(third.fork())
    return head(last)


# The loss takes a score of each class at each place of the image: the scores, and in fp32 the logarithms of their
# softmax and the gradients of both, live at once. So the memory of SegFormer's training is within 5% of what
# open-mmlab/mmsegmentation @02e04cc2, configs/segformer/README.md, prints for 2 images in fp32 (B2: 3.6 GB).
_LOSS_COPIES = 3.0


def _torchvision(name: str, backbone: str, head: Plan, aliases: tuple[str, ...]) -> ModelProfile:
    count = partial(_dilated, blocks=_BLOCKS[backbone], head=head)(Walk(3, _SIDE, _SIDE)).count
    figures = (FLOP_PER_MAC * count.macs, count.parameters, count.outputs, count.kernels)
    profile = _profile(f"{name}-{backbone}", (_SIDE, _SIDE), figures, "pytorch/vision@0289e3f, walked layer by layer",
                       aliases, "coco")  # fmt: skip
    scores = 2.0 * _CLASSES * _SIDE**2  # of the head, and of the auxiliary one
    stored = KEPT_WITH_NORM * count.outputs + scores
    return replace(profile, architecture="resnet", traffic="cnn", stored_elements=stored,
                   fp32_elements=_LOSS_COPIES * scores)  # fmt: skip


# SegFormer (arXiv 2105.15203): four stages of transformer blocks that see places of a smaller map, and products that
# join the stages. Widths, blocks of each stage and width of the decoder, by size (its table 6).
_SEGFORMER = {
    "b0": ((32, 64, 160, 256), (2, 2, 2, 2), 256),
    "b1": ((64, 128, 320, 512), (2, 2, 2, 2), 256),
    "b2": ((64, 128, 320, 512), (3, 4, 6, 3), 768),
    "b3": ((64, 128, 320, 512), (3, 4, 18, 3), 768),
    "b4": ((64, 128, 320, 512), (3, 8, 27, 3), 768),
    "b5": ((64, 128, 320, 512), (3, 6, 40, 3), 768),
}
_REDUCTIONS, _HEADS = (8, 4, 2, 1), (1, 2, 5, 8)
_SCENES, _ADE_SIDE = 150, 512  # classes and customary image of ADE20K
_INNER = 4  # width of a block's inner products over its own
# Elements kept for each that is written, as of Swin; scores of attention are kept before and after the softmax.
_TRANSFORMER_KEPT, _SCORES_KEPT = 1.6, 2.0


def _reduced_block(walk: Walk, reduction: int, heads: int) -> Walk:
    """Attention to every ``reduction``-th place of rows and columns, and products with a convolution between."""
    width, places = walk.channels, walk.height * walk.width
    walk.fork().conv(width, 1, bias=True, act=False)  # what asks
    seen = walk.fork()
    if reduction > 1:
        seen.conv(width, reduction, reduction, 0, bias=True, act=False)
    pairs = places * seen.height * seen.width
    seen.conv(2 * width, 1, bias=True, norm=False, act=False)
    walk.count.macs += 2 * pairs * width
    walk.count.scores += 2 * pairs * width
    walk.count.outputs += heads * pairs
    walk.count.scored += heads * pairs
    walk.elementwise(3).conv(width, 1, bias=True, norm=False, act=False).elementwise()
    inner = walk.conv(_INNER * width, 1, bias=True, norm=False, act=False)
    inner.conv(_INNER * width, 3, groups=_INNER * width, bias=True, norm=False)
    walk.count.parameters += 2 * width  # the second norm
    return inner.conv(width, 1, bias=True, norm=False, act=False).elementwise(2)


def _segformer(walk: Walk, *, widths: tuple[int, ...], blocks: tuple[int, ...], decoder: int) -> Walk:
    stages = []
    for index, (width, count) in enumerate(zip(widths, blocks, strict=True)):
        walk = walk.fork().conv(width, 3 if index else 7, 2 if index else 4, bias=True, act=False)
        for _ in range(count):
            _reduced_block(walk, _REDUCTIONS[index], _HEADS[index])
        stages.append(walk.fork().conv(decoder, 1, bias=True, norm=False, act=False).upsample(2**index))
    fused = stages[0].joined(*stages).conv(decoder, 1)
    return fused.conv(_SCENES, 1, bias=True, norm=False, act=False).upsample(4)


def _segformer_profile(size: str) -> ModelProfile:
    widths, blocks, decoder = _SEGFORMER[size]
    count = _segformer(Walk(3, _ADE_SIDE, _ADE_SIDE), widths=widths, blocks=blocks, decoder=decoder).count
    classified = float(_SCENES * _ADE_SIDE**2)  # the enlarged map of the classes
    written = count.outputs + classified
    figures = (FLOP_PER_MAC * count.macs, count.parameters, written, count.kernels)
    source = "arXiv 2105.15203, table 6, walked layer by layer"
    profile = _profile(f"segformer-{size}", (_ADE_SIDE, _ADE_SIDE), figures, source, (), None)
    return replace(
        profile, architecture="bert", traffic="transformer", memory="encoder", paired=count.paired,
        paired_elements=count.scored / written, fp32_elements=_LOSS_COPIES * classified,
        stored_elements=_TRANSFORMER_KEPT * (count.outputs - count.scored) + _SCORES_KEPT * count.scored + classified,
    )  # fmt: skip


_RRDB_BLOCKS, _RRDB_WIDTH, _RRDB_GROWTH, _RRDB_SIDE = 23, 64, 32, 256


def _rrdb(walk: Walk) -> Walk:
    """Blocks of three densely joined stages of five convolutions, then twice the size twice (arXiv 1809.00219)."""

    def conv(walk: Walk, width: int, act: bool = True) -> Walk:
        return walk.conv(width, 3, bias=True, norm=False, act=act)

    walk = conv(walk, _RRDB_WIDTH, act=False)
    for _ in range(3 * _RRDB_BLOCKS):
        grown = [walk.fork()]
        for _ in range(4):
            grown.append(conv(walk.fork().joined(*grown), _RRDB_GROWTH))
        walk = conv(walk.fork().joined(*grown), _RRDB_WIDTH, act=False).elementwise(2)
    walk = conv(walk, _RRDB_WIDTH, act=False).elementwise()
    for _ in range(2):
        walk = conv(walk.upsample(), _RRDB_WIDTH)
    return conv(conv(walk, _RRDB_WIDTH), 3, act=False)


def _enlarged(name: str, source: str, *aliases: str) -> ModelProfile:
    """A network that makes an image of four times the side."""
    count = _rrdb(Walk(3, _RRDB_SIDE, _RRDB_SIDE)).count
    figures = (FLOP_PER_MAC * count.macs, count.parameters, count.outputs, count.kernels)
    return _profile(name, (_RRDB_SIDE, _RRDB_SIDE), figures, source, aliases, None)


# SwinIR (arXiv 2108.10257; JingyunLiang/SwinIR, network_swinir.py and main_test_swinir.py): width, groups of six Swin
# blocks, their heads, and how the image is enlarged: by shuffled pixels or, for images of the real world, by copies.
_SWINIR_WINDOW, _SWINIR_DEPTH, _SWINIR_INNER, _SWINIR_LAST, _SWINIR_SIDE = 8, 6, 2, 64, 256
# Written elements over those of its products: it rolls, cuts and joins windows around each attention. An image of 256 x
# 256 took 0.5 s on an RTX 2080 Ti (its README), where the formula has 0.31 without this, and eight of them trained 97
# patches of 48 x 48 a second (its issue 3, 2021-08-25: 250,000 steps of 32 in 0.95 days), where it has 175.
_WINDOWED = 1.7


@dataclass(frozen=True)
class _Restorer:
    width: int
    groups: int
    heads: int
    enlarged: str = "shuffled"
    squeezed: bool = False  # the convolution behind a group passes a quarter of the width


def _window_block(walk: Walk, heads: int) -> Walk:
    """Attention within windows, and products of twice the width, at every pixel."""
    width, places, seen, count = walk.channels, walk.height * walk.width, _SWINIR_WINDOW**2, walk.count
    weights = (4 + 2 * _SWINIR_INNER) * width**2
    count.macs += places * (weights + 2 * seen * width)
    count.in_blocks += places * (weights + 2 * seen * width)
    biases = (4 + _SWINIR_INNER + 1 + 4) * width + heads * (2 * _SWINIR_WINDOW - 1) ** 2
    count.parameters += weights + biases
    count.outputs += places * ((6 + _SWINIR_INNER) * width + heads * seen)
    count.kernels += KERNELS_PER_LAYER + 5
    return walk


def _swinir(walk: Walk, *, plan: _Restorer) -> Walk:
    def conv(channels: int, kernel: int = 3) -> None:
        walk.conv(channels, kernel, bias=True, norm=False, act=False)

    conv(plan.width)
    walk.count.parameters += 4 * plan.width  # norms before and after all groups
    for _ in range(plan.groups):
        for _ in range(_SWINIR_DEPTH):
            _window_block(walk, plan.heads)
        for channels, kernel in ((plan.width // 4, 3), (plan.width // 4, 1)) if plan.squeezed else ():
            conv(channels, kernel)
        conv(plan.width)
    for channels, kernel in ((plan.width // 4, 3), (plan.width // 4, 1)) if plan.squeezed else ():
        conv(channels, kernel)
    conv(plan.width)
    if plan.enlarged == "at once":
        conv(3 * 4**2)
        return walk.elementwise()
    conv(_SWINIR_LAST)
    for _ in range(2):
        if plan.enlarged == "shuffled":
            conv(4 * _SWINIR_LAST)
            walk.channels, walk.height, walk.width = _SWINIR_LAST, 2 * walk.height, 2 * walk.width
        else:
            walk.upsample()
            conv(_SWINIR_LAST)
    if plan.enlarged == "copied":
        conv(_SWINIR_LAST)
    conv(3)
    return walk


def _restorer(name: str, plan: _Restorer, *aliases: str) -> ModelProfile:
    """A network over all pixels of an image, which it makes four times as high and wide."""
    side = _SWINIR_SIDE
    count = _swinir(Walk(3, side, side), plan=plan).count
    figures = (FLOP_PER_MAC * count.macs, count.parameters, _WINDOWED * count.outputs, count.kernels)
    source = "arXiv 2108.10257; JingyunLiang/SwinIR, walked layer by layer"
    return replace(
        _profile(name, (side, side), figures, source, aliases, None), architecture="bert", traffic="unfused_attention",
        memory="encoder", stored_elements=_TRANSFORMER_KEPT * count.outputs, own_precision="fp32",
    )  # fmt: skip


SEGMENTATION = (
    _walked("unet", partial(_unet, widths=(64, 128, 256, 512, 1024), padding=0, classes=2), 572,
            "arXiv 1505.04597, figure 1, walked layer by layer", ("u-net", "unet-medical", "u-net-medical"),
            "em-segmentation"),
    _profile("unet-industrial", (512, 512), (75e9, 1.85e6, 70e6, 70.0), "throughput study, section 8 (within 30%)",
             ("u-net-industrial",), None),
    _profile("unet-3d", _VOLUME, _volume_counts((32, 64, 128, 256, 320, 320)),
             "arXiv 1606.06650 with MLPerf's widths (KiTS19), walked layer by layer", ("3d-unet", "3d-u-net", "unet3d"),
             None),
)  # fmt: skip

LATER_SEGMENTATION = (
    *(_torchvision("deeplabv3", one, _deeplab_head, (f"deeplab-v3-{one}",)) for one in _BLOCKS),
    *(_torchvision("fcn", one, _fcn_head, ()) for one in _BLOCKS),
    *(_segformer_profile(size) for size in _SEGFORMER),
    _enlarged("real-esrgan", "arXiv 2107.10833 with the network of arXiv 1809.00219, walked layer by layer", "esrgan",
              "realesrgan", "real-esrgan-x4plus", "realesrgan-x4plus", "realesrgan_x4plus"),
    _restorer("swinir", _Restorer(180, 6, 6), "swin-ir", "swinir-classical", "swinir-medium", "swinir-m"),
    _restorer("swinir-light", _Restorer(60, 4, 6, "at once"), "swinir-lightweight", "swinir-s"),
    _restorer("swinir-large", _Restorer(240, 9, 8, "copied", squeezed=True), "swinir-l", "swinir-real"),
)  # fmt: skip
