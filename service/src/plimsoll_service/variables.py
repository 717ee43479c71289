"""One environment's variables, each read as what it should hold; what cannot be used is gathered, not raised."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import TypeVar, overload

NAMESPACE = re.compile(r"[A-Za-z0-9._:-]+")  # braces would move a key to another slot of a Redis Cluster
ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?", re.ASCII)
# What stands in one directive of a content security policy: anything else would begin another, or another header.
SOURCES = re.compile(r"[!-+\--:<-~]+(?: +[!-+\--:<-~]+)*", re.ASCII)
COUNT = re.compile(r"[0-9]{1,15}", re.ASCII)  # a petabyte, thirty million years: beyond lies a slip of the hand

Default = TypeVar("Default", int, None)
Read = TypeVar("Read")


class Variables:
    """The variables that are stated, an empty one being none; ``faults`` names each that could not be used."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.stated = {name: value for name, value in environment.items() if value}
        self.faults: list[str] = []
        self.known: set[str] = set()  # all names that were asked for

    def text(self, name: str) -> str | None:
        """The text as it stands."""
        return self._said(name)

    def path(self, name: str) -> Path | None:
        """A file or folder, there or not."""
        text = self._said(name)
        return Path(text) if text else None

    def whole(self, name: str, default: Default, unit: str, most: int) -> int | Default:
        """A whole number above 0, at most ``most``."""
        text = self._said(name)
        if text is None:
            return default
        if not (COUNT.fullmatch(text) and int(text) > 0):
            return self._default(default, f"{name} must be a whole number of {unit} above 0, not {text!r}")
        if int(text) > most:
            return self._default(default, f"{name} must be at most {most}, not {int(text)}")
        return int(text)

    def count(self, name: str, unit: str, most: int, default: int = 0) -> int:
        """A whole number from 0 on, at most ``most``."""
        return 0 if self._said(name) == "0" else self.whole(name, default, unit, most)

    def hours(self, name: str, default: float, most: float) -> float:
        """A number of hours above 0, at most ``most``, with or without its unit."""
        text = self._said(name, str(default)).removesuffix("h")
        try:
            hours = float(text)
        except ValueError:
            hours = 0.0
        if not (isfinite(hours) and hours > 0):
            return self._default(default, f"{name} must be a number of hours above 0, not {text!r}")
        if hours > most:
            return self._default(default, f"{name} must be at most {most:g} hours, not {text!r}")
        return hours

    def switch(self, name: str) -> bool:
        """1 or 0."""
        text = self._said(name, "0")
        if text not in ("0", "1"):
            return self._default(False, f"{name} must be 1 or 0, not {text!r}")
        return text == "1"

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """One of these words, in small letters or capitals."""
        word = self._said(name, default).lower()
        if word not in choices:
            return self._default(default, f"{name} must be one of {', '.join(choices)}, not {word!r}")
        return word

    def words(self, name: str) -> tuple[str, ...]:
        """Words with commas or blanks between."""
        return tuple(filter(None, re.split(r"[,\s]+", self._said(name, ""))))

    def origins(self, name: str) -> tuple[str, ...]:
        """Origins of the web, each by name."""
        origins = self.words(name)
        wrong = [origin for origin in origins if not ORIGIN.fullmatch(origin)]
        if wrong:
            said = f"{name} must list origins such as https://portal.example, each by name, not {wrong[0]!r}"
            return self._default((), said)
        return origins

    def sources(self, name: str, default: str) -> str:
        """Sources, as one directive of a content security policy lists them."""
        text = self._said(name, default)
        if not SOURCES.fullmatch(text):
            return self._default(
                default, f"{name} must list sources such as 'self' or https://portal.example, not {text!r}"
            )
        return text

    def namespace(self, name: str, default: str) -> str:
        """Allowed prefixes of Redis keys."""
        text = self._said(name, default)
        if not NAMESPACE.fullmatch(text):
            return self._default(default, f"{name} must be of letters, digits, '.', '-', '_' and ':', not {text!r}")
        return text

    def parsed(self, name: str, parse: Callable[[str], Read]) -> Read | None:
        """Value that ``parse`` makes of the text; its ``ValueError`` is the fault."""
        text = self._said(name)
        try:
            return None if text is None else parse(text)
        except ValueError as error:
            return self._default(None, f"{name}: {error}, not {text!r}")

    def together(self, read: Callable[[Mapping[str, str]], Read]) -> Read | None:
        """Value that ``read`` makes of several variables; its ``ValueError`` names the wrong one."""
        try:
            return read(self.stated)
        except ValueError as error:
            return self._default(None, str(error))

    @overload
    def _said(self, name: str) -> str | None: ...
    @overload
    def _said(self, name: str, default: str) -> str: ...
    def _said(self, name: str, default: str | None = None) -> str | None:
        self.known.add(name)
        return self.stated.get(name, default)

    def _default(self, default: Read, fault: str) -> Read:
        """The default in place of what is at fault."""
        self.faults.append(fault)
        return default
