"""The simulation behind the table of waits: what it gives is what the table holds, and its file what is read."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.service.fitted import FITTED

from plimsoll_service.calibration import queue
from plimsoll_service.calibration.files import text_of
from plimsoll_service.engine.waits import BATCHES, LOADS, SERVERS, SHAPE, TAIL, made_batch, waits_of


@pytest.mark.parametrize(("batch", "servers"), [(1, 4), (8, 1), (16, 8)])
def test_the_table_is_that_of_the_simulation(batch: int, servers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shorter run of it agrees within 10% at loads where it forgets soon."""
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
    """Up to the digits that are written."""
    logs = np.arange(np.prod(SHAPE)).reshape(SHAPE) / 1000
    lines = json.loads(text_of(queue.document(logs)))["waits"]
    assert np.array_equal(waits_of(lines).logs, logs)


def test_no_load_answers_sooner_than_a_lower_one() -> None:
    """In the table, at every batch and number of devices."""
    share, largest, _, loads = np.meshgrid(queue.FIXED, BATCHES, SERVERS, LOADS, indexing="ij")
    seconds = np.exp(FITTED.waits.logs) * (share + (1 - share) * made_batch(share, largest, loads))
    assert np.all(np.diff(seconds, axis=-1) > -0.002 * seconds[..., 1:])
