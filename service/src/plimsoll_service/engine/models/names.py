"""Forgiving names: case, punctuation, owner prefixes and customary endings do not matter."""

from __future__ import annotations

import re

# Endings that name a packaging, a tuning or a number format, not another architecture.
_ENDINGS = re.compile(
    r"(?:[-_ ](?:instruct|chat|hf|it|pt|base|uncased|cased|fp16|bf16|fp8|fp4|nvfp4|mxfp4|awq|gptq|gguf|int8|int4|w4a16"
    r"|bnb|4bit|8bit|dynamic|preview|thinking|multilingual|training|fine[-_ ]?tun.*|pre[-_ ]?train.*"
    r"|ph[12]|v0\.\d|v1\.5|\d{4}))$",
    re.IGNORECASE,
)
_BEGINNINGS = re.compile(r"^(?:huggingface|keras|torchvision|timm|nvidia|meta)[-_ /:.]+", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\([^)]*\)")


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
