"""Rows of raw figures as measurements, each by the reader of its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gathered.measurements import language_models, networks, neuron
from gathered.measurements.common import Columns, measurement
from gathered.measurements.figures import RawRow, read_file
from gathered.measurements.neuron import CONTRADICTS, contradicting
from plimsoll_service.evidence.measurement import EvidenceError, Measurement

FILES = (
    "training_cnn",
    "training_nlp",
    "training_llm",
    "inference_classic",
    "inference_llm",
    "cpu_vs_gpu",
    "finetune_memory",
)
READERS: dict[str, Callable[[RawRow], Columns]] = {
    "aic-silicon": language_models.aiconfigurator,
    "dle": networks.deep_learning_examples,
    "glample": networks.recurrent,
    "jcjohnson": networks.early_gpu,
    "lambda": networks.lambda_labs,
    "litgpt": language_models.litgpt,
    "llamacpp-xdai": language_models.llama_cpp,
    "llm-foundry": language_models.llm_foundry,
    "megatron-bridge": language_models.megatron,
    "minimaxir": networks.keras_epochs,
    "mlperf-inf-v4.1": networks.mlperf,
    "mlperf-train-v4.0": networks.mlperf_training,
    "mxnet-perf": networks.mxnet,
    "neuron": neuron.neuron,
    "soumith": networks.early_gpu,
    "tf-benchmarks": networks.tensorflow_guide,
    "torchtitan": language_models.torchtitan,
    "torchtune": language_models.torchtune,
    "trtllm": language_models.tensorrt_llm,
    "u39kun": networks.early_gpu,
}
# Rows that are left out: a time to a quality is no figure of a machine alone, and PEFT's README states neither batch,
# length nor precision.
TIME_TO_QUALITY, UNSTATED = "time_to_train_min", "peft"


def gathered_measurements(*figures: Path) -> list[Measurement]:
    """Return every row of figures folders as a measurement; raises ``EvidenceError``."""
    numbered: Counter[str] = Counter()
    found = []
    for raw in (row for folder in figures for row in read_figures(folder)):
        if raw["metric"] == TIME_TO_QUALITY or raw["source"] == UNSTATED:
            continue
        numbered[raw["source"]] += 1
        found.append(_measurement(raw, f"{raw['source']}-{numbered[raw['source']]:04d}"))
    doubtful = contradicting(found)
    return [replace(row, doubt=row.doubt or CONTRADICTS) if row.id in doubtful else row for row in found]


def _measurement(raw: RawRow, identity: str) -> Measurement:
    reader = READERS.get(raw["source"])
    if reader is None:
        raise EvidenceError(f"unknown source {raw['source']!r}: {', '.join(READERS)}")
    try:
        return measurement(reader(raw), identity)
    except (ValueError, KeyError, TypeError, IndexError, StopIteration) as error:
        raise EvidenceError(f"{identity} ({raw['model']}, {raw['metric']} {raw['value']!r}): {error!r}") from error


def read_figures(folder: Path) -> list[RawRow]:
    """Return all rows in the order of the files; raises ``EvidenceError``."""
    paths = [path for path in (folder / f"{name}.csv.gz" for name in FILES) if path.exists()]
    if not paths:
        raise EvidenceError(f"{folder} has none of {', '.join(f'{name}.csv.gz' for name in FILES)}")
    return [row for path in paths for row in read_file(path)]
