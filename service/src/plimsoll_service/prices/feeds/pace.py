"""Bodies that keep a pace and end: the limit on one read starts anew with every byte that trickles in."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx

from plimsoll_service.prices.feeds.feed import FeedError

PATIENCE_SECONDS = 60.0  # for any body; beyond, what a line of a quarter of a megabit takes for it
SLOWEST_BYTES_PER_SECOND = 32 * 1024
LARGEST_BYTES = 1 << 31  # some five times the longest list, AWS' of us-east-1


class Paced(httpx.SyncByteStream):
    """A body that is given up where it comes too slowly, or does not end; raises ``FeedError``."""

    def __init__(self, stream: httpx.SyncByteStream, name: str) -> None:
        self._stream = stream
        self._name = name

    def __iter__(self) -> Iterator[bytes]:
        began, received = time.monotonic(), 0
        for chunk in self._stream:
            received += len(chunk)
            seconds = time.monotonic() - began
            if seconds > PATIENCE_SECONDS + received / SLOWEST_BYTES_PER_SECOND:
                raise FeedError(f"{self._name}: sends too slowly: {received:,} bytes in {seconds:,.0f} s")
            if received > LARGEST_BYTES:
                raise FeedError(f"{self._name}: does not end after {received:,} bytes")
            yield chunk

    def close(self) -> None:
        """Let the connection go."""
        self._stream.close()
