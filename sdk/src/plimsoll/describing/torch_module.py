"""A PyTorch module of ``package.module:factory``: made on the meta device, its operations counted by PyTorch."""

from __future__ import annotations

import importlib
import math
import os
import sys
from collections.abc import Callable
from typing import Any

from plimsoll.describing.description import FAMILY, Description, family_in
from plimsoll.errors import NotInstalled, UnreadableFile

# PyTorch's own counter gives both of a multiply-add: the same unit as the API's.
_CHANNELS = (3, 1)
_IMAGE = (224, 224)
_TOKENS = 128


def describe(text: str, shape: tuple[int, ...] | None) -> Description:
    """Return the parameters and operations of the module that the factory returns."""
    try:
        import torch
    except ImportError as error:
        raise NotInstalled("describing a PyTorch module needs torch: pip install torch") from error
    with torch.device("meta"):
        module = _made(_factory(text))
    if not isinstance(module, torch.nn.Module):
        raise UnreadableFile(f"{text}: makes a {type(module).__name__}, not a torch.nn.Module")
    return described(module.to("meta").eval(), text.rpartition(":")[2], shape)


def described(module: Any, name: str, shape: tuple[int, ...] | None = None) -> Description:
    """Return the description of a module on the meta device."""
    parameters = sum(each.numel() for each in module.parameters())
    if not parameters:
        raise UnreadableFile(f"{name}: has no parameters")
    family = family_in(type(module).__name__, name) or _family(module)
    model: dict[str, Any] = {"family": family, "parameters": parameters}
    unseen = [FAMILY] if family is None else []
    config = getattr(module, "config", None)
    if hasattr(config, "to_diff_dict") and hasattr(config, "model_type"):
        unseen.append("nothing of its dimensions: `plimsoll describe config.json` gives the service more")
    sample = shape or _sample(module)
    operations = None if sample is None else _operations(module, sample)
    if sample and operations:
        unit, units = ("token", sample[0]) if _takes_tokens(module) else ("sample", 1)
        model[f"forward_flops_per_{unit}"] = operations / units
        unseen.append(f"inputs of other shapes than {sample}: its operations are those of one such sample")
    else:
        unseen.append("the operations: give the shape of one sample, such as --shape 3,224,224")
    return Description({key: value for key, value in model.items() if value is not None}, unseen, {"shape": sample})


def _factory(text: str) -> Callable[[], Any]:
    module_name, _, path = text.rpartition(":")
    sys.path.insert(0, os.getcwd())  # a module of the folder, as `python -m` finds it
    try:
        found: Any = importlib.import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except ImportError as error:
        raise UnreadableFile(f"{text}: {module_name} cannot be imported: {error}") from error
    except AttributeError as error:
        raise UnreadableFile(f"{text}: {error}") from error
    finally:
        sys.path.pop(0)
    if not callable(found):
        return lambda: found
    made: Callable[[], Any] = found
    return made


def _made(factory: Callable[[], Any]) -> Any:
    try:
        return factory()
    except TypeError as error:
        raise UnreadableFile(f"the factory must need no arguments: {error}") from error


def _takes_tokens(module: Any) -> bool:
    return _first(module, "Embedding") and not _first(module, "Conv2d", "Conv3d", "Conv1d")


def _first(module: Any, *kinds: str) -> bool:
    """Whether the first layer that has weights is of one of these kinds."""
    for each in module.modules():
        if not list(each.children()) and list(each.parameters()):
            return type(each).__name__ in kinds
    return False


def _sample(module: Any) -> tuple[int, ...] | None:
    """The usual shape of one sample for the first layer; ``None`` if the layer does not show it."""
    for each in module.modules():
        kind = type(each).__name__
        if kind == "Conv2d" and each.in_channels in _CHANNELS:
            return (each.in_channels, *_side(module))
        if kind == "Embedding":
            return (_TOKENS,)
        if kind == "Linear":
            return (each.in_features,)
    return None


def _side(module: Any) -> tuple[int, int]:
    """Pixels per side: those that the module states, or else ImageNet's crop."""
    side = getattr(module, "image_size", None)
    return (side, side) if isinstance(side, int) else _IMAGE


def _family(module: Any) -> str | None:
    kinds = {type(each).__name__ for each in module.modules()}
    if kinds & {"LSTM", "GRU", "RNN"}:
        return "rnn"
    if "Conv3d" in kinds:
        return "video"
    if "Conv2d" in kinds:
        return "cnn"
    return (
        "mlp" if "Linear" in kinds and "Embedding" not in kinds and len(kinds & {"MultiheadAttention"}) == 0 else None
    )


def _operations(module: Any, shape: tuple[int, ...]) -> float | None:
    """Operations of one sample's forward pass; a multiply-add counts as two. ``None`` if the pass fails."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    counter = FlopCounterMode(display=False)
    kind = torch.long if _takes_tokens(module) else torch.get_default_dtype()
    try:
        with torch.no_grad(), counter:
            module(torch.zeros((1, *shape), dtype=kind, device="meta"))
    except Exception:  # the module is not ours
        return None
    total = float(counter.get_total_flops())
    return total if math.isfinite(total) and total > 0 else None
