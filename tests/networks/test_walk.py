"""Walked networks agree with what their authors published."""

import pytest
from networks.diffusion import encoder_flops
from networks.walk import Walk

from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.evidence.models import find

# Parameters (millions) and multiply-adds (billions) as published or as in the common libraries' model tables.
PUBLISHED = {
    "alexnet": (61.1, 0.714),
    # By hand, of tensorflow/benchmarks@039fa955, alexnet_model.py: 70 + 224 + 112 + 224 + 150 in convolutions.
    "alexnet-tensorflow": (61.8, 0.839),
    "vgg16": (138.36, 15.47),
    "vgg19": (143.67, 19.63),
    "googlenet": (7.0, 1.58),
    "inception-v3": (23.83, 5.71),
    "inception-v4": (42.68, 12.25),
    "resnet18": (11.69, 1.81),
    "resnet34": (21.80, 3.66),
    "resnet50": (25.56, 4.09),
    "resnet101": (44.55, 7.80),
    "resnet152": (60.19, 11.51),
    "wide-resnet50-2": (68.88, 11.40),
    "resnext50-32x4d": (25.03, 4.23),
    "resnext101-32x8d": (88.79, 16.41),
    "densenet121": (7.98, 2.83),
    "densenet201": (20.01, 4.29),
    "mobilenet-v1": (4.23, 0.569),
    "mobilenet-v2": (3.50, 0.30),
    "mobilenet-v3-large": (5.48, 0.217),
    "mobilenet-v3-small": (2.54, 0.0565),
    "efficientnet-b0": (5.29, 0.386),
    "efficientnet-b4": (19.34, 4.39),
    "efficientnet-b7": (66.35, 37.75),
    "efficientnet-v2-s": (21.46, 8.37),
    "convnext-tiny": (28.59, 4.46),
    "convnext-large": (197.77, 34.36),
    "vit-base": (86.57, 17.56),
    "swin-tiny": (28.29, 4.49),
    "swin-base": (87.77, 15.43),
    "yolov3": (61.95, 32.93),
    "yolov5s": (7.2, 8.25),
    "yolov5x": (86.7, 102.85),
    "yolov8n": (3.2, 4.35),
    "yolov8x": (68.2, 128.9),
    "efficientdet-d0": (3.9, 2.5),
    "efficientdet-d4": (20.7, 55.0),
    "faster-rcnn": (41.8, 207.0),
    "unet": (31.0, 150.5),
    "deeplabv3-resnet50": (42.004, 178.722),
    "deeplabv3-resnet101": (60.996, 258.743),
    "clip-vit-b-32": (151.3, 7.3),
    "iresnet50": (43.59, 6.33),
    "iresnet100": (65.13, 12.10),
    # Open Model Zoo, retinaface-resnet50-pytorch: 88.86 GFLOP. ViTAE-Transformer/ViTPose, its README and logs, with the
    # scores of attention that its counter leaves out: 2 x 192 x 192 x the width in each layer.
    "retinaface-resnet50": (27.26, 44.43),
    "vitpose-small": (24.29, 5.26 + 0.34),
    "vitpose-base": (89.99, 17.85 + 0.68),
    "vitpose-large": (308.54, 59.78 + 1.81),
    "vitpose-huge": (637.21, 122.85 + 3.02),
}
# Millions of parameters, by dimensions: arXiv 2109.10282, table of sizes; 2308.13418, section 3; 2401.17270, table 2;
# 2211.06220, table 2; 2108.10257, table 6, with the light one's tables of positions (32,400); model cards; logs of
# NVlabs/stylegan2, NVlabs/stylegan3 and junyanz/pytorch-CycleGAN-and-pix2pix.
SIZES = {
    "trocr-small": 62.0, "trocr-base": 334.0, "trocr-large": 558.0, "nougat-small": 250.0, "nougat-base": 350.0,
    "donut-base": 200.0, "esm2-650m": 650.0, "esm2-3b": 2840.0, "flux.2-dev": 32_000.0, "flux.2-klein-4b": 3_900.0,
    "flux.2-klein-9b": 9_000.0, "timesfm-2.0-500m": 500.0, "timesfm-2.5-200m": 200.0, "voxtral-mini-3b": 3_600.0,
    "pyannote-diarization": 6.63, "deepseek-ocr": 3_000.0, "pix2pix": 54.4, "cyclegan": 11.38, "stylegan2": 30.4,
    "qwen3.5-9b": 9_000.0, "qwen3.5-4b": 4_200.0, "glm-4.7-flash": 30_000.0, "kimi-linear-48b-a3b": 49_100.0,
    "minimax-m1": 456_000.0, "granite-4.0-h-small": 32_000.0, "granite-4.0-h-tiny": 7_000.0,
    "granite-4.0-h-micro": 3_200.0, "granite-4.0-micro": 3_400.0, "ernie-4.5-21b-a3b": 21_800.0,
    "ernie-4.5-300b-a47b": 300_000.0, "hunyuan-a13b": 80_000.0, "exaone-4-32b": 32_000.0, "exaone-4-1.2b": 1_280.0,
    "apertus-8b": 8_050.0, "apertus-70b": 70_600.0, "mistral-large-3": 673_000.0, "lfm2-1.2b": 1_170.0,
    "lfm2-8b-a1b": 8_300.0, "ling-flash-2.0": 103_000.0, "ling-1t": 999_700.0, "devstral-2-123b": 125_000.0,
    "devstral-small-2": 24_000.0, "zonos-v0.1": 1_600.0, "fish-speech-1.5": 638.0, "yolo-world-s": 13.0,
    "yolo-world-m": 29.0, "yolo-world-l": 48.0, "retinaface-mobilenet0.25": 0.44, "oneformer-swin-large": 219.0,
    "swinir": 11.9, "swinir-light": 0.929, "kandinsky-5-lite": 2_000.0, "kandinsky-5-image-lite": 6_000.0,
    "stylegan3-t": 22.313, "chronos-2": 120.0,
}  # fmt: skip
DENOISERS = {"stable-diffusion-1.5": (859.5, 401.6), "stable-diffusion-2.1": (865.9, None), "sdxl": (2567.0, None)}


def profile(name: str) -> ModelProfile:
    found = find(name)
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "published"), PUBLISHED.items())
def test_parameters_and_operations_agree_with_the_publication(name: str, published: tuple[float, float]) -> None:
    """Layer plans are right where both sums agree within 3%."""
    million, billion = published
    model = profile(name)
    assert million == pytest.approx(model.parameters / 1e6, rel=0.03)
    assert billion == pytest.approx(model.forward_flops / 2e9, rel=0.03)


@pytest.mark.parametrize(("name", "published"), DENOISERS.items())
def test_denoisers_agree_with_the_publication(name: str, published: tuple[float, float | None]) -> None:
    """The U-Nets of Stable Diffusion have their authors' size, and one pass its known work."""
    million, billion = published
    model = profile(name)
    assert million == pytest.approx(model.parameters / 1e6, rel=0.01)
    if billion is not None:
        assert billion == pytest.approx(model.forward_flops / 2e9 / 2 / (model.reference.steps or 1), rel=0.02)


def test_activations_of_resnet_50_are_those_of_the_memory_study() -> None:
    """11.1 M written, twice as many kept."""
    model = profile("resnet50")
    assert model.written_elements / 1e6 == pytest.approx(11.1, rel=0.01)
    assert model.stored_elements / 1e6 == pytest.approx(22.4, rel=0.02)


def test_a_convolution_counts_by_hand() -> None:
    """3 x 3 from 3 to 8 channels over 4 x 4 places, strided by two."""
    walk = Walk(3, 4, 4).conv(8, 3, 2, bias=True, norm=False)
    assert (walk.channels, walk.height, walk.width) == (8, 2, 2)
    assert walk.count.parameters == 8 * 3 * 9 + 8
    assert walk.count.macs == 8 * 3 * 9 * 4
    assert walk.count.outputs == 8 * 4
    assert walk.count.kernels == 2


def test_paths_share_one_count_and_join_their_channels() -> None:
    """The figures of two branches of a block are added."""
    walk = Walk(4, 2, 2)
    walk.joined(walk.fork().conv(3, 1), walk.fork().conv(5, 1))
    assert walk.channels == 8
    assert walk.count.outputs == (3 + 5) * 4


@pytest.mark.parametrize(("side", "tflop"), [(512, 1.08), (1024, 4.88)])
def test_the_encoder_of_images_by_hand(side: int, tflop: float) -> None:
    """2.06 million products a pixel in convolutions, and the attention of its middle, which grows with the square."""
    assert encoder_flops(side) * side**2 == pytest.approx(tflop * 1e12, rel=0.04)


@pytest.mark.parametrize("name", SIZES)
def test_dimensions_make_the_published_size(name: str) -> None:
    """Readers, encoders of proteins, denoisers, decoders of series and of speech."""
    assert profile(name).parameters / 1e6 == pytest.approx(SIZES[name], rel=0.05)


@pytest.mark.parametrize(
    ("model", "share"),
    [("vgg16", 0.99), ("resnet50", 0.37), ("alexnet-two-towers", 0.77), ("alexnet-ungrouped", 0.86)],
)
def test_convolutions_that_libraries_transform(model: str, share: float) -> None:
    """By hand: all but the head of VGG-16; of both AlexNets all but the first convolution and the head."""
    assert profile(model).transformed_share == pytest.approx(share, abs=0.01)


def test_the_light_swinir_counts_what_its_paper_counts() -> None:
    """arXiv 2108.10257: 49.6 billion of 320 x 180 places without the products of scores and values."""
    pixels, side, width, layers, seen = 320 * 180, 256, 60, 24, 8 * 8
    macs = profile("swinir-light").forward_flops / 2 / side**2 * pixels
    assert (macs - layers * 2 * seen * width * pixels) / 1e9 == pytest.approx(49.6, rel=0.03)
