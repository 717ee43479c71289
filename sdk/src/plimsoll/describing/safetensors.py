"""The header of a ``.safetensors`` file, or the index of several: eight bytes of its length, then JSON."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plimsoll.describing import config
from plimsoll.describing.description import FAMILY, Description, family_in, json_of
from plimsoll.errors import UnreadableFile

_LENGTH_BYTES = 8
# The format's own limit of its header.
_LONGEST_HEADER = 100_000_000
_METADATA = "__metadata__"
_LAYER = re.compile(r"\.(?:layers?|h|block|blocks)\.(\d+)\.")
# Several weights packed in one word of a tensor of these types.
_PACKED = ("qweight", "weight_packed", "_blocks")
# Not parameters: counters and running statistics of normalisation, tables that are computed, marks.
_BUFFERS = (
    "num_batches_tracked", "running_mean", "running_var", "position_ids", "inv_freq", "attn.bias", "attn.masked_bias",
)  # fmt: skip


def describe(text: str, _: tuple[int, ...] | None) -> Description:
    """Return the parameters of the tensors; beside a config.json, its configuration."""
    path = Path(text)
    tensors = tensors_of(path)
    counted = {name: each for name, each in tensors.items() if not name.endswith(_BUFFERS)}
    parameters = sum(math.prod(each["shape"]) for each in counted.values())
    kinds = Counter[str]()
    for each in counted.values():
        kinds[str(each["dtype"])] += math.prod(each["shape"])
    said = {"parameters": parameters, "stored": dict(kinds)}
    beside = path.parent / "config.json"
    unseen = [
        "the weights behind packed ones: its tensors hold several in one word" for name in counted
        if name.endswith(_PACKED)
    ][:1]  # fmt: skip
    if beside.exists():
        described = config.describe(str(beside), None)
        return Description(described.model, described.unseen + unseen, said)
    return Description(_model(counted, parameters), _unseen(counted) + unseen, said)


def tensors_of(path: Path) -> Mapping[str, Any]:
    """Return the tensors of a file, or of all files of an index; raises ``UnreadableFile``."""
    if path.suffix == ".json":
        files = json_of(path).get("weight_map")
        if not isinstance(files, Mapping):
            raise UnreadableFile(f"{path}: is no index: it lacks weight_map")
        return {
            name: each for file in sorted(set(files.values())) for name, each in header_of(path.parent / file).items()
        }
    return header_of(path)


def header_of(path: Path) -> dict[str, Any]:
    """Return the tensors of one file, by name: ``dtype`` and ``shape``; raises ``UnreadableFile``."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
            if not 0 < length <= _LONGEST_HEADER:
                raise UnreadableFile(f"{path}: is no safetensors file: a header of {length} bytes")
            header = json.loads(file.read(length))
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path}: is no safetensors file: {error}") from error
    tensors = {name: each for name, each in header.items() if name != _METADATA}
    if not tensors or not all(
        isinstance(each, dict) and {"dtype", "shape"} <= each.keys() for each in tensors.values()
    ):
        raise UnreadableFile(f"{path}: is no safetensors file: its header lists no tensors")
    return tensors


def _model(tensors: Mapping[str, Any], parameters: int) -> dict[str, Any]:
    layers = {int(place.group(1)) for name in tensors if (place := _LAYER.search(name))}
    family = _family(tensors)
    found: dict[str, Any] = {"family": family, "parameters": parameters}
    if family in ("encoder", "decoder") and layers:
        found |= {"layers": len(layers), "hidden_size": _width(tensors)}
    return {name: value for name, value in found.items() if value is not None}


def _width(tensors: Mapping[str, Any]) -> int | None:
    """The columns of the table of words."""
    tables = [each["shape"] for name, each in tensors.items() if "embed" in name or name.endswith("wte.weight")]
    return next((int(shape[1]) for shape in tables if len(shape) == 2), None)


def _family(tensors: Mapping[str, Any]) -> str | None:
    names = " ".join(tensors)
    if ".experts." in names:
        return "moe"
    if "decoder." in names and "encoder." in names:
        return "encoder_decoder"
    if "self_attn.q_proj" in names or ".attn.c_attn" in names:
        return "decoder"
    if "bert." in names or "encoder.layer." in names:
        return "encoder"
    if any(len(each["shape"]) == 4 for each in tensors.values()):
        return "cnn"
    return family_in(*tensors)


def _unseen(tensors: Mapping[str, Any]) -> list[str]:
    unseen = ["the operations: the service takes the family's for so many parameters; config.json says them exactly"]
    if _family(tensors) is None:
        unseen.insert(0, FAMILY)
    return unseen
