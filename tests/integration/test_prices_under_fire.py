"""Prices are refreshed, and what they rest on dies, while clients ask: a short run of what ``loadtests`` runs long."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHAOS = Path(__file__).parents[2] / "loadtests" / "chaos_prices.py"


@pytest.mark.parametrize(
    ("options", "must_happen"),
    [
        (("--clients", "50", "--peaceful"), ("refreshes published", "requests answered")),
        (("--clients", "8"), ("Redis killed", "refreshes published", "requests answered", "workers killed")),
    ],
    ids=["fifty clients while prices are refreshed", "Redis, refreshers and workers are killed"],
)
def test_every_answer_is_of_one_snapshot_and_none_is_lost(options, must_happen):
    """No price is mixed, of no list, or dated wrong, and no request fails twice."""
    command = [sys.executable, str(CHAOS), "--seconds", "16", "--seed", "3", *options]

    run = subprocess.run(command, capture_output=True, text=True, check=False)

    assert 0 == run.returncode, run.stdout + run.stderr
    counts = json.loads(run.stdout[: run.stdout.index("}") + 1])
    assert all(counts.get(what, 0) > 0 for what in must_happen), counts
    assert 0 == counts["unexpected errors logged"]
