"""NVIDIA's Deep Learning Examples: vendor-tuned training and inference, from the tables of READMEs."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import GPUS_A_MACHINE, Columns, common, nodes
from plimsoll_service.evidence.imports.figures_folder import RawRow
from plimsoll_service.evidence.imports.sample_rates import set_rate
from plimsoll_service.evidence.imports.words import found_whole

ACCUMULATED_BATCHES = (2048, 4096)  # printed as a device's batch by the BERT tables, but of a whole step
LONG_SEQUENCE = 512
GPUS_OF_DGX2 = 16
# The length of one direction of the reference pair of transformer-big, in whose tokens its batches are counted.
TOKENS_OF_A_SENTENCE = 32

LOST_DIGITS = "the table's figures lost digits: fragments of numbers with a comma, or without their exponent"
FORWARD_BATCH = "the batch of a forward pass is not stated"
PADDING = "padding is skipped, so a sequence is shorter than its nominal length"
TRANSLATED_TOKENS = "whether source tokens are counted is not stated"
MEMORY_OF_640 = "640 tokens of memory are not the model's customary input"
GROWING_IMAGES = "the size of the training images is not stated"
HOST_WORK = "detection boxes are post-processed on the host"
TWO_MODELS = "no such model: two models one after the other, counted in audio samples"


def deep_learning_examples(raw: RawRow) -> Columns:
    """A row of a README's table; TF32 printed for a V100 is fp32."""
    columns = common(raw)
    columns["tuning"] = "tuned"
    if raw["framework"] == "TensorFlow 1" and not raw["framework_version"]:
        columns["framework_version"] = "1.15"  # the last release of TensorFlow 1
    if "Paddle-TRT" in raw["note"]:
        columns["framework"] = "tensorrt"  # Paddle hands the graph over
    if columns["model"].startswith(("bert", "transformer-xl")):
        columns["sequence_length"] = found_whole(r"seq(?:uence)?[ _-]len(?:gth)?[= ]*(\d+)", raw["workload_detail"])
    columns["doubts"] += [doubt for doubt in _doubts(columns, raw) if doubt]
    if columns["batch_size"] in ACCUMULATED_BATCHES and columns["model"] == "bert-large":
        columns["batch_size"] = None
    nodes(columns, GPUS_A_MACHINE if "A100" in raw["device"] else GPUS_OF_DGX2)
    _set_rate(columns, raw)
    return columns


def _set_rate(columns: Columns, raw: RawRow) -> None:
    """Samples a second; a translation model's tokens stay tokens."""
    set_rate(columns, raw)
    if columns["model"] == "transformer-big":
        columns["metric"] = "tokens/s"
        columns["batch_size"] = columns["batch_size"] // TOKENS_OF_A_SENTENCE


def _doubts(columns: Columns, raw: RawRow) -> list[str]:
    """Why the row is to be left out of fits."""
    model, inference = columns["model"], raw["task"] == "inference"
    old_bert = raw["framework"] in ("PyTorch", "PaddlePaddle") and columns["sequence_length"] == LONG_SEQUENCE
    return [
        LOST_DIGITS if model == "ncf" and (raw["framework"] == "TensorFlow 1" or inference) else "",
        FORWARD_BATCH if model == "bert-large" and _unstated_batch(columns) else "",
        PADDING if model == "bert-large" and old_bert else "",
        TRANSLATED_TOKENS if model == "transformer-big" else "",
        MEMORY_OF_640 if model == "transformer-xl-base" and inference else "",
        GROWING_IMAGES if model == "efficientnet-v2-s" and not inference else "",
        HOST_WORK if model == "ssd320" else "",
        TWO_MODELS if model == "fastpitch" and raw["metric"] == "samples/s" else "",
    ]


def _unstated_batch(columns: Columns) -> bool:
    return columns["batch_size"] is None or columns["batch_size"] in ACCUMULATED_BATCHES
