"""Build of the table of measurements from gathered figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from plimsoll_service.evidence.imports import language_models, networks, neuron
from plimsoll_service.evidence.imports.common import Columns, measurement
from plimsoll_service.evidence.imports.figures import RawRow, own_measurements, read_figures
from plimsoll_service.evidence.imports.neuron import CONTRADICTS, contradicting
from plimsoll_service.evidence.measurement import EvidenceError, Measurement, by_source, write
from plimsoll_service.evidence.published import MEASUREMENTS

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


@dataclass(frozen=True)
class Built:
    """Number of measurements written, by source."""

    rows: Counter[str]

    def __str__(self) -> str:
        lines = [f"{'source':<18}{'measurements':>14}", *(f"{key:<18}{rows:>14,}" for key, rows in self.rows.items())]
        return "\n".join([*lines, f"{'total':<18}{self.rows.total():>14,}"])


def build(figures: Sequence[Path] = (), output: Path | None = None) -> Built:
    """Write one file for each source into ``output``, by default over the bundled table; raises ``EvidenceError``.

    The rows are those of the figures folders, if any are given, and the project's own gathered tables.
    """
    rows = by_source([*gathered_measurements(*figures), *own_measurements()])
    folder = output or Path(str(resources.files(__package__) / MEASUREMENTS))
    folder.mkdir(parents=True, exist_ok=True)
    for source, found in sorted(rows.items()):
        write(folder / f"{source}.csv", found)
    return Built(Counter({source: len(found) for source, found in sorted(rows.items())}))
