"""Workers are replaced, stopped and killed while clients ask: a short run of ``loadtests``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROLLING = Path(__file__).parents[2] / "loadtests" / "rolling.py"


@pytest.mark.parametrize("scene", ["hup", "term", "kill"])
def test_no_client_notices_but_those_whose_worker_was_killed(scene) -> None:
    """Only clients whose worker was killed notice, and only if they do not use the SDK, which retries."""
    run = subprocess.run(
        [sys.executable, str(ROLLING), scene, "--seconds", "4", "--pause", "0.2"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == run.returncode, run.stdout + run.stderr
