"""Networks over clips of video: convolutions in space and time."""

from __future__ import annotations

from plimsoll_service.engine.models.cnn import CNN
from plimsoll_service.engine.models.profile import ModelProfile, Reference

_SOURCE = (
    "PyTorchVideo, docs/source/model_zoo.md: Kinetics-400, GFLOPs as multiply-adds; maps as ResNet-50's of a frame"
)
_SIDE = 256  # of the model zoo's views
_FRAME = next(model for model in CNN if model.name == "resnet50")
_LARGER = (_SIDE / 224) ** 2


def _network(
    name: str, gmacs: float, parameters: float, frames: float, depth: float, aliases: tuple[str, ...]
) -> ModelProfile:
    """``frames``: those whose maps have ResNet-50's channels; ``depth``: blocks and paths over ResNet-50's."""
    written = frames * depth * _LARGER * _FRAME.written_elements
    return ModelProfile(
        name=name, family="video", sample=f"one clip of frames of {_SIDE} x {_SIDE}", parameters=parameters,
        forward_flops=2e9 * gmacs, written_elements=written,
        stored_elements=written * _FRAME.stored_elements / _FRAME.written_elements, kernels=depth * _FRAME.kernels,
        source=_SOURCE, aliases=aliases, architecture="video",
        reference=Reference(image_size=(_SIDE, _SIDE)), scaling="area",
    )  # fmt: skip


# SlowFast's fast path has four times the frames and an eighth of the channels: 8 + 32 / 8 frames of ResNet-50.
CONVOLUTIONAL_VIDEO = (
    _network("i3d-r50", 37.53, 28.04e6, 8.0, 1.0, ("i3d", "i3d-resnet50", "i3d-8x8-r50")),
    _network("slowfast-r50", 65.71, 34.57e6, 12.0, 1.0, ("slowfast-resnet50", "slowfast-8x8-r50")),
    _network("slowfast-r101", 127.20, 62.83e6, 12.0, 101 / 50, ("slowfast-resnet101", "slowfast-8x8-r101")),
)
