"""Figures of 2015 to 2018: single-device networks, MXNet's own tables, Keras on processors."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns, common
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.sample_rates import set_rate
from plimsoll_service.evidence.imports.words import found, found_whole

# Training samples of an epoch: the data sets' own sizes; windows of 40 characters every 3 of nietzsche.txt.
SAMPLES_AN_EPOCH = {
    "fasttext": 25_000,
    "lstm-text-generation": 200_285,
    "char-embedding-lstm": 200_287,
    "mnist-cnn": 60_000,
    "mnist-mlp": 60_000,
}
C5_VCPUS = {"c5.xlarge": 4, "c5.2xlarge": 8, "c5.4xlarge": 16, "c5.9xlarge": 36, "c5.18xlarge": 72}
K80_A_P2_16XLARGE = 16


def early_gpu(raw: RawRow) -> Columns:
    """jcjohnson, soumith: time a batch; forward and backward pass without the optimizer's step."""
    columns = common(raw)
    set_rate(columns, raw)
    return columns


def recurrent(raw: RawRow) -> Columns:
    """glample: time an example of one recurrent layer; the width names the model."""
    width = found(r"hidden size (\d+)", raw["workload_detail"])
    columns = common(raw, f"{raw['model']} {width}")
    columns["sequence_length"] = found_whole(r"seq len (\d+)", raw["workload_detail"])
    set_rate(columns, raw)
    return columns


def mxnet(raw: RawRow) -> Columns:
    """MXNet's tables: C5 instances, K80 and V100, scaling over p2.16xlarge, and a batch that ran out of memory."""
    columns = common(raw)
    if raw["metric"] == "max_batch":
        columns |= {"metric": "fits", "value": 0.0}
        return columns
    set_rate(columns, raw)
    instance = raw["instance_type"].split(" ")[0]
    if instance in C5_VCPUS:
        columns |= {"instance_type": instance, "vcpus": C5_VCPUS[instance]}
    if "kvstore" in raw["workload_detail"]:
        columns["node_count"] = max(1, columns["device_count"] // K80_A_P2_16XLARGE)
    if instance == "p3.2xlarge":
        columns["instance_type"] = instance
    return columns


def keras_epochs(raw: RawRow) -> Columns:
    """minimaxir: seconds an epoch, validation included where the script validates; builds as installed or compiled."""
    columns = common(raw)
    columns["tuning"] = "tuned" if "compiled" in raw["framework"] else "stock"
    columns |= {"metric": "samples/s", "value": SAMPLES_AN_EPOCH[columns["model"]] / float(raw["value"])}
    return columns
