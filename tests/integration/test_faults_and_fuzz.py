"""Short runs of the faults and the fuzzing in ``loadtests``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(script, *options):
    """Output of a script of the load tests, which must find nothing wrong."""
    command = [sys.executable, f"loadtests/{script}", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_nobody_notices_what_breaks():
    """Redis dies and workers are killed without it, and every answer stays as it was before."""
    told = run("faults.py", "--seconds", "2", "--only", "Redis killed", "workers killed without")

    assert told.endswith("0 faults\n")


def test_no_request_makes_the_service_fail():
    """No generated, mutated or hostile request makes the service fail."""
    told = run("fuzz.py", "--requests", "300", "--clients", "1", "--huge", "2")

    assert "300 requests" in told
    assert told.endswith("0 faults\n")
