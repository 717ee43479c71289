"""A bounded cache in the memory of the process: dogpile's, which makes a missing value once however many ask."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from dogpile.cache import CacheRegion, make_region
from dogpile.cache.proxy import ProxyBackend


def memory(most: int, *, renew: Callable[..., None] | None = None, shared: Sequence[ProxyBackend] = ()) -> CacheRegion:
    """A cache of the ``most`` values that were used last; old values are renewed by ``renew``, if it is given.

    ``shared`` may have the values of other processes.
    """
    region = make_region(async_creation_runner=renew)
    return region.configure("dogpile.cache.memory", arguments={"cache_dict": _Recent(most)}, wrap=shared)


class _Recent(OrderedDict[str, Any]):
    """The entries that were used last; each step is atomic."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def get(self, key: str, default: Any = None) -> Any:
        with suppress(KeyError):
            self.move_to_end(key)
        return super().get(key, default)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        if len(self) > self._most:
            self.popitem(last=False)
