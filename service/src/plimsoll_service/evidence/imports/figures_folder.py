"""The figures folder: gathered figures as their sources print them, one compressed CSV file a kind of figure.

Each file has the columns ``source, repo, path, commit_or_date, task, framework, framework_version, model,
model_params, workload_detail, precision, batch_size_per_device, device, device_count, instance_type, metric, value,
note``: names as printed, the source's own unit in ``metric``, and whatever else it says of the workload in words in
``workload_detail`` and ``note``. Files that a folder lacks are passed over; a folder with none of them is refused.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

from plimsoll_service.evidence.columns import EvidenceError

RawRow = dict[str, str]
FILES = (
    "training_cnn",
    "training_nlp",
    "training_llm",
    "inference_classic",
    "inference_llm",
    "cpu_vs_gpu",
    "finetune_memory",
)
NEEDED = ("source", "task", "framework", "model", "workload_detail", "precision", "device", "metric", "value", "note")


def read(folder: Path) -> list[RawRow]:
    """All rows in the order of the files; raises ``EvidenceError`` where there are none or a column is missing."""
    paths = [path for path in (folder / f"{name}.csv.gz" for name in FILES) if path.exists()]
    if not paths:
        raise EvidenceError(f"{folder} has none of {', '.join(f'{name}.csv.gz' for name in FILES)}")
    return [row for path in paths for row in read_file(path)]


def read_file(path: Path) -> list[RawRow]:
    """The rows of one file; raises ``EvidenceError`` where it is no such file."""
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise EvidenceError(f"{path.name}: {error}") from error
    missing = set(NEEDED) - set(reader.fieldnames or ())
    if missing:
        raise EvidenceError(f"{path.name} lacks the columns {', '.join(sorted(missing))}")
    return rows
