"""How far a run got, on standard error: one line that changes in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TextIO

TERMINAL_SECONDS, PIPED_SECONDS = 0.5, 10.0


@dataclass
class Progress:
    """Tells at most every few seconds; ``begun_at`` lines were answered by an earlier run."""

    out: TextIO
    begun_at: int = 0
    quiet: bool = False
    started: float = field(default_factory=time.monotonic)
    told: float = field(default_factory=time.monotonic)

    def tell(self, lines: int, share: float | None) -> None:
        """Lines answered so far, and the share of the input that was answered, where that is known."""
        terminal = self.out.isatty()
        now = time.monotonic()
        if self.quiet or now - self.told < (TERMINAL_SECONDS if terminal else PIPED_SECONDS):
            return
        self.told = now
        text = described(lines, self.begun_at, now - self.started, share)
        self.out.write(f"\r{text}\x1b[K" if terminal else f"{text}\n")
        self.out.flush()

    def end(self) -> None:
        """Leave the line that changes."""
        if self.out.isatty() and not self.quiet:
            self.out.write("\n")


def described(lines: int, begun_at: int, seconds: float, share: float | None) -> str:
    """Lines, lines a second of this run, and where the end is known the share done and the time left."""
    rate = (lines - begun_at) / max(seconds, 1e-9)
    text = f"{lines:,} lines, {rate:,.0f} a second"
    if not share or not rate:
        return text
    left = lines * (1 - share) / share / rate
    return f"{text}, {share:.0%}, {int(left // 3600)}:{int(left // 60) % 60:02d}:{int(left) % 60:02d} left"
