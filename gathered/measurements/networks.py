"""Networks counted in samples: Deep Learning Examples, MLPerf, Lambda Labs and single devices of 2015 to 2018."""

from __future__ import annotations

import re

from gathered.measurements.common import (
    GPUS_A_MACHINE,
    Columns,
    common,
    found,
    found_whole,
    nodes,
    set_rate,
)
from gathered.measurements.figures import RawRow

ACCUMULATED_BATCHES = (2048, 4096)  # the BERT tables print the batch of a whole step as a device's
LONG_SEQUENCE = 512
GPUS_OF_DGX2 = 16
TABLES_MONTH = "2021-08"  # of tables without a container: the middle of those that name one, 2020-06 to 2022-10
# Tokens in one direction of the reference pair of transformer-big; its batches are counted in tokens.
TOKENS_OF_A_SENTENCE = 32

BLEU = "the table's figures are not tokens a second: a score of quality, or thousands"
DECODED = "the tokens that a beam search decodes are not those of a sample"
SUMMARIES = "the lengths of article and summary are not stated"
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
    if not columns["date"]:
        columns["date"] = TABLES_MONTH
    if "Paddle-TRT" in raw["note"]:
        columns["framework"] = "tensorrt"  # Paddle runs the graph in TensorRT
    if columns["model"].startswith(("bert", "transformer-xl", "bart")):
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
    """Reasons to exclude the row from fits."""
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
        (DECODED if inference else BLEU if raw["framework"] == "TensorFlow 1" else "") if model == "gnmt" else "",
        SUMMARIES if model == "bart-large" and columns["sequence_length"] is None else "",
        TWO_MODELS if model == "fastpitch" and raw["metric"] == "samples/s" else "",
    ]


def _unstated_batch(columns: Columns) -> bool:
    return columns["batch_size"] is None or columns["batch_size"] in ACCUMULATED_BATCHES


# Precisions that the accuracy limits of the closed division allow; the logs state none.
_PRECISIONS = {
    "resnet50": "int8", "retinanet": "int8", "bert-99": "int8", "llama2-70b": "fp8", "mixtral": "fp8", "gptj": "fp8",
    "3d-unet": "int8",
}  # fmt: skip
_GUESSED = {"bert-99.9": "fp8", "dlrm-v2": "int8", "stable-diffusion-xl": "fp16"}
BERT_MEAN_LENGTH = 178  # tokens of a SQuAD sequence without padding, which the submissions pack (throughput study)
DLRM_PAIRS_A_SAMPLE = 270.0  # user-item pairs of a sample at the mean (throughput study)

PRECISION = "the precision is not stated, and the accuracy limit leaves a choice"
PAIRS = "a sample holds a varying number of user-item pairs: converted at the mean"
WINDOWS = "a scan holds a varying number of windows"
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
    if benchmark.startswith(("llama2", "mixtral", "gptj")):
        _language_model(columns, raw)
    elif raw["metric"] == "latency_ms":
        columns |= {"metric": "latency_ms", "value": float(raw["value"])}
    else:
        set_rate(columns, raw)
    if columns["model"] == "dlrm-v2":
        columns["value"] *= DLRM_PAIRS_A_SAMPLE
        columns["doubts"].append(PAIRS)
    if columns["model"] == "unet-3d":
        columns["doubts"].append(WINDOWS)
    return columns


CROPS = {"unet-3d": "mixed"}  # precision of every submission's script
LORA_LENGTH = 8192
NOT_IN_THE_LOG = "the precision is not in the log"
SPLIT_SAMPLES = "one sample is split over devices, which cannot be asked for"
SEVERAL_MACHINES = "the network between the machines is not stated"


def mlperf_training(raw: RawRow) -> Columns:
    """Samples a second of the whole system while it trains; times to a target quality are left out."""
    columns = common({**raw, "batch_size_per_device": raw["batch_size_per_device"].split(".")[0]})
    columns |= {"tuning": "tuned", "precision": CROPS.get(columns["model"], "bf16")}
    nodes(columns)
    set_rate(columns, raw)
    if columns["model"] not in CROPS:
        columns["doubts"].append(NOT_IN_THE_LOG)
    if columns["model"] == "llama-2-70b":
        columns |= {"metric": "tokens/s", "value": columns["value"] * LORA_LENGTH, "sequence_length": LORA_LENGTH}
        columns |= {"method": "lora", "packed": True}
    if float(raw["batch_size_per_device"]) < 1:
        columns["doubts"].append(SPLIT_SAMPLES)
    columns["batch_size"] = columns["batch_size"] or None
    if columns["node_count"] > 1:
        columns["doubts"].append(SEVERAL_MACHINES)
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


_RANGE = re.compile(r"range ([\d.e+]+)-([\d.e+]+)")
_VCPUS_OF_P3 = {"p3.2xlarge": 8, "p3.8xlarge": 32, "p3.16xlarge": 64}
NO_KERNELS = "a library without kernels for processors: ten times slower than any other"
VALIDATED = "an epoch validates as many samples as it trains"
CACHE = "sentences of many lengths fill the allocator's cache: the driver's figure is no need of the training"
REAL_FILES = "reads real files from an unstated disk, decoded by the host's processor"
NCF_TOGETHER = "several devices with this recommender: some figures of the source are far above linear"


def lambda_labs(raw: RawRow) -> Columns:
    """A row of any of the three kinds; half precision is automatic mixed precision."""
    columns = common(raw)
    detail = raw["workload_detail"]
    if columns["precision"] == "fp16":
        columns["precision"] = "mixed"
    if columns["model"].startswith("bert"):
        columns["sequence_length"] = found_whole(r"seq len (\d+)", detail)
        columns["tuning"] = "tuned"  # NVIDIA's own script, with fused optimizer, norms and activations (its README)
    if columns["model"] == "transformer-xl-large":
        columns["sequence_length"] = found_whole(r"tgt_len (\d+)", detail)
    _measured(columns, raw)
    columns["spread"] = _spread(raw)
    columns["cpu"] = found(r"; CPU (.+)$", raw["note"])
    instance = raw["instance_type"]
    columns |= {"instance_type": instance or None, "vcpus": _VCPUS_OF_P3.get(instance)}
    if columns["device_count"] > 1 and "real ImageNet files" in detail:
        columns["doubts"].append(REAL_FILES)
    if columns["metric"] == "peak_memory_gib" and columns["model"] == "gnmt":
        columns["doubts"].append(CACHE)
    if columns["device_count"] > 1 and columns["model"] == "ncf":
        columns["doubts"].append(NCF_TOGETHER)
    return columns


def _measured(columns: Columns, raw: RawRow) -> None:
    """The metric and value; memory is what the driver reports, in GiB."""
    if raw["metric"] == "max_batch":
        batch = float(raw["value"])
        columns |= {"metric": "largest_batch", "value": batch, "batch_size": int(batch)}
    elif raw["metric"] == "peak_memory_gb":
        columns |= {"metric": "peak_memory_gib", "value": float(raw["value"])}
    else:
        set_rate(columns, raw)


def _spread(raw: RawRow) -> float | None:
    """Full range over the value, where several machines were merged."""
    limits = _RANGE.search(raw["note"])
    return (float(limits[2]) - float(limits[1])) / float(raw["value"]) if limits else None


# Training samples of an epoch: the data sets' own sizes; windows of 40 characters every 3 of nietzsche.txt.
SAMPLES_AN_EPOCH = {
    "fasttext": 25_000,
    "lstm-text-generation": 200_285,
    "char-embedding-lstm": 200_287,
    "bilstm": 25_000,
    "mnist-cnn": 60_000,
    "mnist-mlp": 60_000,
}
C5_VCPUS = {"c5.xlarge": 4, "c5.2xlarge": 8, "c5.4xlarge": 16, "c5.9xlarge": 36, "c5.18xlarge": 72}
K80_A_P2_16XLARGE = 16


# As printed: the framework's own convolutions, or in OpenCL. They took 1.5 to 23 times as long as with cuDNN (release 4
# to 5.1) with the same network and card, and Torch7 and Caffe both have it. That source's plain Caffe took as long as
# Torch7's own, to within 8%.
OWN_CONVOLUTIONS = (
    "nn backend without cuDNN", "Torch-7 (native)", "CL-nn (Torch)", "Caffe", "Caffe (native)", "Caffe-CLGreenTea",
)  # fmt: skip
WITHOUT_CUDNN = "convolutions without the vendor's library, which cannot be asked for"


def early_gpu(raw: RawRow) -> Columns:
    """jcjohnson, soumith: time a batch; forward and backward pass without the optimizer's step."""
    columns = common(raw)
    set_rate(columns, raw)
    if columns["accelerator"] is None:
        columns["doubts"].append(NO_KERNELS)
    elif raw["framework"] in OWN_CONVOLUTIONS or raw["framework_version"] in OWN_CONVOLUTIONS:
        columns["doubts"].append(WITHOUT_CUDNN)
    return columns


DEVICES_A_P2, P2 = 8, "p2.8xlarge"


# The scripts of that guide have an AlexNet of their own (tensorflow/benchmarks@039fa955, alexnet_model.py): 0.74 of the
# operations of MXNet's, which has the same name in print.
OWN_ALEXNET = "AlexNet (tf_cnn_benchmarks)"


def tensorflow_guide(raw: RawRow) -> Columns:
    """TensorFlow's own tables of 2017: images a second of all devices."""
    columns = common(raw, OWN_ALEXNET if raw["model"] == "Alexnet" else None)
    set_rate(columns, raw)
    if "real data" in raw["workload_detail"]:
        columns["doubts"].append(REAL_FILES)
    if raw["instance_type"].startswith(P2):
        columns |= {"instance_type": P2, "cloud": "aws"}
    nodes(columns, DEVICES_A_P2)
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
    if columns["model"] == "bilstm":
        columns["doubts"].append(VALIDATED)
    return columns
