"""Values kept between questions over one market: the last few of each name, by all that they depend on."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

MOST = 8  # values of one name; the largest take a megabyte and a half
Found = TypeVar("Found")


class Kept:
    """Values by name and key; threads may share it.

    Two threads that miss the same value at once both make it, and one of the equal results stays.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._values: defaultdict[str, OrderedDict[Hashable, Any]] = defaultdict(OrderedDict)
        self._lock = Lock()

    def of(self, name: str, key: Hashable, make: Callable[[], Found]) -> Found:
        """Return the value of that name and key; ``make`` makes it where it is not kept."""
        with self._lock:
            values = self._values[name]
            try:  # a long key takes time to look up
                values.move_to_end(key)
                found: Found = values[key]
                return found
            except KeyError:
                pass
        made = make()
        with self._lock:
            found = values.setdefault(key, made)
            if len(values) > self._most:
                values.popitem(last=False)
        return found
