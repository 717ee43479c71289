"""Whisper's plan: the profile of a network that writes what it hears."""

from __future__ import annotations

from dataclasses import replace

from .profile import ModelProfile, Transformer
from .transformers import (
    KERNELS_AROUND,
    KERNELS_PER_LAYER,
    generation,
    parameters_of,
    stored_elements,
    written_elements,
)

SEGMENT_FRAMES = 1500  # of the encoder, for 30 s of audio (arXiv 2212.04356, section 2.2)
SEGMENT_SECONDS = 30.0
SEGMENT_TOKENS = 100  # of a 30 s transcript: 150 words a minute, four words to three tokens
MEL_BINS = 80


def whisper_profile(name: str, parameters: float, transformer: Transformer, source: str) -> ModelProfile:
    """An encoder over 30 s of audio beside a decoder of its transcript; a decoder layer launches at every token.

    Training keeps no scores of attention: Transformers computes it in one kernel since 4.37 (distil-whisper/
    distil-large-v2, discussion 21, 2023-12-29).
    """
    decoder = transformer.cross_attention_layers
    encoder = transformer.layers - decoder
    hidden, frames, tokens = transformer.hidden_size, SEGMENT_FRAMES, SEGMENT_TOKENS
    block = parameters_of(replace(transformer, layers=1, cross_attention_layers=0, vocabulary=0, positions=0))
    stem = 3 * MEL_BINS * hidden * 2 * frames + 3 * hidden * hidden * frames
    encoded = frames * encoder * (block + 2 * frames * hidden)
    cross = decoder * (2 * frames * hidden**2 + tokens * 2 * hidden**2 + 2 * tokens * frames * hidden)
    decoded = tokens * (decoder * (block + tokens * hidden) + transformer.vocabulary * hidden) + cross
    alone = replace(transformer, cross_attention_layers=0)
    audio, text = replace(alone, layers=encoder), replace(alone, layers=decoder)
    logits = float(tokens * transformer.vocabulary)
    return ModelProfile(
        name=name, family="speech", sample="one segment of 30 s with its transcript of 100 tokens",
        parameters=float(parameters), forward_flops=2.0 * (stem + encoded + decoded),
        written_elements=written_elements(audio, frames, True) + written_elements(text, tokens, True) + logits,
        stored_elements=stored_elements(audio, frames, False) + stored_elements(text, tokens, False) + logits,
        kernels=float(KERNELS_PER_LAYER * transformer.layers + KERNELS_AROUND), source=source,
        architecture="seq2seq", traffic="transformer", memory="encoder", fp32_elements=3 * logits,
        generation=generation(transformer, tokens, frames), default_dataset="librispeech",
        audio_seconds=SEGMENT_SECONDS, width=float(hidden),
    )  # fmt: skip
