"""Import time of the SDK beside httpx alone, its only dependency.

Fresh interpreters take turns, so that whatever else the machine does meets both alike. What counts is the ratio of the
medians; the status is 1 where that of a client is above what the project allows.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

BASE = "import httpx"
STATEMENTS = (
    "import plimsoll",
    "from plimsoll import Client",
    "from plimsoll import AsyncClient, Client, Constraints, Workload",
)
JUDGED = "from plimsoll import Client"
MOST_ALLOWED = 1.3
MOST_ROUNDS = 500


def main() -> int:
    """Print the ratios, and say whether the judged one is within the limit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=30, help=f"imports of each, up to {MOST_ROUNDS}")
    rounds = min(options.parse_args().rounds, MOST_ROUNDS)
    with tempfile.TemporaryDirectory() as bytecode:
        taken = alternate((BASE, *STATEMENTS), rounds, environment(bytecode))
    base = statistics.median(taken[BASE])
    print(f"{'statement':<66}{'ms':>8}{'ratio':>8}")
    for statement, seconds in taken.items():
        middle = statistics.median(seconds)
        print(f"{statement:<66}{middle * 1000:>8.1f}{middle / base:>8.2f}")
    return int(statistics.median(taken[JUDGED]) / base > MOST_ALLOWED)


def alternate(statements: tuple[str, ...], rounds: int, environ: dict[str, str]) -> dict[str, list[float]]:
    """Seconds of each statement, round by round, after a first round that compiles and is not counted."""
    for statement in statements:
        seconds(statement, environ)
    taken: dict[str, list[float]] = {statement: [] for statement in statements}
    for _ in range(rounds):
        for statement in statements:
            taken[statement].append(seconds(statement, environ))
    return taken


def seconds(statement: str, environ: dict[str, str]) -> float:
    """The time of the statement alone, without the interpreter's own start."""
    program = f"import time; began = time.perf_counter(); {statement}; print(time.perf_counter() - began)"
    command = [sys.executable, "-c", program]
    return float(subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout)


def environment(bytecode: str) -> dict[str, str]:
    """This environment, with compiled modules kept as an installed package has them."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": bytecode}


if __name__ == "__main__":
    sys.exit(main())
