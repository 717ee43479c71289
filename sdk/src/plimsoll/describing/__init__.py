"""Models as the ``model`` object of a request, from files and frameworks; a source is one row of ``SOURCES``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from plimsoll.describing.description import Description
from plimsoll.errors import UnreadableFile

__all__ = ["SOURCES", "Description", "describe"]


@dataclass(frozen=True)
class Source:
    """A kind of source: the module that reads it, and whether a text names one."""

    module: str
    names: Callable[[str], bool]


def _ends(*endings: str) -> Callable[[str], bool]:
    return lambda text: text.lower().endswith(endings)


def _is_factory(text: str) -> bool:
    module, colon, factory = text.rpartition(":")
    return bool(colon) and all(part.isidentifier() for part in (*module.split("."), *factory.split(".")))


# The first that a text names reads it; frameworks are imported by those that need them.
SOURCES = (
    Source("safetensors", _ends(".safetensors", ".safetensors.index.json")),
    Source("onnx_file", _ends(".onnx")),
    Source("keras_model", _ends(".keras", ".h5")),
    Source("torch_module", _is_factory),
    Source("config", lambda text: text.lower().endswith(".json") or Path(text).is_dir()),
)


def describe(
    source: str | Path, *, shape: tuple[int, ...] | None = None, family: str | None = None, name: str | None = None
) -> Description:
    """Return the ``model`` object of a Hugging Face ``config.json`` or its folder, a ``.safetensors`` file, an ONNX
    file, a PyTorch module (``package.module:factory``) or a Keras model.

    ``shape`` is that of one sample where a module or a file does not say it: ``(3, 224, 224)``, or ``(128,)`` for
    tokens. ``family`` is the model's, where it is not recognised. Raises ``UnreadableFile``, and ``NotInstalled``
    where the source needs a package.
    """
    text = str(source)
    found = next((one for one in SOURCES if one.names(text)), None)
    if found is None:
        raise UnreadableFile(
            f"{text}: not a model that can be described: give config.json, a .safetensors, .onnx, .keras or .h5 file, "
            "or package.module:factory"
        )
    reader = importlib.import_module(f"{__name__}.{found.module}")
    described: Description = reader.describe(text, shape)
    return described.named(name or _name(text), family)


def _name(text: str) -> str:
    if _is_factory(text):
        return text.rpartition(":")[2]
    path = Path(text).resolve()
    return path.parent.name if path.name == "config.json" else path.name.partition(".")[0]
