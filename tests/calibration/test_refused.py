"""Published runs that the service would refuse."""

from __future__ import annotations

from dataclasses import replace

from calibration.refused import refusals
from tests.calibration.rows import row
from tests.service.engine.catalogs import bundled_market


def test_a_run_on_too_small_a_device_is_named_with_what_it_lacks() -> None:
    """A batch of a thousand images fits no 16 GB; one of 64 does, and a batch with the figure 0 did not run."""
    fits = row(accelerator="T4", batch_size=64)
    runs = [fits, replace(fits, batch_size=4096), replace(fits, batch_size=8192, value=0.0)]
    expected = [(), ("accelerator_memory_gib",)]

    actual = [lacks for _, lacks in refusals(runs, bundled_market())]

    assert expected == actual
