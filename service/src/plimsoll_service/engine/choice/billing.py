"""Billed hours: the least that the start of a machine is billed, and the steps in which its time is billed."""

from __future__ import annotations

import numpy as np

from ..columns import EVERY, columnar
from ..hardware import Flags, Floats, Ints, Places

ROUNDING = 1e-9  # of a step: a whole number of steps is not rounded up to the next


@columnar
class Billed:
    """Terms of each option, in hours; 0 is "by the second"."""

    least: Floats
    step: Floats
    stepped: Places  # the few rows that are billed in steps

    def rounds(self, shortest: Floats, rows: Ints | Places) -> Flags:
        """Return which options in these rows may be billed more than they run, if for no less than the ``shortest``."""
        return (shortest < self.least[rows]) | (self.step[rows] > 0)

    def hours(self, hours: Floats, rows: Ints | Places | slice = EVERY) -> Floats:
        """Return the hours that are billed for those hours of the options in these rows."""
        billed: Floats = np.maximum(hours, self.least[rows])
        if not len(self.stepped):
            return billed
        steps = self.step[rows]
        few = self.stepped if isinstance(rows, slice) else (steps > 0).nonzero()[0]
        if not len(few):
            return billed
        step = steps[few]
        billed[few] = np.ceil(billed[few] / step - ROUNDING) * step
        return billed


def billed_of(terms: Floats) -> Billed:
    """Return the terms of options; ``terms`` has the least hours and the steps, shape (2, options)."""
    least, step = terms
    return Billed(least, step, (step > 0).nonzero()[0])


@columnar
class Charges:
    """Payments for each option: by the hour for all machines with their disks, and once for moving the data.

    Of a service with a day's load, the hour is the mean of the day.
    """

    usd_per_hour: Floats
    billed: Billed
    moving_usd: Floats | None

    def job_usd(self, hours: Floats, rows: Ints | Places | slice = EVERY) -> Floats:
        """Return the cost of a job that takes those hours on the options in these rows."""
        return self.usd_per_hour[rows] * self.billed.hours(hours, rows) + self.moving(rows)

    def moving(self, rows: Ints | Places | slice = EVERY) -> Floats | float:
        """Return the price of moving the data to the options in these rows."""
        return 0.0 if self.moving_usd is None else self.moving_usd[rows]

    def take(self, rows: Ints | Places) -> Charges:
        """Return the charges of these rows alone."""
        moving = None if self.moving_usd is None else self.moving_usd[rows]
        terms = np.array((self.billed.least[rows], self.billed.step[rows]))
        return Charges(self.usd_per_hour[rows], billed_of(terms), moving)
