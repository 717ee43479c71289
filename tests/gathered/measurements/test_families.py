"""Rows of each family of sources: units, counts, and doubts."""

from __future__ import annotations

import pytest
from gathered.measurements import language_models, networks, neuron
from gathered.measurements.common import measurement
from gathered.measurements.read import READERS
from tests.gathered.measurements.figures import raw

from plimsoll_service.evidence.measurement import Measurement


def read(source: str, **columns: str) -> Measurement:
    """Measurement that the source's module makes of a row."""
    return measurement(READERS[source](raw(source=source, **columns)), f"{source}-0001")


@pytest.mark.parametrize(
    ("device", "printed", "precision"),
    [
        ("A100 80GB SXM4", "fp32 (TF32 default in NGC container on Ampere+)", "tf32"),
        ("V100 16GB SXM2", "fp32 (TF32 default in NGC container on Ampere+)", "fp32"),
        ("A100 80GB SXM4", "fp16 (AMP)", "mixed"),
        ("A100 80GB SXM4", "fp16", "mixed"),
    ],
)
def test_precisions_of_training_scripts(device: str, printed: str, precision: str) -> None:
    """fp32 is TF32 on Ampere and later; half precision is mixed."""
    assert read("lambda", device=device, precision=printed).precision == precision


@pytest.mark.parametrize(
    ("model", "unit", "printed", "samples"),
    [
        ("Transformer-XL base", "tokens/s", "19200", 100.0),
        ("Tacotron2", "mel_frames/s", "5660", 10.0),
        ("WaveGlow", "audio_samples/s", "80000", 10.0),
        ("GNMT v2", "tokens/s", "5000", 100.0),
    ],
)
def test_rates_are_in_the_samples_of_the_profile(model: str, unit: str, printed: str, samples: float) -> None:
    """Rates are in segments, clips and pieces of audio, not in their parts."""
    assert read("lambda", model=model, metric=unit, value=printed).value == pytest.approx(samples)


def test_merged_machines_keep_their_spread() -> None:
    """The spread is the full range over the value."""
    row = read("lambda", value="100", note="median of 6 machine(s), range 90-110; system x")

    assert row.spread == pytest.approx(0.2)


def test_largest_batch_and_peak_memory() -> None:
    """The batch is the value; memory is in GiB as the driver says."""
    batch = read("lambda", metric="max_batch", value="192")
    peak = read("lambda", metric="peak_memory_gb", value="6.586")

    assert (batch.metric, batch.value, batch.batch_size) == ("largest_batch", 192.0, 192)
    assert (peak.metric, peak.value) == ("peak_memory_gib", 6.586)


def test_real_files_are_doubted_on_several_devices() -> None:
    """Rows with real files are doubted on several devices, because files limit them."""
    files = "ImageNet, 224x224 (real ImageNet files, DALI-cpu loader)"

    assert read("lambda", workload_detail=files).doubt == ""
    assert read("lambda", workload_detail=files, device_count="8").doubt == networks.REAL_FILES
    assert read("lambda", model="NCF (NeuMF)", device_count="8").doubt == networks.NCF_TOGETHER


def test_batches_of_a_whole_step_are_none_of_a_device() -> None:
    """BERT's batch of 4,096 is accumulated, not that of a device."""
    row = read("dle", model="BERT-large", batch_size_per_device="4096", workload_detail="Sequence length=128")

    assert (row.batch_size, row.sequence_length, row.tuning) == (None, 128, "tuned")
    assert row.doubt == networks.FORWARD_BATCH


def test_skipped_padding_and_lost_digits_are_doubted() -> None:
    """BERT at 512 in PyTorch and NCF in TensorFlow are doubted."""
    bert = read("dle", model="BERT-large", workload_detail="Sequence length=512", batch_size_per_device="32")
    ncf = read("dle", framework="TensorFlow 1", model="NCF (NeuMF)", metric="samples/s", value="20.18")

    assert bert.doubt == networks.PADDING
    assert ncf.doubt == networks.LOST_DIGITS


def test_out_of_memory_is_a_measurement() -> None:
    """A run out of memory is a measurement: the batch does not fit."""
    row = read("mxnet-perf", framework="MXNet", metric="max_batch", value="OOM", batch_size_per_device="2048")

    assert (row.metric, row.value, row.batch_size) == ("fits", 0.0, 2048)


def test_an_epoch_becomes_samples_a_second() -> None:
    """MNIST's 60,000 samples in a minute are a rate."""
    row = read(
        "minimaxir",
        framework="Keras + TensorFlow pip wheel",
        model="Keras MLP 784-512-512-10",
        device="Skylake Xeon 16 vCPU",
        metric="seconds_per_epoch",
        value="60",
    )

    assert (row.value, row.vcpus, row.accelerator, row.device_count) == (pytest.approx(1000.0), 16, None, 1)
    assert networks.SAMPLES_AN_EPOCH[row.model] == 60_000


def test_rates_by_device_become_totals() -> None:
    """Megatron-Bridge and torchtitan print them by device."""
    recipe = "Pre-Training Performance; GBS=128; MBS=1; Sequence Length=8192; FSDP=0; TP=4; PP=8; CP=1; VP=5; EP=1"
    row = read(
        "megatron-bridge",
        framework="Megatron-Bridge (NeMo)",
        model="LLAMA3_70B",
        device="H100 80GB SXM5",
        device_count="64",
        precision="FP8-CS",
        batch_size_per_device="1",
        workload_detail=recipe,
        metric="tokens/s/gpu",
        value="1600",
    )

    assert (row.metric, row.value, row.node_count) == ("tokens/s", 102_400.0, 8)
    assert (row.precision, row.tensor_parallel, row.pipeline_parallel, row.sequence_length) == ("fp8", 4, 8, 8192)
    assert row.doubt == ""


def test_two_recipes_in_one_row_are_doubted() -> None:
    """A row with the degrees of a second recipe in brackets is doubted."""
    row = read(
        "megatron-bridge", model="LLAMA3_70B", device="", workload_detail="TP=1 (2); Sequence Length=8192", value="1"
    )

    assert language_models.TWO_RECIPES in row.doubt
    assert "device" in row.doubt


def test_techniques_add_up() -> None:
    """Each cumulative technique includes those before it, and LoRA includes all."""
    prefix = "full_finetune_single_device, max seq len 4096, cumulative technique: "
    columns = {"model": "Llama 3.2 3B", "metric": "tokens/s", "precision": "bf16"}
    packed = read("torchtune", **columns, workload_detail=prefix + "+ Packed Dataset")
    eight_bit = read("torchtune", **columns, workload_detail=prefix + "+ 8-bit AdamW")
    lora = read("torchtune", **columns, workload_detail=prefix + "LoRA")

    assert (packed.packed, packed.compiled, packed.activation_recomputation) == (True, False, "none")
    assert (eight_bit.optimizer, eight_bit.activation_recomputation, eight_bit.method) == ("adamw8bit", "full", "full")
    assert (lora.method, lora.compiled, lora.optimizer) == ("lora", True, "adamw")
    assert read("torchtune", **columns, workload_detail=prefix + "Baseline").doubt == language_models.UNPACKED


def test_peaks_of_a_loss_at_once_are_doubted() -> None:
    """Torchtune's recipes compute the loss in chunks since: the peak before that cannot be asked for, the rate can."""
    prefix = "full_finetune_single_device, max seq len 4096, cumulative technique: "
    columns = {"model": "Llama 3.2 3B", "precision": "bf16"}
    found = [
        read("torchtune", **columns, metric=metric, workload_detail=prefix + technique).doubt
        for metric, technique in (
            ("peak_memory_gb", "+ Compile"),
            ("peak_memory_gb", "+ Chunked Cross Entropy"),
            ("tokens/s", "+ Compile"),
        )
    ]
    assert [language_models.WHOLE_LOSS, "", ""] == found


@pytest.mark.parametrize(
    ("device", "mode", "batch"),
    [("Inferentia1", "Data Parallel", 24), ("Inferentia2", "Data Parallel", 12), ("Inferentia1", "Model Pipeline", 6)],
)
def test_batches_of_neuron_are_those_of_a_chip(device: str, mode: str, batch: int) -> None:
    """Every core answers a batch of its own: four on the first generation, two on the second; a pipeline shares one."""
    row = read(
        "neuron",
        task="inference",
        model="BERT base",
        device=device,
        instance_type="inf1.xlarge",
        precision="fp32",
        batch_size_per_device="6",
        workload_detail=f"fp32, sequence-length=128; {mode}",
        metric="inferences/s",
        value="100",
    )
    assert batch == row.batch_size


def test_memory_in_decimal_gigabytes_becomes_gib() -> None:
    """LitGPT prints 10⁹ bytes, and OOM."""
    columns = {
        "framework": "LitGPT / PyTorch",
        "model": "Llama 2 7B",
        "precision": "bf16-true + bnb.nf4",
        "workload_detail": "LoRA fine-tuning, Alpaca, longest example 1304 tokens, minibatch 128",
        "metric": "peak_memory_gb",
    }
    row = read("litgpt", **columns, value="21.474836480")

    assert (row.value, row.method, row.sequence_length) == (pytest.approx(20.0), "qlora", 1304)
    assert read("litgpt", **columns, value="OOM").metric == "fits"


def test_mlperf_says_what_it_takes_for_granted() -> None:
    """ResNet-50 counts as int8; a limit of accuracy that leaves a choice is a doubt."""
    columns = {"framework": "TensorRT 10.2.0, CUDA 12.4", "device": "NVIDIA H100-SXM-80GB", "device_count": "8"}
    images = read("mlperf-inf-v4.1", **columns, workload_detail="MLPerf resnet50 Offline; ImageNet 224x224")
    text = read(
        "mlperf-inf-v4.1", **columns, model="BERT-large", workload_detail="MLPerf bert-99.9 Server; SQuAD seq len 384"
    )

    assert (images.precision, images.load, images.framework_version, images.doubt) == ("int8", "offline", "10.2.0", "")
    assert (text.load, text.doubt) == ("server", networks.PRECISION)


def test_a_submission_trains_whole_samples_on_each_device() -> None:
    """The script's precision counts; a sample that is split over devices cannot be asked for."""
    detail = "MLPerf Training v4.0 closed; KiTS19 128x128x128; global batch 56"
    row = {"model": "3D U-Net", "workload_detail": detail, "device": "NVIDIA H100-SXM5-80GB", "metric": "samples/s"}
    whole = read("mlperf-train-v4.0", **row, device_count="8", batch_size_per_device="7", value="570")
    split = read("mlperf-train-v4.0", **row, device_count="72", batch_size_per_device="0.777778", value="3500")

    assert (whole.precision, whole.batch_size, whole.doubt) == ("mixed", 7, "")
    assert networks.SPLIT_SAMPLES in split.doubt


def test_two_readings_of_translation_are_doubted() -> None:
    """A score in place of a rate is doubted, and so is a beam, which decodes other tokens than a sample has."""
    score = read("dle", model="GNMT v2", framework="TensorFlow 1", metric="tokens/s", value="29")
    decoded = read("dle", model="GNMT v2", task="inference", metric="tokens/s", value="9000")

    assert (score.doubt, decoded.doubt) == (networks.BLEU, networks.DECODED)


def test_real_files_of_an_unstated_disk_are_doubted_on_one_device_too() -> None:
    """TensorFlow's tables have both kinds of data."""
    row = {"model": "ResNet-50", "device": "P100 (DGX-1)", "value": "219", "batch_size_per_device": "64"}

    assert networks.REAL_FILES == read("tf-benchmarks", **row, workload_detail="ImageNet, real data, sgd").doubt
    assert not read("tf-benchmarks", **row, workload_detail="ImageNet, synthetic data, sgd").doubt


def test_degrees_of_neuron_are_by_chip() -> None:
    """32 cores are 16 chips, and sequences of decoders become tokens."""
    row = read(
        "neuron",
        framework="PyTorch Neuron",
        model="Llama-3.1-70B pre-training",
        device="Trainium1",
        device_count="512",
        precision="Autocast:BF16+FP32Optimizer",
        batch_size_per_device="1",
        workload_detail="TP=32 DP=4 PP=8; seq len 8192; global batch 1024; AdamW; strong scaling",
        metric="sequences/s",
        value="8",
    )

    assert (row.tensor_parallel, row.node_count, row.value) == (16, 32, 65_536.0)
    assert row.doubt == ""


def test_degrees_that_do_not_multiply_are_doubted() -> None:
    """4 × 4 × 8 cores are not 512 chips."""
    row = read(
        "neuron", model="Llama2-7B pre-training", device="Trainium1", device_count="512", metric="sequences/s",
        precision="Autocast:BF16+SR", workload_detail="TP=8 DP=4 PP=4; global batch 1024; AdamW", value="82",
    )  # fmt: skip

    assert row.doubt == neuron.DEGREES


def test_first_tokens_and_static_batches_of_tensorrt_llm() -> None:
    """Rates by GPU become totals; a first token belongs to one request."""
    columns = {"framework": "TensorRT-LLM", "model": "LLaMA 70B", "precision": "FP8", "device": "H100 80GB SXM5"}
    static = read(
        "trtllm", **columns, device_count="4", batch_size_per_device="64", metric="output_tokens/s/gpu", value="289",
        workload_detail="ISL 2048 OSL 2048, TP 4, static batch",
    )  # fmt: skip
    first = read(
        "trtllm", **columns, device_count="4", batch_size_per_device="1", metric="ttft_ms", value="45.6",
        workload_detail="ISL 128 first token, TP 4",
    )  # fmt: skip

    assert (static.metric, static.value, static.load, static.concurrency) == ("output_tokens/s", 1156.0, "static", 64.0)
    assert (first.load, first.input_tokens, first.output_tokens) == ("single", 128, None)


def test_prefill_and_generation_of_llama_cpp() -> None:
    """A prefill is a prompt without an answer, and a generation is an answer without a prompt."""
    columns = {"framework": "llama.cpp", "model": "LLaMA 3 8B", "precision": "Q4_K_M", "device": "A40 48GB"}
    prefill = read(
        "llamacpp-xdai", **columns, metric="prefill_tokens/s", workload_detail="average prompt eval of 1024 tokens"
    )
    generation = read(
        "llamacpp-xdai", **columns, metric="tokens/s", workload_detail="average generation of 1024 tokens, batch 1"
    )

    assert (prefill.metric, prefill.input_tokens, prefill.output_tokens) == ("prefill_tokens/s", 1024, 1)
    assert (generation.metric, generation.input_tokens, generation.output_tokens) == ("output_tokens/s", 1, 1024)
    assert generation.precision == "int4"
    assert language_models.WRONG_PREFILL not in prefill.doubt


def _doubt_of_aiconfigurator(**columns: str) -> str:
    row = read(
        "aic-silicon",
        device_count="2",
        workload_detail="ISL 4000 OSL 1000; aggregated serving; concurrency 16; TP 2 PP 1 attnDP 1 moeTP 2 moeEP 1",
        metric="tpot_ms",
        value="51.4",
        **columns,
    )
    return str(row.doubt)


def test_runs_whose_time_per_token_no_load_changes_are_doubted() -> None:
    """A kernel that reads every expert, and a limit that is not the device's, say nothing of other loads."""
    qwen = {"model": "Qwen/Qwen3-235B-A22B-FP8", "device": "H200 141GB SXM", "precision": "fp8 gemm fp8 moe fp8"}
    deepseek = {"model": "nvidia/DeepSeek-R1-NVFP4", "device": "B200", "framework": "trtllm"}
    old = _doubt_of_aiconfigurator(framework="vllm", framework_version="0.12.0", **qwen)

    assert language_models.EVERY_EXPERT in old
    assert _doubt_of_aiconfigurator(framework="sglang", framework_version="0.5.6", **qwen) == ""
    assert language_models.AT_ANY_LOAD in _doubt_of_aiconfigurator(precision="fp4 gemm", **deepseek)
    assert _doubt_of_aiconfigurator(precision="fp8 gemm", **deepseek) == ""


@pytest.mark.parametrize(
    ("detail", "count", "devices", "doubt"),
    [
        ("concurrency 16; TP 4 PP 1 attnDP 1 moeTP 4 moeEP 1", "4", 4, ""),
        ("concurrency 16; TP 64 PP 1 attnDP 1 moeTP 8 moeEP 8", "64", 8, ""),
        ("concurrency 16; TP 1 PP 1 attnDP 8 moeTP 1 moeEP 8", "8", 8, language_models.DATA_PARALLEL),
    ],
)
def test_device_counts_of_aiconfigurator(detail: str, count: str, devices: int, doubt: str) -> None:
    """Tensor times expert degree counts the same eight devices twice."""
    row = read(
        "aic-silicon",
        framework="trtllm",
        model="deepseek-ai/DeepSeek-R1",
        device="H200 141GB SXM",
        device_count=count,
        precision="fp8 gemm fp8 moe fp8",
        workload_detail=f"ISL 1024 OSL 1024; aggregated serving; {detail}",
        metric="tpot_ms",
        value="13",
    )

    assert (row.device_count, row.doubt, row.concurrency) == (devices, doubt, 16.0)
    assert (row.tensor_parallel or 1) <= devices


@pytest.mark.parametrize(
    ("source", "framework", "version", "doubt"),
    [
        ("soumith", "Torch-7 (native)", "2015-2016", networks.WITHOUT_CUDNN),
        ("soumith", "Caffe-CLGreenTea", "2015-2016", networks.WITHOUT_CUDNN),
        ("soumith", "CuDNN[R4]-fp32 (Torch)", "2015-2016", ""),
        ("jcjohnson", "Torch7", "nn backend without cuDNN", networks.WITHOUT_CUDNN),
        ("jcjohnson", "Torch7", "cuDNN 5.1.05", ""),
    ],
)
def test_own_convolutions_are_doubted(source: str, framework: str, version: str, doubt: str) -> None:
    """Torch7 and Caffe are asked as they ran everywhere else, with cuDNN."""
    row = {"model": "VGG-19", "device": "Maxwell Titan X", "metric": "ms_per_batch", "value": "700"}

    assert doubt == read(source, **row, framework=framework, framework_version=version, precision="fp32").doubt


def test_tables_without_a_container_have_the_time_of_the_others() -> None:
    """The middle of the months that the source's other tables name."""
    row = {"model": "ResNet-50 v1.5", "device": "A100 80GB", "framework": "PyTorch", "value": "700"}

    assert networks.TABLES_MONTH == read("dle", **row, framework_version="", commit_or_date="729963dd47e7").date
    assert read("dle", **row, framework_version="NGC 22.10").date == "2022-10"


def test_tensorflows_alexnet_is_not_mxnets() -> None:
    """Both are printed alike; that of TensorFlow's scripts has fewer channels (tensorflow/benchmarks@039fa955)."""
    printed = {source: read(source, model="Alexnet").model for source in ("tf-benchmarks", "mxnet-perf")}

    assert printed == {"tf-benchmarks": "alexnet-tensorflow", "mxnet-perf": "alexnet-ungrouped"}
