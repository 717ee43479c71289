"""Largest sensible global batches: beyond them, a run needs markedly more samples, or nobody has published one.

The limit is the largest batch of published recipes that needs at most a quarter more samples than the smallest batch.
Where convergence was fitted (samples = least × (1 + batch ÷ critical batch)), that is a quarter of the critical batch.
A published run that lost nothing takes precedence. McCandlish et al. 2018 (arXiv 1812.06162): the critical batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf

from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.models.profile import ModelProfile

HUGE_PARAMETERS = 100e9  # language models whose recipes are those of the largest ones


@dataclass(frozen=True)
class BatchLimit:
    """The largest sensible global batch of a kind of training, in samples or in tokens."""

    source: str
    samples: float | None = None
    tokens: float | None = None

    def within(self, sequence_length: int | None) -> float:
        """Samples of that length."""
        if self.samples is not None:
            return self.samples
        return max(1.0, float(floor((self.tokens or 1.0) / (sequence_length or 1))))


_MLPERF = "mlcommons/logging@7bbf792, reference convergence points"

BATCH_LIMITS: dict[str, BatchLimit] = {
    "cnn": BatchLimit("Goyal et al. 2017 (arXiv 1706.02677): ResNet-50 loses nothing up to it", samples=8192),
    "vision_transformer": BatchLimit("facebookresearch/mae@efb2a80, PRETRAIN.md (2022): ViT on ImageNet", samples=4096),
    "contrastive": BatchLimit("mlfoundations/open_clip@89fb801, docs/PRETRAINED.md (2026): ViT-B/32", samples=32_768),
    "detection": BatchLimit(
        f"{_MLPERF} 5.1 (2025): RetinaNet, critical batch 1,422; Mask R-CNN, 815 (3.1, 2023)", samples=256
    ),
    "segmentation": BatchLimit(f"{_MLPERF} 4.0 (2024): 3D U-Net, critical batch 243", samples=56),
    "video": BatchLimit(
        "Feichtenhofer et al. 2019 (arXiv 1812.03982): SlowFast with 8 clips on each of 128 GPUs loses nothing",
        samples=1024,
    ),
    "video_transformer": BatchLimit(
        "MCG-NJU/VideoMAE@26abf539, FINETUNE.md (2022): 8 clips on each of 64 GPUs, Kinetics-400", samples=512
    ),
    "rnn": BatchLimit(f"{_MLPERF} 3.1 (2023): RNN-T, a recurrent network, critical batch 3,688", samples=1024),
    "speech": BatchLimit(f"{_MLPERF} 3.1 (2023): RNN-T, critical batch 3,688", samples=1024),
    "diffusion": BatchLimit("CompVis/stable-diffusion@21f890f, model card (2022): Stable Diffusion v1", samples=2048),
    "recommender": BatchLimit(f"{_MLPERF} 6.0 (2026): DLRM DCNv2, critical batch 316,618", samples=65_536),
    "text": BatchLimit(
        f"{_MLPERF} 5.1 (2025): a quarter of BERT-large's critical batch, 6.5 million tokens", tokens=1.6e6
    ),
    "language": BatchLimit("allenai/OLMo@59a53e3, official configurations (2025); Llama 2 model card", tokens=2.0**22),
    "huge_language": BatchLimit("Llama 3.1 405B, last stage of its schedule (2024)", tokens=16e6),
    "text_tuning": BatchLimit(
        "huggingface/alignment-handbook@925acdf (2025): 128 sequences of 2,048 tokens", tokens=128 * 2048.0
    ),
    "speech_tuning": BatchLimit(
        "recipes of Hugging Face's Whisper event (2022): 64 (whisper-small-zh-tw@475f898), 16 accumulated 4 times",
        samples=64,
    ),
    "diffusion_tuning": BatchLimit(
        "huggingface/diffusers@58eb52c, examples (2026): FLUX.1 and Stable Diffusion", samples=4
    ),
}


# Tokens of a step that trains all weights of a decoder, from so many parameters on: those of OPT 125M, 1.3B, 6.7B and
# 13B (facebookresearch/metaseq@f7ffa5f, launcher/opt_job_constants.py, 2023). A published one that is tuned takes those
# of the handbook's recipes, whatever its size.
USUAL_TOKENS = ((0.0, 2.0**19), (1.3e9, 2.0**20), (6.7e9, 2.0**21), (13e9, 2.0**22))


def usual_batch(profile: ModelProfile, tuned: bool) -> float:
    """Samples of the usual global batch of a decoder whose weights are all trained."""
    fitting = [tokens for least, tokens in USUAL_TOKENS if profile.parameters >= least]
    usual = BATCH_LIMITS["text_tuning"] if tuned else BatchLimit("", tokens=fitting[-1])
    return usual.within(profile.reference.sequence_length)


def batch_limit(profile: ModelProfile, tuned: bool) -> float:
    """Samples of the largest sensible global batch; infinite where none is published.

    ``tuned``: a published model is adapted, or trained on a set that is too small to train it from scratch.
    """
    limit = BATCH_LIMITS.get(_kind(profile, tuned))
    return inf if limit is None else limit.within(profile.reference.sequence_length)


def _kind(profile: ModelProfile, tuned: bool) -> str:
    family = family_of(profile.family)
    if family.text_transformer and profile.reference.image_size is not None:
        return "contrastive" if profile.default_dataset == "laion-subset" else "vision_transformer"
    if profile.video_transformer:
        return "video_transformer"
    if not family.text_transformer:
        tuning = f"{profile.family}_tuning"
        return tuning if tuned and tuning in BATCH_LIMITS else profile.family
    if tuned:
        return "text_tuning"
    if not family.language_model:
        return "text"
    return "language" if profile.parameters < HUGE_PARAMETERS else "huge_language"
