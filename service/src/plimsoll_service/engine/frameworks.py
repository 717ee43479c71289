"""Frameworks and serving engines: tasks, model families, use of host memory, release dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .models.families import LANGUAGE_MODELS, NEURAL, family_of
from .names import NAMES_KEPT, alike, by_key, key

BOTH, TRAIN, SERVE = ("training", "inference"), ("training",), ("inference",)

# The networks of Whisper's design in the catalog of models.
WHISPER = (
    "whisper-tiny", "whisper-base", "whisper-small", "whisper-medium", "whisper-large", "whisper-large-v3",
    "whisper-large-v3-turbo", "distil-whisper-large-v2", "distil-whisper-large-v3", "distil-whisper-medium.en",
    "distil-whisper-small.en",
)  # fmt: skip

# Whisper's step on processors: prompts of what was said before, tries at higher temperatures, threads that wait for
# each other (``whisper_on_cores`` in evidence/frameworks.csv).
WHISPER_THREADS = 8.0
# Spellings of PyTorch that mean Whisper's own package. Its command line searches five beams, and repeats the tokens for
# them, not what the decoder hears (openai/whisper, transcribe.py and decoding.py, read 2026-11-28).
OPENAI_WHISPER, OPENAI_BEAMS = ("openaiwhisper", "whisper"), 5

# PyTorch's fully sharded data parallel training: naming it asks for ``sharding`` ``zero3``.
FSDP = ("fsdp", "fsdp2")
TORCHREC = "torchrec"  # divides embedding tables among devices


Releases = Sequence[tuple[tuple[int, ...], float]]  # numbers of each release, and the decimal year when it came out


@dataclass(frozen=True, eq=False)
class Framework:
    """A framework or serving engine: a row of evidence/frameworks.csv; the defaults are those where none is named.

    ``holding`` names how it holds data in host memory (``HOLDING``), ``serving`` the engine of the serving
    fit, ``base`` the framework that its kernels come from. ``compiled``: the graph is compiled before it runs.
    """

    name: str = ""
    families: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    source: str = ""
    remark: str = ""  # sources of its figures
    title: str = ""  # customary spelling in texts
    aliases: tuple[str, ...] = ()
    base: str = ""
    compiled: bool = False
    version: str | None = None  # the newest of the evidence
    holding: str = "streamed"
    serving: str = ""
    host_base_gib: float = 0.3  # of the process without data; an interpreter alone (modelled)
    models: tuple[str, ...] = ()  # where it runs these alone
    beside: tuple[str, ...] = ()  # models of other families that it runs too
    segment_s: float = 0.0  # host's seconds on each 30 s of Whisper's audio that no batch saves
    windows: float = 1.0  # of 30 s that long audio is cut into, over its length
    request_s: float = 0.0  # seconds of the engine's API process for a request to embed one text
    # Time of Whisper's step on processors over the formula's, in fp32 and in 8 bits; empty where no run was published.
    whisper_on_cores: tuple[float, ...] = ()
    lone_device: bool = False  # one process serves one device alone
    packs_texts: bool = False  # encoders run fused kernels over the tokens of all texts, without padding
    unfused_on: str | None = None  # a generation on which it has none of these kernels
    tuned: bool = False  # nobody runs it otherwise: its kernels are fused as it comes
    beams: int | None = None  # of its search unless told otherwise; None: those of the model's own settings
    reads_once: bool = False  # beams share the keys and values of what the decoder reads
    precision: str | None = None  # what it computes in unasked, where that is not the customary mixed one
    stock: str | None = None  # the framework that runs what a server is given without an engine built for it
    sample_s: float | None = None  # of one core of the reference for a sample, whose threads take samples of their own
    image: str | None = None  # that its last release needs, and why a current one does not do
    releases: Releases = ()  # its own, or those of its base

    @property
    def library(self) -> str:
        """The framework that its kernels come from."""
        return self.base or self.name

    def year_of(self, version: str | None) -> float | None:
        """Decimal year of the version's release; ``None`` where no version or framework is given, or it is unknown."""
        return None if version is None or not self.name else released(self.releases, version)


UNNAMED = Framework()
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
# ostris/ai-toolkit@016777ac, config/examples/train_lora_flux_24gb.yaml (quantize), 2026; kohya-ss/musubi-tuner issue
# 140, 2025-03-10 (--fp8_base).
NARROWS = ("kohyass", "kohya", "sdscripts", "musubituner", "aitoolkit")
# They keep a whole copy on each device unless told otherwise, and leave weights on the host for one device alone:
# ostris/ai-toolkit, pull requests 249 (several devices, merged) and 774 (spread weights, closed, 2026-04-02);
# kohya-ss/sd-scripts, issue 1480 (2024-08-22) and pull request 1988 (2025-03-17), on blocks that are swapped;
# kohya-ss/musubi-tuner, issue 923 (2026-03-30).
KEEPS_COPIES = NARROWS
# Names of Ultralytics' trainer, whose loader joins four images to one (see ``JOINED_IMAGE_S``).
TRAINERS_OF_DETECTORS = ("ultralytics", "yolov5")
# Programs that leave those weights on the host for which a device has no room, and bring them there at each pass
# (comfyanonymous/ComfyUI @f23ea7e7, README.md, features; Wan 2.2 of 14 B at 720p, 81 frames, ran so in
# 12 GB: kijai/ComfyUI-WanVideoWrapper issue 1713, 2025-12-05, and in 22 GB: issue 276, 2025-03-20).
STREAMS_WEIGHTS = ("comfyui",)
# Programs whose adapters are at all matrices unless told otherwise: hiyouga/LLaMA-Factory, hparams/finetuning_args.py
# (lora_target), 2025; Axolotl's examples (lora_target_linear: true); Unsloth's get_peft_model (seven projections).
ADAPTS_ALL = ("llamafactory", "axolotl", "unsloth")
# Trainers on top of PEFT, which adapts the layers of any network (huggingface.co/docs/peft, custom models), and the
# families that they do not train.
ON_PEFT, PEFT_ALONE = ADAPTS_ALL, ("cnn", "detection", "segmentation", "speech", "mlp")
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
    "polars": ("parquet", "columns, of which a reader takes those that it needs"),
}
# Those that use every core, and read tables in parts: Dask runs pandas on the parts (docs.dask.org: dataframe, read
# 2026-11-28), in several processes unless told otherwise (huggingface/hub-docs pull request 1568, 2025). Polars
# works on all cores unasked, and streams what exceeds the memory (pola-rs/polars, README of 2.0, read 2026-11-29).
ON_EVERY_CORE = ("spark", "dask", "polars")


@lru_cache(maxsize=NAMES_KEPT)
def _forms(name: str) -> tuple[str, ...]:
    """Keys of a name with and without a version or a part in brackets."""
    forms = [name, re.sub(r"\([^)]*\)", "", name)]
    forms += [re.split(r"\s*[,/]\s*|\s\d", forms[1])[0]]
    forms += [re.sub(r"[-_ ]*v?\d[\d.]*\s*$", "", form) for form in forms]
    return tuple(map(key, forms))


@dataclass(frozen=True, eq=False)
class FrameworkTable:
    """The known frameworks, found by their usual spellings."""

    rows: tuple[Framework, ...] = ()

    @cached_property
    def _by_key(self) -> dict[str, Framework]:
        return by_key(self.rows)

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {row.name: row.title for row in self.rows}

    def find(self, name: str | None) -> Framework | None:
        """Return the framework of that name, with or without a version or a part in brackets, or ``None``."""
        return self._by_key.get(self.spelling(name))

    def of(self, name: str | None) -> Framework:
        """Return the framework of that name, or the defaults."""
        return self.find(name) or UNNAMED

    def spelling(self, name: str | None) -> str:
        """Return the key of the name or alias that was spelled; empty if no framework has it."""
        if not name or name in self._by_key:
            return name or ""
        return next((form for form in _forms(name) if form in self._by_key), "")

    def find_for(self, name: str, task: str, family: str) -> Framework | None:
        """Return the framework of that name for a model of that family: PyTorch where the program trains it so."""
        found = self.find(name)
        families, tasks = _ON_PYTORCH.get(self.spelling(name), ((), ()))
        other = found is not None and family in families and task in tasks and not supports(found, task, family)
        return self.find("pytorch") if other else found

    def trains(self, name: str, family: str) -> bool:
        """Whether the program of that name trains the families of its framework, or this one of them."""
        return self.spelling(name) not in ON_PEFT or family not in PEFT_ALONE

    def title_of(self, name: str) -> str:
        """Return the customary spelling of a framework's name; without one, the name itself."""
        return self._titles.get(name, name)

    def suggest(self, name: str) -> tuple[str, ...]:
        """Return up to three known names similar to the given one, best first."""
        return alike(key(name), self._by_key)

    def of_task(self, task: str) -> tuple[str, ...]:
        """Return the names of the frameworks of a task; of preprocessing, those that say what it writes."""
        return tuple(RECORDS) if task == "preprocessing" else tuple(one.name for one in self.rows if task in one.tasks)

    def default_for(self, task: str, family: str, model: str | None = None) -> Framework:
        """Return the default framework for the task, family and model."""
        if not family_of(family).neural:
            own = self.find(model)
            return own if own and supports(own, task, family, model) else self.of("scikit-learn")
        if task == "inference" and family_of(family).language_model and model not in _UNSERVED:
            return self.of("vllm")
        return self.of("fasttext" if model == "fasttext" else "pytorch")

    def engines_for(self, family: str, model: str) -> tuple[str, ...]:
        """Return the engines that serve few kinds of models, this one among them; none for language models.

        Where some pack texts, the others are slower.
        """
        if family_of(family).language_model:
            return ()
        few = [one for one in self.rows if one.tasks == SERVE and one.families != NEURAL]
        made = [one for one in few if supports(one, "inference", family, model)]
        return tuple(one.name for one in [one for one in made if one.packs_texts] or made)


def supports(framework: Framework, task: str, family: str, model: str | None = None) -> bool:
    """Whether the framework can do that task with a model of that family (and with that very model)."""
    if task not in framework.tasks or (family not in framework.families and model not in framework.beside):
        return False
    return model is None or not framework.models or model in framework.models


_CONTAINER = re.compile(r"(?<![\d.])(1[5-9]|2\d)\.(0[1-9]|1[0-2])(?!\d)")  # NVIDIA's containers: year.month
_YEAR = re.compile(r"\b(20[12]\d)\b")
_VERSION = re.compile(r"(\d+)\.(\d+)")
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")


def version_of(text: str) -> tuple[int, int] | None:
    """Return the major and minor number of a version string, or ``None`` without them."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else None


def older(version: str, than: str) -> bool:
    """Whether a stated version is older than a release; one of NVIDIA's containers is none of the makers' releases."""
    stated, release = version_of(version), version_of(than)
    return stated is not None and release is not None and stated < release and _CONTAINER.search(version) is None


def released(releases: Releases, version: str) -> float | None:
    """Return the decimal year of the version's release, or ``None`` if it is unknown; later releases come later."""
    if container := _CONTAINER.search(version):
        return 2000 + int(container[1]) + (int(container[2]) - 1) / 12
    if year := _YEAR.search(version):
        return float(year[1])
    numbers = _NUMBERS.search(version)
    number = tuple(map(int, numbers[0].split("."))) if numbers else ()
    return next((when for release, when in reversed(releases) if release <= number), None)
