"""Readers of documents: an encoder of the page before a decoder that writes its text token by token."""

from __future__ import annotations

from dataclasses import replace

from networks.vision_transformers import swin_count
from networks.walk import Count, dimensions
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.transformers import (
    KERNELS_AROUND,
    KERNELS_PER_LAYER,
    generation,
    parameters_of,
    written_elements,
    written_flops,
)
from plimsoll_service.engine.models.vision_transformers import COLOURS, product_elements

_LINE_SIDE, _PATCH = 384, 16


def _patches(layers: int, hidden: int) -> tuple[Count, int]:
    """A ViT over a line of text that is squeezed to a square, and the places that the decoder sees."""
    tokens = (_LINE_SIDE // _PATCH) ** 2 + 1
    heads = hidden // 64
    encoder = dimensions(
        (layers, hidden, heads, heads, 64, 4 * hidden), 0, tokens, gated=False, tied=True, causal=False,
        positions=tokens,
    )  # fmt: skip
    stem = COLOURS * _PATCH**2 * hidden
    macs = tokens * (layers * (12 * hidden**2 + 2 * tokens * hidden) + stem)
    kernels = KERNELS_PER_LAYER * layers + KERNELS_AROUND
    outputs = product_elements(encoder, tokens)
    return Count(float(macs), parameters_of(encoder) + stem, outputs, float(kernels)), tokens


def _page(high: int, wide: int, window: int) -> tuple[Count, int]:
    """Swin-B over a page, with 14 blocks in its third stage; the decoder sees its last map."""
    return swin_count(128, (2, 2, 14, 2), 4, (high, wide), window), high * wide // 32**2


def _reader(
    name: str, eyes: tuple[Count, int], layers: int, hidden: int, words: int, tokens: int, image: tuple[int, int],
    what: str, source: str, *aliases: str, tied: bool = True,
) -> ModelProfile:  # fmt: skip
    """``eyes``: the encoder and the places of its output; ``tokens``: of the text of a sample, ``what`` it is."""
    tower, seen = eyes
    heads = hidden // 64
    decoder = dimensions(
        (layers, hidden, heads, heads, 64, 4 * hidden), words, tokens, gated=False, tied=tied, causal=False,
        cross_attention_layers=layers, positions=tokens,
    )  # fmt: skip
    text = generation(decoder, tokens, seen)
    own = written_elements(replace(decoder, cross_attention_layers=0), tokens, keeps_scores=True)
    written = tower.outputs + own + tokens * words
    return ModelProfile(
        name=name, family="encoder", sample=f"{what} of {tokens} tokens",
        parameters=tower.parameters + parameters_of(decoder),
        forward_flops=2.0 * tower.macs + written_flops(decoder, tokens, seen), written_elements=written,
        stored_elements=2.0 * written, kernels=tower.kernels + KERNELS_PER_LAYER * layers,
        source=f"{source}, by dimensions", aliases=aliases, architecture="seq2seq",
        reference=Reference(image_size=image), traffic="transformer", memory="encoder", default_dataset="coco",
        generation=replace(text, kernels=tower.kernels + text.kernels),
    )  # fmt: skip


_LI = "arXiv 2109.10282; config.json of copies of microsoft/trocr, read 2026-11-28"
_LINE = "one image of a line"
_LINE_TOKENS = 20  # max_length of that config
_KIM = "arXiv 2111.15664; config.json of copies of naver-clova-ix/donut-base, read 2026-11-28"
_BLECHER = "arXiv 2308.13418, sections 3 and 6; Swin-B as Donut's"
_RECEIPT_TOKENS, _PAGE_TOKENS = 256, 1_400  # a receipt's fields; the mean of a page of a paper (arXiv 2308.13418)

READERS = (
    _reader("trocr-small", _patches(12, 384), 6, 256, 64_044, _LINE_TOKENS, (_LINE_SIDE, _LINE_SIDE), _LINE, _LI,
            "trocr-small-printed", "trocr-small-handwritten", tied=False),
    _reader("trocr-base", _patches(12, 768), 12, 1024, 50_265, _LINE_TOKENS, (_LINE_SIDE, _LINE_SIDE), _LINE, _LI,
            "trocr", "trocr-base-printed", "trocr-base-handwritten", "trocr-base-stage1"),
    _reader("trocr-large", _patches(24, 1024), 12, 1024, 50_265, _LINE_TOKENS, (_LINE_SIDE, _LINE_SIDE), _LINE, _LI,
            "trocr-large-printed", "trocr-large-handwritten"),
    _reader("donut-base", _page(2560, 1920, 10), 4, 1024, 57_525, _RECEIPT_TOKENS, (2560, 1920), "one document", _KIM,
            "donut", "donut-base-finetuned-cord-v2", "donut-base-finetuned-docvqa", "donut-base-finetuned-rvlcdip"),
    _reader("nougat-small", _page(896, 672, 7), 4, 1024, 50_000, _PAGE_TOKENS, (896, 672), "one page", _BLECHER,
            tied=False),
    _reader("nougat-base", _page(896, 672, 7), 10, 1024, 50_000, _PAGE_TOKENS, (896, 672), "one page", _BLECHER,
            "nougat", tied=False),
)  # fmt: skip
