"""Largest sensible global batches: beyond them, a run needs markedly more samples, or nobody has published one.

The limit is the largest batch of published recipes that needs at most a quarter more samples than the smallest batch.
Where convergence was fitted (samples = least × (1 + batch ÷ critical batch)), that is a quarter of the critical batch.
A published run that lost nothing takes precedence. McCandlish et al. 2018 (arXiv 1812.06162): the critical batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, inf

from .families import family_of
from .profile import ModelProfile

# In names of detectors that crop what they find: their recipes freeze the batch norms, as a device has few images.
TWO_STAGES = "rcnn"
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


# Tokens of a step that trains all weights of a decoder, from so many parameters on: those of OPT 125M, 1.3B, 6.7B and
# 13B (facebookresearch/metaseq@f7ffa5f, launcher/opt_job_constants.py, 2023). A published one that is tuned takes those
# of the handbook's recipes, whatever its size.
USUAL_TOKENS = ((0.0, 2.0**19), (1.3e9, 2.0**20), (6.7e9, 2.0**21), (13e9, 2.0**22))


BatchLimits = Mapping[str, BatchLimit]  # by kind of training


def usual_batch(profile: ModelProfile, tuned: bool, limits: BatchLimits) -> float:
    """Samples of the usual global batch of a decoder whose weights are all trained."""
    fitting = [tokens for least, tokens in USUAL_TOKENS if profile.parameters >= least]
    usual = limits["text_tuning"] if tuned else BatchLimit("", tokens=fitting[-1])
    return usual.within(profile.reference.sequence_length)


def batch_limit(profile: ModelProfile, tuned: bool, limits: BatchLimits) -> float:
    """Samples of the largest sensible global batch; infinite where none is published.

    ``tuned``: a published model is adapted, or trained on a set that is too small to train it from scratch.
    """
    limit = limits.get(_kind(profile, tuned, limits))
    return inf if limit is None else limit.within(profile.reference.sequence_length)


def _kind(profile: ModelProfile, tuned: bool, limits: BatchLimits) -> str:
    family = family_of(profile.family)
    tuning = f"{profile.family}_tuning"
    seeing = family.text_transformer and profile.reference.image_size is not None
    kinds = (  # of which the first that holds is meant
        (seeing and profile.default_dataset == "laion-subset", "contrastive"),
        (seeing, "vision_transformer"),
        (profile.video_transformer, "video_transformer"),
        (profile.adversarial, "adversarial"),
        (TWO_STAGES in profile.name, "two_stage_detection"),
        (not family.text_transformer and tuned and tuning in limits, tuning),
        (not family.text_transformer, profile.family),
        (tuned, "text_tuning"),
        (not family.language_model, "text"),
        (profile.parameters < HUGE_PARAMETERS, "language"),
    )
    return next((kind for holds, kind in kinds if holds), "huge_language")
