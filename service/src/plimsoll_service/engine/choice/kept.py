"""Values kept between questions over one market: the last few of each name, by all that they depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any, TypeVar

MOST = 8  # values of one name; the largest take a megabyte and a half
Found = TypeVar("Found")


@dataclass
class _Held:
    value: Any
    used: int  # when last, as a number that grows with each use


class Kept:
    """Values by name and key; threads may share it.

    Two threads that miss the same value at once both make it, and one of the equal results stays.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._values: defaultdict[str, dict[Hashable, _Held]] = defaultdict(dict)
        self._uses = count()
        self._lock = Lock()

    def of(self, name: str, key: Hashable, make: Callable[[], Found]) -> Found:
        """Return the value of that name and key; ``make`` makes it where it is not kept."""
        with self._lock:
            held = self._values[name].get(key)  # once: a long key takes time to look up
            if held is not None:
                held.used = next(self._uses)
                kept: Found = held.value
                return kept
        made = make()
        with self._lock:
            values = self._values[name]
            found: Found = values.setdefault(key, _Held(made, next(self._uses))).value
            if len(values) > self._most:
                del values[min(values, key=lambda each: values[each].used)]
        return found
