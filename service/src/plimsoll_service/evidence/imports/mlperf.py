"""MLPerf Inference: audited submissions, whose logs say neither precision nor batch."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns, common, nodes
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.sample_rates import set_rate
from plimsoll_service.evidence.imports.words import found

# What the accuracy limits of the closed division let the submitters use; the logs do not say.
_PRECISIONS = {"resnet50": "int8", "retinanet": "int8", "bert-99": "int8", "llama2-70b": "fp8"}
_GUESSED = {"bert-99.9": "fp8", "dlrm-v2": "int8", "stable-diffusion-xl": "fp16"}
BERT_MEAN_LENGTH = 178  # tokens of a SQuAD sequence without padding, which the submissions pack (throughput study)
DLRM_PAIRS_A_SAMPLE = 270.0  # user-item pairs of a sample at the mean (throughput study)

PRECISION = "the precision is not stated, and the accuracy limit leaves a choice"
PAIRS = "a sample holds a varying number of user-item pairs: converted at the mean"
LENGTHS = "prompts and answers vary in length: only their limits are stated"


def mlperf(raw: RawRow) -> Columns:
    """A figure of a submission; Offline has all requests at once, Server a latency limit."""
    columns = common(raw)
    benchmark, scenario = raw["workload_detail"].split(" ")[1:3]
    loads = {"Offline": "offline", "Server": "server"}
    columns |= {
        "tuning": "tuned",
        "load": loads.get(scenario.rstrip(";"), "single"),
        "framework_version": found(r"TensorRT ([\d.]+)", raw["framework"]),
        "precision": _precision(columns, benchmark),
        "sequence_length": BERT_MEAN_LENGTH if benchmark.startswith("bert") else None,
    }
    nodes(columns)
    if benchmark.startswith("llama2"):
        _language_model(columns, raw)
    elif raw["metric"] == "latency_ms":
        columns |= {"metric": "latency_ms", "value": float(raw["value"])}
    else:
        set_rate(columns, raw)
    if columns["model"] == "dlrm-v2":
        columns["value"] *= DLRM_PAIRS_A_SAMPLE
        columns["doubts"].append(PAIRS)
    return columns


def _precision(columns: Columns, benchmark: str) -> str:
    """The most likely precision, with a doubt where there is a choice."""
    for name, precision in _GUESSED.items():
        if benchmark.startswith(name):
            columns["doubts"].append(PRECISION)
            return precision
    return next(precision for name, precision in _PRECISIONS.items() if benchmark.startswith(name))


def _language_model(columns: Columns, raw: RawRow) -> None:
    metric = "output_tokens/s" if raw["metric"] == "tokens/s" else raw["metric"]
    columns |= {"metric": metric, "value": float(raw["value"]), "framework": "tensorrt-llm", "framework_version": None}
    columns["doubts"].append(LENGTHS)
