"""Generators of video, and of images by later transformers over latent patches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from networks.diffusion import (
    DISTILLED,
    GUIDED,
    PatchPlan,
    UNetPlan,
    decoder_flops,
    encoder_flops,
    patch_count,
    unet_count,
)
from networks.walk import Count
from plimsoll_service.engine.models.profile import DECODER_MAPS, ENCODER_MAPS, HALF, WIDE, ModelProfile, Reference

_KEPT = 2.0  # per written element, as of networks with normalisation
_KERNELS_PER_BLOCK = 40.0  # self-attention, cross-attention, feed-forward and their modulations
_PROMPT = 512  # tokens of T5's text encoders


@dataclass(frozen=True)
class VideoPlan:
    """A transformer over the latent patches of all frames together, with attention to the prompt beside it."""

    layers: int
    width: int
    inner: int
    tokens: int  # of the clip: latent frames x rows x columns
    cross: bool = True  # attention to the prompt of its own; else the prompt's tokens stand among the clip's


def video_count(plan: VideoPlan) -> Count:
    """One pass over the clip: every token sees all others."""
    attention = (8 if plan.cross else 4) * plan.width**2
    layer = attention + 2 * plan.width * plan.inner
    tokens = plan.tokens + (0 if plan.cross else _PROMPT)
    scores = 2 * tokens * plan.width + (2 * _PROMPT * plan.width if plan.cross else 0)
    macs = float(plan.layers * tokens * (layer + scores))
    return Count(
        macs=macs,
        parameters=float(plan.layers * layer),
        outputs=plan.layers * tokens * (9.0 * plan.width + 2.0 * plan.inner),
        kernels=plan.layers * _KERNELS_PER_BLOCK,
        in_blocks=macs,
        scores=plan.layers * 2.0 * tokens**2 * plan.width,
        prompt=0.0 if plan.cross else _PROMPT / tokens,
    )


def _generator(
    name: str, count: Count, image: tuple[int, int], frames: int, steps: int, passes: int, width: int,
    billion: tuple[float, float], source: str, *aliases: str, decoded: tuple[float, float] = (DECODER_MAPS, HALF),
) -> ModelProfile:  # fmt: skip
    """``billion``: parameters of the network (0: those of its count), and of text encoders and decoder.

    ``decoded``: elements a pixel that live in the decoder, and their bytes.
    """
    high, wide = image
    what = f"video of {frames} frames of {high} x {wide}" if frames > 1 else f"{high} x {wide} image"
    own, beside = billion
    return ModelProfile(
        name=name, family="diffusion", sample=f"one {what}, {steps} denoising steps",
        parameters=own * 1e9 or count.parameters, forward_flops=2.0 * count.macs * passes * steps,
        written_elements=count.outputs * passes * steps, stored_elements=_KEPT * count.outputs,
        kernels=count.kernels * steps, source=source, aliases=aliases, architecture="diffusion",
        reference=Reference(image_size=image, steps=steps, frames=frames if frames > 1 else None),
        scaling="steps", traffic="rnn", memory="other",
        wide=count.wide, paired=count.paired, prompt=count.prompt, width=float(width),
        frozen_parameters=beside * 1e9, guidance_passes=passes,
        default_dataset="laion-subset",
        encoded_bytes=ENCODER_MAPS * WIDE * (frames == 1),  # videos are encoded beforehand
        encoded_flops=encoder_flops(high) * (frames == 1),
        decoded_flops=decoder_flops(high) * (frames == 1),
        decoded_elements=decoded[0], decoder_bytes=decoded[1],
    )  # fmt: skip


def _video(
    name: str, plan: VideoPlan, image: tuple[int, int], frames: int, steps: int, passes: int,
    billion: tuple[float, float], source: str, *aliases: str, decoded: tuple[float, float] = (DECODER_MAPS, HALF),
) -> ModelProfile:  # fmt: skip
    return _generator(
        name, video_count(plan), image, frames, steps, passes, plan.width, billion, source, *aliases, decoded=decoded
    )  # fmt: skip


def _frames(plan: UNetPlan, side: int, frames: int, more: float) -> Count:
    """A U-Net of images over each frame of a clip, with ``more`` of everything for the layers over time."""
    one = unet_count(plan, side)
    return Count(
        macs=one.macs * frames * more, parameters=one.parameters * more, outputs=one.outputs * frames * more,
        kernels=one.kernels * more, in_blocks=one.in_blocks * frames * more,
        scores=one.scores * frames * more,
    )  # fmt: skip


# Elements a pixel that live in the decoder of the whole clip (own count, engine/models/profile.py), and their bytes.
# Wan decodes in fp32, a latent frame after another (Wan-Video/Wan2.1, wan/modules/vae.py); LTX all at once. CogVideoX,
# HunyuanVideo and Mochi decode in tiles, as their own scripts and pages do (``enable_tiling``).
_WAN_DECODER, _WAN22_DECODER, _LTX_DECODER, _LTX2_DECODER = (5_309, WIDE), (5_744, WIDE), (6_062, HALF), (5_160, HALF)
_COG_DECODER, _HUNYUAN_DECODER, _MOCHI_DECODER = (5_851, HALF), (2_994, HALF), (23_304, HALF)
# All frames at once, through layers over time or one by one through the image decoder.
_SVD_DECODER, _ANIMATED = (25_602, HALF), (16 * DECODER_MAPS, HALF)
_SDXL_DECODER = (DECODER_MAPS, WIDE)
_QWEN_DECODER = (1_730, HALF)
_T5_XXL, _UMT5_XXL = 4.76, 5.68  # billion parameters of the text encoders, which run once a prompt
_VAE = 0.13
_WAN = "Wan-AI: config.json; tokens of 81 frames of 480 x 832 by strides 4 x 8 x 8 and patches 1 x 2 x 2"
_SD1 = UNetPlan((320, 640, 1280, 1280), (1, 1, 1, 0), 768)
_SD2 = UNetPlan((320, 640, 1280, 1280), (1, 1, 1, 0), 1024)
_SDXL = UNetPlan((320, 640, 1280), (0, 2, 10), 2048)

# Kandinsky 5 (arXiv 2511.14993; kandinskylab/kandinsky-5): 32 blocks of 1,792 with attention to the prompt, encoders
# of text Qwen2.5-VL-7B and CLIP, HunyuanVideo's decoder of clips.
_K5 = "arXiv 2511.14993; kandinskylab/kandinsky-5: configurations"
_K5_ENCODERS = 8.3 + 0.12 + 0.25
_K5_NAMES = (
    "kandinsky-5", "kandinsky-5.0", "kandinsky5", "kandinsky-5.0-lite", "kandinsky-5.0-t2v-lite",
    "kandinsky-5.0-t2v-lite-sft-5s", "kandinsky-5.0-i2v-lite", "kandinsky-5.0-i2v-lite-5s", "kandinsky-5.0-video-lite",
)  # fmt: skip

# 30 blocks and two refiners of the image's places, inner width 10,240, gated; prompts are padded to 32, not to 512.
_Z_IMAGE = PatchPlan(3840, 0, 32, 128, 2560, modulated=False)
_Z_SOURCE = "arXiv 2511.22699; diffusers, transformer_z_image.py: 30 blocks of 3,840; text encoder Qwen3-4B"

# HiDream-I1 (config.json; diffusers, transformer_hidream_image.py): of four experts of 6,912 two work beside a shared
# one of 3,584, all gated, which with attention are 24 widths squared a token. T5's and Llama's 128 tokens each stand
# among the image's, and 128 of Llama's layer that belongs to a block.
_HIDREAM = PatchPlan(2560, 16, 32, 384, 4096, squares=24)
_HIDREAM_SOURCE = "HiDream-ai/HiDream-I1: config.json, 17 B; text encoders T5-XXL and Llama-3.1-8B"
_HIDREAM_BILLION = (17.1, _T5_XXL + 8.03 + 0.82 + _VAE)
# Sana (arXiv 2410.10629 and config.json): a gated convolution of 2.5 widths is three products; latents of a 32nd of the
# side. Its attention is linear: here that of 1,024 places counts as 6% of a block.
_GEMMA_2B = 2.61
_SANA = "arXiv 2410.10629; config.json of Efficient-Large-Model/Sana; text encoder Gemma-2-2B"

# Wan's weights of 14 B are published in fp32: 77 GB (Wan-Video/Wan2.1 issue 162, 2025-03-03) and, of two networks, 120
# (intel/auto-round issue 2269, 2026-09-01).
_IN_FP32 = 4.0

GENERATION = (
    _video("wan2.1-1.3b", VideoPlan(30, 1536, 8960, 32_760), (480, 832), 81, 50, GUIDED, (1.42, _UMT5_XXL + _VAE), _WAN,
           "wan2.1-t2v-1.3b", "wan-1.3b", "wan2.1-t2v-1.3b-diffusers", "wan-2.1-1.3b", "wan2.1-vace-1.3b",
           decoded=_WAN_DECODER),
    replace(_video("wan2.1-14b", VideoPlan(40, 5120, 13_824, 32_760), (480, 832), 81, 50, GUIDED,
                   (14.3, _UMT5_XXL + _VAE), _WAN, "wan2.1-t2v-14b", "wan2.1", "wan", "wan-2.1", "wan2.1-i2v-14b",
                   "wan2.1-i2v-14b-480p", "wan-14b", "wan2.1-t2v-14b-diffusers", "wan2.1-i2v-14b-720p", "wan-2.1-14b",
                   "wan2.1-vace-14b", decoded=_WAN_DECODER),
            file_bytes=_IN_FP32),
    replace(_video("wan2.2-a14b", VideoPlan(40, 5120, 13_824, 32_760), (480, 832), 81, 40, GUIDED,
                   (28.6, _UMT5_XXL + _VAE), _WAN + "; two networks of 14 B take turns", "wan2.2", "wan2.2-t2v-a14b",
                   "wan2.2-i2v-a14b", "wan-2.2", "wan2.2-t2v-a14b-diffusers", "wan2.2-14b", "wan-2.2-14b",
           decoded=_WAN_DECODER),
            networks_in_turn=2, file_bytes=_IN_FP32),
    _video("wan2.2-5b", VideoPlan(30, 3072, 14_336, 27_280), (704, 1280), 121, 50, GUIDED, (5.0, _UMT5_XXL + 0.7),
           "Wan-AI: config.json; tokens of 121 frames of 704 x 1280 by strides 4 x 16 x 16 and patches 1 x 2 x 2",
           "wan2.2-ti2v-5b", "wan-2.2-5b", decoded=_WAN22_DECODER),
    _video("hunyuanvideo", VideoPlan(60, 3072, 12_288, 67_320, cross=False), (544, 960), 129, 50, DISTILLED,
           (12.8, 8.3 + 0.25), "arXiv 2412.03603: 20 double and 40 single blocks of 3,072; 129 frames of 544 x 960",
           "hunyuan-video", "hunyuanvideo-i2v", decoded=_HUNYUAN_DECODER),
    _video("hunyuanvideo-1.5", VideoPlan(54, 2048, 8_192, 49_290, cross=False), (480, 848), 121, 50, GUIDED,
           (8.33, 8.3 + 1.3), "tencent/HunyuanVideo-1.5: config.json, 54 double blocks of 2,048; 121 frames of "
           "480 x 848 by strides 4 x 16 x 16", "hunyuan-video-1.5", "hunyuanvideo1.5", "hunyuanvideo-1.5-480p-t2v",
           decoded=_HUNYUAN_DECODER),
    _video("cogvideox-2b", VideoPlan(30, 1920, 7_680, 17_550, cross=False), (480, 720), 49, 50, GUIDED,
           (1.69, _T5_XXL + 0.22), "arXiv 2408.06072; config.json of THUDM/CogVideoX-2b; 49 frames of 480 x 720",
           decoded=_COG_DECODER),
    _video("cogvideox-5b", VideoPlan(42, 3072, 12_288, 17_550, cross=False), (480, 720), 49, 50, GUIDED,
           (5.57, _T5_XXL + 0.22), "arXiv 2408.06072; config.json of THUDM/CogVideoX-5b; 49 frames of 480 x 720",
           "cogvideox", "cogvideox-5b-i2v", "cogvideo", "cogvideox1.5-5b", decoded=_COG_DECODER),
    _video("ltx-video-2b", VideoPlan(28, 2048, 8_192, 6_144), (512, 768), 121, 40, GUIDED, (1.92, _T5_XXL + 0.6),
           "arXiv 2501.00103: 28 blocks of 2,048; 121 frames of 512 x 768 by strides 8 x 32 x 32", "ltx-video", "ltx",
           "ltxv", "ltx-video-0.9", decoded=_LTX_DECODER),
    _video("ltx-video-13b", VideoPlan(48, 4096, 16_384, 6_144), (512, 768), 121, 40, GUIDED, (13.0, _T5_XXL + 0.6),
           "Lightricks/LTX-Video: 13 B; 48 blocks of 4,096; 121 frames of 512 x 768", "ltxv-13b",
           "ltx-video-0.9.7", "ltx-video-0.9.8-13b", decoded=_LTX_DECODER),
    _video("ltx-2", VideoPlan(48, 4096, 16_384, 6_144), (512, 768), 121, 40, GUIDED, (18.9, 12.2 + 2.4),
           "Lightricks/LTX-2: 48 blocks, 14 B for video beside 5 B for sound, text encoder Gemma 3 12B; work of the "
           "video's part; 121 frames of 512 x 768 by strides 8 x 32 x 32", "ltx2", "ltx-2-19b", "ltx-2-19b-dev",
           decoded=_LTX2_DECODER),
    _video("mochi-1", VideoPlan(48, 3072, 12_288, 44_520, cross=False), (480, 848), 163, 64, GUIDED,
           (10.0, _T5_XXL + 0.36), "genmo/mochi-1: 10 B, 48 blocks of 3,072; 163 frames of 480 x 848", "mochi",
           "mochi-1-preview", decoded=_MOCHI_DECODER),
    _video("kandinsky-5-lite", VideoPlan(32, 1792, 7_168, 47_616), (512, 768), 121, 50, GUIDED, (2.0, _K5_ENCODERS),
           _K5 + "; 121 frames of 512 x 768 by strides 4 x 8 x 8 and patches 1 x 2 x 2",
           *_K5_NAMES, decoded=_HUNYUAN_DECODER),
    _generator("stable-video-diffusion", _frames(_SD2, 768, 25, 1.76), (576, 1024), 25, 25, GUIDED, 1280, (1.52, 0.73),
               "arXiv 2311.15127: the U-Net of Stable Diffusion 2.1 over 25 frames, with 0.66 B more over time", "svd",
               "svd-xt", "stable-video-diffusion-img2vid-xt", "stable-video-diffusion-img2vid", decoded=_SVD_DECODER),
    _generator("animatediff", _frames(_SD1, 512, 16, 1.49), (512, 512), 16, 25, GUIDED, 1280, (1.28, 0.21),
               "arXiv 2307.04725: the U-Net of Stable Diffusion 1.5 over 16 frames, with 0.42 B more over time",
               "animatediff-sd15", "animatediff-v3", decoded=_ANIMATED),
    # Images.
    _video("pixart-sigma", VideoPlan(28, 1152, 4_608, 4_096), (1024, 1024), 1, 20, GUIDED, (0.61, _T5_XXL + 0.08),
           "arXiv 2310.00426 and 2403.04692: 28 blocks of 1,152", "pixart-alpha", "pixart", "pixart-xl-2-1024-ms",
           "pixart-sigma-xl-2-1024-ms", "pixart-xl-2"),
    _generator("stable-diffusion-3.5-medium", patch_count(PatchPlan(1536, 24, 0, 333, 4096), 1024), (1024, 1024), 1, 40,
               GUIDED, 1536, (2.5, 5.67), "stabilityai/stable-diffusion-3.5-medium: 2.5 B, 24 blocks of 1,536",
               "sd3.5-medium"),
    _video("kandinsky-5-image-lite", VideoPlan(50, 2560, 10_240, 4_096), (1024, 1024), 1, 50, GUIDED,
           (6.0, 8.3 + 0.12 + 0.08), _K5 + "; 50 blocks of 2,560; FLUX's image decoder", "kandinsky-5.0-image-lite",
           "kandinsky-5.0-t2i-lite", "kandinsky-5-t2i-lite", "kandinsky-5.0-t2i-lite-sft", "kandinsky5-image"),
    _generator("z-image-turbo", patch_count(_Z_IMAGE, 1024), (1024, 1024), 1, 8, DISTILLED, 3840, (6.15, 4.1),
               _Z_SOURCE + "; 8 steps without guidance", "z-image-turbo-6b"),
    _generator("z-image", patch_count(_Z_IMAGE, 1024), (1024, 1024), 1, 50, GUIDED, 3840, (6.15, 4.1), _Z_SOURCE,
               "z-image-base", "z-image-6b", "z-image-edit"),
    _generator("qwen-image", patch_count(PatchPlan(3072, 60, 0, _PROMPT, 3584), 1024), (1024, 1024), 1, 50, GUIDED,
               3072,
               (20.4, 8.3 + _VAE), "arXiv 2508.02324: 60 double blocks of 3,072; text encoder Qwen2.5-VL-7B",
               "qwen-image-edit", "qwen-image-2512", "qwen-image-edit-2509", decoded=_QWEN_DECODER),
    _generator("hidream-i1-full", patch_count(_HIDREAM, 1024), (1024, 1024), 1, 50, GUIDED, 2560, _HIDREAM_BILLION,
               _HIDREAM_SOURCE + "; 50 steps", "hidream-i1", "hidream"),
    _generator("hidream-i1-dev", patch_count(_HIDREAM, 1024), (1024, 1024), 1, 28, DISTILLED, 2560, _HIDREAM_BILLION,
               _HIDREAM_SOURCE + "; 28 steps without guidance"),
    _generator("hidream-i1-fast", patch_count(_HIDREAM, 1024), (1024, 1024), 1, 16, DISTILLED, 2560, _HIDREAM_BILLION,
               _HIDREAM_SOURCE + "; 16 steps without guidance"),
    _video("sana-1.6b", VideoPlan(20, 2240, 8_400, 1_024), (1024, 1024), 1, 20, GUIDED, (1.6, _GEMMA_2B + 0.31), _SANA,
           "sana", "sana-1600m", "sana-1600m-1024px", "sana-1.5-1.6b"),
    _video("sana-0.6b", VideoPlan(28, 1152, 4_320, 1_024), (1024, 1024), 1, 20, GUIDED, (0.59, _GEMMA_2B + 0.31), _SANA,
           "sana-600m", "sana-600m-1024px"),
    _video("lumina-image-2", VideoPlan(28, 2304, 13_824, 4_096, cross=False), (1024, 1024), 1, 50, GUIDED,
           (2.6, _GEMMA_2B + 0.08), "arXiv 2503.21758; config.json of Alpha-VLLM/Lumina-Image-2.0: 26 blocks and two "
           "refiners of 2,304; 50 steps of its card", "lumina-image-2.0", "lumina-2", "lumina2", "lumina"),
    _generator("kolors", unet_count(_SDXL, 1024), (1024, 1024), 1, 50, GUIDED, 1280, (2.58, 6.24 + 0.08),
               "Kwai-Kolors/Kolors: the U-Net of SDXL with the text encoder ChatGLM3-6B", decoded=_SDXL_DECODER),
    _generator("ssd-1b", unet_count(UNetPlan((320, 640, 1280), (0, 2, 4), 2048), 1024), (1024, 1024), 1, 30, GUIDED,
               1280, (1.33, 0.9), "segmind/SSD-1B: half of SDXL's blocks", "segmind-ssd-1b", decoded=_SDXL_DECODER),
)  # fmt: skip
