"""Frameworks and serving engines: tasks, model families, use of host memory, release dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .models.families import LANGUAGE_MODELS, NEURAL, TABULAR, TEXT_TRANSFORMERS, family_of
from .names import NAMES_KEPT, alike, by_key, key

VISION_AND_TEXT = ("cnn", "detection", "segmentation", "rnn", "mlp", "encoder", "speech", "recommender")
BOTH = ("training", "inference")
TRAIN = ("training",)
SERVE = ("inference",)

# Host memory of the process before any data, GiB: the libraries, the interpreter and the host side of the context.
# S3-06: a whole MXNet run took 1 GB; later CUDA libraries alone map about as much again (modelled).
SMALL_BASE_GIB = 0.9
TODAYS_BASE_GIB = 2.0
NO_DEVICE_BASE_GIB = 0.3  # an interpreter with NumPy and a learner, modelled

# The networks of Whisper's design in the catalog of models.
WHISPER = (
    "whisper-tiny", "whisper-base", "whisper-small", "whisper-medium", "whisper-large", "whisper-large-v3",
    "whisper-large-v3-turbo", "distil-whisper-large-v2", "distil-whisper-large-v3", "distil-whisper-medium.en",
    "distil-whisper-small.en",
)  # fmt: skip

# 10,000 texts of 512 tokens took vLLM 24.1 s as so many requests, and 9.89 s as 625 of 16 texts (vllm-project/vllm pull
# request 23000, 2025-08-25).
EMBED_REQUEST_S = (24.10 - 9.89) / (10_000 - 625)
# Seconds that the process of a device works on each 30 s of audio besides the device's step, whatever the batch. Of
# faster-whisper (voice activity, log-mel frames, tokens) the median of measured less estimated time over nine runs at
# batches of 1 to 16 on RTX 3090 (speaches-ai/speaches issue 169, 2024-12-02) and V100S (SYSTRAN/faster-whisper, README,
# 2023). Of Transformers the same of whisper-large-v3-turbo on H100 in batches of 32, 404 s of audio a second
# (inferencebench.io, whisper-large-v3-turbo, read on 2026-11-28): 74 ms a segment, of which the device has 28. Of vLLM,
# whose server takes Transformers' extraction of features, that alone: 0.25 s for 8 segments on processors
# (huggingface/transformers issue 29901, 2024-03-27).
SEGMENT_S, TRANSFORMERS_SEGMENT_S, FEATURES_S = 0.28, 0.046, 0.25 / 8

# Transformers cuts long audio into windows of 30 s that overlap by a sixth at both ends, so that each brings 20 s
# (huggingface/transformers, pipelines/automatic_speech_recognition.py: stride_length_s). 300 minutes took
# whisper-large-v3 98 s on A100 in batches of 96 (Vaibhavs10/insanely-fast-whisper issue 44, 2023-11-14).
TRANSFORMERS_WINDOWS = 30 / 20

# Time of Whisper's step on processors over the formula's, in fp32 and in 8 bits: the usual search over 5 beams, prompts
# of what was said before, tries at higher temperatures, threads that wait for each other. whisper-small over 8 threads
# of a Xeon Gold 6226R, 26 segments of real speech (SYSTRAN/faster-whisper, README, 2023; see /v1/evidence). One thread
# of AMD EPYC (Zen 4) took 5.9 s for a segment of 104 tokens in INT8 without beams, and 7.5 s with 5 (own measurement
# of 2026-11-23, CTranslate2 4.8).
WHISPER_THREADS, WHISPER_BEAMS = 8.0, 5
CTRANSLATE2_ON_CORES, PYTORCH_ON_CORES = (3.9, 8.0), (11.5, 11.5)
# whisper.cpp over faster-whisper in the newer table: 2 min 5 s and 2 min 37 s for the same 13 minutes, in fp32 with 5
# beams on 8 threads of an i7-12700K (SYSTRAN/faster-whisper, README, whisper.cpp 1.7.2 and faster-whisper 1.1.0); in
# the old one, of 2023-02, it took 12 min 39 s. With its encoder in OpenVINO it takes 1 min 45 s; OpenVINO alone is
# taken to be as fast. 8 bits take 1/1.05 of FP16's time (``INT8_GAIN``: encoder and 104 tokens), where the formula for
# Whisper small on 8 vCPUs has 1/1.98.
OVER_CTRANSLATE2 = CTRANSLATE2_ON_CORES[0] / 157
WHISPER_CPP_ON_CORES = (125 * OVER_CTRANSLATE2, 125 * OVER_CTRANSLATE2 * 1.98 / 1.05)
OPENVINO_ON_CORES = (105 * OVER_CTRANSLATE2, 105 * OVER_CTRANSLATE2)

# ``beam_size`` of ``TranslationOptions`` (OpenNMT/CTranslate2, include/ctranslate2/translation.h, read 2026-11-28).
CTRANSLATE2_BEAMS = 2

# PyTorch's fully sharded data parallel training: naming it asks for ``sharding`` ``zero3``.
FSDP = ("fsdp", "fsdp2")
# Programs and libraries that people name as their framework, whose networks PyTorch runs.
RUN_BY_PYTORCH = (
    "openai-whisper", "whisper", "ultralytics", "timm", "torchvision", "torchaudio", "torchrec", "torchserve",
    "mmdetection", "detectron2", "coqui", "coqui-tts", "comfyui", "automatic1111", "mmsegmentation", "mmpretrain",
    "mmaction2", "monai", "nnunet", "yolov5", "fastai", "fairseq", "fairseq2", "espnet", "speechbrain", "kohya-ss",
    "kohya", "sd-scripts", "ai-toolkit", "torch-geometric", "pyg", "dgl", "stable-baselines3",
)  # fmt: skip


TORCHREC = "torchrec"


def shards_tables(named: str) -> bool:
    """Return whether the library of that name in PyTorch divides embedding tables among devices."""
    return key(named) == TORCHREC


@dataclass(frozen=True)
class Framework:
    """A framework or serving engine.

    ``holding`` names how it holds data in host memory (``HOLDING``), ``serving`` the engine of the serving
    fit, ``base`` the framework that its kernels come from. ``compiled``: the graph is compiled before it runs.
    """

    name: str
    families: tuple[str, ...]
    tasks: tuple[str, ...]
    source: str
    aliases: tuple[str, ...] = ()
    base: str = ""
    compiled: bool = False
    version: str | None = None  # the newest of the evidence
    holding: str = "streamed"
    serving: str | None = None
    host_base_gib: float = TODAYS_BASE_GIB
    models: tuple[str, ...] = ()  # where it runs these alone
    beside: tuple[str, ...] = ()  # models of other families that it runs too
    segment_s: float = 0.0  # host's seconds on each segment of Whisper that no batch saves
    windows: float = 1.0  # of 30 s that long audio is cut into, over its length
    request_s: float = 0.0  # seconds of the engine's API process for a request to embed one text
    whisper_on_cores: tuple[float, float] | None = None  # time of Whisper's step on processors over the formula's
    lone_device: bool = False  # one process serves one device alone
    packs_texts: bool = False  # encoders run fused kernels over the tokens of all texts, without padding
    unfused_on: str | None = None  # a generation on which it has none of these kernels
    tuned: bool = False  # nobody runs it otherwise: its kernels are fused as it comes
    beams: int | None = None  # of its search unless told otherwise; None: those of the model's own settings
    precision: str | None = None  # what it computes in unasked, where that is not the customary mixed one
    stock: str | None = None  # the framework that runs what a server is given without an engine built for it
    image: str | None = None  # that its last release needs, and why a current one does not do


FRAMEWORKS: tuple[Framework, ...] = (
    # Those that train (most of them also run) neural networks.
    Framework("pytorch", NEURAL, BOTH, "pytorch.org",
              ("torch", "pt", "pytorch-lightning", "lightning", "torch-xla", "pytorch-xla", *FSDP, *RUN_BY_PYTORCH),
              "pytorch", version="2.9", serving="pytorch", segment_s=TRANSFORMERS_SEGMENT_S,
              windows=TRANSFORMERS_WINDOWS,
              whisper_on_cores=PYTORCH_ON_CORES),
    Framework("huggingface", NEURAL, BOTH, "huggingface.co/docs/transformers",
              ("transformers", "hf", "hugging-face", "huggingface-transformers", "diffusers", "accelerate", "trl",
                  "optimum-habana", "sentence-transformers", "sbert", "insanely-fast-whisper"),
              "pytorch", version="2.9", serving="pytorch", segment_s=TRANSFORMERS_SEGMENT_S,
              windows=TRANSFORMERS_WINDOWS,
              whisper_on_cores=PYTORCH_ON_CORES),
    Framework("tensorflow", NEURAL, BOTH, "tensorflow.org",
              ("tf", "tensorflow-1", "tensorflow-2", "tf1", "tf2", "tensorflow-serving", "tf-serving"),
              "tensorflow", compiled=True, version="2.20"),
    Framework("keras", NEURAL, BOTH, "keras.io",
              ("keras-tensorflow", "tf-keras", "tf.keras", "keras-tensorflow-gpu-build", "keras-tensorflow-pip-wheel",
                  "keras-tensorflow-compiled-with-cpu-instructions"), "tensorflow", version="3"),
    Framework("jax", NEURAL, BOTH, "docs.jax.dev", ("flax", "maxtext", "haiku", "equinox"), "jax", compiled=True,
              serving="pytorch"),
    Framework("mxnet", VISION_AND_TEXT, BOTH, "S3-02, S3-04; mxnet.apache.org", ("apache-mxnet", "gluon", "mx"),
              "mxnet", compiled=True, version="1.9", host_base_gib=SMALL_BASE_GIB,
              image="an image that has MXNet 1.9: its development ended in 2023, and current ones leave it out"),
    Framework("nvcaffe", ("cnn", "detection", "segmentation", "mlp"), BOTH, "S3-02, S3-04, S3-07",
              ("nv-caffe", "nvidia-caffe"), "caffe", holding="mapped", host_base_gib=SMALL_BASE_GIB, version="0.17",
              precision="fp32", image="an NGC image of NVCaffe: its development ended, and current ones leave it out"),
    Framework("caffe", ("cnn", "detection", "segmentation", "mlp"), BOTH, "caffe.berkeleyvision.org",
              ("bvlc-caffe", "caffe-native", "caffe-clgreentea", "caffe2"), "caffe", holding="mapped",
              host_base_gib=SMALL_BASE_GIB, version="1.0", precision="fp32",
              image="an image with cuDNN 7: Caffe does not build with a later one"),
    Framework("torch7", VISION_AND_TEXT, BOTH, "torch.ch",
              ("lua-torch", "torch-7-native", "cl-nn", "fbfft", "cudnn-r4-fp16", "cudnn-r4-fp32", "cudnn-r2"), "torch7",
              version="7", host_base_gib=SMALL_BASE_GIB,
              image="an image with CUDA 9: Torch7 does not build with a later one"),
    Framework("theano", VISION_AND_TEXT, BOTH, "theano-pymc.readthedocs.io", ("theano-keras", "lasagne"), "theano",
              compiled=True, version="1.0", host_base_gib=SMALL_BASE_GIB,
              image="an image with cuDNN 7: Theano does not know a later one"),
    Framework("chainer", VISION_AND_TEXT, BOTH, "chainer.org", (), "chainer", version="7.8",
              host_base_gib=SMALL_BASE_GIB),
    Framework("neon", VISION_AND_TEXT, BOTH, "Nervana Systems' neon (2015-2016)",
              ("nervana-neon", "nervana-neon-fp16", "nervana-neon-fp32", "nervana"), "neon",
              host_base_gib=SMALL_BASE_GIB),
    Framework("cuda-convnet2", ("cnn",), BOTH, "Krizhevsky 2014, arXiv 1404.5997", ("cudaconvnet2", "convnet2"),
              "cuda-convnet2", host_base_gib=SMALL_BASE_GIB),
    Framework("paddle", NEURAL, BOTH, "paddlepaddle.org.cn", ("paddlepaddle", "paddle-paddle"), "paddle",
              version="3.0"),
    Framework("mindspore", NEURAL, BOTH, "mindspore.cn", (), "mindspore", compiled=True),
    Framework("deepspeed", NEURAL, BOTH, "deepspeed.ai; arXiv 1910.02054", ("microsoft-deepspeed", "zero"), "pytorch",
              serving="pytorch"),
    Framework("megatron", TEXT_TRANSFORMERS, TRAIN, "arXiv 1909.08053",
              ("megatron-lm", "megatron-core", "megatron-bridge", "nemo", "megatron-bridge-nemo"), "pytorch",
              version="26.08", tuned=True),
    Framework("llm-foundry", LANGUAGE_MODELS, TRAIN, "github.com/mosaicml/llm-foundry",
              ("composer", "mosaicml", "pytorch-fsdp", "llm-foundry-composer", "mosaic"), "pytorch"),
    Framework("torchtitan", LANGUAGE_MODELS, TRAIN, "github.com/pytorch/torchtitan", ("pytorch-torchtitan",), "pytorch",
              compiled=True),
    Framework("torchtune", LANGUAGE_MODELS, TRAIN, "github.com/pytorch/torchtune", ("torchtune-pytorch",), "pytorch"),
    Framework("litgpt", LANGUAGE_MODELS, BOTH, "github.com/Lightning-AI/litgpt",
              ("lit-gpt", "litgpt-pytorch", "lit-llama"), "pytorch", serving="pytorch"),
    Framework("peft", (*TEXT_TRANSFORMERS, "diffusion"), TRAIN, "github.com/huggingface/peft",
              ("huggingface-peft", "unsloth", "axolotl", "llama-factory"), "pytorch"),
    # Serving engines and runtimes.
    Framework("vllm", (*LANGUAGE_MODELS, "encoder"), SERVE,
              "arXiv 2309.06180; docs.vllm.ai 0.32: models/pooling_models (BERT, RoBERTa, XLM-RoBERTa), "
              "models/supported_models (Whisper)",
              ("vllm-openai",), "pytorch", version="0.27", serving="vllm", compiled=True, beside=WHISPER,
              segment_s=FEATURES_S, request_s=EMBED_REQUEST_S),
    Framework("sglang", LANGUAGE_MODELS, SERVE, "arXiv 2312.07104", ("sgl",), "pytorch", version="0.5",
              serving="sglang", compiled=True),
    Framework("tensorrt-llm", LANGUAGE_MODELS, SERVE, "github.com/NVIDIA/TensorRT-LLM",
              ("trtllm", "trt-llm", "tensorrtllm", "tensorrt-llm-pytorch-backend", "fastertransformer"), "tensorrt",
              version="1.3", compiled=True, serving="tensorrt-llm"),
    Framework("tgi", LANGUAGE_MODELS, SERVE, "github.com/huggingface/text-generation-inference",
              ("text-generation-inference",), "pytorch", serving="vllm"),
    Framework("text-embeddings-inference", ("encoder",), SERVE, "github.com/huggingface/text-embeddings-inference",
              ("tei",), "pytorch", compiled=True, tuned=True, host_base_gib=SMALL_BASE_GIB, packs_texts=True,
              unfused_on="Turing", lone_device=True),
    Framework("infinity", ("encoder",), SERVE, "github.com/michaelfeil/infinity", ("infinity-emb",), "pytorch",
              packs_texts=True),
    Framework("faster-whisper", ("speech",), SERVE, "github.com/SYSTRAN/faster-whisper",
              ("fasterwhisper", "whisper-ctranslate2", "whisperx"), "ctranslate2", compiled=True, tuned=True,
              host_base_gib=SMALL_BASE_GIB, models=WHISPER, segment_s=SEGMENT_S,
              whisper_on_cores=CTRANSLATE2_ON_CORES),
    Framework("ctranslate2", ("encoder", "encoder_decoder"), SERVE, "opennmt.net/CTranslate2", ("ct2",), "ctranslate2",
              compiled=True, tuned=True, host_base_gib=SMALL_BASE_GIB, beams=CTRANSLATE2_BEAMS),
    Framework("llama.cpp", LANGUAGE_MODELS, SERVE, "github.com/ggml-org/llama.cpp",
              ("llamacpp", "llama-cpp", "gguf", "ollama", "ggml", "llama-cpp-python", "llama-server", "lm-studio"),
              "ggml", compiled=True, serving="llama.cpp", host_base_gib=NO_DEVICE_BASE_GIB),
    Framework("whisper.cpp", ("speech",), SERVE, "github.com/ggml-org/whisper.cpp",
              ("whisper-cpp", "whispercpp", "pywhispercpp", "whisper-server"), "ggml", compiled=True,
              host_base_gib=NO_DEVICE_BASE_GIB, models=WHISPER, whisper_on_cores=WHISPER_CPP_ON_CORES),
    Framework("tensorrt", NEURAL, SERVE, "docs.nvidia.com/deeplearning/tensorrt", ("trt", "nvidia-tensorrt", "jetpack"),
              "tensorrt", version="10.2", compiled=True, serving="tensorrt-llm"),
    Framework("triton-inference-server", NEURAL, SERVE, "docs.nvidia.com/deeplearning/triton-inference-server",
              ("triton", "nvidia-triton", "triton-server"), "tensorrt", compiled=True, serving="tensorrt-llm",
              stock="pytorch"),
    Framework("onnxruntime", NEURAL, SERVE, "onnxruntime.ai", ("onnx", "ort", "onnx-runtime"), "onnxruntime",
              compiled=True, serving="pytorch"),
    Framework("openvino", NEURAL, SERVE, "docs.openvino.ai", ("intel-openvino", "openvino-model-server", "ovms"),
              "openvino", compiled=True, serving="pytorch", host_base_gib=NO_DEVICE_BASE_GIB,
              whisper_on_cores=OPENVINO_ON_CORES),
    Framework("neuron", NEURAL, BOTH, "awsdocs-neuron.readthedocs-hosted.com",
              ("aws-neuron", "pytorch-neuron", "torch-neuron", "torch-neuronx", "neuronx", "transformers-neuronx",
                  "neuronx-distributed", "tensorflow-neuron", "optimum-neuron"), "neuron", version="2.28",
              compiled=True, serving="neuron"),
    # Learners of tables, and what is not known.
    Framework("xgboost", TABULAR, BOTH, "arXiv 1603.02754", ("xgb",), "xgboost", holding="in_memory", version="3.0",
              host_base_gib=NO_DEVICE_BASE_GIB, models=("xgboost", "random-forest")),
    Framework("lightgbm", TABULAR, BOTH, "Ke et al., NeurIPS 2017", ("lgbm", "light-gbm"), "lightgbm",
              holding="in_memory", version="4.6", host_base_gib=NO_DEVICE_BASE_GIB,
              models=("lightgbm", "random-forest")),
    Framework("catboost", TABULAR, BOTH, "arXiv 1706.09516", ("cat-boost",), "catboost", holding="in_memory",
              version="1.2", host_base_gib=NO_DEVICE_BASE_GIB, models=("catboost",)),
    Framework("scikit-learn", TABULAR, BOTH, "scikit-learn.org", ("sklearn", "scikit"), "scikit-learn",
              holding="in_memory", version="1.7", host_base_gib=NO_DEVICE_BASE_GIB),
    Framework("spark", TABULAR, BOTH, "spark.apache.org", ("pyspark", "apache-spark", "spark-mllib", "spark-ml"),
              "spark", holding="in_memory", version="4.0"),
    # Those that prepare data alone.
    Framework("pandas", TABULAR, (), "pandas.pydata.org", (), "pandas", version="3.1"),
    Framework("dask", TABULAR, (), "docs.dask.org", ("dask-dataframe",), "dask"),
    Framework("other", (*NEURAL, *TABULAR), BOTH, "unknown framework, treated as a current one",
              ("custom", "none")),
)  # fmt: skip
# The customary spelling of names in texts, where it is not the name.
_TITLES = {
    "pytorch": "PyTorch", "huggingface": "Hugging Face Transformers", "tensorflow": "TensorFlow", "keras": "Keras",
    "jax": "JAX", "mxnet": "MXNet", "nvcaffe": "NVCaffe", "caffe": "Caffe", "torch7": "Torch7", "theano": "Theano",
    "chainer": "Chainer", "paddle": "PaddlePaddle", "mindspore": "MindSpore", "deepspeed": "DeepSpeed",
    "megatron": "Megatron-LM", "llm-foundry": "LLM Foundry", "litgpt": "LitGPT", "peft": "PEFT", "vllm": "vLLM",
    "sglang": "SGLang", "tensorrt-llm": "TensorRT-LLM", "tgi": "Text Generation Inference", "tensorrt": "TensorRT",
    "triton-inference-server": "Triton Inference Server", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO",
    "neuron": "AWS Neuron", "xgboost": "XGBoost", "lightgbm": "LightGBM",
    "catboost": "CatBoost", "spark": "Spark", "dask": "Dask", "text-embeddings-inference": "Text Embeddings Inference",
    "infinity": "Infinity", "ctranslate2": "CTranslate2",
}  # fmt: skip
# Spellings whose programs do more than the language models of their framework: families and tasks that PyTorch does for
# them. Sources: docs.nvidia.com/nemo/speech, collections (read on 2026-11-23); mosaicml/composer: README, 2026-04-29.
_NOT_OF_TEXT = tuple(family for family in NEURAL if family not in LANGUAGE_MODELS)
_ON_PYTORCH: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "nemo": (("speech",), BOTH),
    **dict.fromkeys(("composer", "mosaicml", "mosaic"), (_NOT_OF_TEXT, TRAIN)),
}
# Names that say which release is meant, with the last one of that line (TensorFlow 1.15.5, 2021-01-06).
RELEASES_OF_NAMES = {"tensorflow1": "1.15", "tf1": "1.15"}
# Programs that recompute activations unless told not to (unslothai/unsloth@0050c73, models/loader.py, 2026;
# huggingface/trl@016013e8, trl/trainer/sft_config.py, 2026; hiyouga/LLaMA-Factory@00577a85, hparams/model_args.py,
# 2025), and libraries that do with 4-bit weights: ``prepare_model_for_kbit_training`` (huggingface/peft@007b249,
# docs/source/developer_guides/quantization.md, 2024; scripts of one's own take these libraries).
RECOMPUTES, RECOMPUTES_4_BIT = ("unsloth", "trl", "llamafactory"), ("huggingface", "peft", "pytorch")
# Its settings have none for that (Ultralytics 8.4.190, cfg/default.yaml, read on 2026-11-28).
NEVER_RECOMPUTES = ("ultralytics",)
# Trainers of adapters that hold a denoiser's frozen weights in 8 bits where it does not fit otherwise, and encode texts
# beforehand: kohya-ss/sd-scripts@063ef100, docs/flux_train_network.md (--fp8_base, --cache_text_encoder_outputs), 2025;
# ostris/ai-toolkit@016777ac, config/examples/train_lora_flux_24gb.yaml (quantize), 2026.
NARROWS = ("kohyass", "kohya", "sdscripts", "aitoolkit")
# Trainers whose makers set them up for one device: on several, Unsloth takes a script that Accelerate starts
# (unsloth.ai, multi-gpu-training-with-unsloth, read 2026-11-28), and nnU-Net's makers train several networks instead,
# one on each (MIC-DKFZ/nnUNet, how_to_use_nnunet.md, read 2026-11-28). Rule: nodes-needed.
ON_ONE_DEVICE = ("unsloth", "nnunet")
_UNSERVED = ("transformer-xl-base",)  # language models that no serving engine takes


@dataclass(frozen=True)
class Holding:
    """Share of the stored data set that a framework's process holds in host memory."""

    required: float  # bytes needed per stored byte
    mapped: float  # bytes of page cache that count into the process besides, per stored byte
    source: str


HOLDING: dict[str, Holding] = {
    "streamed": Holding(0.0, 0.0, "S3-04: MXNet reads 93 GB of prepared data within 5 GB"),
    "mapped": Holding(0.0, 7.0 / 9.4, "S3-07: 9.4 GB of LMDB took about 7 GB; S3-04: it grows with the iterations"),
    "in_memory": Holding(1.0, 0.0, "the learner takes the whole table as one array"),
}


# What preprocessing writes, by the library that reads it.
RECORDS: dict[str, tuple[str, str]] = {
    "mxnet": ("recordio", "MXNet reads RecordIO (S3-01)"),
    "caffe": ("lmdb", "Caffe reads LMDB (S3-01)"),
    "tensorflow": ("tfrecord", "TensorFlow reads TFRecord files (tensorflow.org/tutorials/load_data/tfrecord)"),
    "pytorch": ("webdataset", "WebDataset's tar archives are an iterable data set of PyTorch (github.com/webdataset)"),
    "spark": ("parquet", "the default source of Spark SQL is Parquet (spark.apache.org)"),
    "pandas": ("parquet", "columns, of which a reader takes those that it needs"),
    "dask": ("parquet", "columns, of which a reader takes those that it needs"),
}
# Those that use every core, and read tables in parts: Dask runs pandas on the parts (docs.dask.org: dataframe, read
# 2026-11-28), in several processes unless told otherwise (huggingface/hub-docs pull request 1568, 2025).
ON_EVERY_CORE = ("spark", "dask")

_BY_KEY = by_key(FRAMEWORKS)


@lru_cache(maxsize=NAMES_KEPT)
def find(name: str) -> Framework | None:
    """Return the framework of that name, with or without a version or a part in brackets, or ``None``."""
    return _BY_KEY.get(spelling(name) or "")


@lru_cache(maxsize=NAMES_KEPT)
def spelling(name: str) -> str | None:
    """Return the key of the name or alias that was spelled, or ``None`` if no framework has it."""
    forms = [name, re.sub(r"\([^)]*\)", "", name)]
    forms += [re.split(r"\s*[,/]\s*|\s\d", forms[1])[0]]
    forms += [re.sub(r"[-_ ]*v?\d[\d.]*\s*$", "", form) for form in forms]
    return next((key(form) for form in forms if key(form) in _BY_KEY), None)


def find_for(name: str, task: str, family: str) -> Framework | None:
    """Return the framework of that name for a model of that family: PyTorch where the program trains it with that."""
    found = find(name)
    if found is not None and not supports(found, task, family):
        families, tasks = _ON_PYTORCH.get(spelling(name) or "", ((), ()))
        return find("pytorch") if family in families and task in tasks else found
    return found


def library_of(name: str) -> str:
    """Return the framework that the kernels of a framework come from; of an unknown one, its name."""
    found = find(name)
    return name if found is None else found.base or found.name


def title_of(name: str) -> str:
    """Return the customary spelling of a framework's name; without one, the name itself."""
    return _TITLES.get(name, name)


def suggest(name: str) -> tuple[str, ...]:
    """Return up to three known names similar to the given one, best first."""
    return alike(key(name), _BY_KEY)


def of_task(task: str) -> tuple[str, ...]:
    """Return the names of the frameworks of a task; of preprocessing, those that say what it writes."""
    return tuple(RECORDS) if task == "preprocessing" else tuple(one.name for one in FRAMEWORKS if task in one.tasks)


def supports(framework: Framework, task: str, family: str, model: str | None = None) -> bool:
    """Whether the framework can do that task with a model of that family (and with that very model)."""
    if task not in framework.tasks or (family not in framework.families and model not in framework.beside):
        return False
    return model is None or not framework.models or model in framework.models


def default_for(task: str, family: str, model: str | None = None) -> Framework:
    """Return the default framework for the task, family and model."""
    if not family_of(family).neural:
        own = find(model) if model else None
        return own if own and supports(own, task, family, model) else _BY_KEY["scikitlearn"]
    if task == "inference" and family_of(family).language_model and model not in _UNSERVED:
        return _BY_KEY["vllm"]
    return _BY_KEY["pytorch"]


def engines_for(family: str, model: str) -> tuple[str, ...]:
    """Return the engines that serve few kinds of models, this one among them; none for language models.

    Where some pack texts, the others are slower.
    """
    if family_of(family).language_model:
        return ()
    few = [one for one in FRAMEWORKS if one.tasks == SERVE and one.families != NEURAL]
    made = [one for one in few if supports(one, "inference", family, model)]
    return tuple(one.name for one in [one for one in made if one.packs_texts] or made)


# Decimal year of a release, from each project's own list of releases; intermediate ones take the one before.
_RELEASES = {
    framework: [
        (tuple(map(int, release.split("."))), float(year)) for release, year in re.findall(r"(\S+)=(\S+)", listed)
    ]
    for framework, listed in {
        "pytorch": """
            0.1=2017.0 0.3=2017.9 0.4=2018.3 1.0=2018.9 1.1=2019.3 1.2=2019.6 1.3=2019.8 1.4=2020.0 1.5=2020.3
            1.6=2020.6 1.7=2020.8 1.8=2021.2 1.9=2021.5 1.10=2021.8 1.11=2022.2 1.12=2022.5 1.13=2022.8 2.0=2023.2
            2.1=2023.8 2.2=2024.1 2.3=2024.3 2.4=2024.6 2.5=2024.8 2.6=2025.1 2.7=2025.3 2.8=2025.6 2.9=2025.8
        """,
        "tensorflow": """
            0.5=2015.9 0.8=2016.3 0.12=2016.9 1.0=2017.1 1.2=2017.5 1.4=2017.8 1.8=2018.3 1.12=2018.8 1.15=2019.8
            2.0=2019.8 2.1=2020.0 2.2=2020.4 2.3=2020.6 2.4=2020.9 2.5=2021.4 2.6=2021.6 2.8=2022.1 2.10=2022.7
            2.12=2023.2 2.14=2023.7 2.16=2024.2 2.18=2024.8 2.20=2025.6
        """,
        # Its own numbers, which from 2.5 to 2.15 were TensorFlow's.
        "keras": """
            1.0=2016.3 2.0=2017.2 2.1=2017.9 2.2=2018.4 2.3=2019.7 2.4=2020.5 2.5=2021.4 2.6=2021.6 2.8=2022.1
            2.10=2022.7 2.12=2023.2 2.14=2023.7 3.0=2023.9 3.3=2024.3 3.6=2024.8
        """,
        "mxnet": """
            0.7=2016.4 0.9=2017.1 0.12=2017.8 1.0=2017.9 1.2=2018.4 1.3=2018.7 1.4=2019.1 1.5=2019.5 1.6=2020.1
            1.7=2020.6 1.8=2021.2 1.9=2022.0
        """,
        # Serving engines: first upload of each release to PyPI (pypi.org, read on 2026-11-23).
        "vllm": """
            0.2=2023.74 0.3=2024.08 0.4=2024.25 0.5=2024.44 0.6=2024.68 0.7=2025.07 0.8=2025.21 0.9=2025.4 0.10=2025.56
            0.11=2025.76 0.12=2025.92 0.13=2025.96 0.14=2026.05 0.15=2026.08 0.16=2026.15 0.17=2026.18 0.18=2026.21
            0.19=2026.25 0.20=2026.32 0.21=2026.37 0.22=2026.41 0.23=2026.45 0.24=2026.49 0.25=2026.52 0.26=2026.56
            0.27=2026.61 0.28=2026.65 0.29=2026.69 0.30=2026.72 0.31=2026.76 0.32=2026.79 0.33=2026.84
        """,
        "sglang": """
            0.1=2024.04 0.2=2024.56 0.3=2024.67 0.4=2024.92 0.4.1=2024.98 0.4.2=2025.07 0.4.3=2025.12 0.4.4=2025.19
            0.4.5=2025.26 0.4.6=2025.32 0.4.7=2025.44 0.4.8=2025.48 0.4.9=2025.51 0.4.10=2025.58 0.5=2025.64
        """,
        "tensorrt-llm": """
            0.5=2023.8 0.6=2023.93 0.7=2023.97 0.8=2024.16 0.9=2024.28 0.10=2024.43 0.11=2024.54 0.12=2024.66
            0.13=2024.75 0.14=2024.84 0.15=2024.93 0.16=2024.98 0.17=2025.08 0.18=2025.25 0.19=2025.35 0.20=2025.46
            0.21=2025.59 1.0=2025.73 1.1=2025.96 1.2=2026.19
        """,
    }.items()
}

_CONTAINER = re.compile(r"(?<![\d.])(1[5-9]|2\d)\.(0[1-9]|1[0-2])(?!\d)")  # NVIDIA's containers: year.month
_YEAR = re.compile(r"\b(20[12]\d)\b")
_VERSION = re.compile(r"(\d+)\.(\d+)")
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")


def line_of(name: str, base: str) -> str:
    """Return the framework whose version numbers apply: itself if its releases are listed, else its base."""
    return name if name in _RELEASES else base or name


def version_of(text: str) -> tuple[int, int] | None:
    """Return the major and minor number of a version string, or ``None`` without them."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else None


def older(version: str, than: str) -> bool:
    """Whether a stated version is older than a release; one of NVIDIA's containers is none of the makers' releases."""
    stated, release = version_of(version), version_of(than)
    return stated is not None and release is not None and stated < release and _CONTAINER.search(version) is None


def released(framework: str, version: str) -> float | None:
    """Return the decimal year of the version's release, or ``None`` if it is unknown."""
    container = _CONTAINER.search(version)
    if container:
        return 2000 + int(container[1]) + (int(container[2]) - 1) / 12
    year = _YEAR.search(version)
    if year:
        return float(year[1])
    numbers = _NUMBERS.search(version)
    if numbers is None:
        return None
    number = tuple(int(part) for part in numbers[0].split("."))
    known = [when for release, when in _RELEASES.get(framework, ()) if release <= number]
    return known[-1] if known else None


def whisper_on_cores(name: str | None, model: str) -> tuple[float, float] | None:
    """Time of a model of Whisper's design on processors over the formula's; ``None`` where no run was published."""
    known = find(name) if name and model in WHISPER else None
    return None if known is None else known.whisper_on_cores
