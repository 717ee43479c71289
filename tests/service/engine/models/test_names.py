"""Models are found by the spellings that people use."""

import pytest

from plimsoll_service.engine.models import key_of
from plimsoll_service.engine.models.by_size import resolve
from plimsoll_service.engine.names import by_key
from plimsoll_service.evidence.models import find, load

NAMES = """
alexnet overfeat googlenet inception-bn inception-v3 inception-v4 vgg11 vgg16 vgg19 resnet18 resnet34 resnet50
resnet101 resnet152 resnet200 resnext101 se-resnext101 densenet121 densenet161 densenet169 densenet201 mobilenet-v1
mobilenet-v2 mobilenet-v3 efficientnet-b0 efficientnet-b7 efficientnet-v2 vit-s vit-b vit-l vit-h swin convnext
ssd300 efficientdet retinanet mask-rcnn faster-rcnn unet unet-industrial unet-3d yolov3 yolov5s yolov8x gnmt
tacotron2 waveglow fastpitch hifi-gan quartznet jasper rnn-t lstm rnn gru fasttext mnist-mlp mnist-cnn cifar10-cnn
bilstm lstm-text-generation bert-base bert-large roberta distilbert albert electra t5-base transformer
transformer-big transformer-xl bart gpt2 gpt2-xl gpt-j gpt-neox opt-175b bloom mpt-125m mpt-70b falcon-40b
llama-65b llama-2-70b llama-3-8b llama-3.1-405b llama-3.2-1b llama-3.3-70b llama-4-scout mistral-7b mistral-nemo
mistral-small mistral-large mixtral-8x7b mixtral-8x22b qwen1.5-0.5b qwen2-7b qwen2.5-72b qwen3-32b qwen3-235b-a22b
gemma-2b gemma-2-9b gemma-3-27b phi-2 phi-3-mini phi-4 smollm2 deepseek-v2 deepseek-v2-lite deepseek-v3 deepseek-r1
kimi-k2 gpt-oss-20b gpt-oss-120b stable-diffusion-1.5 stable-diffusion-2.1 sdxl stable-diffusion-3 flux
whisper-tiny whisper-large-v3 wav2vec2 ncf dlrm dlrm-v2 wide-and-deep xgboost lightgbm random-forest
logistic-regression
"""
REQUIRED = NAMES.split()

SPELLINGS = {
    "mistralai/Devstral-2-123B-Instruct-2512": "devstral-2-123b",
    "Devstral Small 2": "devstral-small-2-24b",
    "inclusionAI/Ling-1T": "ling-1t",
    "Ring-1T": "ling-1t",
    "Ling-flash-2.0": "ling-flash-2.0",
    "Ring": "ling-flash-2.0",
    "SwinIR": "swinir",
    "YOLO-World": "yolo-world-l",
    "ViTPose-B": "vitpose-base",
    "OneFormer": "oneformer-swin-large",
    "RetinaFace": "retinaface-resnet50",
    "Zyphra/Zonos-v0.1-transformer": "zonos-v0.1",
    "fishaudio/fish-speech-1.5": "fish-speech-1.5",
    "Kandinsky 5": "kandinsky-5-lite",
    "StyleGAN3": "stylegan3-t",
    "amazon/chronos-2": "chronos-2",
    "ResNet50_v1.5": "resnet50",
    "resnet-50": "resnet50",
    "RESNET 50": "resnet50",
    "ResNet-50 v1.5": "resnet50",
    "bert_large": "bert-large",
    "bert-base-uncased": "bert-base",
    "google-bert/bert-large-cased": "bert-large",
    "distilbert-base-uncased-finetuned-sst-2-english": "distilbert-base",
    "HuggingFace BERT-Large Ph1 pre-training": "bert-large",
    "meta-llama/Llama-3-8B-Instruct": "llama-3-8b",
    "meta-llama/Meta-Llama-3.1-70B-Instruct": "llama-3.1-70b",
    "Llama 3 8B": "llama-3-8b",
    "llama3-8b": "llama-3-8b",
    "LLAMA3_8B": "llama-3-8b",
    "llama31-8b": "llama-3.1-8b",
    "nvidia/Llama-3.1-8B-Instruct-FP8": "llama-3.1-8b",
    "Mistral-7B-Instruct-v0.2": "mistral-7b",
    "Qwen/Qwen3-235B-A22B-FP8": "qwen3-235b-a22b",
    "Qwen3_235B_a22B (tokendrop)": "qwen3-235b-a22b",
    "deepseek-ai/DeepSeek-R1-0528": "deepseek-r1",
    "nvidia/DeepSeek-V3.1-NVFP4": "deepseek-v3",
    "SSD300 (ResNet-50 backbone)": "ssd300",
    "phi-1.5 1.3B": "phi-1.5",
    "openai/whisper-large-v3": "whisper-large-v3",
    "MPT-1b": "mpt-1b",
    "GPT3-175B pre-training": "gpt3-175b",
    "Keras MLP 784-512-512-10": "mnist-mlp",
    "Wide & Deep": "wide-and-deep",
    "t5-3b": "t5-3b",
    "google/flan-t5-xl": "flan-t5-xl",
    "YOLOv8-m": "yolov8m",
    "ProsusAI/finbert": "bert-base",
    "facebook/bart-large-cnn": "bart-large",
    "openai/gpt-oss-safeguard-20b": "gpt-oss-20b",
    "deeplabv3_resnet50": "deeplabv3-resnet50",
}


def test_each_promised_model_is_found() -> None:
    """Every model that the design names is in the table."""
    assert [] == [name for name in REQUIRED if find(name) is None]


@pytest.mark.parametrize(("spelling", "name"), SPELLINGS.items())
def test_usual_spellings_lead_to_the_model(spelling: str, name: str) -> None:
    """Case, punctuation, owners, number formats and fine-tuning endings do not matter."""
    found = find(spelling)
    assert found is not None
    assert found.name == name


def test_decimal_points_distinguish_sizes() -> None:
    """1.3B is not 13B."""
    small, large = find("opt-1.3b"), find("opt-13b")
    assert small is not None
    assert large is not None
    assert large.parameters > 9 * small.parameters


def test_every_model_is_found_by_its_own_name_and_aliases() -> None:
    """A name in the table leads back to its entry."""
    for model in load().models:
        for name in (model.name, *model.aliases):
            found = find(name)
            assert found is not None
            assert found.name == model.name


@pytest.mark.parametrize(
    ("typed", "name", "tokens"),
    [("Qwen/Qwen3-4B-Instruct-2507", "qwen3-4b", 262_144),
     ("Qwen/Qwen3-30B-A3B-Thinking-2507-FP8", "qwen3-30b-a3b", 262_144),
     ("Qwen3-235B-A22B-Instruct-2507", "qwen3-235b-a22b", 262_144), ("Qwen3-235B-A22B", "qwen3-235b-a22b", 40_960),
     ("Qwen3-Coder-30B-A3B-Instruct", "qwen3-30b-a3b", 262_144), ("GLM-4.6-FP8", "glm-4.5", 202_752),
     ("microsoft/Phi-3-mini-128k-instruct", "phi-3-mini", 131_072), ("Qwen3-VL-8B-Instruct", "qwen3-vl-8b", 262_144)],
)  # fmt: skip
def test_a_later_release_has_its_own_context(typed: str, name: str, tokens: int) -> None:
    """The network is that of the first release, which saw fewer tokens."""
    found = find(typed)
    assert found is not None
    assert found.transformer is not None
    assert (name, tokens) == (found.name, found.transformer.context_length)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("moonshotai/Kimi-K2-Instruct-0905", True), ("Ministral-8B-Instruct-2411", True),
     ("deepseek-ai/DeepSeek-R1-0528", False), ("Qwen/Qwen3-4B-Instruct-2507", False), ("Qwen3-4B", False)],
)  # fmt: skip
def test_a_release_that_no_row_names_is_said_to_be_taken_for_another(typed: str, said: bool) -> None:
    """Its date is left out to find the model, and its context may differ."""
    found = resolve(load(), typed)
    assert found is not None
    assert ("no row is of the release" in found.why) == said


def test_an_ambiguous_name_takes_the_common_variant_and_says_so() -> None:
    """``llama`` stands for several sizes."""
    found = find("Llama")
    assert load().is_ambiguous("Llama")
    assert found is not None
    assert found.name == "llama-3.1-8b"
    assert not load().is_ambiguous("llama-3.1-8b")


def test_unknown_names_are_not_guessed() -> None:
    """An unknown name is None, with suggestions beside it."""
    assert find("resnet51") is None
    assert "resnet50" in load().suggest("resnet51")
    assert find("") is None
    assert load().suggest("zzzzzzzz") == ()


def test_a_frameworks_own_network_of_that_name_is_taken() -> None:
    """MXNet's and Caffe's AlexNet are the wider one of 2012."""
    own, customary = find("alexnet", "mxnet"), find("alexnet", "pytorch")
    assert own is not None
    assert customary is not None
    assert (own.name, customary.name) == ("alexnet-ungrouped", "alexnet")


def test_two_models_cannot_share_a_name() -> None:
    """A doubled name stops the program at its start."""
    with pytest.raises(ValueError, match="share the name"):
        by_key((load().models[0], load().models[0]), key_of)


def test_a_context_is_that_of_training() -> None:
    """Hunyuan-A13B reads 262,144 tokens: Tencent-Hunyuan/Hunyuan-A13B issue 26, read 2026-11-28."""
    found = find("tencent/Hunyuan-A13B-Instruct")
    assert found is not None
    assert found.transformer is not None
    assert found.transformer.context_length == 262_144
