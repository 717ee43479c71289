"""The sentences of an answer in the caller's language: the engine writes English, ``phrases.yaml`` has the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, lru_cache
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from . import data_files

ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh", "vi")  # the others in the order of phrases.yaml
TEXTS_KEPT = 1 << 14  # bounded, since texts hold figures
_HEADERS_KEPT = 1 << 6  # bounded, since clients choose these headers
_SENTENCES = "; "
_JOINTS = {"zh": "；", "vi": _SENTENCES}
_TEXTS = frozenset({"text", "why", "available", "choice"})  # of notes, assumptions, grounds, shortfalls, relaxations
# Fields of an answer that hold texts, at any depth.
_HOLDERS = frozenset(
    {"assumptions", "recommendations", "machines", "reasons", "warnings", "why_not", "runs", "short", "relax"}
)
_FIGURE = r"[\d.,]+(?:e[+-]?\d+)?%?"
_PLURAL = "s"
_FIGURES = frozenset("nmkj")
_MARKS = {"vi": str.maketrans(".,", ",.")}  # where a comma begins the decimals
_GAP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Phrase:
    """A pattern of English text, and the same in the other languages."""

    pattern: re.Pattern[str]
    words: str  # its longest run without a gap, which is faster to look for
    others: Mapping[str, str]

    def said(self, text: str, language: str) -> str | None:
        """The text in that language; ``None`` if it is another one."""
        found = self.pattern.fullmatch(text) if self.words in text else None
        if found is None:
            return None
        parts = {name: _part(name, value, language) for name, value in found.groupdict().items()}
        return self.others[language].format(**parts)


@lru_cache(maxsize=_HEADERS_KEPT)
def preferred(header: str) -> str:
    """The language that an Accept-Language header prefers, English without a preference."""
    wished = parse_accept_header(header, LanguageAccept)
    return wished.best_match(LANGUAGES, default=ENGLISH) or ENGLISH


def worded(value: Any, language: str) -> Any:
    """The answer with its texts in that language; what has no phrase stays English."""
    return value if language == ENGLISH else _worded(value, language)


def _worded(value: Any, language: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_worded(item, language) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed: dict[str, Any] = {}
    for field in fields(value):
        held = getattr(value, field.name)
        if field.name in _TEXTS and isinstance(held, str):
            changed[field.name] = translated(held, language)
        elif field.name in _HOLDERS:
            changed[field.name] = _worded(held, language)
    return replace(value, **changed) if changed else value


@lru_cache(maxsize=TEXTS_KEPT)
def translated(text: str, language: str) -> str:
    """The text in that language, or as it is."""
    return text if language == ENGLISH else _translated(text, language) or text


def _translated(text: str, language: str) -> str | None:
    """The text translated sentence by sentence, or else as one phrase, whose gaps may hold sentences of a source."""
    parts = [_whole(part, language) for part in text.split(_SENTENCES)]
    if None in parts:
        return _whole(text, language) if len(parts) > 1 else None
    return _JOINTS[language].join(part for part in parts if part)


def _whole(text: str, language: str) -> str | None:
    """The one phrase that the text is."""
    table = _phrases()
    if text in table.plain:
        return table.plain[text][language]
    found = (phrase.said(text, language) for phrase in table.patterns)
    return next((said for said in found if said is not None), None)


def _part(name: str, value: str, language: str) -> str:
    if name in _FIGURES:
        return value.translate(_MARKS.get(language, {}))
    return _whole(value, language) or value


@dataclass(frozen=True)
class Phrases:
    """Texts without gaps by their English, and those with gaps, of which the longest comes first."""

    plain: Mapping[str, Mapping[str, str]]
    patterns: tuple[Phrase, ...]


@cache
def _phrases() -> Phrases:
    written: dict[str, list[str]] = data_files.table("phrases.yaml")
    others = {english: dict(zip(LANGUAGES[1:], said, strict=True)) for english, said in written.items()}
    with_gaps = [english for english in others if _GAP.search(english)]
    with_gaps.sort(key=lambda english: len(_GAP.sub("", english)), reverse=True)
    longest = {english: max(_GAP.split(english)[::2], key=len) for english in with_gaps}
    plain = {english: said for english, said in others.items() if english not in longest}
    return Phrases(plain, tuple(Phrase(_pattern(one), longest[one], others[one]) for one in with_gaps))


def _pattern(english: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def gap(name: str) -> str:
        if name == _PLURAL:
            return "s?"
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_FIGURE if name in _FIGURES else '.+?'})"

    parts = _GAP.split(english)
    return re.compile("".join(gap(part) if at % 2 else re.escape(part) for at, part in enumerate(parts)))
