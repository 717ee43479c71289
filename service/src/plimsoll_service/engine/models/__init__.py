"""The models that the engine knows, found by their usual spellings."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from plimsoll_service.engine.models.cnn import CNN
from plimsoll_service.engine.models.decoders import DECODERS
from plimsoll_service.engine.models.detection import DETECTION
from plimsoll_service.engine.models.diffusion import DIFFUSION
from plimsoll_service.engine.models.embedders import EMBEDDERS
from plimsoll_service.engine.models.encoders import ENCODERS, TEXT_TO_TEXT, VIDEO_TRANSFORMERS, VISION_TRANSFORMERS
from plimsoll_service.engine.models.generation import GENERATION
from plimsoll_service.engine.models.multimodal import MULTIMODAL
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.recent_decoders import RECENT_DECODERS
from plimsoll_service.engine.models.segmentation import LATER_SEGMENTATION, SEGMENTATION
from plimsoll_service.engine.models.small import RNN, SMALL
from plimsoll_service.engine.models.speech import LATER_SPEECH, SPEECH
from plimsoll_service.engine.models.tabular import RECOMMENDERS, TABULAR
from plimsoll_service.engine.models.translation import TRANSLATION
from plimsoll_service.engine.models.tuned import CONTEXTS, TUNED_FROM
from plimsoll_service.engine.models.vision import CONVOLUTIONAL_VIDEO, VISION
from plimsoll_service.engine.names import NAMES_KEPT, alike, by_key

# The models that complete a described one: the figures of its family are theirs.
ARCHETYPES: tuple[ModelProfile, ...] = (
    *CNN, *VISION_TRANSFORMERS, *DETECTION, *SEGMENTATION, *DIFFUSION, *SPEECH, *RNN, *SMALL, *RECOMMENDERS, *TABULAR,
    *ENCODERS, *TEXT_TO_TEXT, *DECODERS, *CONVOLUTIONAL_VIDEO, *VIDEO_TRANSFORMERS,
)  # fmt: skip
MODELS = (
    *ARCHETYPES, *LATER_SEGMENTATION, *EMBEDDERS, *TRANSLATION, *VISION, *LATER_SPEECH, *GENERATION, *RECENT_DECODERS,
    *MULTIMODAL,
)  # fmt: skip

# Names that several variants share, and the one they are taken for.
_AMBIGUOUS = {
    "alexnet": "alexnet",
    "bert": "bert-base",
    "bloom": "bloom-176b",
    "command-r": "command-r-35b",
    "conformer": "conformer-large",
    "conformer-ctc": "conformer-large",
    "deeplab": "deeplabv3-resnet101",
    "deeplabv3": "deeplabv3-resnet101",
    "deepseek": "deepseek-v3",
    "densenet": "densenet121",
    "efficientdet": "efficientdet-d0",
    "efficientnet": "efficientnet-b0",
    "electra": "electra-base",
    "falcon": "falcon-7b",
    "fcn": "fcn-resnet50",
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
    "segformer": "segformer-b2",
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
    "bge": "bge-large-en",
    "bge-large": "bge-large-en",
    "bge-base": "bge-base-en",
    "bge-small": "bge-small-en",
    "bge-reranker": "bge-reranker-v2-m3",
    "e5": "e5-large",
    "multilingual-e5": "multilingual-e5-large",
    "gte": "gte-large",
    "stella": "stella-en-1.5b",
    "jina-embeddings": "jina-embeddings-v3",
    "jina-reranker": "jina-reranker-v2-base-multilingual",
    "snowflake-arctic-embed": "snowflake-arctic-embed-m",
    "arctic-embed": "snowflake-arctic-embed-m",
    "qwen3-embedding": "qwen3-embedding-0.6b",
    "qwen3-reranker": "qwen3-reranker-0.6b",
    "minilm": "minilm-l6",
    "all-minilm": "minilm-l6",
    "sentence-transformers": "minilm-l6",
    "ms-marco-minilm": "ms-marco-minilm-l6",
    "cross-encoder": "ms-marco-minilm-l6",
    "colbert": "colbert-v2",
    "modernbert": "gte-modernbert-base",
    "mxbai": "mxbai-embed-large",
    "nomic": "nomic-embed-text-v1.5",
    "nomic-embed-text": "nomic-embed-text-v1.5",
    "qwen-vl": "qwen2.5-vl-7b",
    "qwen2-vl": "qwen2-vl-7b",
    "qwen2.5-vl": "qwen2.5-vl-7b",
    "qwen3-vl": "qwen3-vl-8b",
    "llava": "llava-1.5-7b",
    "llava-1.5": "llava-1.5-7b",
    "llava-1.6": "llava-1.6-7b",
    "llava-next": "llava-1.6-7b",
    "llava-onevision": "llava-onevision-7b",
    "internvl": "internvl3-8b",
    "internvl2": "internvl2.5-8b",
    "internvl2.5": "internvl2.5-8b",
    "internvl3": "internvl3-8b",
    "internvl3.5": "internvl3.5-8b",
    "llama-3.2-vision": "llama-3.2-11b-vision",
    "paligemma": "paligemma-3b",
    "paligemma2": "paligemma2-3b",
    "smolvlm": "smolvlm-2.2b",
    "minicpm-v": "minicpm-v-2.6",
    "mimo-v2.5": "mimo-v2-flash",
    "pixtral": "pixtral-12b",
    "nllb": "nllb-200-600m",
    "nllb-200": "nllb-200-600m",
    "m2m100": "m2m100-418m",
    "marian": "marian-base",
    "marianmt": "marian-base",
    "opus-mt": "marian-base",
    "madlad": "madlad400-3b",
    "madlad400": "madlad400-3b",
    "mbart": "mbart-large-50",
    "seamless-m4t": "seamless-m4t-v2-large",
    "seamlessm4t": "seamless-m4t-v2-large",
    "mt5": "mt5-base",
    "parakeet": "parakeet-0.6b",
    "canary": "canary-1b",
    "wavlm": "wavlm-base",
    "hubert": "wav2vec2-base",
    "wav2vec2": "wav2vec2-base",
    "musicgen": "musicgen-small",
    "piper": "vits-tts",
    "yolov9": "yolov9c",
    "yolov10": "yolov10m",
    "yolov12": "yolov12m",
    "yolo12": "yolov12m",
    "rt-detr": "rt-detr-r50",
    "detr": "detr-resnet-50",
    "sam2": "sam2-hiera-base-plus",
    "grounding-dino": "grounding-dino-tiny",
    "florence-2": "florence-2-base",
    "dinov2": "dinov2-base",
    "dinov3": "dinov3-base",
    "siglip": "siglip-base",
    "siglip2": "siglip-base",
    "depth-anything": "depth-anything-v2-large",
    "wan": "wan2.1-14b",
    "wan2.1": "wan2.1-14b",
    "wan2.2": "wan2.2-a14b",
    "cogvideox": "cogvideox-5b",
    "ltx-video": "ltx-video-2b",
    "pixart": "pixart-sigma",
    "stable-diffusion-xl": "sdxl",
    "falcon3": "falcon3-7b",
    "granite": "granite-3-8b",
    "olmo": "olmo-7b",
    "olmo-2": "olmo-2-7b",
    "starcoder2": "starcoder2-7b",
    "gemma-4": "gemma-4-31b",
    "gemma-3n": "gemma-3n-e4b",
    "glm": "glm-4.5",
    "glm-4": "glm-4-9b",
    "minimax": "minimax-m2",
    "deepseek-v4": "deepseek-v4-pro",
    "ministral-3": "ministral-3-14b",
    "ministral": "ministral-8b",
    "qwen3.5": "qwen3.5-27b",
    "smollm3": "smollm3-3b",
    "aya": "aya-23-8b",
    "nemotron": "llama-3.3-nemotron-super-49b",
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
    r"|pre[-_ ]?train.*|ph[12]|v0\.\d|v1\.5|\d{4})|:latest|\.(?:pt|pth|onnx|engine|safetensors))$",
    re.IGNORECASE,
)
# Year and month, or month and day, of a release.
_RELEASE = re.compile(r"[-_ ]((?:2\d(?:0[1-9]|1[0-2]))|(?:0[1-9]|1[0-2])[0-3]\d)(?=$|[-_ .:])")
_BEGINNINGS = re.compile(r"^(?:huggingface|keras|torchvision|timm|nvidia|meta|faster)[-_ /:.]+", re.IGNORECASE)
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
_TUNED = {key_of(name): _BY_KEY[key_of(known)] for name, known in TUNED_FROM.items()}
_BY_LOOSE_KEY = _loose(_BY_KEY)
_CONTEXTS = {key_of(name): tokens for name, tokens in CONTEXTS.items()}
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
        model = _BY_KEY.get(_AMBIGUOUS_KEYS.get(key, key)) or _TUNED.get(key)
        if model:
            return _of_release(model, keys)
    return next((_BY_LOOSE_KEY[key] for key in map(loose_key_of, keys) if key in _BY_LOOSE_KEY), None)


def _of_release(model: ModelProfile, keys: tuple[str, ...]) -> ModelProfile:
    """The model with the context of the release that the name says."""
    tokens = next((_CONTEXTS[key] for key in keys if key in _CONTEXTS), None)
    if tokens is None or model.transformer is None:
        return model
    return replace(model, transformer=replace(model.transformer, context_length=tokens))


def is_unknown_release(name: str) -> bool:
    """Whether ``find`` leaves out the month of a release that the name says, as it knows another one."""
    keys = spellings(name)
    known = next((key for key in keys if key in _BY_KEY or key in _TUNED or key in _CONTEXTS), None)
    said = _RELEASE.search(name)
    return said is not None and known is not None and said[1] not in known


def is_ambiguous(name: str) -> bool:
    """Whether the name stands for several variants, of which ``find`` takes the common one."""
    return key_of(name) in _AMBIGUOUS_KEYS


def is_tuned(name: str) -> bool:
    """Whether ``find`` gives the model that the named one was tuned from, or whose plan it follows."""
    keys = spellings(name)
    first = next((key for key in keys if _AMBIGUOUS_KEYS.get(key, key) in _BY_KEY or key in _TUNED), "")
    return first not in _BY_KEY and first in _TUNED


def suggest(name: str) -> tuple[str, ...]:
    """Names of known models that look like the given one, best first."""
    return alike(key_of(name), _BY_KEY, tried=_TRIED)
