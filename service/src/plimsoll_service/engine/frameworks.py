"""The software that runs a workload: what it can run, how it holds data in host memory, which fit it belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from plimsoll_service.engine.framework import Framework
from plimsoll_service.engine.frameworks_serving import OTHER_FRAMEWORKS, SERVING_FRAMEWORKS
from plimsoll_service.engine.frameworks_training import TRAINING_FRAMEWORKS
from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.names import NAMES_KEPT, key

__all__ = [
    "FRAMEWORKS",
    "HOLDING",
    "Framework",
    "Holding",
    "default_for",
    "find",
    "suggest",
    "supports",
]

FRAMEWORKS: tuple[Framework, ...] = (*TRAINING_FRAMEWORKS, *SERVING_FRAMEWORKS, *OTHER_FRAMEWORKS)
_UNSERVED = ("transformer-xl-base",)  # language models that no serving engine takes


@dataclass(frozen=True)
class Holding:
    """How much of the stored data set a framework's process comes to hold in host memory, and why."""

    required: float  # bytes needed per stored byte
    mapped: float  # bytes of page cache that count into the process besides, per stored byte
    source: str


HOLDING: dict[str, Holding] = {
    "streamed": Holding(0.0, 0.0, "S3-04: MXNet reads 93 GB of prepared data within 5 GB"),
    "mapped": Holding(0.0, 7.0 / 9.4, "S3-07: 9.4 GB of LMDB took about 7 GB; S3-04: it grows with the iterations"),
    "in_memory": Holding(1.0, 0.0, "the learner takes the whole table as one array"),
}


def _index() -> dict[str, Framework]:
    index: dict[str, Framework] = {}
    for framework in FRAMEWORKS:
        for spelling in {key(name) for name in (framework.name, *framework.aliases)}:
            if spelling in index:
                raise ValueError(f"{framework.name} and {index[spelling].name} share the name {spelling!r}")
            index[spelling] = framework
    return index


_BY_KEY = _index()


@lru_cache(maxsize=NAMES_KEPT)
def find(name: str) -> Framework | None:
    """The framework of that name, with or without a version or a part in brackets, or ``None``."""
    forms = [name, re.sub(r"\([^)]*\)", "", name)]
    forms += [re.split(r"\s*[,/]\s*|\s\d", forms[1])[0]]
    forms += [re.sub(r"[-_ ]*v?\d[\d.]*\s*$", "", form) for form in forms]
    return next((_BY_KEY[key(form)] for form in forms if key(form) in _BY_KEY), None)


def suggest(name: str) -> tuple[str, ...]:
    """Up to three known names that look like the given one, best first."""
    near = get_close_matches(key(name), _BY_KEY, n=3)
    return tuple(dict.fromkeys(_BY_KEY[found].name for found in near))


def supports(framework: Framework, task: str, family: str, model: str | None = None) -> bool:
    """Whether the framework can do that task with a model of that family (and with that very model)."""
    if task not in framework.tasks or family not in framework.families:
        return False
    return model is None or not framework.models or model in framework.models


def default_for(task: str, family: str, model: str | None = None) -> Framework:
    """The framework taken where none is named: the customary one for the task, family and model."""
    if not family_of(family).neural:
        own = find(model) if model else None
        return own if own and supports(own, task, family, model) else _BY_KEY["scikitlearn"]
    if task == "inference" and family_of(family).language_model and model not in _UNSERVED:
        return _BY_KEY["vllm"]
    return _BY_KEY["pytorch"]
