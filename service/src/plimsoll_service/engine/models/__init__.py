"""The models that the engine knows, found by their usual spellings."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache

from plimsoll_service.engine.models.cnn import CNN
from plimsoll_service.engine.models.decoders_gemma_phi import GEMMA, PHI
from plimsoll_service.engine.models.decoders_gpt import BLOOM, FALCON, GPT2, MPT, NEOX, OPT
from plimsoll_service.engine.models.decoders_llama import LLAMA
from plimsoll_service.engine.models.decoders_mistral import MISTRAL
from plimsoll_service.engine.models.decoders_qwen import QWEN
from plimsoll_service.engine.models.detection import DETECTION
from plimsoll_service.engine.models.diffusion import DIFFUSION
from plimsoll_service.engine.models.encoders import ENCODERS
from plimsoll_service.engine.models.moe import MOE
from plimsoll_service.engine.models.moe_latent import MOE_LATENT
from plimsoll_service.engine.models.names import key_of, loose_key_of, spellings
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.recommenders import RECOMMENDERS
from plimsoll_service.engine.models.rnn import RNN
from plimsoll_service.engine.models.segmentation import SEGMENTATION
from plimsoll_service.engine.models.small import SMALL
from plimsoll_service.engine.models.speech import SPEECH
from plimsoll_service.engine.models.speech_transformers import SPEECH_TRANSFORMERS
from plimsoll_service.engine.models.tabular import TABULAR
from plimsoll_service.engine.models.text_to_text import TEXT_TO_TEXT
from plimsoll_service.engine.names import NAMES_KEPT

_FAMILIES = (
    (CNN, DETECTION, SEGMENTATION, DIFFUSION, SPEECH, SPEECH_TRANSFORMERS, RNN, SMALL, RECOMMENDERS, TABULAR),
    (ENCODERS, TEXT_TO_TEXT, GPT2, NEOX, OPT, BLOOM, MPT, FALCON, LLAMA, MISTRAL, QWEN, GEMMA, PHI, MOE, MOE_LATENT),
)
MODELS: tuple[ModelProfile, ...] = tuple(model for row in _FAMILIES for family in row for model in family)

# Names that several variants share, and the one they are taken for.
_AMBIGUOUS = {
    "alexnet": "alexnet",
    "bert": "bert-base",
    "bloom": "bloom-176b",
    "command-r": "command-r-35b",
    "deepseek": "deepseek-v3",
    "densenet": "densenet121",
    "efficientdet": "efficientdet-d0",
    "efficientnet": "efficientnet-b0",
    "electra": "electra-base",
    "falcon": "falcon-7b",
    "flan-t5": "flan-t5-base",
    "flux": "flux.1-dev",
    "flux.1": "flux.1-dev",
    "gemma": "gemma-2-9b",
    "gemma-2": "gemma-2-9b",
    "gemma-3": "gemma-3-27b",
    "gpt-oss": "gpt-oss-120b",
    "inception": "inception-v3",
    "kimi": "kimi-k2",
    "llama": "llama-3.1-8b",
    "llama-2": "llama-2-7b",
    "llama-3": "llama-3-8b",
    "llama-3.1": "llama-3.1-8b",
    "llama-3.2": "llama-3.2-3b",
    "llama-3.3": "llama-3.3-70b",
    "llama-4": "llama-4-scout",
    "mistral": "mistral-7b",
    "mixtral": "mixtral-8x7b",
    "mobilenet": "mobilenet-v2",
    "mpt": "mpt-7b",
    "opt": "opt-6.7b",
    "phi": "phi-4",
    "phi-3": "phi-3-mini",
    "pythia": "pythia-6.9b",
    "qwen": "qwen2.5-7b",
    "qwen2": "qwen2-7b",
    "qwen2.5": "qwen2.5-7b",
    "qwen3": "qwen3-8b",
    "resnet": "resnet50",
    "resnext": "resnext101-32x4d",
    "roberta": "roberta-base",
    "smollm2": "smollm2-135m",
    "stable-diffusion": "stable-diffusion-1.5",
    "swin": "swin-tiny",
    "t5": "t5-base",
    "transformer": "transformer-big",
    "unet": "unet",
    "vgg": "vgg16",
    "vit": "vit-base",
    "whisper": "whisper-large-v3",
    "yolo": "yolov8m",
    "yolov5": "yolov5m",
    "yolov8": "yolov8m",
}

# Where a framework's model of that name is another network: its own example scripts.
_OWN_VERSIONS = {
    ("caffe", "alexnet"): "alexnet-two-towers",
    ("nvcaffe", "alexnet"): "alexnet-two-towers",
    ("mxnet", "alexnet"): "alexnet-ungrouped",
}

_SUGGESTIONS = 3
_ALIKE = 0.6  # difflib's own cutoff


def _index(models: tuple[ModelProfile, ...]) -> dict[str, ModelProfile]:
    """Key to model; raises ``ValueError`` where two models claim the same name."""
    index: dict[str, ModelProfile] = {}
    for model in models:
        for key in {key_of(name) for name in (model.name, *model.aliases)}:
            if key in index:
                raise ValueError(f"{model.name} and {index[key].name} share the name {key!r}")
            index[key] = model
    return index


def _loose(index: dict[str, ModelProfile]) -> dict[str, ModelProfile]:
    """Keys without decimal points, where they mean one model only."""
    claims: dict[str, set[str]] = {}
    for key, model in index.items():
        claims.setdefault(loose_key_of(key), set()).add(model.name)
    return {loose_key_of(key): model for key, model in index.items() if len(claims[loose_key_of(key)]) == 1}


_BY_KEY = _index(MODELS)
_BY_LOOSE_KEY = _loose(_BY_KEY)
_AMBIGUOUS_KEYS = {key_of(name): key_of(taken) for name, taken in _AMBIGUOUS.items()}


def find(name: str, framework: str | None = None) -> ModelProfile | None:
    """The model of that name in any usual spelling, or ``None``; an ambiguous name gives the common variant.

    ``framework`` (its canonical name) matters where its model of that name is a network of its own.
    """
    found = _find(name)
    own = _OWN_VERSIONS.get((framework or "", found.name)) if found else None
    return _BY_KEY[key_of(own)] if own else found


@lru_cache(maxsize=NAMES_KEPT)
def _find(name: str) -> ModelProfile | None:
    keys = spellings(name)
    for key in keys:
        model = _BY_KEY.get(_AMBIGUOUS_KEYS.get(key, key))
        if model:
            return model
    return next((_BY_LOOSE_KEY[key] for key in map(loose_key_of, keys) if key in _BY_LOOSE_KEY), None)


def is_ambiguous(name: str) -> bool:
    """Whether the name stands for several variants, of which ``find`` takes the common one."""
    return key_of(name) in _AMBIGUOUS_KEYS


def suggest(name: str) -> tuple[str, ...]:
    """Names of known models that look like the given one, best first."""
    keys = get_close_matches(key_of(name), _BY_KEY, n=3 * _SUGGESTIONS, cutoff=_ALIKE)
    return tuple(dict.fromkeys(_BY_KEY[key].name for key in keys))[:_SUGGESTIONS]
