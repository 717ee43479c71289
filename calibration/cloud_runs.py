"""Language models measured on rented instances: vLLM under load and llama.cpp one request at a time.

The table is share-alike: the calibration may read it where a user has it, but its rows are not part of the project.
Beside the columns of a figures folder it has ``cloud``, ``cpu``, ``vcpus``, ``instances_merged`` and ``spread``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gathered.measurements.common import (
    Columns,
    common,
    found,
    found_whole,
    measurement,
    number,
    one_request,
    whole,
)
from gathered.measurements.figures import RawRow, read_file

from plimsoll_service.evidence.measurement import Measurement

DISTURBED = "disturbed: figures of the run or its neighbours contradict each other"
FIRST_TO_FINISH = "the concurrency is that of the first request to finish, not of the load"

LITTLE_APART = 0.25  # relative difference of concurrency and rate × time; larger ones are not of one run
FEW = 2.0  # concurrency that a saturated server always exceeds
SLOWER = 1.25  # time per token after a shorter prompt over a longer one; above, something else ran
HALF = 0.5  # of one user's rate; many together are never slower
_SAME = ("cloud", "instance_type", "model", "precision", "device", "cpu", "vcpus", "device_count", "commit_or_date")
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
        key = (*(row[name] for name in _SAME), row["workload_detail"])
        found_runs.setdefault(key, {})[row["metric"]] = row
    return [Run(key[:-1], figures) for key, figures in found_runs.items()]


def judged(runs: list[Run]) -> Iterator[Run]:
    """Yield the runs, with a doubt where they contradict themselves or each other."""
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
    """Whether one user is slower than another on the same machine after a longer prompt."""
    own_input, own_output = run.lengths
    longer = (
        other.figure("tpot_ms")
        for other in beside
        if other.alone and len(other.rows) == len(_NEEDED)
        if other.lengths[1] == own_output and other.lengths[0] > own_input
    )
    return run.alone and any(run.figure("tpot_ms") > SLOWER * time for time in longer)


def _collapsed(run: Run, beside: list[Run]) -> bool:
    """Whether many together are slower than half of one."""
    rates = (
        other.figure("output_tokens/s")
        for other in beside
        if other.alone and other.lengths == run.lengths and len(other.rows) == len(_NEEDED)
    )
    return not run.alone and any(run.figure("output_tokens/s") < HALF * rate for rate in rates)


_LOADS = (("synchronous", "single"), ("saturated", "saturated"), ("constant rate", "rate"))
_PRECISIONS = {"bfloat16": "bf16", "float16": "fp16"}
_FALLEN_BACK_2025 = ("H100 80GB HBM3", "H100 NVL", "H200")
_FALLEN_BACK_TYPES = ("p4d.24xlarge", "a3-edgegpu-8g-nolssd")
_LARGE_MODEL, _SMALL_MEMORY = "Llama 3.3 70B", ("V100-SXM2-16GB", "V100-SXM2-32GB", "A100-SXM4-40GB")

ON_PROCESSOR = "ran on the processor although an accelerator is named"
PARTLY_ON_PROCESSOR = "the model does not fit the device and runs partly on the processor"


def measurements(*paths: Path) -> list[Measurement]:
    """Return all rows of the files, with doubts on disturbed runs; raises ``EvidenceError``."""
    rows = [row for path in paths for row in read_file(path)]
    served = [row for row in rows if row["source"] == "sparecores-vllm"]
    single = [row for row in rows if row["source"] == "sparecores-llamacpp"]
    runs = runs_of(served)
    columns = [column for run in judged(runs) for column in _served(run.rows, run.doubt)]
    columns += [_single(raw) for raw in single]
    return [measurement(one, f"{one['source']}-{place:05d}") for place, one in enumerate(columns, start=1)]


def _machine(raw: RawRow) -> Columns:
    """Columns of the machine; a run on the processor has no accelerator."""
    columns = common(raw if raw["device"] != raw["cpu"] else {**raw, "device": ""})
    on_processor = raw["device"] == raw["cpu"]
    if on_processor:
        columns["doubts"] = []
    columns |= {
        "cloud": raw["cloud"],
        "instance_type": raw["instance_type"],
        "cpu": raw["cpu"],
        "vcpus": whole(raw["vcpus"]),
        "spread": number(raw["spread"]),
        "batch_size": None,
        "metric": "output_tokens/s" if raw["metric"] == "tokens/s" else raw["metric"],
        "value": float(raw["value"]),
    }
    return columns


def _served(run: dict[str, RawRow], doubt: str) -> list[Columns]:
    """Columns of one run under load; its time per token excludes the first token, as in the contract."""
    found_rows = [_under_load(raw, doubt) for raw in run.values()]
    values = {columns["metric"]: columns for columns in found_rows}
    each, first = values.get("tpot_ms"), values.get("ttft_ms")
    if each is not None and first is not None:
        tokens = each["output_tokens"]
        each["value"] = (tokens * each["value"] - first["value"]) / (tokens - 1)
        if each["value"] <= 0:
            each["doubts"].append(DISTURBED)
    return found_rows


def _under_load(raw: RawRow, doubt: str) -> Columns:
    columns, detail = _machine(raw), raw["workload_detail"]
    quantised = raw["precision"].startswith("int4")
    columns |= {
        "precision": "int4" if quantised else _PRECISIONS[raw["precision"]],
        "input_tokens": found_whole(r"ISL (\d+)", detail),
        "output_tokens": found_whole(r"OSL (\d+)", detail),
        "concurrency": float(found(r"concurrency ([\d.]+)", detail) or 1),
        "max_running": found_whole(r"max_num_seqs (\d+)", detail),
        "tensor_parallel": found_whole(r"TP (\d+)", detail),
        "pipeline_parallel": columns["device_count"] if quantised else None,
        "load": next(load for words, load in _LOADS if words in detail),
    }
    columns["doubts"].append(doubt)
    return columns


def _single(raw: RawRow) -> Columns:
    """llama.cpp, with weights in 4 bits."""
    columns = _machine(raw)
    one_request(columns, raw)
    columns["precision"] = "int4"
    columns["doubts"].append(_fallen_back(raw))
    return columns


def _fallen_back(raw: RawRow) -> str:
    """Doubt where llama.cpp did not use the device, or not for the whole model."""
    if raw["device"] == raw["cpu"]:
        return ""
    early = raw["commit_or_date"].startswith("2025") and raw["device"] in _FALLEN_BACK_2025
    if early or (raw["commit_or_date"].startswith("2026") and raw["instance_type"] in _FALLEN_BACK_TYPES):
        return ON_PROCESSOR
    large = raw["model"] == _LARGE_MODEL and raw["device"] in _SMALL_MEMORY and raw["device_count"] == "1"
    return PARTLY_ON_PROCESSOR if large else ""
