"""Models are found by the names that people copy from model hubs, registries and command lines."""

from __future__ import annotations

import pytest

from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.models.by_size import resolve
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.models import load

ROWS = {
    # Embedders and rerankers.
    "BAAI/bge-small-en-v1.5": "bge-small-en", "BAAI/bge-base-en-v1.5": "bge-base-en", "bge-large": "bge-large-en",
    "BAAI/bge-large-en-v1.5": "bge-large-en", "BAAI/bge-large-zh-v1.5": "bge-large-zh", "bge-m3": "bge-m3",
    "BAAI/bge-m3": "bge-m3", "BAAI/bge-reranker-base": "bge-reranker-base", "bge-reranker-large": "bge-reranker-large",
    "BAAI/bge-reranker-v2-m3": "bge-reranker-v2-m3", "intfloat/e5-small-v2": "e5-small", "e5-base-v2": "e5-base",
    "intfloat/e5-large-v2": "e5-large", "intfloat/multilingual-e5-large-instruct": "multilingual-e5-large",
    "intfloat/e5-mistral-7b-instruct": "e5-mistral-7b", "thenlper/gte-large": "gte-large",
    "Alibaba-NLP/gte-base-en-v1.5": "gte-base-en-v1.5", "Alibaba-NLP/gte-Qwen2-7B-instruct": "gte-qwen2-7b",
    "nomic-ai/nomic-embed-text-v1.5": "nomic-embed-text-v1.5", "nomic-embed-text:latest": "nomic-embed-text-v1.5",
    "jinaai/jina-embeddings-v2-base-en": "jina-embeddings-v2-base-en",
    "jinaai/jina-embeddings-v3": "jina-embeddings-v3",
    "jina-reranker-v2-base-multilingual": "jina-reranker-v2-base-multilingual",
    "sentence-transformers/all-MiniLM-L6-v2": "minilm-l6", "all-MiniLM-L12-v2": "all-minilm-l12",
    "sentence-transformers/all-mpnet-base-v2": "all-mpnet-base",
    "paraphrase-multilingual-MiniLM-L12-v2": "paraphrase-multilingual-minilm-l12",
    "mixedbread-ai/mxbai-embed-large-v1": "mxbai-embed-large", "mxbai-embed-large": "mxbai-embed-large",
    "Snowflake/snowflake-arctic-embed-l-v2.0": "snowflake-arctic-embed-l-v2.0",
    "snowflake-arctic-embed-m": "snowflake-arctic-embed-m", "NovaSearch/stella_en_1.5B_v5": "stella-en-1.5b",
    "Qwen/Qwen3-Embedding-0.6B": "qwen3-embedding-0.6b", "Qwen3-Embedding-8B": "qwen3-embedding-8b",
    "Qwen/Qwen3-Reranker-4B": "qwen3-reranker-4b", "colbert-ir/colbertv2.0": "colbert-v2",
    "cross-encoder/ms-marco-MiniLM-L-6-v2": "ms-marco-minilm-l6", "ms-marco-MiniLM-L12-v2": "ms-marco-minilm-l12",
    "google/embeddinggemma-300m": "embeddinggemma-300m", "answerdotai/ModernBERT-base": "gte-modernbert-base",
    # Models that read images.
    "Qwen/Qwen2-VL-7B-Instruct": "qwen2-vl-7b", "Qwen/Qwen2.5-VL-72B-Instruct": "qwen2.5-vl-72b",
    "qwen2.5-vl-3b": "qwen2.5-vl-3b", "Qwen/Qwen3-VL-8B-Instruct": "qwen3-vl-8b",
    "Qwen/Qwen3-VL-235B-A22B-Instruct": "qwen3-vl-235b-a22b", "llava-hf/llava-1.5-7b-hf": "llava-1.5-7b",
    "llava-v1.6-mistral-7b-hf": "llava-1.6-7b", "llava": "llava-1.5-7b",
    "lmms-lab/llava-onevision-qwen2-7b-ov": "llava-onevision-7b", "OpenGVLab/InternVL2_5-8B": "internvl2.5-8b",
    "OpenGVLab/InternVL3-78B": "internvl3-78b", "microsoft/Phi-3.5-vision-instruct": "phi-3.5-vision",
    "mistralai/Pixtral-12B-2409": "pixtral-12b", "meta-llama/Llama-3.2-11B-Vision-Instruct": "llama-3.2-11b-vision",
    "llama-3.2-90b-vision": "llama-3.2-90b-vision", "google/paligemma-3b-mix-224": "paligemma-3b",
    "google/paligemma2-10b-pt-448": "paligemma2-10b", "HuggingFaceTB/SmolVLM-Instruct": "smolvlm-2.2b",
    "openai/clip-vit-large-patch14": "clip-vit-l-14", "clip": "clip-vit-b-32",
    "google/siglip-so400m-patch14-384": "siglip-so400m-384", "google/siglip-base-patch16-224": "siglip-base",
    # Translation and speech.
    "facebook/nllb-200-distilled-600M": "nllb-200-600m", "facebook/nllb-200-distilled-1.3B": "nllb-200-1.3b",
    "facebook/nllb-200-3.3B": "nllb-200-3.3b", "facebook/m2m100_418M": "m2m100-418m", "m2m100-1.2b": "m2m100-1.2b",
    "vits": "vits-tts", "VITS": "vits-tts", "vit-s": "vit-small", "Helsinki-NLP/opus-mt-en-de": "marian-base",
    "Helsinki-NLP/opus-mt-tc-big-en-fr": "marian-big", "pyannote/speaker-diarization-3.1": "pyannote-diarization",
    "Orpheus-3B": "llama-3.2-3b", "Unbabel/wmt22-comet-da": "xlm-roberta-large",
    # Documents, proteins, actions.
    "microsoft/trocr-base-printed": "trocr-base", "TrOCR": "trocr-base", "naver-clova-ix/donut-base": "donut-base",
    "facebook/nougat-base": "nougat-base", "PaddleOCR-VL": "paddleocr-vl-0.9b", "deepseek-ai/DeepSeek-OCR":
    "deepseek-ocr", "opendatalab/MinerU2.5-2509-1.2B": "mineru2.5-1.2b", "rednote-hilab/dots.ocr": "dots.ocr",
    "granite-docling": "smolvlm-256m", "facebook/esm2_t33_650M_UR50D": "esm2-650m", "openvla/openvla-7b": "openvla-7b",
    "MarianMT": "marian-base", "google/madlad400-3b-mt": "madlad400-3b",
    "facebook/seamless-m4t-v2-large": "seamless-m4t-v2-large", "openai/whisper-tiny.en": "whisper-tiny",
    "mistralai/Voxtral-Mini-3B-2507": "voxtral-mini-3b", "mistralai/Voxtral-Small-24B-2507": "voxtral-small-24b",
    "voxtral": "voxtral-mini-3b", "google/timesfm-2.0-500m-pytorch": "timesfm-2.0-500m",
    "google/timesfm-2.5-200m-pytorch": "timesfm-2.5-200m", "timesfm": "timesfm-2.0-500m", "DeepFM": "deepfm",
    "facebook/mask2former-swin-large-coco-panoptic": "mask2former-swin-large", "mask2former": "mask2former-swin-large",
    "yolo26n": "yolov26n", "YOLO26x": "yolov26x", "amazon/chronos-bolt-base": "chronos-bolt-base",
    "chronos-bolt": "chronos-bolt-base", "rf-detr": "rf-detr-medium", "yolo26": "yolov26m",
    "yolox": "yolox-m", "YOLOX-X": "yolox-x", "ResembleAI/chatterbox": "chatterbox",
    "rfdetr-nano": "rf-detr-nano", "RealESRGAN_x4plus": "real-esrgan",
    "Real-ESRGAN": "real-esrgan", "black-forest-labs/FLUX.2-dev": "flux.2-dev", "flux2": "flux.2-dev",
    "black-forest-labs/FLUX.2-klein-4B": "flux.2-klein-4b", "black-forest-labs/FLUX.2-klein-9B": "flux.2-klein-9b",
    "openai/whisper-large-v3-turbo": "whisper-large-v3-turbo", "large-v3-turbo": "whisper-large-v3-turbo",
    "Systran/faster-whisper-large-v3": "whisper-large-v3", "distil-whisper/distil-large-v3": "distil-whisper-large-v3",
    "coqui/XTTS-v2": "xtts-v2", "xtts": "xtts-v2", "hexgrad/Kokoro-82M": "kokoro-82m", "suno/bark": "bark",
    "piper": "piper-medium", "nvidia/parakeet-tdt-0.6b-v2": "parakeet-0.6b", "nvidia/canary-1b": "canary-1b",
    "facebook/wav2vec2-base-960h": "wav2vec2-base", "microsoft/wavlm-large": "wavlm-large",
    "facebook/hubert-large-ll60k": "wav2vec2-large",
    # Detection and segmentation.
    "yolo11n": "yolo11n", "yolo11n.pt": "yolo11n", "YOLO11x": "yolo11x", "yolov8s.pt": "yolov8s", "yolo12m": "yolov12m",
    "yolov10b": "yolov10b", "yolov9c": "yolov9c", "RT-DETR": "rt-detr-r50", "PekingU/rtdetr_r50vd": "rt-detr-r50",
    "facebook/sam-vit-huge": "sam-vit-h", "SAM": "sam-vit-b", "sam2": "sam2-hiera-base-plus",
    "facebook/sam2.1-hiera-large": "sam2-hiera-large", "IDEA-Research/grounding-dino-tiny": "grounding-dino-tiny",
    "microsoft/Florence-2-large": "florence-2-large", "facebook/dinov2-base": "dinov2-base",
    "facebook/dinov3-vitl16-pretrain-lvd1689m": "dinov3-large",
    # Generation of images and video.
    "Wan-AI/Wan2.1-T2V-1.3B": "wan2.1-1.3b", "Wan2.1-T2V-14B": "wan2.1-14b",
    "Wan-AI/Wan2.2-T2V-A14B-Diffusers": "wan2.2-a14b", "tencent/HunyuanVideo": "hunyuanvideo",
    "THUDM/CogVideoX-5b": "cogvideox-5b", "Lightricks/LTX-Video": "ltx-video-2b", "genmo/mochi-1-preview": "mochi-1",
    "stabilityai/stable-diffusion-3.5-medium": "stable-diffusion-3.5-medium", "sd3": "stable-diffusion-3-medium",
    "Lightricks/LTX-2": "ltx-2", "Tongyi-MAI/Z-Image-Turbo": "z-image-turbo", "Z-Image": "z-image",
    "black-forest-labs/FLUX.1-schnell": "flux.1-schnell", "FLUX.1 [dev]": "flux.1-dev",
    "PixArt-alpha/PixArt-Sigma-XL-2-1024-MS": "pixart-sigma", "Qwen/Qwen-Image": "qwen-image",
    "stabilityai/stable-video-diffusion-img2vid-xt": "stable-video-diffusion", "AnimateDiff": "animatediff",
    # Language models.
    "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b", "llama3.1:8b": "llama-3.1-8b", "gpt-oss:20b": "gpt-oss-20b",
    "deepseek-r1:70b": "llama-3.3-70b", "Qwen/Qwen2.5-Coder-7B-Instruct": "qwen2.5-7b",
    "Qwen/Qwen3-30B-A3B-Instruct-2507": "qwen3-30b-a3b", "google/gemma-3-12b-it": "gemma-3-12b",
    "google/gemma-4-31B-it": "gemma-4-31b", "microsoft/Phi-4-reasoning-plus": "phi-4",
    "zai-org/GLM-4.5-Air": "glm-4.5-air",
    "zai-org/GLM-5-FP8": "glm-5", "moonshotai/Kimi-K2.6": "kimi-k2.5", "MiniMaxAI/MiniMax-M2.5": "minimax-m2",
    "deepseek-ai/DeepSeek-V3.2": "deepseek-v3", "deepseek-ai/DeepSeek-V4-Flash": "deepseek-v4-flash",
    "tiiuae/Falcon3-7B-Instruct": "falcon3-7b", "ibm-granite/granite-3.2-2b-instruct": "granite-3-2b",
    "allenai/OLMo-2-0325-32B": "olmo-2-32b", "nvidia/Llama-3_3-Nemotron-Super-49B-v1": "llama-3.3-nemotron-super-49b",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "nemotron-3-nano-30b-a3b", "bigcode/starcoder2-7b": "starcoder2-7b",
    "mistralai/Ministral-3-14B-Instruct-2512": "ministral-3-14b",
    "ByteDance-Seed/Seed-OSS-36B-Instruct": "seed-oss-36b",
    "mistralai/Mistral-Small-24B-Instruct-2501": "mistral-small-24b", "CohereForAI/aya-23-8B": "aya-23-8b",
}  # fmt: skip


@pytest.mark.parametrize(("typed", "name"), ROWS.items())
def test_a_name_as_people_type_it_finds_its_row(typed: str, name: str) -> None:
    """Owners, versions, packagings and a registry's tags do not matter."""
    found = resolve(load(), typed)
    assert found is not None
    assert name == found.profile.name


BY_SIZE = {
    "qwen3-4b-something": ("qwen3-4b", 4.0),
    "my-org/Llama-3.1-8B-Customer-Support": ("llama-3.1-8b", 8.0),
    "yolo11m-pose": ("yolo11m", 0.02),
    "whisper-large-v3-finnish": ("whisper-large-v3", 1.5),
    "Qwen/Qwen3.8-27B": ("qwen3.8-27b", 27.0),
    "baidu/ERNIE-5.5-24B-A3B-PT": ("ernie-5.5-24b-a3b-pt", 24.0),
    "LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct": ("exaone-3.5-7.8b-instruct", 7.8),
    "BAAI/bge-next-large": ("bge-next-large", 0.335),
    "acme/multilingual-e5-medical-base": ("multilingual-e5-medical-base", 0.278),
}


@pytest.mark.parametrize(("typed", "name", "billion"), [(typed, *found) for typed, found in BY_SIZE.items()])
def test_a_name_in_a_known_pattern_is_sized_and_says_so(typed: str, name: str, billion: float) -> None:
    """Without a row, a known name at its start decides, else the family and the size that it states."""
    found = resolve(load(), typed)
    assert found is not None
    assert (name, True) == (found.profile.name, typed in found.why)
    assert found.profile.parameters == pytest.approx(billion * 1e9, rel=0.1)


@pytest.mark.parametrize(
    "typed",
    ["zai-org/GLM-4.7-Flash", "qwen3-tts-1.7b", "google/gemma-4-E2B-it", "mistral-large-3-675b", "resnet51", "bertha",
     "llama", "MiniMaxAI/MiniMax-H3"],
)  # fmt: skip
def test_a_name_that_tells_of_another_network_is_not_guessed(typed: str) -> None:
    """Another size in a word, another kind of network, or a size that only mixtures have."""
    found = resolve(load(), typed)
    assert found is None or found.why == ""


def test_a_model_of_another_plan_is_named_in_the_assumptions() -> None:
    """The answer says what a name without a row was taken for."""
    job = job_of(Query(Workload(task="inference", model="Qwen/Qwen2.5-Coder-7B-Instruct")), starting())
    said = {one.field: one.why for one in job.assumptions}
    assert "tuned from qwen2.5-7b" in said["model"]


def test_every_row_has_a_source() -> None:
    """Every row has a source for its figures."""
    assert [] == [model.name for model in load().models if len(model.source) < len("arXiv 1")]


@pytest.mark.parametrize(
    ("name", "million"),
    [
        ("real-esrgan", 16.7),  # xinntao/Real-ESRGAN, RealESRGAN_x4plus.pth: 67 MB in fp32
        ("flux.2-dev", 32_000),  # black-forest-labs/FLUX.2-dev, its card
        ("flux.2-klein-4b", 4_000),
        ("flux.2-klein-9b", 9_000),
        ("voxtral-mini-3b", 3_600),  # arXiv 2507.13264: the decoder
        ("timesfm-1.0-200m", 200),  # by their names
        ("timesfm-2.0-500m", 500),
    ],
)
def test_walked_networks_have_their_published_size(name: str, million: float) -> None:
    """Blocks of those widths hold as many parameters as the makers state."""
    found = {model.name: model for model in load().models}[name]
    assert million * 1e6 == pytest.approx(found.parameters, rel=0.07)
