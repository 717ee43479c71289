"""The models that the engine knows, found by their usual spellings."""

from __future__ import annotations

import re
from functools import lru_cache

from plimsoll_service.engine.models.cnn import CNN
from plimsoll_service.engine.models.decoders import DECODERS
from plimsoll_service.engine.models.detection import DETECTION, SEGMENTATION
from plimsoll_service.engine.models.diffusion import DIFFUSION
from plimsoll_service.engine.models.encoders import ENCODERS, TEXT_TO_TEXT, VIDEO_TRANSFORMERS, VISION_TRANSFORMERS
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.small import RNN, SMALL
from plimsoll_service.engine.models.speech import SPEECH
from plimsoll_service.engine.models.tabular import RECOMMENDERS, TABULAR
from plimsoll_service.engine.models.video import CONVOLUTIONAL_VIDEO
from plimsoll_service.engine.names import NAMES_KEPT, alike, by_key

MODELS: tuple[ModelProfile, ...] = (
    *CNN, *VISION_TRANSFORMERS, *DETECTION, *SEGMENTATION, *DIFFUSION, *SPEECH, *RNN, *SMALL, *RECOMMENDERS, *TABULAR,
    *ENCODERS, *TEXT_TO_TEXT, *DECODERS, *CONVOLUTIONAL_VIDEO, *VIDEO_TRANSFORMERS,
)  # fmt: skip

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
    "sam": "sam-vit-b",
    "segment-anything": "sam-vit-b",
    "slowfast": "slowfast-r50",
    "videomae": "videomae-base",
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
    "yolo11": "yolo11m",
    "yolov11": "yolo11m",
}

# Where a framework's model of that name is another network: its own example scripts.
_OWN_VERSIONS = {
    ("caffe", "alexnet"): "alexnet-two-towers",
    ("nvcaffe", "alexnet"): "alexnet-two-towers",
    ("mxnet", "alexnet"): "alexnet-ungrouped",
}

# Endings that name a packaging, a tuning or a number format, not another architecture.
_ENDINGS = re.compile(
    r"(?:[-_ .](?:instruct|chat|hf|it|pt|base|uncased|cased|fp16|bf16|fp8|fp4|nvfp4|mxfp4|awq|gptq|gguf|int8|int4|w4a16"
    r"|w8a8|quantized|bnb|bitsandbytes|4bit|8bit|dynamic|preview|thinking|multilingual|training|fine[-_ ]?tun.*"
    r"|pre[-_ ]?train.*"
    r"|ph[12]|v0\.\d|v1\.5|\d{4}))$",
    re.IGNORECASE,
)
_BEGINNINGS = re.compile(r"^(?:huggingface|keras|torchvision|timm|nvidia|meta)[-_ /:.]+", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\([^)]*\)")
_TRIED = 9  # keys that are looked at for three models: each has several


def key_of(name: str) -> str:
    """Letters, digits and decimal points (1.3 is not 13), in lower case."""
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^a-z0-9.]+", "", name.lower())


def loose_key_of(name: str) -> str:
    """The key without decimal points, for those who write llama31."""
    return key_of(name).replace(".", "")


def spellings(name: str) -> tuple[str, ...]:
    """The name's keys from as written to stripped of owner, brackets, beginnings and endings."""
    seen: list[str] = []
    rest = name.strip()
    for form in (rest, rest.rsplit("/", 1)[-1], _BRACKETS.sub("", rest).rsplit("/", 1)[-1]):
        for start in (form, _BEGINNINGS.sub("", form)):
            _add_stripped(start.strip(), seen)
    return tuple(seen)


def _add_stripped(form: str, seen: list[str]) -> None:
    """Append the form's key and the keys of the form with one ending after another taken off."""
    while form:
        key = key_of(form)
        if key and key not in seen:
            seen.append(key)
        shorter = _ENDINGS.sub("", form).strip()
        if shorter == form:
            return
        form = shorter


def _loose(index: dict[str, ModelProfile]) -> dict[str, ModelProfile]:
    """Keys without decimal points, where they mean one model only."""
    claims: dict[str, set[str]] = {}
    for key, model in index.items():
        claims.setdefault(loose_key_of(key), set()).add(model.name)
    return {loose_key_of(key): model for key, model in index.items() if len(claims[loose_key_of(key)]) == 1}


_BY_KEY = by_key(MODELS, key_of)
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
    return alike(key_of(name), _BY_KEY, tried=_TRIED)
