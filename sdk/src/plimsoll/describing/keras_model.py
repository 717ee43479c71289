"""A Keras model of a ``.keras`` or ``.h5`` file: its parameters, and the operations of its products."""

from __future__ import annotations

import math
from typing import Any

from plimsoll.describing.description import FAMILY, Description, family_in
from plimsoll.errors import NotInstalled, UnreadableFile

_FLOPS = 2  # a multiply-add counts as two


def describe(text: str, _: tuple[int, ...] | None) -> Description:
    """Return the description of a saved model."""
    try:
        import keras
    except ImportError as error:
        raise NotInstalled("describing a Keras model needs keras: pip install keras") from error
    try:
        model = keras.saving.load_model(text, compile=False)
    except (OSError, TypeError, ValueError) as error:
        raise UnreadableFile(f"{text}: Keras cannot load it: {error}") from error
    return described(model)


def described(model: Any) -> Description:
    """Return the description of a Keras model, from the weights and output shapes of its layers."""
    layers = list(model._flatten_layers(include_self=False)) if hasattr(model, "_flatten_layers") else model.layers
    parameters = sum(math.prod(each.shape) for each in model.weights if _is_parameter(each))
    kinds = {type(layer).__name__ for layer in layers}
    family = family_in(str(model.name)) or _family(kinds)
    found: dict[str, Any] = {"family": family, "parameters": int(parameters)}
    unseen = [FAMILY] if family is None else []
    counted = [_operations(layer) for layer in layers]
    blind = sorted({type(layer).__name__ for layer, one in zip(layers, counted, strict=True) if one is None})
    total = sum(filter(None, counted))
    if total:
        found["forward_flops_per_sample"] = float(total)
        unseen.append(f"inputs of other shapes than {model.input_shape}: its operations are those of one such sample")
    if blind:
        unseen.append(f"the operations of {', '.join(blind)}")
    return Description({name: value for name, value in found.items() if value is not None}, unseen)


def _is_parameter(weight: Any) -> bool:
    return not str(weight.path).endswith(("moving_mean", "moving_variance", "seed_generator_state"))


def _operations(layer: Any) -> float | None:
    """Operations of a layer for one sample; 0 without products, ``None`` if they are unknown."""
    kernel = getattr(layer, "kernel", None)
    if kernel is None:
        own = [each for each in getattr(layer, "weights", ()) if len(each.shape) > 1]
        return None if own and type(layer).__name__ != "Embedding" and not getattr(layer, "layers", None) else 0.0
    try:
        out = tuple(layer.output.shape)[1:]
    except (AttributeError, ValueError):
        return None
    if None in out:
        return None
    positions = math.prod(out) / out[-1]
    if type(layer).__name__.startswith("Depthwise"):
        return float(_FLOPS * math.prod(out) * math.prod(kernel.shape[:-2]))
    return float(_FLOPS * positions * math.prod(kernel.shape))


def _family(kinds: set[str]) -> str | None:
    if kinds & {"LSTM", "GRU", "SimpleRNN"}:
        return "rnn"
    if "Conv2D" in kinds:
        return "cnn"
    return "mlp" if "Dense" in kinds and "Embedding" not in kinds and "MultiHeadAttention" not in kinds else None
