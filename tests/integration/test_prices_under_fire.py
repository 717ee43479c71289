"""Refreshes while Redis, workers and refreshers are killed under load: a short run of ``loadtests``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CHAOS = Path(__file__).parents[2] / "loadtests" / "chaos_prices.py"
MOST_SECONDS = "90"  # a machine with nothing else to do needs ten
MUST_HAPPEN = {
    "Redis killed": 1,
    "workers killed": 1,
    "refreshes killed": 1,
    "refreshes published": 2,
    "published snapshots answered from": 2,
    "requests answered": 200,
}


def test_every_answer_is_of_one_snapshot_and_none_is_lost():
    """No price is mixed, invented or wrongly dated, and no request fails twice, until all required events happened."""
    until = [f"{event}={times}" for event, times in MUST_HAPPEN.items()]
    options = ["--seconds", MOST_SECONDS, "--seed", "3", "--clients", "50", "--pause", "4", "--until", *until]

    run = subprocess.run([sys.executable, str(CHAOS), *options], capture_output=True, text=True, check=False)

    assert 0 == run.returncode, run.stdout + run.stderr
    counts = json.loads(run.stdout[: run.stdout.index("}") + 1])
    assert all(counts.get(event, 0) >= times for event, times in MUST_HAPPEN.items()), counts
    assert 0 == counts["unexpected errors logged"]
