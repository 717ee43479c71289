"""What a sample of a network is, where names alone would mislead: pairs of texts, small images, embedding tables."""

from __future__ import annotations

from dataclasses import replace

from ..frameworks import OPENAI_BEAMS, OPENAI_WHISPER, WHISPER
from ..models.profile import ModelProfile
from ..models.shape import at_input, over_beams
from . import kind
from .filling import Filling

# Losses of the library compare texts: each row of its data is a pair at least (sbert.net, Loss Overview, 2026).
TRAINED_ON_PAIRS = ("sentencetransformers", "sbert")
PAIR = 2.0
# Masks of everything take 1,024 prompts an image (facebookresearch/segment-anything @006dbe55,
# automatic_mask_generator.py: points_per_side=32); SAM 2 has a generator of the same kind.
SEGMENT_ANYTHING = ("sam-", "sam2-")
LARGE = "the network for large images at that size"
ONE_BEAM = "the output is searched with one beam; more beams multiply the decoder's work"
SMALL_SIDE = 64  # pixels: CIFAR and Tiny ImageNet; a stem that divides by four leaves little of them
# Their variant of a ResNet has a stem of stride 1 and no pooling (kuangliu/pytorch-cifar, models/resnet.py), so that
# all of its maps are those of an image four times as wide: 0.59 billion products for ResNet-18, where it has 0.56.
STEM_STRIDE = 4
KEPT = "the variant for small images, whose first layers keep their size"


def with_meaning(filling: Filling, what: str, profile: ModelProfile) -> ModelProfile:
    """The profile per sample as the stated framework has it; the answer says where one may expect something else."""
    searches = profile.family == "encoder_decoder" or profile.name in WHISPER
    if what == kind.INFERENCE and searches and profile.generation is not None:
        return _searched(filling, profile)
    pairs = what == kind.SAMPLE_TRAINING and profile.family == "encoder" and filling.spelled in TRAINED_ON_PAIRS
    small = _is_small_resnet(profile)
    kept = small and filling.known is not None and filling.known.image_size is not None
    why = "a sample is a pair of texts; both are encoded" if pairs else _said(what, profile)
    if small:
        times = f"about {STEM_STRIDE**2} times the work"
        why = f"{KEPT}; {times} of {LARGE}" if kept else f"{LARGE}; {KEPT}, does {times}"
    if why and all(assumption.field != "model" for assumption in filling.assumptions):
        filling.note("model", profile.name, why)
    if kept:
        return _kept_size(profile)
    figures = ("forward_flops", "written_elements", "stored_elements", "mask_elements", "fp32_elements")
    doubled = {name: PAIR * getattr(profile, name) for name in figures}
    return replace(profile, sample="one pair of texts", **doubled) if pairs else profile


def _is_small_resnet(profile: ModelProfile) -> bool:
    """Whether it is a ResNet on small images."""
    sides, resnet = profile.reference.image_size, profile.architecture == "resnet" and profile.family == "cnn"
    return resnet and sides is not None and max(sides) <= SMALL_SIDE


def _kept_size(profile: ModelProfile) -> ModelProfile:
    """The profile without the strides of its stem."""
    sides = profile.reference.image_size
    assert sides is not None
    wide = at_input(profile, image_size=tuple(STEM_STRIDE * side for side in sides))
    return replace(wide, reference=profile.reference)


def _searched(filling: Filling, profile: ModelProfile) -> ModelProfile:
    """The profile with the beams of the search that the software makes unless it is told otherwise."""
    stated, shared = filling.framework.beams, filling.framework.reads_once
    if profile.name in WHISPER and filling.spelled in OPENAI_WHISPER:
        stated, shared = OPENAI_BEAMS, True
    beams = stated or profile.beams
    whose = "as the model's generation settings have it" if stated is None else "the default of the framework"
    over = f"the output is searched over {beams} beams, {whose}; each beam repeats the decoder's work"
    filling.note("model", profile.name, ONE_BEAM if beams == 1 else over)
    return over_beams(profile, beams, shared)


def _said(what: str, profile: ModelProfile) -> str:
    if what == kind.INFERENCE and profile.name.startswith(SEGMENT_ANYTHING):
        return "an image is encoded once, for one prompt; masks of everything in it take many times as long"
    if profile.embedding_parameters:
        tables = f"embedding tables of {profile.embedding_parameters / 1e9:.3g} billion parameters"
        return f"{tables}; describe a model of your own if yours differ"
    return ""
