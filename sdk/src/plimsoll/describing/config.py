"""A Hugging Face ``config.json``, which the service reads itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plimsoll.describing.description import Description, json_of
from plimsoll.errors import UnreadableFile

# Members that tell nothing of the model's size: words of tasks, tokens' numbers, the library's own.
_ASIDE = (
    "id2label", "label2id", "task_specific_params", "transformers_version", "_name_or_path", "auto_map",
    "architectures",
)  # fmt: skip
_DIMENSIONS = (
    "hidden_size",
    "n_embd",
    "d_model",
    "dim",
    "hidden_sizes",
    "text_config",
    "llm_config",
    "language_config",
)


def describe(text: str, _: tuple[int, ...] | None) -> Description:
    """Return the configuration of a file, or of a folder's config.json."""
    path = Path(text)
    path = path / "config.json" if path.is_dir() else path
    config = json_of(path)
    if not any(name in config for name in _DIMENSIONS):
        raise UnreadableFile(f"{path}: is no configuration of a transformer: none of {', '.join(_DIMENSIONS)}")
    kept = {name: value for name, value in config.items() if name not in _ASIDE and value is not None}
    return Description(_named(config, {"config": kept}), _unseen(config))


def _named(config: Mapping[str, Any], model: dict[str, Any]) -> dict[str, Any]:
    """The name under which the weights were loaded, where the configuration holds it."""
    name = str(config.get("_name_or_path") or "").rstrip("/").rpartition("/")[2]
    return {"name": name, **model} if name else model


def _unseen(config: Mapping[str, Any]) -> list[str]:
    unseen = []
    if "vision_config" in config:
        unseen.append("the vision encoder: the service sizes the text model")
    if "quantization_config" not in config:
        unseen.append("whether the weights are quantized: a configuration without quantization_config")
    if "auto_map" in config:
        unseen.append("code of the model's own, which may differ from its type")
    return unseen
