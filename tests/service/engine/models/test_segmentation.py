"""Networks that segment images, against their published figures."""

import pytest
from networks.walk import FLOP_PER_MAC

from plimsoll_service.evidence import models


@pytest.mark.parametrize(
    ("name", "parameters", "giga_macs"),
    [
        ("deeplabv3-resnet50", 42_004_074, 178.722),
        ("deeplabv3-resnet101", 60_996_202, 258.743),
        ("fcn-resnet50", 35_322_218, 152.717),
        ("fcn-resnet101", 54_314_346, 232.738),
    ],
)
def test_torchvisions_networks_have_their_published_figures(name: str, parameters: int, giga_macs: float) -> None:
    """torchvision's description of its weights counts parameters and multiply-adds at 520 pixels."""
    network = models.find(name)

    assert network is not None
    assert parameters == pytest.approx(network.parameters, rel=1e-4)
    assert giga_macs * 1e9 == pytest.approx(network.forward_flops / FLOP_PER_MAC, rel=1e-3)


@pytest.mark.parametrize(("size", "million"), [("b0", 3.8), ("b4", 64.1), ("b5", 84.7)])
def test_segformers_have_their_published_parameters(size: str, million: float) -> None:
    """arXiv 2105.15203, table 1, encoder and decoder."""
    network = models.find(f"segformer-{size}")

    assert network is not None
    assert million == pytest.approx(network.parameters / 1e6, rel=0.02)


@pytest.mark.parametrize(
    ("typed", "name"),
    [("DeepLabV3", "deeplabv3-resnet101"), ("deeplabv3_resnet50", "deeplabv3-resnet50"), ("segformer", "segformer-b2"),
     ("nvidia/segformer-b0-finetuned-ade-512-512", "segformer-b0")],
)  # fmt: skip
def test_usual_spellings_are_found(typed: str, name: str) -> None:
    """By torchvision's names, a family's name and those of published checkpoints."""
    found = models.find(typed)

    assert found is not None
    assert found.name == name
