"""Names without a row of their own that state a known model, or a family and a size, in their usual pattern."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from ..names import NAMES_KEPT
from ..workload import CustomModel
from . import ModelTable, key_of
from .custom import from_custom
from .profile import ModelProfile


class Resolved(NamedTuple):
    """The model that a name means, and why where the table has no row of that name (else empty)."""

    profile: ModelProfile
    why: str


OTHER_NETWORK = "other network"  # what some words of a name tell of
# Beginnings of the names of OPUS-MT, before the pair of languages (Helsinki-NLP/Opus-MT, README).
_PAIRS = (("opus-mt-tc-big-", "marian-big"), ("opus-mt-", "marian-base"))
_WORDS = re.compile(r"[-_ /:@]+")
_BILLIONS = {"t": 1e12, "b": 1e9, "m": 1e6}
_SIZE = re.compile(r"(?:^|[-_ :])(\d+(?:\.\d+)?)(t|b|m)(?=$|[-_ :])(?:[-_ ]?a(\d+(?:\.\d+)?)b)?", re.IGNORECASE)
_STATED = re.compile(
    r"\d\s*[bm](?![a-z])|tiny|nano|mini|small|medium|base|large|huge|giant|turbo|[-_ ]x+[sl]|yolo\D*\d+[ntsmbclex]"
    r"|-[sblhg](?=$|-)|resnet|sdxl|flux|\d",
    re.IGNORECASE,
)
LEAST, MOST = 5e7, 5e12  # parameters of language models: beyond these the number is no size
MOST_DENSE = 1.1e11  # what is larger is mostly a mixture of experts, whose active part its name must say


@lru_cache(maxsize=NAMES_KEPT)
def resolve(table: ModelTable, name: str, framework: str | None = None) -> Resolved | None:
    """The model of that name: of the table, else by a known name that it begins with, else by family and size."""
    known = table.find(name, framework)
    if known is not None:
        return Resolved(known, _taken_for(table, name, known))
    translator = _by_pair(table, name)
    return translator or _by_beginning(table, name, framework) or _by_word(table, name) or _by_number(table, name)


def _taken_for(table: ModelTable, name: str, known: ModelProfile) -> str:
    """Why a name stands for a model that has another one; empty where it is its own."""
    if table.is_tuned(name):
        return f"{name!r} was tuned from {known.name} or follows its plan"
    if known.transformer is not None and table.is_unknown_release(name):
        return f"no row is of the release {name!r}; it is taken for {known.name}, with its context"
    return ""


def _by_pair(table: ModelTable, name: str) -> Resolved | None:
    """A translator of OPUS-MT, whose name ends with its languages."""
    plain = name.strip().rsplit("/", 1)[-1].lower().replace("_", "-")
    row = next((row for start, row in _PAIRS if plain.startswith(start)), None)
    like = table.find(row) if row else None
    return None if like is None else Resolved(like, f"{name!r} was tuned from {like.name} or follows its plan")


def _by_beginning(table: ModelTable, name: str, framework: str | None) -> Resolved | None:
    """The known model whose whole name comes first, where what follows tells of no other network."""
    plain = name.strip().rsplit("/", 1)[-1]
    words = [word for word in _WORDS.split(plain) if word]
    for count in range(len(words) - 1, 0, -1):
        start, rest = "-".join(words[:count]), [word.lower() for word in words[count:]]
        model = table.find(start, framework)
        if model is None or not _STATED.search(start) or key_of(start) in _BARE or table.is_ambiguous(start):
            continue
        others = (*table.names.words(OTHER_NETWORK), *table.names.words("other size"))
        if not set(rest).isdisjoint(others) or any(_SIZE.search(f"-{word}") for word in rest):
            return None
        return Resolved(model, f"no row is named {name!r}; it is taken for {model.name}, which its name begins with")
    return None


_BARE = frozenset({"bert", "gpt2", "t5", "yi", "phi", "opt", "vit", "e5", "llama3", "llama2", "qwen2", "qwen3", "yolo"})


def _by_word(table: ModelTable, name: str) -> Resolved | None:
    """An embedder of a known family that says its size in a word."""
    plain = name.strip().rsplit("/", 1)[-1].lower()
    words = [word for word in _WORDS.split(plain) if word]
    if not plain.startswith(table.names.words("encoder")):
        return None
    sizes = table.names.words_for["size of a multilingual encoder" if "multilingual" in words else "size of an encoder"]
    row = next((sizes[word] for word in words if word in sizes), None)
    like = table.find(row) if row else None
    if like is None:
        return None
    profile = replace(like, name=plain, aliases=(), source=f"derived: {like.name}, an encoder of that size")
    return Resolved(profile, f"no row is named {name!r}; it is sized as {like.name}, an encoder of that size")


def _by_number(table: ModelTable, name: str) -> Resolved | None:
    """A language model of a known family by the parameters in its name: the nearest known one, scaled."""
    plain = name.strip().rsplit("/", 1)[-1].lower()
    words = [word for word in _WORDS.split(plain) if word]
    size = _SIZE.search(plain)
    if size is None or not plain.startswith(table.names.words("language model")):
        return None
    if not set(words).isdisjoint(table.names.words(OTHER_NETWORK)):
        return None
    parameters = float(size[1]) * _BILLIONS[size[2].lower()]
    active = float(size[3]) * 1e9 if size[3] else None
    if not LEAST <= parameters <= (MOST if active else MOST_DENSE) or (active or 0.0) >= parameters:
        return None
    family = "moe" if active is not None else "decoder"
    described = CustomModel(name=plain, family=family, parameters=parameters, active_parameters=active)
    profile = from_custom(described, table)
    return Resolved(profile, f"no row is named {name!r}; {profile.source.removeprefix('derived: ')} in its name")
