"""What was asked for last, up to so many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Found = TypeVar("Found")
# Of each thing that is kept beside its arrays: its key, its dataclasses, the arrays' heads.
BYTES_BESIDE = 16 * 1024


class Kept(Generic[Found]):
    """Things by key, each made once while there is room for it; threads may share it.

    Two threads that miss the same thing at once both make it, and one of the equal results stays.
    """

    def __init__(self, most_bytes: int, nbytes: Callable[[Found], int]) -> None:
        self._most_bytes = most_bytes
        self._nbytes = nbytes
        self._things: OrderedDict[Hashable, Found] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        self._grown: set[Hashable] = set()  # made or asked for since they were counted: more may have come to them
        self._lock = Lock()

    def of(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """The thing of that key; ``make`` makes it where it is not kept."""
        with self._lock:
            found = self._things.get(key)
            if found is not None:
                self._things.move_to_end(key)
                self._grown.add(key)
                return found
        made = make()
        with self._lock:
            found = self._things.setdefault(key, made)
            self._sizes.setdefault(key, BYTES_BESIDE)  # its arrays count from the next on: most are yet to be made
            self._make_room()
            self._grown = {key}
        return found

    def _make_room(self) -> None:
        """Forget what was asked for the longest ago; the newest stays in any case, as it is about to be used."""
        for key in self._grown:
            self._sizes[key] = self._nbytes(self._things[key]) + BYTES_BESIDE
        size = sum(self._sizes.values())
        while size > self._most_bytes and len(self._things) > 1:
            oldest, _ = self._things.popitem(last=False)
            size -= self._sizes.pop(oldest)
