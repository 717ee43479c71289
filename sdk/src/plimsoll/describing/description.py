"""Description of a model: the fields of a request's ``model``, and the values that could not be found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plimsoll.errors import UnreadableFile

FAMILY = "the family: give family"
# What a name of a class, a file or an operation says of the family; the first that is in it.
_FAMILIES = (
    (("diffusion", "unet2dcondition", "dit"), "diffusion"),
    (("maskrcnn", "mask_rcnn", "fasterrcnn", "faster_rcnn", "retinanet", "ssd", "yolo", "detr", "fcos"), "detection"),
    (("unet", "fcn", "deeplab", "lraspp", "segformer"), "segmentation"),
    (("video", "r3d", "mc3", "r2plus1d", "s3d", "slowfast", "mvit", "i3d"), "video"),
    (("lstm", "gru", "rnn"), "rnn"),
    (("dlrm", "recommend"), "recommender"),
    (("whisper", "wav2vec", "hubert", "conformer"), "speech"),
    (("mixtral", "moe"), "moe"),
    (("t5", "bart", "marian", "pegasus"), "encoder_decoder"),
    (("bert", "electra", "mpnet", "deberta", "encoder"), "encoder"),
    (("gpt", "llama", "mistral", "qwen", "gemma", "opt", "phi", "falcon", "causallm"), "decoder"),
    (
        ("resnet", "resnext", "vgg", "alexnet", "densenet", "efficientnet", "mobilenet", "inception", "convnext",
         "squeezenet", "shufflenet", "regnet", "mnasnet", "googlenet", "vit", "visiontransformer", "swin"), "cnn",
    ),
)  # fmt: skip


_SHORT = 3


@dataclass(frozen=True)
class Description:
    """A ``model`` object, and a text on each value that it lacks."""

    model: dict[str, Any]
    unseen: list[str] = field(default_factory=list)
    circumstances: dict[str, Any] = field(default_factory=dict)

    def named(self, name: str, family: str | None) -> Description:
        """Return it under a name, with a family where one is given."""
        model = {"name": self.model.get("name") or name, **{k: v for k, v in self.model.items() if k != "name"}}
        if family is not None and "config" not in model:
            return replace(self, model=model | {"family": family}, unseen=[one for one in self.unseen if one != FAMILY])
        return replace(self, model=model)


def family_in(*words: str) -> str | None:
    """Return the family that a name shows, or ``None``."""
    for word in words:
        plain = word.lower().replace("-", "").replace("_", "")
        for parts, family in _FAMILIES:
            if any(_is_in(part.replace("_", ""), plain) for part in parts):
                return family
    return None


def _is_in(part: str, word: str) -> bool:
    """Whether a word contains the part; a short part must not follow a letter: resnet50 is no T5."""
    place = word.find(part)
    return place >= 0 and (len(part) > _SHORT or place == 0 or not word[place - 1].isalpha())


def json_of(path: Path) -> Mapping[str, Any]:
    """Return the object of a JSON file; raises ``UnreadableFile``."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path}: is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise UnreadableFile(f"{path}: an object expected")
    return found
