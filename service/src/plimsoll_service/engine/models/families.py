"""Families of models: their data, their customary training, and the kinds of work that they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..units import SECONDS_PER_HOUR

JPEG_BYTES = 147.9e9 / 1_281_167  # ImageNet's mean file
_COCO_BYTES = 19.3e9 / 118_287  # COCO's mean file
_UTTERANCE_SECONDS = 12.3  # LibriSpeech's mean
_UTTERANCE_BYTES = _UTTERANCE_SECONDS * 16_000 * 2  # in 16 bits at 16 kHz
_TABLE_ROW_BYTES = 28 * 8.0  # HIGGS: 28 features in eight bytes
OTHER_EPOCHS = 10.0  # where no schedule is customary

Data = Literal["images", "text", "audio", "table"]


@dataclass(frozen=True)
class FineTuning:
    """Data on which a published model is fine-tuned where a query describes none: tokens, or samples."""

    why: str
    tokens: float | None = None
    samples: float | None = None


_INSTRUCTIONS = FineTuning("about two passes over the 52,002 instructions of Alpaca (5.7 million tokens)", tokens=1e7)
_IMAGES = FineTuning("images of one style or subject", samples=1_000.0)
_HOURS_OF_AUDIO = 10.0
_AUDIO = FineTuning(
    "10 hours of audio, in utterances of 12.3 s (LibriSpeech's mean)",
    samples=float(round(_HOURS_OF_AUDIO * SECONDS_PER_HOUR / _UTTERANCE_SECONDS)),
)


@dataclass(frozen=True)
class Family:
    """A family of models: its data in their customary form, and how its models are trained and described."""

    name: str
    data: Data
    data_format: str  # customary; a key of ``datasets.DATA_FORMATS``
    sample_bytes: float | None = None  # in the customary files; a text's follow from its tokens
    epochs: float = OTHER_EPOCHS
    epochs_why: str = "no schedule is customary: say yours"
    neural: bool = True
    convolutional: bool = False  # trained with SGD; launches follow from the layers
    tokens: bool = False  # its input is a sequence, so that work can be stated per token
    text_transformer: bool = False  # dimensions follow from parameters, layers and width
    language_model: bool = False  # trained by tokens and served token by token; its architectures share one formula
    fine_tuning: FineTuning | None = None  # of published models; None where training is from scratch unless said


FAMILIES = (
    Family(
        "cnn", "images", "jpeg", JPEG_BYTES, 90.0, "the customary ImageNet schedule (He et al. 2016)",
        convolutional=True,
    ),
    Family("detection", "images", "jpeg", _COCO_BYTES, 12.0, "the customary 1x schedule", convolutional=True),
    Family("segmentation", "images", "jpeg", _COCO_BYTES, convolutional=True),
    Family("rnn", "text", "text", tokens=True),
    Family(
        "encoder", "text", "text", None, 3.0, "customary for fine-tuning (Devlin et al. 2019)",
        tokens=True, text_transformer=True,
    ),
    Family(
        "decoder", "text", "text", tokens=True, text_transformer=True, language_model=True, fine_tuning=_INSTRUCTIONS,
    ),
    Family("encoder_decoder", "text", "text", tokens=True, text_transformer=True),
    Family("moe", "text", "text", tokens=True, text_transformer=True, language_model=True, fine_tuning=_INSTRUCTIONS),
    Family("diffusion", "images", "jpeg", JPEG_BYTES, fine_tuning=_IMAGES),
    Family("recommender", "table", "parquet", 40 * 4.0),  # Criteo: a label and 39 features in four bytes
    Family("speech", "audio", "wav", _UTTERANCE_BYTES, fine_tuning=_AUDIO),
    Family(
        "video", "images", "jpeg", 16 * 256 * 340 * 0.71, 100.0, "mmaction2's schedule for I3D on Kinetics-400",
        convolutional=True,
    ),  # a clip is 16 frames of 256 x 340, in JPEG files of 0.71 bytes a pixel (engine/datasets.py)
    Family("mlp", "table", "memory", 784.0),  # MNIST
    Family("tree", "table", "parquet", _TABLE_ROW_BYTES, neural=False),
    Family("linear", "table", "parquet", _TABLE_ROW_BYTES, neural=False),
)  # fmt: skip
MODEL_FAMILIES = tuple(family.name for family in FAMILIES)
NEURAL = tuple(family.name for family in FAMILIES if family.neural)
TABULAR = tuple(family.name for family in FAMILIES if not family.neural)
TEXT_TRANSFORMERS = tuple(family.name for family in FAMILIES if family.text_transformer)
LANGUAGE_MODELS = tuple(family.name for family in FAMILIES if family.language_model)

_BY_NAME = {family.name: family for family in FAMILIES}


def family_of(name: str) -> Family:
    """The family of that name, which must be one of ``MODEL_FAMILIES``."""
    return _BY_NAME[name]
