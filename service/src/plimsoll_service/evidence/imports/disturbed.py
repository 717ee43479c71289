"""Runs under load that the machine does not explain: figures of a run and its neighbours held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.words import found, found_whole

DISTURBED = "disturbed: figures of the run or its neighbours contradict each other"
FIRST_TO_FINISH = "the concurrency is that of the first request to finish, not of the load"

LITTLE_APART = 0.25  # requests at once over rate × time: beyond, the figures are not of one run
FEW = 2.0  # requests at once that a saturated server does not stay under
SLOWER = 1.25  # one user after a shorter prompt over one after a longer: beyond, something else ran
HALF = 0.5  # of one user's rate, that many together never fall below
_MACHINE = ("cloud", "instance_type", "model", "precision", "device", "cpu", "vcpus", "device_count", "commit_or_date")
_NEEDED = ("output_tokens/s", "ttft_ms", "tpot_ms")
MS_A_SECOND = 1e3


@dataclass(frozen=True)
class Run:
    """The figures of one run: raw rows by metric, its machine, load and lengths."""

    machine: tuple[str, ...]
    rows: dict[str, RawRow]
    doubt: str = ""

    @property
    def detail(self) -> str:
        return next(iter(self.rows.values()))["workload_detail"]

    @property
    def lengths(self) -> tuple[int, int]:
        """Input and output tokens."""
        return found_whole(r"ISL (\d+)", self.detail) or 0, found_whole(r"OSL (\d+)", self.detail) or 0

    @property
    def concurrency(self) -> float:
        return float(found(r"concurrency ([\d.]+)", self.detail) or 1)

    @property
    def alone(self) -> bool:
        return "synchronous" in self.detail

    def figure(self, metric: str) -> float:
        return float(self.rows[metric]["value"])


def runs_of(rows: Iterable[RawRow]) -> list[Run]:
    """Rows of the same machine and load together, in order of appearance."""
    found_runs: dict[tuple[str, ...], dict[str, RawRow]] = {}
    for row in rows:
        key = (*(row[name] for name in _MACHINE), row["workload_detail"])
        found_runs.setdefault(key, {})[row["metric"]] = row
    return [Run(key[:-1], figures) for key, figures in found_runs.items()]


def judged(runs: list[Run]) -> Iterator[Run]:
    """The runs with a doubt where they contradict themselves or their neighbours."""
    beside: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        beside.setdefault(run.machine, []).append(run)
    for run in runs:
        yield Run(run.machine, run.rows, _doubt(run, beside[run.machine]))


def _doubt(run: Run, beside: list[Run]) -> str:
    if len(run.rows) < len(_NEEDED):
        return DISTURBED
    if "saturated" in run.detail and run.concurrency < FEW:
        return FIRST_TO_FINISH
    together = run.figure("output_tokens/s") * run.figure("tpot_ms") / MS_A_SECOND
    if abs(together / run.concurrency - 1) > LITTLE_APART or _slower(run, beside) or _collapsed(run, beside):
        return DISTURBED
    return ""


def _slower(run: Run, beside: list[Run]) -> bool:
    """One user is slower than one user on the same machine after a longer prompt."""
    own_input, own_output = run.lengths
    longer = (
        other.figure("tpot_ms")
        for other in beside
        if other.alone and len(other.rows) == len(_NEEDED)
        if other.lengths[1] == own_output and other.lengths[0] > own_input
    )
    return run.alone and any(run.figure("tpot_ms") > SLOWER * time for time in longer)


def _collapsed(run: Run, beside: list[Run]) -> bool:
    """Many together are slower than half of one."""
    rates = (
        other.figure("output_tokens/s")
        for other in beside
        if other.alone and other.lengths == run.lengths and len(other.rows) == len(_NEEDED)
    )
    return not run.alone and any(run.figure("output_tokens/s") < HALF * rate for rate in rates)
