"""A profile from a Hugging Face configuration."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.models.builders import (
    encoder_decoder_model,
    encoder_model,
    language_model,
)
from plimsoll_service.engine.models.config_dimensions import MOST_WIDTH, transformer_of
from plimsoll_service.engine.models.config_reader import ConfigReader
from plimsoll_service.engine.models.config_types import ENCODER_TYPES, PAIR_TYPES
from plimsoll_service.engine.models.dimensions import parameters_of
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.speech_transformers import whisper_profile
from plimsoll_service.engine.models.vision_transformers import vision_encoder

SOURCE = "derived from the given configuration"
IMAGE_TYPES = ("vit", "deit")
TEXT_PARTS = ("text_config", "llm_config", "language_config")
MOST_PARAMETERS = 1e16  # a hundred times the largest thinkable today
ENCODER_LENGTH = 384
PAIR_LENGTH = 512


def profile_of_config(config: Mapping[str, object], name: str) -> ModelProfile:
    """The profile of the model that the configuration describes.

    Raises ``Refused`` with every fault of the configuration, each pointing into /workload/model/config.
    """
    reader = _text_reader(ConfigReader({str(key): value for key, value in config.items()}))
    kind = reader.word("model_type")
    profile = _vision(reader, name) if kind in IMAGE_TYPES else _text(reader, kind, name)
    if not reader.faults and not (isfinite(profile.parameters) and 0 < profile.parameters <= MOST_PARAMETERS):
        reader.fault("hidden_size", f"these dimensions give {profile.parameters:.3g} parameters")
    if reader.faults:
        raise Refused(tuple(dict.fromkeys(reader.faults)))
    return profile


def _text_reader(outer: ConfigReader) -> ConfigReader:
    """The reader of the text part where the configuration nests one, with the outer keys behind it."""
    for key in TEXT_PARTS:
        if isinstance(outer.config.get(key), Mapping):
            inner = outer.part(key)
            inner.config = {**{name: outer.config[name] for name in _SHARED if name in outer.config}, **inner.config}
            return inner
    return outer


_SHARED = ("tie_word_embeddings", "vocab_size", "torch_dtype")


def _vision(reader: ConfigReader, name: str) -> ModelProfile:
    transformer = transformer_of(reader, "vit", vocabulary_needed=False)
    side = reader.whole("image_size", most=MOST_WIDTH, default=224)
    patch = reader.whole("patch_size", most=MOST_WIDTH, default=16)
    colours = reader.whole("num_channels", most=1000, default=3)
    if patch > side:
        reader.fault("patch_size", f"patches of {patch} pixels do not fit into images of {side}")
        patch = side
    return vision_encoder(name, transformer, side, patch, SOURCE, colours=colours)


def _text(reader: ConfigReader, kind: str, name: str) -> ModelProfile:
    transformer = transformer_of(reader, kind)
    parameters = parameters_of(transformer)
    if kind == "whisper":
        return whisper_profile(name, parameters, transformer, SOURCE)
    if kind in PAIR_TYPES:
        return encoder_decoder_model(name, parameters, transformer, SOURCE, PAIR_LENGTH)
    if kind in ENCODER_TYPES:
        return encoder_model(name, parameters, transformer, SOURCE, min(ENCODER_LENGTH, transformer.context_length))
    return language_model(name, parameters, transformer, SOURCE)
