"""Models that read images and write text: a language model's plan, with a tower for the images beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from plimsoll_service.engine.models.decoders import DECODERS
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.recent_decoders import RECENT_DECODERS
from plimsoll_service.engine.models.transformers import dimensions, language_model, parameters_of

_KNOWN = {model.name: model for model in (*DECODERS, *RECENT_DECODERS)}


class Tower(NamedTuple):
    """Millions of parameters, and the patches that a token of an image stands for; 0 where images take no tokens."""

    million: float
    patches: int = 1  # at least


# 2 x 2 patches are merged (config.json: Qwen's spatial_merge_size of 2, InternVL's downsample_ratio of 0.5), or 4 x 4
# (SmolVLM's scale_factor of 4; MiniCPM-V 2.6: a slice of 448 by 14 squared, query_num 64); read 2026-11-23.
_MERGED, _SHUFFLED = 4, 16
_SIGLIP, _CLIP_L, _INTERNVIT, _INTERNVIT_6B = Tower(428.0), Tower(304.0), Tower(304.0, _MERGED), Tower(5_540.0, _MERGED)
_QWEN_TOWER, _QWEN_3_TOWER, _QWEN_3_SMALL = Tower(669.0, _MERGED), Tower(576.0, _MERGED), Tower(407.0, _MERGED)
_SMOL, _LLAMA_TOWER = Tower(93.0, _SHUFFLED), Tower(870.0, 0)  # Llama 3.2 attends to images across
_TOWERS = "the tower of images held beside it"


def _on(name: str, base: str, tower: Tower, source: str, *aliases: str, context: int | None = None) -> ModelProfile:
    """A language model of the table that also reads images; the tower's parameters are held, not read at each token."""
    like = _KNOWN[base]
    sees = like.transformer
    if context is not None and sees is not None:
        sees = replace(sees, context_length=context)
    return replace(
        like, name=name, aliases=aliases, source=f"{source}; language model as {base}, {_TOWERS}",
        frozen_parameters=tower.million * 1e6, image_patches=tower.patches, transformer=sees,
    )  # fmt: skip


def _own(
    name: str, sizes: tuple[int, int, int, int, int, int], words: int, context: int, tower: Tower, source: str,
    *aliases: str, tied: bool = False,
) -> ModelProfile:  # fmt: skip
    transformer = dimensions(sizes, words, context, tied=tied)
    profile = language_model(name, parameters_of(transformer), transformer, f"{source}; {_TOWERS}", aliases)
    return replace(profile, frozen_parameters=tower.million * 1e6, image_patches=tower.patches)


_QWEN = "config.json of Qwen/"
_QWEN_3_CONTEXT = 262144
_LLAVA = "arXiv 2310.03744; config.json of llava-hf/"
_INTERNVL = "config.json of OpenGVLab/"

MULTIMODAL = (
    _on("qwen2-vl-2b", "qwen2-1.5b", _QWEN_TOWER, _QWEN + "Qwen2-VL-2B-Instruct"),
    _on("qwen2-vl-7b", "qwen2-7b", _QWEN_TOWER, _QWEN + "Qwen2-VL-7B-Instruct", "qwen2-vl", "olmocr-7b"),
    _on("qwen2-vl-72b", "qwen2-72b", _QWEN_TOWER, _QWEN + "Qwen2-VL-72B-Instruct"),
    _on("qwen2.5-vl-3b", "qwen2.5-3b", _QWEN_TOWER, _QWEN + "Qwen2.5-VL-3B-Instruct", "nanonets-ocr-s"),
    _on(
        "qwen2.5-vl-7b",
        "qwen2.5-7b",
        _QWEN_TOWER,
        _QWEN + "Qwen2.5-VL-7B-Instruct",
        "qwen2.5-vl",
        "ui-tars-1.5-7b",
        "olmocr-7b-0825",
    ),
    _on("qwen2.5-vl-32b", "qwen2.5-32b", _QWEN_TOWER, _QWEN + "Qwen2.5-VL-32B-Instruct"),
    _on("qwen2.5-vl-72b", "qwen2.5-72b", _QWEN_TOWER, _QWEN + "Qwen2.5-VL-72B-Instruct"),
    _own(
        "qwen3-vl-2b",
        (28, 2048, 16, 8, 128, 6144),
        151936,
        262144,
        _QWEN_3_SMALL,
        _QWEN + "Qwen3-VL-2B-Instruct",
        tied=True,
    ),
    _own(
        "qwen3-vl-4b",
        (36, 2560, 32, 8, 128, 9728),
        151936,
        262144,
        _QWEN_3_SMALL,
        _QWEN + "Qwen3-VL-4B-Instruct",
        tied=True,
    ),
    _on("qwen3-vl-8b", "qwen3-8b", _QWEN_3_TOWER, _QWEN + "Qwen3-VL-8B-Instruct", "qwen3-vl", context=_QWEN_3_CONTEXT),
    _on("qwen3-vl-32b", "qwen3-32b", _QWEN_3_TOWER, _QWEN + "Qwen3-VL-32B-Instruct", context=_QWEN_3_CONTEXT),
    _on(
        "qwen3-vl-30b-a3b",
        "qwen3-30b-a3b",
        _QWEN_3_TOWER,
        _QWEN + "Qwen3-VL-30B-A3B-Instruct",
        "qwen3-vl-30b",
        context=_QWEN_3_CONTEXT,
    ),
    _on(
        "qwen3-vl-235b-a22b",
        "qwen3-235b-a22b",
        _QWEN_3_TOWER,
        _QWEN + "Qwen3-VL-235B-A22B-Instruct",
        "qwen3-vl-235b",
        context=_QWEN_3_CONTEXT,
    ),
    _on(
        "llava-1.5-7b",
        "llama-2-7b",
        _CLIP_L,
        _LLAVA + "llava-1.5-7b-hf",
        "llava",
        "llava-7b",
        "llava-1.5",
        "llava-v1.5-7b",
    ),
    _on("llava-1.5-13b", "llama-2-13b", _CLIP_L, _LLAVA + "llava-1.5-13b-hf", "llava-13b", "llava-v1.5-13b"),
    _on(
        "llava-1.6-7b",
        "mistral-7b",
        _CLIP_L,
        _LLAVA + "llava-v1.6-mistral-7b-hf",
        "llava-v1.6-mistral-7b",
        "llava-1.6",
        "llava-next",
        "llava-v1.6-7b",
        "llava-next-7b",
        "llava-1.6-mistral-7b",
    ),
    _on("llava-1.6-vicuna-7b", "llama-2-7b", _CLIP_L, _LLAVA + "llava-v1.6-vicuna-7b-hf", "llava-v1.6-vicuna-7b"),
    _on(
        "llava-1.6-13b",
        "llama-2-13b",
        _CLIP_L,
        _LLAVA + "llava-v1.6-vicuna-13b-hf",
        "llava-v1.6-vicuna-13b",
        "llava-v1.6-13b",
    ),
    _on("llava-1.6-34b", "yi-34b", _CLIP_L, _LLAVA + "llava-v1.6-34b-hf", "llava-v1.6-34b", "llava-34b"),
    _on(
        "llava-onevision-0.5b",
        "qwen2-0.5b",
        _SIGLIP,
        "arXiv 2408.03326",
        "llava-onevision-qwen2-0.5b-ov",
        "llava-onevision-qwen2-0.5b",
    ),
    _on(
        "llava-onevision-7b",
        "qwen2-7b",
        _SIGLIP,
        "arXiv 2408.03326",
        "llava-onevision-qwen2-7b-ov",
        "llava-onevision",
        "llava-onevision-qwen2-7b",
        "llava-video-7b-qwen2",
    ),
    _on(
        "llava-onevision-72b",
        "qwen2-72b",
        _SIGLIP,
        "arXiv 2408.03326",
        "llava-onevision-qwen2-72b-ov",
        "llava-onevision-qwen2-72b",
    ),
    _on(
        "internvl3-1b",
        "qwen2.5-0.5b",
        _INTERNVIT,
        _INTERNVL + "InternVL3-1B",
        "internvl2.5-1b",
        "internvl2-1b",
        "internvl2_5-1b",
    ),
    _on("internvl3-2b", "qwen2.5-1.5b", _INTERNVIT, _INTERNVL + "InternVL3-2B", "internvl2.5-2b", "internvl2_5-2b"),
    _on("internvl3-8b", "qwen2.5-7b", _INTERNVIT, _INTERNVL + "InternVL3-8B", "internvl", "internvl3"),
    _on(
        "internvl2.5-8b",
        "internlm2.5-7b",
        _INTERNVIT,
        _INTERNVL + "InternVL2_5-8B",
        "internvl2_5-8b",
        "internvl2-8b",
        "internvl2.5",
        "internvl2",
    ),
    _on(
        "internvl2.5-26b",
        "internlm2.5-20b",
        _INTERNVIT_6B,
        _INTERNVL + "InternVL2_5-26B",
        "internvl2_5-26b",
        "internvl2-26b",
    ),
    _on("internvl3-14b", "qwen2.5-14b", _INTERNVIT, _INTERNVL + "InternVL3-14B"),
    _on(
        "internvl3-38b", "qwen2.5-32b", _INTERNVIT_6B, _INTERNVL + "InternVL3-38B", "internvl2.5-38b", "internvl2_5-38b"
    ),
    _on(
        "internvl3-78b",
        "qwen2.5-72b",
        _INTERNVIT_6B,
        _INTERNVL + "InternVL3-78B",
        "internvl2.5-78b",
        "internvl2_5-78b",
        "internvl2-76b",
    ),
    _on("internvl3.5-8b", "qwen3-8b", _INTERNVIT, _INTERNVL + "InternVL3_5-8B", "internvl3_5-8b", "internvl3.5"),
    _on("internvl3.5-38b", "qwen3-32b", _INTERNVIT_6B, _INTERNVL + "InternVL3_5-38B", "internvl3_5-38b"),
    _on(
        "phi-3.5-vision",
        "phi-3-mini",
        _CLIP_L,
        "config.json of microsoft/Phi-3.5-vision-instruct",
        "phi-3-vision",
        "phi-3-vision-128k",
        "phi-3.5-vision-4.2b",
    ),
    _on(
        "phi-4-multimodal",
        "phi-4-mini",
        Tower(1_770.0, 0),
        "microsoft/Phi-4-multimodal-instruct: 5.6 B parameters in all",
    ),
    _on(
        "pixtral-12b",
        "mistral-nemo-12b",
        Tower(400.0),
        "arXiv 2410.07073: decoder of 12 B, tower of 400 M",
        "pixtral",
        "pixtral-12b-2409",
    ),
    _on(
        "pixtral-large-124b",
        "mistral-large-123b",
        Tower(1_000.0),
        "mistralai/Pixtral-Large-Instruct-2411",
        "pixtral-large",
    ),
    _own(
        "llama-3.2-11b-vision",
        (40, 4096, 32, 8, 128, 14336),
        128256,
        131072,
        _LLAMA_TOWER,
        "config.json of meta-llama/Llama-3.2-11B-Vision-Instruct",
        "llama-3.2-vision",
        "llama-3.2-vision-11b",
        "llama-3.2-11b",
    ),
    _own(
        "llama-3.2-90b-vision",
        (100, 8192, 64, 8, 128, 28672),
        128256,
        131072,
        _LLAMA_TOWER,
        "config.json of meta-llama/Llama-3.2-90B-Vision-Instruct",
        "llama-3.2-vision-90b",
        "llama-3.2-90b",
    ),
    _on(
        "paligemma-3b",
        "gemma-2b",
        _SIGLIP,
        "arXiv 2407.07726",
        "paligemma",
        "paligemma-3b-mix-224",
        "paligemma-3b-pt-224",
        "colpali",
        "colpali-v1.3",
    ),
    _on(
        "paligemma2-3b",
        "gemma-2-2b",
        _SIGLIP,
        "arXiv 2412.03555",
        "paligemma-2-3b",
        "paligemma2",
        "paligemma2-3b-pt-224",
        "paligemma2-3b-mix-224",
    ),
    _on("paligemma2-10b", "gemma-2-9b", _SIGLIP, "arXiv 2412.03555", "paligemma-2-10b", "paligemma2-10b-pt-448"),
    _on("paligemma2-28b", "gemma-2-27b", _SIGLIP, "arXiv 2412.03555", "paligemma-2-28b"),
    _on(
        "smolvlm-256m",
        "smollm2-135m",
        _SMOL,
        "arXiv 2504.05299",
        "smolvlm2-256m",
        "smolvlm-256m-instruct",
        "granite-docling-258m",
        "smoldocling-256m",
    ),
    _on("smolvlm-500m", "smollm2-360m", _SMOL, "arXiv 2504.05299", "smolvlm2-500m", "smolvlm2-500m-video"),
    _on(
        "smolvlm-2.2b",
        "smollm2-1.7b",
        _SIGLIP,
        "arXiv 2504.05299",
        "smolvlm",
        "smolvlm2",
        "smolvlm2-2.2b",
        "smolvlm-instruct",
    ),
    _on(
        "minicpm-v-2.6",
        "qwen2-7b",
        Tower(_SIGLIP.million, _SHUFFLED),
        "openbmb/MiniCPM-V-2_6: 8 B parameters in all",
        "minicpm-v",
        "minicpm-v-2_6",
        "minicpm-o-2.6",
        "minicpm-o-2_6",
    ),
    _on("molmo-7b", "qwen2-7b", _CLIP_L, "arXiv 2409.17146", "molmo-7b-d", "molmo-7b-d-0924"),
    _on("molmo-72b", "qwen2-72b", _CLIP_L, "arXiv 2409.17146", "molmo-72b-0924"),
    _on("idefics2-8b", "mistral-7b", _SIGLIP, "arXiv 2405.02246", "idefics2"),
    _on("idefics3-8b", "llama-3.1-8b", _SIGLIP, "arXiv 2408.12637", "idefics3-8b-llama3", "idefics3"),
    _on(
        "ultravox-8b",
        "llama-3.1-8b",
        Tower(640.0, 0),
        "fixie-ai/ultravox: Whisper's encoder before Llama 3.1 8B",
        "ultravox-v0_5-llama-3_1-8b",
        "ultravox",
    ),
)
