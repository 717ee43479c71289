"""Results of tools, as these tools wrote them.

Files of ``outputs/`` were made by running the tool: ``vllm bench serve`` 0.33.0, ``sglang.bench_serving`` 0.5.23 and
AIPerf (whose artifacts' folder is renamed) against a server that streams a word each few milliseconds: requests of 128
and 32 tokens, 12 of them, 4 at once or at a rate; transformers' Trainer 5.23.0 and Lightning 2.6.6 on a small network
on a processor.
No device that trtllm-bench or nvidia-smi asks for was at hand, perf_analyzer has no release for this Python, and
llama-bench was not built: their results are written here by hand, TensorRT-LLM's after its reporting.py, the others
after the format as generally known.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plimsoll import UnreadableFile, read_measurement
from plimsoll.readers import READERS, Reading

OUTPUTS = Path(__file__).parent / "outputs"
ON = {"accelerator": "L4", "count": 1}


def _read(name: str, **options: Any) -> Reading:
    return read_measurement(OUTPUTS / name, **options)


def test_vllms_result_is_read() -> None:
    """The rate, median first token, mean time per token, lengths, and concurrency are read."""
    said = json.loads((OUTPUTS / "vllm.json").read_text())

    found = _read("vllm.json", on=ON)

    assert found.tool == "vllm bench serve"
    assert found.measurements == [
        {
            "on": ON,
            "throughput": said["output_throughput"],
            "ttft_ms": said["median_ttft_ms"],
            "tpot_ms": said["mean_tpot_ms"],
            "concurrency": 4,
            "input_tokens": 128,
            "output_tokens": 32,
        }
    ]


def test_the_concurrency_of_a_rate_is_that_in_service() -> None:
    """Twelve requests at twenty a second are in service for a part of the run: Little's law."""
    said = json.loads((OUTPUTS / "vllm_rate.json").read_text())

    found = _read("vllm_rate.json").measurements[0]

    expected = sum(said["latencies"]) / said["duration"]
    assert found["concurrency"] == pytest.approx(expected, abs=0.5)


def test_each_line_of_sglang_is_a_run() -> None:
    """A file to which two runs were appended holds two measurements."""
    found = _read("sglang.jsonl", on=ON)

    assert found.tool == "sglang.bench_serving"
    assert [(one["input_tokens"], one["output_tokens"]) for one in found.measurements] == [(128, 32), (64, 16)]
    assert [one["concurrency"] for one in found.measurements] == [4, 3]


def test_a_trainer_that_counts_tokens_gives_tokens_after_the_warm_up() -> None:
    """12,288 tokens between the logs of steps 8 and 32 count; the first eight steps do not."""
    found = _read("trainer_tokens.json")

    assert found.measurements == [{"throughput": pytest.approx(12_288 / (3.8936 - 1.0278)), "batch_size": 8}]
    assert found.circumstances["unit"] == "tokens/s"


def test_a_trainer_that_counts_none_gives_samples_of_the_whole_run() -> None:
    """The reader says that the time includes other work and that a sample's tokens are needed."""
    found = _read("trainer_plain.json")

    assert found.measurements == [{"throughput": 56.095, "batch_size": 8}]
    assert "warm-up" in " ".join(found.unseen)


def test_samples_become_tokens_where_their_length_is_given() -> None:
    """With a stated length, samples become tokens, the unit of language-model training."""
    found = _read("trainer_plain.json", on=ON, tokens_per_sample=64, precision="fp32")

    assert found.measurements[0]["throughput"] == pytest.approx(56.095 * 64)
    assert found.measurements[0]["precision"] == "fp32"
    assert not [one for one in found.unseen if one.startswith(("the tokens", "the hardware", "the precision"))]


def test_lightnings_monitor_gives_samples_after_the_first_log() -> None:
    """Only the monitor's rows with times are read, not the logger's other rows."""
    found = _read("lightning.csv")

    assert found.measurements == [{"throughput": pytest.approx((8192 - 256) / found.circumstances["seconds"]),
                                   "batch_size": 32}]  # fmt: skip


def test_lightnings_metrics_without_times_say_what_is_needed() -> None:
    """Metrics without times have no speed, and the error names the missing callback."""
    with pytest.raises(UnreadableFile, match=r"lightning_plain.csv: .*ThroughputMonitor"):
        _read("lightning_plain.csv")


def _written(folder: Path, document: Any, name: str = "result") -> Path:
    file = folder / name
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return file


def test_trtllm_benchs_report_is_read_with_its_hardware(tmp_path: Path) -> None:
    """The report names device and layout, so nothing has to be added. Written after its documentation."""
    report = {
        "engine": {"model": "llama", "version": "1.2.1", "dtype": "bfloat16", "quantization": "FP8"},
        "machine": {"name": "NVIDIA H100 80GB HBM3", "memory.total": 79.1, "clocks.mem": 2.6},
        "world_info": {"tp_size": 2, "pp_size": 1, "world_size": 2, "max_batch_size": 64},
        "request_info": {"num_requests": 9, "avg_num_concurrent_requests": 15.6, "avg_input_length": 128.0,
                         "avg_output_length": 64.0},
        "performance": {"system_output_throughput_tok_s": 4000.5},
        "streaming_metrics": {"avg_ttft_ms": 31.0, "avg_tpot_ms": 7.5, "ttft_percentiles": {"p50": 30.0}},
    }  # fmt: skip

    found = read_measurement(_written(tmp_path, report))

    hardware = {"accelerator": "NVIDIA H100 80GB HBM3", "count": 2, "tensor_parallel": 2, "pipeline_parallel": 1}
    assert found.measurements == [
        {"on": hardware, "throughput": 4000.5, "ttft_ms": 30.0, "tpot_ms": 7.5, "concurrency": 16, "input_tokens": 128,
         "output_tokens": 64, "precision": "fp8"}
    ]  # fmt: skip


def test_genai_perfs_profile_is_read(tmp_path: Path) -> None:
    """Statistics are read with their units, and the stated concurrency. Written after its documentation."""
    profile = {
        "request_throughput": {"unit": "requests/sec", "avg": 5.0},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 500.0},
        "time_to_first_token": {"unit": "ms", "avg": 30.0, "p50": 25.0},
        "inter_token_latency": {"unit": "us", "avg": 9_000.0},
        "output_sequence_length": {"unit": "tokens", "avg": 100.2},
        "input_sequence_length": {"unit": "tokens", "avg": 200.0},
        "input_config": {"perf_analyzer": {"stimulus": {"concurrency": 8}}},
    }

    found = read_measurement(_written(tmp_path, profile), ON)

    assert found.measurements == [
        {"on": ON, "throughput": 500.0, "ttft_ms": 25.0, "tpot_ms": pytest.approx(9.0), "concurrency": 8,
         "input_tokens": 200, "output_tokens": 100}
    ]  # fmt: skip


def test_aiperfs_profile_is_read() -> None:
    """The successor's export has the same statistics, and the concurrency in its phases."""
    said = json.loads((OUTPUTS / "aiperf.json").read_text())

    found = _read("aiperf.json", on=ON)

    assert found.measurements == [
        {
            "on": ON,
            "throughput": said["output_token_throughput"]["avg"],
            "ttft_ms": said["time_to_first_token"]["p50"],
            "tpot_ms": said["inter_token_latency"]["avg"],
            "concurrency": 4,
            "input_tokens": 128,
            "output_tokens": 32,
        }
    ]


def test_nvidia_smis_log_gives_the_peak_of_the_devices_in_use(tmp_path: Path) -> None:
    """The peak is that of the fullest of two used devices. Written after its documentation."""
    log = (
        "timestamp, name, index, memory.used [MiB], memory.total [MiB]\n"
        "2026/01/01 10:00:00.000, NVIDIA L4, 0, 3 MiB, 23034 MiB\n"
        "2026/01/01 10:00:00.000, NVIDIA L4, 1, 3 MiB, 23034 MiB\n"
        "2026/01/01 10:00:00.000, NVIDIA L4, 2, 3 MiB, 23034 MiB\n"
        "2026/01/01 10:00:01.000, NVIDIA L4, 0, 20480 MiB, 23034 MiB\n"
        "2026/01/01 10:00:01.000, NVIDIA L4, 1, 19000 MiB, 23034 MiB\n"
        "2026/01/01 10:00:02.000, NVIDIA L4, 0, 10 MiB, 23034 MiB\n"
    )

    found = read_measurement(_written(tmp_path, log))

    assert found.measurements == [{"on": {"accelerator": "NVIDIA L4", "count": 2}, "accelerator_memory_gib": 20.0}]


def test_llama_benchs_tests_are_measurements_of_their_own(tmp_path: Path) -> None:
    """Prompts give the first token, generation gives the time per token, and both the rate of output."""
    common = {
        "build_commit": "abc", "cpu_info": "AMD EPYC 7R13", "gpu_info": "NVIDIA L4", "backends": "CUDA",
        "model_filename": "m.gguf", "model_type": "llama 8B Q4_K - Medium", "n_threads": 4, "n_gpu_layers": 99,
        "n_depth": 0, "stddev_ts": 1.0,
    }  # fmt: skip
    tests = [
        common | {"n_prompt": 512, "n_gen": 0, "avg_ts": 1024.0},
        common | {"n_prompt": 0, "n_gen": 128, "avg_ts": 50.0},
        common | {"n_prompt": 100, "n_gen": 300, "avg_ts": 80.0},
    ]
    hardware = {"accelerator": "NVIDIA L4", "count": 1, "cpu": "AMD EPYC 7R13"}
    same = {"on": hardware, "precision": "int4", "concurrency": 1}

    found = read_measurement(_written(tmp_path, tests))

    assert found.measurements == [
        same | {"ttft_ms": 500.0, "input_tokens": 512},
        same | {"tpot_ms": 20.0, "input_tokens": 1, "output_tokens": 128},
        same | {"throughput": 60.0, "input_tokens": 100, "output_tokens": 300},
    ]


def test_what_measure_saved_is_read_too(tmp_path: Path) -> None:
    """The JSON of `measure` is one of the formats."""
    saved = {"measurement": {"on": ON, "throughput": 3.0}, "tool": "plimsoll.measure", "unseen": ["the cloud"]}

    found = read_measurement(_written(tmp_path, saved))

    assert (found.measurements, found.unseen) == ([saved["measurement"]], ["the cloud"])


@pytest.mark.parametrize("text", ["", "x", "{}", "[]", "[1]", "a,b\n1,2\n", '{"log_history": 3}', "\x00"])
def test_other_files_are_refused_by_name(text: str, tmp_path: Path) -> None:
    """The error names the file, and the tools that are known."""
    file = _written(tmp_path, text, "other.txt")

    with pytest.raises(UnreadableFile, match=r"other\.txt"):
        read_measurement(file)


def test_a_result_of_another_form_is_refused(tmp_path: Path) -> None:
    """A tool's file without its required values is an error with the tool's name, not a crash."""
    file = _written(tmp_path, {"log_history": 3, "global_step": 1, "train_batch_size": 8})

    with pytest.raises(UnreadableFile, match="looks like Hugging Face Trainer"):
        read_measurement(file)


@pytest.mark.parametrize("name", sorted(path.name for path in OUTPUTS.iterdir()))
def test_one_reader_recognises_each_file(name: str) -> None:
    """No two readers claim the same file."""
    from plimsoll.readers.reading import content_of

    content = content_of(OUTPUTS / name)

    assert len([one for one in READERS if one.recognises(content)]) == 1
