"""What the known models of a family have in common: medians by which a model given by a few numbers is completed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log
from statistics import median

from plimsoll_service.engine.models import MODELS
from plimsoll_service.engine.models.dimensions import decode_weights
from plimsoll_service.engine.models.profile import ModelProfile, Transformer

Figure = Callable[[ModelProfile], float]


def of_family(family: str) -> tuple[ModelProfile, ...]:
    """The known models of a family; tutorials' small ones count as no relatives of large ones."""
    members = tuple(model for model in MODELS if model.family == family)
    grown = tuple(model for model in members if model.kin != "keras")
    return grown or members


def nearest(family: str, parameters: float, active: float | None = None) -> ModelProfile:
    """The known text transformer of the family whose size (and active part) is nearest, by ratio.

    Of the decoders only those of the present plan (gated feed-forward blocks).
    """

    def distance(model: ModelProfile) -> float:
        used = abs(log((model.active_parameters or model.parameters) / active)) if active else 0.0
        return abs(log(model.parameters / parameters)) + used

    relatives = (model for model in of_family(family) if model.transformer and model.transformer.vocabulary)
    return min((model for model in relatives if family != "decoder" or _gated(model)), key=distance)


def _gated(model: ModelProfile) -> bool:
    return model.transformer is not None and model.transformer.gated


def median_ratio(family: str, above: Figure, below: Figure) -> float:
    """Median over the family of one figure divided by another."""
    return median(_ratios(of_family(family), above, below))


def _ratios(models: Iterable[ModelProfile], above: Figure, below: Figure) -> list[float]:
    return [above(model) / below(model) for model in models if below(model) > 0]


def typical(family: str) -> ModelProfile:
    """The family's model of median work a sample: its input, traffic and memory class stand for the family."""
    members = sorted(of_family(family), key=lambda model: model.forward_flops)
    return members[len(members) // 2]


def weights_per_layer(transformer: Transformer) -> float:
    """A layer's parameters in units of its width squared: 12 in the plain plan."""
    fixed, routed = decode_weights(transformer)
    head = transformer.vocabulary * (transformer.embedding_size or transformer.hidden_size)
    return (fixed - head + routed) / transformer.layers / transformer.hidden_size**2
