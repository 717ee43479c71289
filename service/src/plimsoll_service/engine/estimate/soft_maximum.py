"""The soft maximum of two times that mostly pass at once: (first^p + second^p)^(1/p)."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.hardware import Floats

# A share of the longer time that adds less than 2^-54 to 1, once raised, leaves the sum of doubles as it is.
LOST_BITS = 54


def soft_maximum(first: Floats, second: Floats, norm: float) -> Floats:
    """The longer of both times, and up to 2^(1/p) of it where the shorter one counts."""
    longest = np.maximum(first, second)
    share = np.minimum(first, second)
    share /= np.maximum(longest, 1e-30)
    counts = share > 2.0 ** (-LOST_BITS / norm)
    if 2 * np.count_nonzero(counts) > counts.size:  # few more are cheaper than to pick the others out
        longest *= _factor(share, norm)
        return longest
    rows = np.nonzero(counts)
    longest[rows] *= _factor(share[rows], norm)
    return longest


def _factor(share: Floats, norm: float) -> Floats:
    """(1 + share^p)^(1/p), written over the shares."""
    if norm == 4:  # squared twice: several times as fast
        np.square(share, out=share)
        np.square(share, out=share)
    else:
        share **= norm
    share += 1
    share **= 1 / norm
    return share
