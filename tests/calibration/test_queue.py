"""The simulation gives the committed table of waits, and its file is read back."""

from __future__ import annotations

import json

import numpy as np
import pytest
from calibration import queue
from calibration.files import text_of
from calibration.queue import made_batch
from tests.service.fitted import FITTED

from plimsoll_service.engine.waits import BATCHES, LOADS, SERVERS, SHAPE, TAIL, waits_of


@pytest.mark.parametrize(("batch", "servers"), [(1, 4), (8, 1), (16, 8)])
def test_the_table_is_that_of_the_simulation(batch: int, servers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shorter simulation agrees within 10% at loads with a short memory."""
    monkeypatch.setattr(queue, "STARTS", 6_000)
    monkeypatch.setattr(queue, "WARM_UP", 600)
    fixed, load = np.array([0.55, 0.94]), np.array([0.5, 0.7])
    simulated = queue.simulated(fixed, load, batch, servers, seed=1)[TAIL]

    many = np.full(2, float(batch))
    step = fixed + (1 - fixed) * made_batch(fixed, many, load)
    assert step * FITTED.waits.ratio(TAIL, fixed, many, np.full(2, float(servers)), load) == pytest.approx(
        simulated, rel=0.1
    )


def test_a_table_is_read_as_it_was_written() -> None:
    """The table is read back up to the written digits."""
    logs = np.arange(np.prod(SHAPE)).reshape(SHAPE) / 1000
    lines = json.loads(text_of(queue.document(logs)))["waits"]
    assert np.array_equal(waits_of(lines).logs, logs)


def test_no_load_answers_sooner_than_a_lower_one() -> None:
    """No load is answered sooner than a lower one, for every batch and number of devices."""
    share, largest, _, loads = np.meshgrid(queue.FIXED, BATCHES, SERVERS, LOADS, indexing="ij")
    seconds = np.exp(FITTED.waits.logs) * (share + (1 - share) * made_batch(share, largest, loads))
    assert np.all(np.diff(seconds, axis=-1) > -0.002 * seconds[..., 1:])
