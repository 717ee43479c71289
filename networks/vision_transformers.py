"""Transformers over image patches: ViT, Swin, CLIP's image and text towers."""

from __future__ import annotations

from dataclasses import replace

from networks.walk import Count, dimensions
from plimsoll_service.engine.models.profile import ModelProfile, Reference, Transformer
from plimsoll_service.engine.models.transformers import (
    KERNELS_PER_LAYER,
    forward_flops,
    parameters_of,
    stored_elements,
)
from plimsoll_service.engine.models.vision_transformers import (
    CLASSES,
    COLOURS,
    KERNELS_AROUND,
    patches_of,
    product_elements,
    vision_encoder,
)

_SIDE = 224
_WINDOW = 7  # patches a side of a window, which see each other in Swin
_SWIN_MLP = 4


def _encoder(layers: int, hidden: int, heads: int, tokens: int) -> Transformer:
    sizes = (layers, hidden, heads, heads, hidden // heads, 4 * hidden)
    return dimensions(sizes, 0, tokens, gated=False, tied=True, causal=False, positions=tokens)


def _vit(name: str, layers: int, hidden: int, heads: int, patch: int, aliases: tuple[str, ...]) -> ModelProfile:
    encoder = _encoder(layers, hidden, heads, patches_of(_SIDE, patch))
    return replace(vision_encoder(name, encoder, _SIDE, patch, "arXiv 2010.11929, table 1"), aliases=aliases)


def swin_count(
    hidden: int, blocks: tuple[int, int, int, int], heads: int, image: tuple[int, int], window: int
) -> Count:
    """Four stages that halve the sides and double the width; attention within windows of so many patches a side."""
    high, wide = (side // 4 for side in image)
    count = Count(parameters=COLOURS * 16.0 * hidden, kernels=float((KERNELS_PER_LAYER + 5) * sum(blocks)))
    count.macs = count.parameters * high * wide
    for stage, layers in enumerate(blocks):
        width, tokens = hidden * 2**stage, (high // 2**stage) * (wide // 2**stage)
        layer = (4 + 2 * _SWIN_MLP) * width**2
        if stage:
            count.parameters += 2 * width * width
            count.macs += tokens * 2 * width * width
            count.outputs += tokens * width
        count.parameters += layers * layer
        count.macs += layers * tokens * (layer + 2 * window**2 * width)
        count.outputs += layers * tokens * (10 * width + heads * 2**stage * window**2)
    return count


def _swin(
    name: str, hidden: int, blocks: tuple[int, int, int, int], heads: int, aliases: tuple[str, ...]
) -> ModelProfile:
    count, last = swin_count(hidden, blocks, heads, (_SIDE, _SIDE), _WINDOW), hidden * 8 * CLASSES
    return ModelProfile(
        name=name, family="encoder", sample=f"one {_SIDE} x {_SIDE} image", parameters=count.parameters + last,
        forward_flops=2 * (count.macs + last), written_elements=count.outputs, stored_elements=1.6 * count.outputs,
        kernels=count.kernels + KERNELS_AROUND, source="arXiv 2103.14030, table 7",
        aliases=aliases, architecture="bert", reference=Reference(image_size=(_SIDE, _SIDE)), scaling="area",
        traffic="transformer", memory="encoder", default_dataset="imagenet-1k",
    )  # fmt: skip


def _clip() -> ModelProfile:
    """ViT-B/32 beside a text tower of 12 layers of 512 over 77 tokens."""
    image_tokens, text_tokens = patches_of(_SIDE, 32), 77
    image = _encoder(12, 768, 12, image_tokens)
    text = dimensions((12, 512, 8, 8, 64, 2048), 49408, text_tokens, gated=False, tied=True, positions=text_tokens)
    outside = COLOURS * 32**2 * 768 + 768 * 512 + 512 * 512
    towers = ((image, image_tokens), (text, text_tokens))
    return ModelProfile(
        name="clip-vit-b-32", family="encoder", sample="one 224 x 224 image with its caption of 77 tokens",
        parameters=sum(parameters_of(tower) for tower, _ in towers) + outside,
        forward_flops=sum(forward_flops(tower, tokens, with_head=False) for tower, tokens in towers)
        + 2.0 * COLOURS * 32**2 * 768 * (image_tokens - 1),
        written_elements=sum(product_elements(tower, tokens) for tower, tokens in towers),
        stored_elements=sum(stored_elements(tower, tokens, keeps_scores=False) for tower, tokens in towers),
        kernels=float(2 * 12 * (KERNELS_PER_LAYER - 3) + KERNELS_AROUND), source="arXiv 2103.00020, table 20",
        aliases=("clip", "clip-base", "clip-vit-base-patch32"), architecture="bert",
        reference=Reference(image_size=(_SIDE, _SIDE)), scaling="area", traffic="transformer", memory="encoder",
        default_dataset="laion-subset",
    )  # fmt: skip


_CLIP_FRAMES, _TUBE_FRAMES = 16, 2  # VideoMAE: frames of a sample, and of a patch


def _videomae(name: str, layers: int, hidden: int, heads: int, aliases: tuple[str, ...]) -> ModelProfile:
    """A ViT over tubes of 2 x 16 x 16 pixels, all of which see each other: fine-tuning and inference."""
    tokens = _CLIP_FRAMES // _TUBE_FRAMES * (_SIDE // 16) ** 2
    encoder, patches = _encoder(layers, hidden, heads, tokens), COLOURS * _TUBE_FRAMES * 16**2 * hidden
    return ModelProfile(
        name=name, family="video", sample=f"one clip of {_CLIP_FRAMES} frames of {_SIDE} x {_SIDE}",
        parameters=parameters_of(encoder) + patches + hidden * CLASSES,
        forward_flops=forward_flops(encoder, tokens) + 2.0 * patches * tokens,
        written_elements=product_elements(encoder, tokens) + hidden * tokens,
        stored_elements=stored_elements(encoder, tokens, keeps_scores=False),
        kernels=float((KERNELS_PER_LAYER - 3) * layers + KERNELS_AROUND),
        source="arXiv 2203.12602 on arXiv 2010.11929, table 1, by dimensions", aliases=aliases, architecture="video",
        reference=Reference(image_size=(_SIDE, _SIDE), frames=_CLIP_FRAMES), scaling="area", traffic="transformer",
        memory="encoder", width=float(hidden),
    )  # fmt: skip


SAM_SIDE, _SAM_WINDOW, _SAM_GLOBAL = 1024, 14 * 14, 4  # patches in a window; blocks that see all patches
# Copies of a block's scores that live at once: the products, with the positions of the rows, and of the columns too
# (facebookresearch/segment-anything, modeling/image_encoder.py: add_decomposed_rel_pos adds both in one expression,
# outside any fused kernel). In fp32 they are 3.2 GB of ViT-H's 7 GB on one image (issue 33, 2023-04-06).
_SAM_SCORES = 3
# Windows of 14 are cut of 70 x 70 patches, where an image has 64 x 64.
_SAM_PADDED = (70 / 64) ** 2


def _sam(name: str, layers: int, hidden: int, heads: int, aliases: tuple[str, ...]) -> ModelProfile:
    """The image encoder of Segment Anything, which does nearly all of its work; most blocks look within windows."""
    tokens, patches = (SAM_SIDE // 16) ** 2, COLOURS * 16**2 * hidden
    seen = (layers - _SAM_GLOBAL) * _SAM_WINDOW * _SAM_PADDED + _SAM_GLOBAL * tokens
    weights = layers * 12 * hidden**2
    written = tokens * (10 * layers * hidden + heads * seen)
    padding = (_SAM_PADDED - 1) * (layers - _SAM_GLOBAL) * 4 * hidden**2  # of the windows' products for attention
    return ModelProfile(
        name=name, family="encoder", sample=f"one {SAM_SIDE} x {SAM_SIDE} image",
        parameters=float(weights + patches + tokens * hidden),
        forward_flops=2.0 * tokens * (weights + padding + patches + 2 * hidden * seen), written_elements=float(written),
        stored_elements=1.6 * written, kernels=float((KERNELS_PER_LAYER + 5) * layers + KERNELS_AROUND),
        source="arXiv 2304.02643; facebookresearch/segment-anything, build_sam.py: dimensions of the image encoder",
        aliases=aliases, architecture="bert", reference=Reference(image_size=(SAM_SIDE, SAM_SIDE)), scaling="area",
        traffic="unfused_attention", memory="encoder", default_dataset="coco",
        live_elements=_SAM_SCORES * heads * tokens**2.0, width=float(hidden),
    )  # fmt: skip


VIDEO_TRANSFORMERS = (
    _videomae("videomae-base", 12, 768, 12, ("videomae-b", "videomae-vit-b", "videomae-base-finetuned-kinetics")),
    _videomae("videomae-large", 24, 1024, 16, ("videomae-l", "videomae-vit-l", "videomae-large-finetuned-kinetics")),
)
VISION_TRANSFORMERS = (
    _sam("sam-vit-b", 12, 768, 12, ("sam-base", "sam-vit-base", "sam-b", "segment-anything-vit-b")),
    _sam("sam-vit-l", 24, 1024, 16, ("sam-large", "sam-vit-large", "sam-l", "segment-anything-vit-l")),
    _sam("sam-vit-h", 32, 1280, 16, ("sam-huge", "sam-vit-huge", "sam-h", "segment-anything-vit-h")),
    _vit("vit-small", 12, 384, 6, 16, ("vit-s", "vit-s-16", "vit-small-patch16-224", "deit-small")),
    _vit("vit-base", 12, 768, 12, 16, ("vit-b", "vit-b-16", "vit-base-patch16-224", "deit-base")),
    _vit("vit-large", 24, 1024, 16, 16, ("vit-l", "vit-l-16", "vit-large-patch16-224")),
    _vit("vit-huge", 32, 1280, 16, 14, ("vit-h", "vit-h-14", "vit-huge-patch14-224")),
    _swin("swin-tiny", 96, (2, 2, 6, 2), 3, ("swin-t", "swin-tiny-patch4-window7-224")),
    _swin("swin-small", 96, (2, 2, 18, 2), 3, ("swin-s", "swin-small-patch4-window7-224")),
    _swin("swin-base", 128, (2, 2, 18, 2), 4, ("swin-b", "swin-base-patch4-window7-224")),
    _swin("swin-large", 192, (2, 2, 18, 2), 6, ("swin-l", "swin-large-patch4-window7-224")),
    _clip(),
)
