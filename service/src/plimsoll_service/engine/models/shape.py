"""A profile at another input: operations, elements and kernels follow the image, the sequence or the steps."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from .profile import Generation, ModelProfile, Reference, Transformer
from .speech import SEGMENT_FRAMES, SEGMENT_SECONDS
from .transformers import dropout_masks, forward_flops, generation, stored_elements, written_elements, written_flops


def at_input(
    profile: ModelProfile,
    image_size: tuple[int, ...] | None = None,
    sequence_length: int | None = None,
    steps: int | None = None,
) -> ModelProfile:
    """The profile per sample of the given input; the rest stays at the reference."""
    old = profile.reference
    new = Reference(
        image_size=_image(old.image_size, image_size),
        sequence_length=(sequence_length or old.sequence_length) if old.sequence_length else None,
        steps=(steps or old.steps) if old.steps else None,
        frames=old.frames,
    )
    if new == old:
        return profile
    if profile.scaling == "transformer" and profile.transformer:
        before, after = _tokens(profile.transformer, old, old), _tokens(profile.transformer, old, new)
        return _transformer(profile, profile.transformer, before, after, new)
    return _scaled(profile, _factor(profile.scaling, old, new, profile.prompt), new)


def for_task(profile: ModelProfile, training: bool) -> ModelProfile:
    """The profile as that task runs it.

    Training makes one denoising step without guidance; generation of text launches its decoder at each token.
    """
    if training:
        one = at_input(profile, steps=1)
        work = one.trained_work / one.guidance_passes
        if work == 1:
            return one
        return replace(
            one,
            forward_flops=one.forward_flops * work,
            written_elements=one.written_elements * work,
            stored_elements=one.stored_elements * one.trained_elements,
            guidance_passes=1,
        )
    if profile.generation is None:
        return profile
    return replace(profile, kernels=profile.generation.kernels, sequential=True)


def writing(profile: ModelProfile, tokens: int | None) -> ModelProfile:
    """The encoder-decoder that writes so many tokens (``None``: as many as it reads)."""
    dims, read = profile.transformer, profile.reference.sequence_length
    if tokens is None or dims is None or read is None or tokens == read:
        return profile
    decoder = dims.cross_attention_layers
    share = 1 - decoder / dims.layers * (1 - tokens / read)  # of the tokens that all layers work on
    return replace(
        profile,
        forward_flops=profile.forward_flops + written_flops(dims, tokens, read) - written_flops(dims, read, read),
        written_elements=profile.written_elements * share,
        stored_elements=profile.stored_elements * share,
        generation=generation(dims, tokens, read),
    )


def over_beams(profile: ModelProfile, beams: int, shared: bool = False) -> ModelProfile:
    """The network whose decoder writes so many candidates of an output side by side, over the same weights.

    Keys and values of what was read are held and read for each of them, or once where the software has them ``shared``.
    """
    dims, written, read = profile.transformer, profile.generation, profile.reference.sequence_length
    if beams == 1 or written is None:
        return profile
    frames = SEGMENT_FRAMES * (profile.audio_seconds or 0.0) / SEGMENT_SECONDS
    own = written.tokens / (written.tokens + (read or frames))  # share of the cache
    cached = written.cache_elements * (1 + (beams - 1) * (own if shared else 1.0))
    held = replace(profile, generation=replace(written, cache_elements=cached))
    if dims is None or read is None:  # of what hears, the work of its beams is in measured times
        return held
    decoders = dims.cross_attention_layers * written.tokens
    share = decoders / ((dims.layers - dims.cross_attention_layers) * read + decoders)  # of the tokens of all layers
    more = 1 + (beams - 1) * share
    return replace(
        held,
        forward_flops=profile.forward_flops + (beams - 1) * written_flops(dims, written.tokens, read),
        written_elements=profile.written_elements * more,
        stored_elements=profile.stored_elements * more,
        fp32_elements=profile.fp32_elements * beams,
    )


def _image(old: tuple[int, ...] | None, asked: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The asked image in the reference's number of dimensions: one number is all sides."""
    if old is None or not asked:
        return old
    return asked if len(asked) == len(old) else (asked[0],) * len(old)


def _tokens(dimensions: Transformer, old: Reference, new: Reference) -> float:
    """Tokens of a sample: of a text its length, of an image its patches (the context is that of the reference)."""
    if new.sequence_length:
        return float(new.sequence_length)
    return dimensions.context_length * _factor("area", old, new)


def _factor(scaling: str, old: Reference, new: Reference, prompt: float = 0.0) -> float:
    area = prod(new.image_size) / prod(old.image_size) if old.image_size and new.image_size else 1.0
    area = prompt + (1 - prompt) * area  # a denoiser's places are those of the image and of the prompt
    if scaling == "area":
        return area
    if scaling == "steps":
        return area * ((new.steps or 1) / old.steps if old.steps else 1.0)
    if scaling in ("sequence", "transformer") and old.sequence_length and new.sequence_length:
        return new.sequence_length / old.sequence_length
    return 1.0


def _scaled(profile: ModelProfile, factor: float, reference: Reference) -> ModelProfile:
    """All per-sample figures times the factor, and scores of every pair of places times its square.

    Kernels grow only where steps follow one another.
    """
    kernels, stored = factor if profile.sequential and profile.scaling == "sequence" else 1.0, factor
    places = _factor("area", profile.reference, reference, profile.prompt)
    pairs, kept_pairs = (1 + share * (places - 1) for share in (profile.paired, profile.paired_elements))
    if profile.scaling == "steps" and profile.reference.steps and reference.steps:
        kernels = reference.steps / profile.reference.steps
        stored = factor / kernels
    return replace(
        profile,
        reference=reference,
        forward_flops=profile.forward_flops * factor * pairs,
        paired=profile.paired * places / pairs,
        paired_elements=profile.paired_elements * places / kept_pairs,
        prompt=profile.prompt / places,
        written_elements=profile.written_elements * factor * kept_pairs,
        stored_elements=profile.stored_elements * stored * kept_pairs,
        fp32_elements=profile.fp32_elements * stored,
        mask_elements=profile.mask_elements * stored,
        live_elements=profile.live_elements * factor**2,  # of scores, of every pair of places
        gathered_bytes=profile.gathered_bytes * factor,
        kernels=profile.kernels * kernels,
        generation=_longer(profile.generation, factor),
        audio_seconds=None if profile.audio_seconds is None else profile.audio_seconds * factor,
    )


def _transformer(
    profile: ModelProfile, dimensions: Transformer, old: float, new: float, reference: Reference
) -> ModelProfile:
    """Each figure moved by the ratio of its formula at the two lengths: linear and quadratic parts apart."""
    scores = profile.mask_elements > 0 or not dimensions.causal
    head = profile.family != "encoder"  # an encoder's task head is small
    flops = _ratio(forward_flops(dimensions, new, head), forward_flops(dimensions, old, head))
    written = _ratio(written_elements(dimensions, new, scores), written_elements(dimensions, old, scores))
    stored = _ratio(stored_elements(dimensions, new, scores), stored_elements(dimensions, old, scores))
    masks = _ratio(dropout_masks(dimensions, new), dropout_masks(dimensions, old))
    return replace(
        profile,
        reference=reference,
        forward_flops=profile.forward_flops * flops,
        written_elements=profile.written_elements * written,
        stored_elements=profile.stored_elements * stored,
        fp32_elements=profile.fp32_elements * new / old,
        mask_elements=profile.mask_elements * masks,
        kernels=profile.kernels * (new / old if profile.sequential else 1.0),
        generation=_longer(profile.generation, new / old),
    )


def _ratio(new: float, old: float) -> float:
    return new / old if old else 1.0


def _longer(generation: Generation | None, factor: float) -> Generation | None:
    """An output of so many times the tokens."""
    if generation is None:
        return None
    return replace(
        generation,
        kernels=generation.kernels * factor,
        tokens=generation.tokens * factor,
        cache_elements=generation.cache_elements * factor,
    )
