"""Image generation by denoising; stored elements and training are of one pass, generation of all steps."""

from __future__ import annotations

from plimsoll_service.engine.models.diffusion_plans import PatchPlan, UNetPlan, patch_count, unet_count
from plimsoll_service.engine.models.profile import ModelProfile, Reference
from plimsoll_service.engine.models.walk import Count

GUIDED = 2  # passes a step: with and without the prompt (arXiv 2207.12598)
DISTILLED = 1  # guidance is built in
_KEPT = 2.0  # per written element, as of networks with normalisation


def _denoiser(
    name: str,
    count: Count,
    side: int,
    steps: int,
    passes: int,
    frozen_million: float,
    source: str,
    aliases: tuple[str, ...] = (),
) -> ModelProfile:
    """``count`` is of one pass; ``frozen_million`` parameters are the text encoders' and the image decoder's."""
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
        kin="diffusion",
        reference=Reference(image_size=(side, side), steps=steps),
        scaling="steps",
        traffic="rnn",
        memory="other",
        frozen_parameters=frozen_million * 1e6,
        guidance_passes=passes,
        default_dataset="laion-subset",
    )


_SD1 = UNetPlan((320, 640, 1280, 1280), (1, 1, 1, 0), 768)
_SD2 = UNetPlan((320, 640, 1280, 1280), (1, 1, 1, 0), 1024)
_SDXL = UNetPlan((320, 640, 1280), (0, 2, 10), 2048)
_SD3 = PatchPlan(1536, 24, 0, 333, 4096)
_SD35 = PatchPlan(2432, 38, 0, 333, 4096)
_FLUX = PatchPlan(3072, 19, 38, 512, 4096)
_ROMBACH = "arXiv 2112.10752, walked layer by layer"
_ESSER = "arXiv 2403.03206, walked block by block"
_FLUX_SOURCE = "github.com/black-forest-labs/flux: model sizes, walked block by block"

DIFFUSION = (
    _denoiser(
        "stable-diffusion-1.5",
        unet_count(_SD1, 512),
        512,
        50,
        GUIDED,
        207,
        _ROMBACH,
        ("sd-1.5", "stable-diffusion-v1-5", "stable-diffusion-1.4", "stable-diffusion-v1-4", "sd-1.4"),
    ),
    _denoiser(
        "stable-diffusion-2.1",
        unet_count(_SD2, 768),
        768,
        50,
        GUIDED,
        424,
        _ROMBACH,
        ("sd-2.1", "stable-diffusion-2", "stable-diffusion-v2", "sd-2", "stable-diffusion-v2-1"),
    ),
    _denoiser(
        "sdxl",
        unet_count(_SDXL, 1024),
        1024,
        30,
        GUIDED,
        902,
        "arXiv 2307.01952, walked layer by layer",
        ("stable-diffusion-xl", "stable-diffusion-xl-base-1.0", "sd-xl", "stable-diffusion-xl-base"),
    ),
    _denoiser(
        "stable-diffusion-3-medium",
        patch_count(_SD3, 1024),
        1024,
        28,
        GUIDED,
        5_670,
        _ESSER,
        ("sd3", "sd3-medium", "stable-diffusion-3"),
    ),
    _denoiser(
        "stable-diffusion-3.5-large",
        patch_count(_SD35, 1024),
        1024,
        28,
        GUIDED,
        5_670,
        _ESSER,
        ("sd3.5", "sd3.5-large", "stable-diffusion-3.5"),
    ),
    _denoiser(
        "flux.1-dev",
        patch_count(_FLUX, 1024),
        1024,
        28,
        DISTILLED,
        4_970,
        _FLUX_SOURCE,
        ("flux-dev", "flux-1-dev", "flux1-dev"),
    ),
    _denoiser(
        "flux.1-schnell",
        patch_count(_FLUX, 1024),
        1024,
        4,
        DISTILLED,
        4_970,
        _FLUX_SOURCE,
        ("flux-schnell", "flux-1-schnell", "flux1-schnell"),
    ),
)
