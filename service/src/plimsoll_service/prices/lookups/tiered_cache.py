"""A shared cache that is backed by the process: what was kept once is there while the shared one is away."""

from __future__ import annotations

from plimsoll_service.prices.lookups.cache import Cache, Kept


class TieredCache:
    """Pages in ``shared``; in ``own`` as well, for when ``shared`` has none."""

    def __init__(self, shared: Cache, own: Cache) -> None:
        self._shared = shared
        self._own = own

    def get(self, key: str) -> Kept | None:
        """The shared page, else the process' own."""
        return self._shared.get(key) or self._own.get(key)

    def set(self, key: str, kept: Kept, *, ttl_seconds: int) -> None:
        """Keep the page in both."""
        self._shared.set(key, kept, ttl_seconds=ttl_seconds)
        self._own.set(key, kept, ttl_seconds=ttl_seconds)

    def claim(self, key: str, *, ttl_seconds: int) -> bool | None:
        """Whether nobody else, neither here nor elsewhere, is making the page."""
        if not self._own.claim(key, ttl_seconds=ttl_seconds):
            return False
        claimed = self._shared.claim(key, ttl_seconds=ttl_seconds)
        if claimed is False:
            self._own.release(key)
        return claimed

    def release(self, key: str) -> None:
        """Let others make the page again."""
        self._shared.release(key)
        self._own.release(key)
