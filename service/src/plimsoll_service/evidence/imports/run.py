"""The import as a whole: a figures folder in, the table's files out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plimsoll_service.evidence import columns
from plimsoll_service.evidence.columns import EvidenceError
from plimsoll_service.evidence.imports import (
    aiconfigurator,
    deep_learning_examples,
    early_networks,
    figures_folder,
    fine_tuning,
    gathered,
    lambda_labs,
    mlperf,
    neuron,
    serving_tables,
    token_training,
)
from plimsoll_service.evidence.imports.common import Columns, measurement
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.generation_runs import contradicting
from plimsoll_service.evidence.measurement import Measurement

READERS: dict[str, Callable[[RawRow], Columns]] = {
    "aic-silicon": aiconfigurator.aiconfigurator,
    "dle": deep_learning_examples.deep_learning_examples,
    "glample": early_networks.recurrent,
    "jcjohnson": early_networks.early_gpu,
    "lambda": lambda_labs.lambda_labs,
    "litgpt": fine_tuning.litgpt,
    "llamacpp-xdai": serving_tables.llama_cpp,
    "llm-foundry": token_training.llm_foundry,
    "megatron-bridge": token_training.megatron,
    "minimaxir": early_networks.keras_epochs,
    "mlperf-inf-v4.1": mlperf.mlperf,
    "mxnet-perf": early_networks.mxnet,
    "neuron": neuron.neuron,
    "soumith": early_networks.early_gpu,
    "torchtitan": token_training.torchtitan,
    "torchtune": fine_tuning.torchtune,
    "trtllm": serving_tables.tensorrt_llm,
}


def measurements(figures: Path) -> list[Measurement]:
    """Every row of the figures folder as a measurement; raises ``EvidenceError`` for what cannot be read."""
    numbered: Counter[str] = Counter()
    found = []
    for raw in figures_folder.read(figures):
        numbered[raw["source"]] += 1
        found.append(_measurement(raw, f"{raw['source']}-{numbered[raw['source']]:04d}"))
    doubtful = contradicting(found)
    return [replace(row, doubt=row.doubt or neuron.CONTRADICTS) if row.id in doubtful else row for row in found]


def _measurement(raw: RawRow, identity: str) -> Measurement:
    reader = READERS.get(raw["source"])
    if reader is None:
        raise EvidenceError(f"unknown source {raw['source']!r}: {', '.join(READERS)}")
    try:
        return measurement(reader(raw), identity)
    except (ValueError, KeyError, TypeError, IndexError, StopIteration) as error:
        raise EvidenceError(f"{identity} ({raw['model']}, {raw['metric']} {raw['value']!r}): {error!r}") from error


def build(figures: Path | None, output: Path) -> Counter[str]:
    """Write one file a source into ``output`` and answer the rows of each; raises ``EvidenceError``.

    The project's own gathered tables join those of the figures folder; without one they are written alone.
    """
    rows = columns.by_source([*(measurements(figures) if figures else []), *gathered.measurements()])
    output.mkdir(parents=True, exist_ok=True)
    for source, found in sorted(rows.items()):
        columns.write(output / f"{source}.csv", found)
    return Counter({source: len(found) for source, found in sorted(rows.items())})
