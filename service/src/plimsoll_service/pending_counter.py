"""A counter that one request adds to under many labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any

from prometheus_client import Counter, Metric


class PendingCounter(Counter):
    """A counter with one label; what is added to it are plain numbers until it is read, or told to hand them in.

    Where several workers share a directory each addition to a counter is one to a file, and ten of them take a third as
    long as reading the request.
    """

    def __init__(self, *description: Any, **options: Any) -> None:
        super().__init__(*description, **options)
        self._pending: dict[str, int] = {}
        self._adding = Lock()

    def add(self, counts: Mapping[str, int]) -> None:
        """Add so many to each label."""
        with self._adding:
            for label, count in counts.items():
                self._pending[label] = self._pending.get(label, 0) + count

    def hand_in(self) -> None:
        """Count what has come since the last time, where other processes see it."""
        with self._adding:
            pending, self._pending = self._pending, {}
        for label, count in pending.items():
            self.labels(label).inc(count)

    def collect(self) -> Iterable[Metric]:
        """The counter's samples, with all that was added."""
        self.hand_in()
        return super().collect()
