"""Raw rows in the form of a figures folder, and the folder."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

from gathered.measurements.figures import RawRow

COLUMNS = (
    "source", "repo", "path", "commit_or_date", "task", "framework", "framework_version", "model", "model_params",
    "workload_detail", "precision", "batch_size_per_device", "device", "device_count", "instance_type", "metric",
    "value", "note",
)  # fmt: skip
PLAIN = {
    "source": "lambda",
    "task": "training",
    "framework": "PyTorch",
    "framework_version": "1.13.0a0+d0d6b1f",
    "model": "ResNet-50 v1.5",
    "workload_detail": "ImageNet, 224x224 (synthetic data backend)",
    "precision": "fp16 (AMP)",
    "batch_size_per_device": "256",
    "device": "A100 80GB SXM4",
    "device_count": "1",
    "metric": "images/s",
    "value": "1582.5",
}


def raw(**columns: str) -> RawRow:
    """A row of Lambda's training, with the given columns changed."""
    return dict.fromkeys(COLUMNS, "") | PLAIN | columns


def figures_folder(folder: Path, rows: list[RawRow], name: str = "training_cnn") -> Path:
    """The folder with one file of these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / f"{name}.csv.gz", "wt", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return folder
