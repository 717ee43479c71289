"""What was worked out last, by key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

Found = TypeVar("Found")
MOST_KEPT = 48  # about six kinds of work on one market, half a megabyte each


class Kept:
    """So many things at most, those asked for last; threads may share it.

    Two threads that miss the same thing at once both make it, and one of the equal results stays.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._things: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def of(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """The thing of that key, which tells all that it depends on; ``make`` makes it where it is not kept."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                found: Found = self._things[key]
                return found
        made = make()
        with self._lock:
            found = self._things.setdefault(key, made)
            if len(self._things) > self._most:
                self._things.popitem(last=False)
        return found
