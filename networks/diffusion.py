"""Image generation by denoising; stored elements and training are of one pass, generation of all steps."""

from __future__ import annotations

from dataclasses import dataclass

from networks.walk import FLOP_PER_MAC, Count, Walk
from plimsoll_service.engine.models.profile import DECODER_MAPS, ENCODER_MAPS, HALF, WIDE, ModelProfile, Reference

# Counts of one pass of a denoising network: U-Nets with attention, and transformers over latent patches.

LATENT_FACTOR = 8  # pixels a side to one latent place
_PROMPT_TOKENS = 77  # of CLIP's text encoder
_GATED_WIDTH = 12  # a gated feed-forward block of four times the width: 8 + 4 widths squared
_KERNELS_PER_BLOCK = 26  # self-attention, cross-attention and gated feed-forward with their norms
_HEAD_SIZE = 64


@dataclass(frozen=True)
class UNetPlan:
    """Widths by level, attention blocks by level, and the width of the prompt."""

    widths: tuple[int, ...]
    depths: tuple[int, ...]  # transformer blocks after each residual block of the level
    prompt_width: int
    latent_channels: int = 4


def _residual(walk: Walk, width: int, time_width: int) -> Walk:
    shortcut = walk.fork()
    body = walk.fork().conv(width, 3, bias=True).conv(width, 3, bias=True)
    walk.count.parameters += time_width * width
    if shortcut.channels != width:
        shortcut.conv(width, 1, bias=True, norm=False, act=False)
    return body.elementwise(3)


def _attend(walk: Walk, depth: int, prompt_width: int) -> Walk:
    """Transformer blocks over all places, each with self- and cross-attention."""
    if depth == 0:
        return walk
    width, places, count = walk.channels, walk.height * walk.width, walk.count
    walk.conv(width, 1, bias=True, act=False)
    own = (4 + 2 + _GATED_WIDTH) * width**2
    prompt = 2 * prompt_width * width
    scores = 2 * places * width + 2 * _PROMPT_TOKENS * width
    macs = depth * (places * (own + scores) + _PROMPT_TOKENS * prompt)
    count.macs += macs
    count.in_blocks += macs
    count.scores += depth * places * 2 * places * width
    count.parameters += depth * (own + prompt)
    count.outputs += depth * places * (20 * width + width // _HEAD_SIZE * _PROMPT_TOKENS)
    count.kernels += depth * _KERNELS_PER_BLOCK
    return walk.conv(width, 1, bias=True, norm=False, act=False).elementwise()


def unet_count(plan: UNetPlan, side: int) -> Count:
    """One pass at ``side`` pixels (arXiv 2112.10752 and 2307.01952): two residual blocks a level down, three up."""
    walk = Walk(plan.latent_channels, side // LATENT_FACTOR, side // LATENT_FACTOR)
    time_width = 4 * plan.widths[0]
    walk.count.parameters += plan.widths[0] * time_width + time_width**2
    walk.conv(plan.widths[0], 3, bias=True, norm=False, act=False)
    kept = [walk.fork()]
    last = len(plan.widths) - 1
    for level, (width, depth) in enumerate(zip(plan.widths, plan.depths, strict=True)):
        for _ in range(2):
            walk = _attend(_residual(walk, width, time_width), depth, plan.prompt_width)
            kept.append(walk.fork())
        if level < last:
            walk = walk.fork().conv(width, 3, 2, bias=True, norm=False, act=False)
            kept.append(walk.fork())
    middle = max(plan.depths[-1], 1)
    walk = _attend(_residual(walk, plan.widths[-1], time_width), middle, plan.prompt_width)
    walk = _residual(walk, plan.widths[-1], time_width)
    for level in range(last, -1, -1):
        for _ in range(3):
            walk = _residual(walk.joined(walk, kept.pop()), plan.widths[level], time_width)
            walk = _attend(walk, plan.depths[level], plan.prompt_width)
        if level:
            walk = walk.upsample().conv(plan.widths[level], 3, bias=True, norm=False, act=False)
    return walk.conv(plan.latent_channels, 3, bias=True, norm=False, act=False).count


def encoder_flops(side: int) -> float:
    """FLOPs a pixel of the image encoder: two residual blocks a level and two in the middle, with attention there."""
    walk = Walk(3, side, side).conv(_ENCODER_WIDTHS[0], 3, bias=True, norm=False, act=False)
    for level, width in enumerate(_ENCODER_WIDTHS):
        if level:
            walk = walk.conv(walk.channels, 3, 2, bias=True, norm=False, act=False)
        walk = _residual(_residual(walk, width, 0), width, 0)
    walk = _residual(_residual(walk, _ENCODER_WIDTHS[-1], 0), _ENCODER_WIDTHS[-1], 0)
    places, width = walk.height * walk.width, walk.channels
    attention = places * (4 * width**2 + 2 * places * width)
    return FLOP_PER_MAC * (walk.count.macs + attention) / side**2


def decoder_flops(side: int) -> float:
    """FLOPs a pixel of the image decoder: the encoder's levels in turn, with three residual blocks each."""
    small, wide = side // LATENT_FACTOR, _ENCODER_WIDTHS[-1]
    walk = Walk(4, small, small).conv(wide, 3, bias=True, norm=False, act=False)
    walk = _residual(_residual(walk, wide, 0), wide, 0)
    places = walk.height * walk.width
    attention = places * (4 * wide**2 + 2 * places * wide)
    for level, width in enumerate(reversed(_ENCODER_WIDTHS)):
        if level:
            walk = walk.upsample().conv(walk.channels, 3, bias=True, norm=False, act=False)
        for _ in range(3):
            walk = _residual(walk, width, 0)
    walk = walk.conv(3, 3, bias=True, norm=False, act=False)
    return FLOP_PER_MAC * (walk.count.macs + attention) / side**2


@dataclass(frozen=True)
class PatchPlan:
    """Transformer over latent patches: blocks with own weights for image and prompt, blocks with common ones."""

    width: int
    double_blocks: int
    single_blocks: int
    prompt_tokens: int
    prompt_width: int
    patch: int = 2
    squares: int = 12  # weights of a block for a token, in widths squared
    modulated: bool = True  # blocks have a modulation of their own


def patch_count(plan: PatchPlan, side: int) -> Count:
    """One pass at ``side`` pixels (arXiv 2403.03206, section 4): mostly 12 widths squared a token and block.

    Modulation adds 6 widths squared a stream (3 in common blocks) once a sample.
    """
    image = (side // LATENT_FACTOR // plan.patch) ** 2
    tokens, square = image + plan.prompt_tokens, plan.width**2
    blocks = plan.double_blocks + plan.single_blocks
    outside = plan.prompt_width * plan.width + 4 * square
    macs = blocks * tokens * (plan.squares * square + 2 * tokens * plan.width)
    double, single = (2 * plan.squares + 12 * plan.modulated, plan.squares + 3 * plan.modulated)
    return Count(
        macs=macs,
        parameters=plan.double_blocks * double * square + plan.single_blocks * single * square + outside,
        outputs=blocks * tokens * 17.0 * plan.width,
        kernels=plan.double_blocks * 50.0 + plan.single_blocks * 25.0,
        in_blocks=macs,
        scores=blocks * 2.0 * tokens**2 * plan.width,
        prompt=plan.prompt_tokens / tokens,
    )


# Image generation by denoising; stored elements and training are of one pass, generation of all steps.

GUIDED = 2  # passes a step: with and without the prompt (arXiv 2207.12598)
DISTILLED = 1  # guidance is built in
FEW = 4  # steps of models that are distilled to need few: as good as their teachers' many (arXiv 2311.17042)
_KEPT = 2.0  # per written element, as of networks with normalisation
_ENCODER_WIDTHS = (128, 256, 512, 512)


def _denoiser(
    name: str,
    plan: UNetPlan | PatchPlan,
    side: int,
    steps: int,
    passes: int,
    frozen_million: float,
    source: str,
    aliases: tuple[str, ...] = (),
    encoder_bytes: float = WIDE,
) -> ModelProfile:
    """The network of that plan; ``frozen_million`` parameters are the text encoders' and the image decoder's."""
    count = unet_count(plan, side) if isinstance(plan, UNetPlan) else patch_count(plan, side)
    return ModelProfile(
        name=name,
        family="diffusion",
        sample=f"one {side} x {side} image of {steps} denoising steps",
        parameters=count.parameters,
        forward_flops=2.0 * count.macs * passes * steps,
        written_elements=count.outputs * passes * steps,
        stored_elements=_KEPT * count.outputs,
        kernels=count.kernels * steps,
        source=source,
        aliases=aliases,
        architecture="diffusion",
        reference=Reference(image_size=(side, side), steps=steps),
        scaling="steps",
        traffic="rnn",
        memory="other",
        wide=count.wide,
        paired=count.paired,
        prompt=count.prompt,
        width=float(plan.widths[-1] if isinstance(plan, UNetPlan) else plan.width),
        encoded_bytes=ENCODER_MAPS * encoder_bytes,
        encoded_flops=encoder_flops(side),
        decoded_flops=decoder_flops(side),
        decoded_elements=DECODER_MAPS,
        decoder_bytes=WIDE if plan == _SDXL else HALF,
        frozen_parameters=frozen_million * 1e6,
        guidance_passes=passes,
        default_dataset="laion-subset",
    )


_SD1 = UNetPlan((320, 640, 1280, 1280), (1, 1, 1, 0), 768)
_SD2 = UNetPlan((320, 640, 1280, 1280), (1, 1, 1, 0), 1024)
# Its decoder overflows in fp16, so that diffusers takes it to fp32 (config.json of its autoencoder: force_upcast).
_SDXL = UNetPlan((320, 640, 1280), (0, 2, 10), 2048)
_SD3 = PatchPlan(1536, 24, 0, 333, 4096)
_SD35 = PatchPlan(2432, 38, 0, 333, 4096)
_FLUX = PatchPlan(3072, 19, 38, 512, 4096)
# FLUX.2's blocks share their modulation; a gated product of three widths takes the place of one of four.
_FLUX2 = PatchPlan(6144, 8, 48, 512, 15_360, squares=13, modulated=False)
_KLEIN_4B = PatchPlan(3072, 5, 20, 512, 7_680, squares=13, modulated=False)
_KLEIN_9B = PatchPlan(4096, 8, 24, 512, 12_288, squares=13, modulated=False)
_FLUX2_SOURCE = "github.com/black-forest-labs/flux2: model sizes, walked block by block; text encoder as in its card"
_ROMBACH = "arXiv 2112.10752, walked layer by layer"
_ESSER = "arXiv 2403.03206, walked block by block"
_SAUER = "arXiv 2311.17042: 1 to 4 steps without guidance; the network of its teacher"
_FLUX_SOURCE = "github.com/black-forest-labs/flux: model sizes, walked block by block"

DIFFUSION = (
    _denoiser("stable-diffusion-1.5", _SD1, 512, 50, GUIDED, 207, _ROMBACH,
              ("sd-1.5", "stable-diffusion-v1-5", "stable-diffusion-1.4", "stable-diffusion-v1-4", "sd-1.4"), HALF),
    _denoiser("stable-diffusion-2.1", _SD2, 768, 50, GUIDED, 424, _ROMBACH,
              ("sd-2.1", "stable-diffusion-2", "stable-diffusion-v2", "sd-2", "stable-diffusion-v2-1"), HALF),
    _denoiser("sdxl", _SDXL, 1024, 30, GUIDED, 902, "arXiv 2307.01952, walked layer by layer",
              ("stable-diffusion-xl", "stable-diffusion-xl-base-1.0", "sd-xl", "stable-diffusion-xl-base")),
    _denoiser("stable-diffusion-3-medium", _SD3, 1024, 28, GUIDED, 5_670, _ESSER,
              ("sd3", "sd3-medium", "stable-diffusion-3")),
    _denoiser("stable-diffusion-3.5-large", _SD35, 1024, 28, GUIDED, 5_670, _ESSER,
              ("sd3.5", "sd3.5-large", "stable-diffusion-3.5")),
    _denoiser("flux.1-dev", _FLUX, 1024, 28, DISTILLED, 4_970, _FLUX_SOURCE,
              ("flux-dev", "flux-1-dev", "flux1-dev")),
    _denoiser("flux.1-schnell", _FLUX, 1024, 4, DISTILLED, 4_970, _FLUX_SOURCE,
              ("flux-schnell", "flux-1-schnell", "flux1-schnell")),
    _denoiser("flux.2-dev", _FLUX2, 1024, 28, DISTILLED, 24_100, _FLUX2_SOURCE,
              ("flux.2", "flux2", "flux2-dev", "flux-2-dev", "flux-2")),
    _denoiser("flux.2-klein-4b", _KLEIN_4B, 1024, FEW, DISTILLED, 4_100, _FLUX2_SOURCE,
              ("flux.2-klein", "flux2-klein", "flux2-klein-4b")),
    _denoiser("flux.2-klein-9b", _KLEIN_9B, 1024, FEW, DISTILLED, 8_300, _FLUX2_SOURCE, ("flux2-klein-9b",)),
    _denoiser("sd-turbo", _SD2, 512, FEW, DISTILLED, 424, _SAUER, (), HALF),
    _denoiser("sdxl-turbo", _SDXL, 512, FEW, DISTILLED, 902, _SAUER),
    _denoiser("sdxl-lightning", _SDXL, 1024, FEW, DISTILLED, 902, "arXiv 2402.13929: SDXL in 1 to 8 steps"),
    _denoiser("stable-diffusion-3.5-large-turbo", _SD35, 1024, FEW, DISTILLED, 5_670,
              "stabilityai/stable-diffusion-3.5-large-turbo: 4 steps without guidance", ("sd3.5-large-turbo",)),
)  # fmt: skip
