"""A measurement of your own run: a training loop, wrapped."""

from plimsoll.measuring.loop import Run, measure

__all__ = ["Run", "measure"]
