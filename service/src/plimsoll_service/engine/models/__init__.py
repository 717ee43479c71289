"""The models that the engine knows, found by their usual spellings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from ..names import NAMES_KEPT, alike, by_key
from .config import ConfigType
from .profile import ModelProfile

# Where a framework's model of that name is another network: its own example scripts.
_OWN_VERSIONS = {
    ("caffe", "alexnet"): "alexnet-two-towers",
    ("nvcaffe", "alexnet"): "alexnet-two-towers",
    ("mxnet", "alexnet"): "alexnet-ungrouped",
}

# Endings that name a packaging, a tuning or a number format, not another architecture.
_ENDINGS = re.compile(
    r"(?:[-_ .](?:instruct|chat|hf|it|pt|base|uncased|cased|fp16|bf16|fp8|fp4|nvfp4|mxfp4|awq|gptq|gguf|int8|int4|w4a16"
    r"|w8a8|quantized|bnb|bitsandbytes|4bit|8bit|dynamic|preview|thinking|multilingual|training|fine[-_ ]?tun.*"
    r"|pre[-_ ]?train.*|ph[12]|v0\.\d|v1\.5|\d{4})|:latest|\.(?:pt|pth|onnx|engine|safetensors))$",
    re.IGNORECASE,
)
# Year and month, or month and day, of a release.
_RELEASE = re.compile(r"[-_ ]((?:2\d(?:0[1-9]|1[0-2]))|(?:0[1-9]|1[0-2])[0-3]\d)(?=$|[-_ .:])")
_BEGINNINGS = re.compile(r"^(?:huggingface|keras|torchvision|timm|nvidia|meta|faster)[-_ /:.]+", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\([^)]*\)")
_TRIED = 9  # keys that are looked at for three models: each has several


@lru_cache(maxsize=NAMES_KEPT)
def key_of(name: str) -> str:
    """Letters, digits and decimal points (1.3 is not 13), in lower case."""
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^a-z0-9.]+", "", name.lower())


def loose_key_of(name: str) -> str:
    """The key without decimal points, for those who write llama31."""
    return key_of(name).replace(".", "")


def spellings(name: str) -> tuple[str, ...]:
    """The name's keys from as written to stripped of owner, brackets, beginnings and endings."""
    seen: list[str] = []
    rest = name.strip()
    for form in (rest, rest.rsplit("/", 1)[-1], _BRACKETS.sub("", rest).rsplit("/", 1)[-1]):
        for start in (form, _BEGINNINGS.sub("", form)):
            _add_stripped(start.strip(), seen)
    return tuple(seen)


def _add_stripped(form: str, seen: list[str]) -> None:
    """Append the form's key and the keys of the form with one ending after another taken off."""
    while form:
        key = key_of(form)
        if key and key not in seen:
            seen.append(key)
        shorter = _ENDINGS.sub("", form).strip()
        if shorter == form:
            return
        form = shorter


def _loose(index: dict[str, ModelProfile]) -> dict[str, ModelProfile]:
    """Keys without decimal points, where they mean one model only."""
    claims: dict[str, set[str]] = {}
    for key, model in index.items():
        claims.setdefault(loose_key_of(key), set()).add(model.name)
    return {loose_key_of(key): model for key, model in index.items() if len(claims[loose_key_of(key)]) == 1}


@dataclass(frozen=True)
class Unsized:
    """Names of models whose work no figure of a profile says, and what is known instead."""

    names: tuple[str, ...]
    why: str
    instead: str


@dataclass(frozen=True)
class Names:
    """Names that stand for a model of the table without being one of its own."""

    usual: Mapping[str, str] = field(default_factory=dict)  # of several variants → the one it is taken for
    tuned: Mapping[str, str] = field(default_factory=dict)  # → the model that it was tuned from, or whose plan it has
    contexts: Mapping[str, int] = field(default_factory=dict)  # of later releases → tokens they see
    written: Mapping[str, str] = field(default_factory=dict)  # names that mean another model with a hyphen → the model
    words_for: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what words tell → word → model, if any
    unsized: tuple[Unsized, ...] = ()

    def words(self, tells: str) -> tuple[str, ...]:
        """The words of names that tell this."""
        return tuple(self.words_for.get(tells, ()))


@dataclass(frozen=True, eq=False)
class ModelTable:
    """The known models, found by their usual spellings; ``archetypes`` complete a described one of their family."""

    archetypes: tuple[ModelProfile, ...] = ()
    others: tuple[ModelProfile, ...] = ()
    names: Names = Names()
    config_types: Mapping[str, ConfigType] = field(default_factory=dict)  # by model_type

    @cached_property
    def models(self) -> tuple[ModelProfile, ...]:
        """All models."""
        return (*self.archetypes, *self.others)

    @cached_property
    def by_key(self) -> dict[str, ModelProfile]:
        """Key of each name and alias → model."""
        return by_key(self.models, key_of)

    @cached_property
    def by_loose_key(self) -> dict[str, ModelProfile]:
        """Key without decimal points → model."""
        return _loose(self.by_key)

    @cached_property
    def usual(self) -> dict[str, str]:
        """Key of a name of several variants → key of the usual one."""
        return {key_of(name): key_of(taken) for name, taken in self.names.usual.items()}

    @cached_property
    def tuned(self) -> dict[str, ModelProfile]:
        """Key of a tuned model's name → model whose dimensions it has."""
        return {key_of(name): self.by_key[key_of(known)] for name, known in self.names.tuned.items()}

    @cached_property
    def contexts(self) -> dict[str, int]:
        """Key of a release's name → its context."""
        return {key_of(name): tokens for name, tokens in self.names.contexts.items()}

    @cached_property
    def unsized(self) -> dict[str, Unsized]:
        """Key of a name that is refused → why."""
        return {key_of(name): models for models in self.names.unsized for name in models.names}

    def why_unsized(self, name: str) -> str | None:
        """Why the model of that name is refused, and what is known instead; ``None`` for any other name."""
        found = next((self.unsized[key] for key in spellings(name) if key in self.unsized), None)
        return f"{name!r} is not sized: {found.why}; {found.instead}" if found else None

    def find(self, name: str, framework: str | None = None) -> ModelProfile | None:
        """The model of that name in any usual spelling, or ``None``; an ambiguous name gives the common variant.

        ``framework`` (its canonical name) matters where its model of that name is a network of its own.
        """
        found = _find(self, name)
        own = _OWN_VERSIONS.get((framework or "", found.name)) if found else None
        return self.by_key[key_of(own)] if own else found

    def is_unknown_release(self, name: str) -> bool:
        """Whether ``find`` leaves out the month of a release that the name says, as it knows another one."""
        keys = spellings(name)
        known = next((key for key in keys if key in self.by_key or key in self.tuned or key in self.contexts), None)
        said = _RELEASE.search(name)
        return said is not None and known is not None and said[1] not in known

    def is_ambiguous(self, name: str) -> bool:
        """Whether the name stands for several variants, of which ``find`` takes the common one."""
        return key_of(name) in self.usual

    def is_tuned(self, name: str) -> bool:
        """Whether ``find`` gives the model that the named one was tuned from, or whose plan it follows."""
        keys = spellings(name)
        first = next((key for key in keys if self.usual.get(key, key) in self.by_key or key in self.tuned), "")
        return first not in self.by_key and first in self.tuned

    def suggest(self, name: str) -> tuple[str, ...]:
        """Names of known models that look like the given one, best first."""
        return alike(key_of(name), self.by_key, tried=_TRIED)


@lru_cache(maxsize=NAMES_KEPT)
def _find(table: ModelTable, name: str) -> ModelProfile | None:
    keys = spellings(name)
    as_written = table.names.written.get(name.strip().lower().rsplit("/", 1)[-1])
    if as_written is not None:
        return table.by_key[key_of(as_written)]
    for key in keys:
        model = table.by_key.get(table.usual.get(key, key)) or table.tuned.get(key)
        if model:
            tokens, dims = next((table.contexts[key] for key in keys if key in table.contexts), None), model.transformer
            if tokens is None or dims is None:
                return model
            return replace(model, transformer=replace(dims, context_length=tokens))  # of the release that the name says
    return next((table.by_loose_key[key] for key in map(loose_key_of, keys) if key in table.by_loose_key), None)
