"""Runs on rented instances: the contract's time per token, and the runs to leave out."""

from __future__ import annotations

from pathlib import Path

import pytest
from calibration import cloud_runs
from calibration.cloud_runs import measurements
from gathered.measurements.figures import RawRow
from tests.gathered.measurements.figures import figures_folder, raw

from plimsoll_service.evidence.measurement import Measurement

MACHINE = {
    "source": "sparecores-vllm",
    "task": "inference",
    "framework": "vLLM",
    "framework_version": "0.22.1",
    "model": "Llama 3.1 8B",
    "precision": "bfloat16",
    "batch_size_per_device": "",
    "device": "A100-SXM4-40GB",
    "cpu": "Intel Xeon",
    "vcpus": "12",
    "cloud": "gcp",
    "instance_type": "a2-highgpu-1g",
    "commit_or_date": "2026-08-22",
    "instances_merged": "2",
    "spread": "0.04",
}
LLAMA_CPP = MACHINE | {
    "source": "sparecores-llamacpp",
    "framework": "llama.cpp",
    "precision": "Q4_K_M",
    "metric": "tokens/s",
    "workload_detail": "generation of 128 tokens, one sequence, empty context",
}


def run(load: str, concurrency: float, rate: float, ttft: float, tpot: float, *, tokens: int = 256) -> list[RawRow]:
    """The three figures of a run; 100 output tokens."""
    detail = f"ISL {tokens} OSL 100; {load}; concurrency {concurrency}; TP 1; max_num_seqs 16"
    figures = {"output_tokens/s": rate, "ttft_ms": ttft, "tpot_ms": tpot}
    return [raw(**MACHINE, workload_detail=detail, metric=name, value=str(value)) for name, value in figures.items()]


def read(rows: list[RawRow], tmp_path: Path) -> list[Measurement]:
    """Rows that are read from a file."""
    return measurements(figures_folder(tmp_path, rows, "cloud_llm") / "cloud_llm.csv.gz")


def test_several_files_are_one_table(tmp_path: Path) -> None:
    """Rows of several files are numbered together."""
    paths = [
        figures_folder(tmp_path / str(tokens), run("synchronous", 1.0, 50.0, 1010.0, 20.0, tokens=tokens), "cloud_llm")
        / "cloud_llm.csv.gz"
        for tokens in (256, 512)
    ]
    found = measurements(*paths)

    assert 6 == len({row.id for row in found})


def test_the_time_per_token_leaves_the_first_out(tmp_path: Path) -> None:
    """The time per token excludes the first: (100 × 20 − 1,010) ÷ 99."""
    rate, first, each = read(run("synchronous", 1.0, 50.0, 1010.0, 20.0), tmp_path)

    assert (rate.metric, rate.value, rate.doubt) == ("output_tokens/s", 50.0, "")
    assert first.value == 1010.0
    assert each.value == pytest.approx(10.0)
    assert each.printed_value == "20.0"
    assert (each.load, each.max_running, each.spread, each.vcpus) == ("single", 16, 0.04, 12)


@pytest.mark.parametrize(
    ("rows", "doubts"),
    [
        (run("constant rate", 8.0, 400.0, 50.0, 20.0), ["", "", ""]),
        (run("constant rate", 8.0, 200.0, 50.0, 20.0), [cloud_runs.DISTURBED] * 3),
        (run("saturated", 1.0, 50.0, 1010.0, 20.0), [cloud_runs.FIRST_TO_FINISH] * 3),
    ],
)
def test_runs_that_contradict_themselves_are_doubted(rows: list[RawRow], doubts: list[str], tmp_path: Path) -> None:
    """Rate × time is the number of concurrent requests (Little), and a saturated run has more than one."""
    assert [row.doubt for row in read(rows, tmp_path)] == doubts


def test_one_user_is_not_slower_after_a_shorter_prompt(tmp_path: Path) -> None:
    """A slower user after a shorter prompt shows that something else ran on the machine."""
    short = run("synchronous", 1.0, 25.0, 50.0, 40.0, tokens=256)
    long = run("synchronous", 1.0, 50.0, 50.0, 20.0, tokens=1024)

    assert [row.doubt for row in read(short + long, tmp_path)] == [cloud_runs.DISTURBED] * 3 + [""] * 3


def test_many_are_not_slower_than_half_of_one(tmp_path: Path) -> None:
    """Concurrent requests share the weights, so they are not slower than half of one."""
    alone = run("synchronous", 1.0, 50.0, 50.0, 20.0)
    many = run("constant rate", 8.0, 20.0, 50.0, 400.0)

    assert [row.doubt for row in read(alone + many, tmp_path)] == [""] * 3 + [cloud_runs.DISTURBED] * 3


@pytest.mark.parametrize(
    ("columns", "doubt"),
    [
        ({"device": "H100 NVL", "commit_or_date": "2025-04-17"}, cloud_runs.ON_PROCESSOR),
        ({"device": "H100 NVL", "commit_or_date": "2026-04-17"}, ""),
        ({"instance_type": "p4d.24xlarge", "commit_or_date": "2026-04-17"}, cloud_runs.ON_PROCESSOR),
        ({"model": "Llama 3.3 70B", "device_count": "1"}, cloud_runs.PARTLY_ON_PROCESSOR),
        ({}, ""),
    ],
)
def test_llama_cpp_that_fell_back_is_doubted(columns: dict[str, str], doubt: str, tmp_path: Path) -> None:
    """A run that used the processor for all or part of the model is doubted if it names an accelerator."""
    (row,) = read([raw(**(LLAMA_CPP | columns), value="20")], tmp_path)

    assert row.doubt == doubt


def test_a_run_on_the_processor_has_no_accelerator(tmp_path: Path) -> None:
    """A run on the processor has no accelerator."""
    (row,) = read([raw(**(LLAMA_CPP | {"device": "AMD EPYC 7B13", "cpu": "AMD EPYC 7B13"}), value="20")], tmp_path)

    assert (row.accelerator, row.cpu, row.doubt) == (None, "AMD EPYC 7B13", "")
    assert (row.metric, row.output_tokens, row.precision) == ("output_tokens/s", 128, "int4")
