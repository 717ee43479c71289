"""Job of a query: every omitted field is filled here, and each assumption is listed with its reason."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf, log2

from .. import frameworks
from ..coefficients import GROWN, Coefficients, grown_depth
from ..frameworks import HOLDING, Framework
from ..models import batch_limits
from ..models.families import FineTuning, family_of
from ..models.profile import ModelProfile
from ..models.shape import at_input, for_task, writing
from ..models.stored import GPTQ, said_by
from ..models.transformers import active_parameters_of
from ..workload import CustomModel, Query, Workload
from . import data, kind, requests, weights
from .applicability import NO_IMAGES
from .filling import Filling, changed
from .job import Job
from .requested_model import DEFAULT_MODEL, profile_of, resolved_model
from .sample_meaning import with_meaning
from .software import CAST_BEFOREHAND, HELD_IN, of_its_release, own_script, software_factor
from .training_states import trains_in_half
from .unmaintained import ended

FEW_ROWS = 5_000.0  # of the table behind a forest that answers: nothing tells how large it was
LORA_RANK, LORA_TARGETS = 16, "attention"
VENDORS_ENGINES = ("tensorrt", "tensorrt-llm")
# Convolutional networks, and detectors with transformers behind one, that their authors train with AdamW: arXiv
# 2201.03545, appendix A; 2005.12872, section 4; 2304.08069, section 5; 2303.05499, appendix. DeepFM is trained with
# Adam, which keeps as much (shenweichen/DeepCTR, examples/run_classification_criteo.py).
TRAINED_WITH_ADAMW = ("convnext", "detr-", "rt-detr", "grounding-dino", "segformer", "deepfm")
# mlcommons/training pull request 622, 2023-02-06; facebookresearch/dlrm pull request 294, 2022-11-23.
TRAINED_WITH_ADAGRAD = ("dlrm-v2",)
ADAGRAD = "its reference trains the tables with Adagrad; state sgd if yours keeps at most one figure a row"
TABLES = "tables of embeddings are trained with SGD or with one figure a row beside it"
WRITTEN = "as many tokens are written, one by one, as are read; state output_tokens if they are fewer"
READ_OFF = "the usual text of one image for this model; longer texts take longer to write"
READ = "the input tokens are what is read"
ENGINES = "state tuning tuned for engines of TensorRT"
OWN_SCRIPT = "a typical script without special tuning"
# hexgrad/kokoro @129155b0, model.py; coqui-ai/TTS @00294ffd, TTS/tts/models/xtts.py: neither casts.
OWN_PRECISION = "the precision of the model's own scripts"
# Casts of small batches can take longer than the products (huggingface/transformers issue 15026, 2022-01-14). Weights
# loaded in 16 bits need none: Grounding DINO took an RTX 2060 217 ms an image for 363 in fp32, alone
# (IDEA-Research/GroundingDINO pull request 279, 2024-02-10).
HELD_IN_HALF = "weights in 16 bits without automatic casts: BF16, or FP16 on a device without it"
EAGER = "the low end is that of a script of your own that is not compiled"
STATE = "the memory of the job is its state; state checkpoint_gib if its program writes less"
ACCUMULATED = "gradients of several passes add up to about as many samples, unless each device takes one anyway"


def job_of(query: Query, coefficients: Coefficients) -> Job:
    """Return the job of a query; names must be known and fields applicable (see admission)."""
    filling = Filling(query.workload, coefficients)
    profile = profile_of(query.workload, coefficients)
    what = kind.kind_of(query.workload, profile)
    _model(filling, profile)
    _software(filling, profile)
    _fine_tuning(filling, profile)
    _precision(filling, what, profile)
    if profile is not None:
        profile = _shape(filling, what, profile)
        profile = _read_images(filling, what, profile)
        profile = with_meaning(filling, what, profile)
    _training(filling, what, profile)
    usual = _usual_batch(filling, query.workload, what, profile)
    serves = what in kind.INFERENCE_KINDS and not kind.has_end(query.workload, what)
    requests.fill(filling, what, serves, profile)
    _tabular(filling, what)
    if what == kind.HPC and filling.workload.memory_gib and "spot" in (query.constraints.purchase or ()):
        filling.take("checkpoint_gib", filling.workload.memory_gib, STATE)
    flow = data.flow(filling, what, profile, serves)
    _grown(filling, what, profile, flow)
    if filling.workload.disk.type is None:
        filling.put(disk=changed(filling.workload.disk, type="auto"))
        filling.note("disk.type", "auto", "the faster of local NVMe and an SSD volume")
    _canonical_names(filling, profile)
    return _job(query, filling, what, profile, flow, serves, usual)


def _canonical_names(filling: Filling, profile: ModelProfile | None) -> None:
    """Replace names by those of the collections, so that the answer shows how they were understood."""
    workload, dataset = filling.workload, filling.known
    model = profile.name if profile is not None and isinstance(workload.model, str) else workload.model
    filling.put(model=model, framework=filling.framework.name or workload.framework)
    if dataset is not None and dataset.name != workload.dataset.name:
        filling.put(dataset=changed(workload.dataset, name=dataset.name))


def _model(filling: Filling, profile: ModelProfile | None) -> None:
    named, models = filling.workload.model, filling.coefficients.models
    if profile is None:
        return
    filling.take("model", DEFAULT_MODEL, "you named no model; this is the usual benchmark model")
    if isinstance(named, str) and models.is_ambiguous(named):
        filling.note("model", profile.name, f"{named!r} names several variants; this is the usual one")
    elif isinstance(named, str):
        resolved = resolved_model(filling.coefficients, filling.workload)
        if resolved is not None and resolved.why:
            filling.note("model", profile.name, resolved.why)
    elif isinstance(named, CustomModel) and named.config is None and family_of(profile.family).language_model:
        words = profile.transformer.vocabulary if profile.transformer is not None else 0
        filling.note("model", profile.name, f"a vocabulary of {words:,} words is taken; state config for another")


def _software(filling: Filling, profile: ModelProfile | None) -> None:
    workload, known = filling.workload, filling.coefficients.frameworks
    if profile is not None:
        model = profile.tree.learner if profile.tree is not None else profile.name
        default = known.default_for(workload.task, profile.family, model)
        if family_of(profile.family).language_model and weights.in_gguf(workload):
            default = known.find("gguf") or default
        if workload.tuning == "tuned" and default.name == "vllm":
            filling.take("framework", "tensorrt-llm", "the vendor's tuned engine")
        filling.take("framework", default.name, "the usual choice for this task and model")
        _on_pytorch(filling, profile)
        if family_of(profile.family).neural:
            _tuning(filling, profile)
            _back_end(filling, profile)
            _version(filling)
    elif workload.task == kind.PREPROCESSING and (library := filling.framework.library) in frameworks.ON_EVERY_CORE:
        filling.take("tuning", "tuned", f"{known.title_of(library)} uses every core, and reads tables in parts")
    elif workload.task == kind.PREPROCESSING:
        filling.take("tuning", "stock", "the default converter of the framework, which is one process")


def _on_pytorch(filling: Filling, profile: ModelProfile) -> None:
    """Take PyTorch for what a program that is known for language models does with it."""
    stated, task = filling.workload.framework or "", filling.workload.task
    framework = filling.coefficients.frameworks.find_for(stated, task, profile.family)
    if framework is not None and framework is not filling.framework:
        title = filling.coefficients.support.called(_program(filling, framework), "")
        filling.put(framework=framework.name)
        filling.note("framework", framework.name, f"{title} runs a model of this family with PyTorch")


def _tuning(filling: Filling, profile: ModelProfile) -> None:
    """How the software is built where the request does not say: TensorRT's engines are the vendor's tuned ones.

    PyTorch has no kernels of INT8 on devices, but sends to TensorRT (discuss.pytorch.org, quantization FAQ, 161251).
    """
    framework = filling.framework
    if framework.name in VENDORS_ENGINES:
        filling.take("tuning", "tuned", f"{framework.title} builds the vendor's tuned engines")
    if _runs_as_it_comes(filling, profile) and filling.workload.precision == "int8":
        filling.take("tuning", "tuned", f"{framework.title} computes INT8 with engines of TensorRT")
    if framework.tuned:
        filling.take("tuning", "tuned", f"{framework.title} comes with fused kernels")
    if filling.spelled == frameworks.TORCHREC and filling.workload.task == "inference":
        filling.take("tuning", "tuned", "TorchRec shards tables over the devices")
    filling.take("tuning", "stock", OWN_SCRIPT)


def _runs_as_it_comes(filling: Filling, profile: ModelProfile) -> bool:
    """Whether a server can run a network without an engine; recommenders have a back end of their own there."""
    family = family_of(profile.family)
    return filling.framework.stock is not None and not family.language_model and family.data != "table"


def _back_end(filling: Filling, profile: ModelProfile) -> None:
    """Take the back end of a server that runs a network as it comes; engines are built for tuned software alone."""
    named = filling.framework
    if _runs_as_it_comes(filling, profile) and filling.workload.tuning == "stock":
        filling.put(framework=named.stock)
        back_end = f"{named.title} serves it with its back end of {filling.framework.title}"
        filling.note("framework", named.stock, f"{back_end}; {ENGINES}")


def _version(filling: Filling) -> None:
    """Take the release that a name means; note an assumption for a version without a known release date."""
    meant = frameworks.RELEASES_OF_NAMES.get(filling.spelled)
    if meant is not None:
        filling.take("framework_version", meant, "the last release of the line that the name means")
    version, framework = filling.workload.framework_version, filling.framework
    if version is not None and framework.name and framework.year_of(version) is None:
        why = f"the release date of {framework.title} {version!r} is unknown; a current release is assumed"
        filling.note("framework_version", version, why)


def fine_tuned(workload: Workload, profile: ModelProfile | None) -> FineTuning | None:
    """Return the usual fine-tuning of a published model; ``None`` if the query says how it is trained or on what."""
    if workload.task != "training" or profile is None or isinstance(workload.model, CustomModel):
        return None
    data_said = any(value is not None for value in (workload.dataset.name, *data.amounts_of(workload.dataset)))
    if data_said or workload.tokens is not None or workload.method == "full":
        return None
    return family_of(profile.family).fine_tuning


def _fine_tuning(filling: Filling, profile: ModelProfile | None) -> None:
    """Adapt a published model with LoRA to a small set of data, unless the query says otherwise."""
    usual = fine_tuned(filling.workload, profile)
    if usual is None:
        return
    filling.take("method", "lora", "a published model is fine-tuned; state method full to train it from scratch")
    if usual.tokens is not None:
        filling.take("tokens", usual.tokens, usual.why)
    if usual.samples is not None:
        data.fill_dataset(filling, "samples", usual.samples, usual.why)


def _holds_half(filling: Filling, profile: ModelProfile | None) -> bool:
    """Whether inference was made fast by its user, in a library that casts at each operation unless weights are.

    Tables of embeddings stay in fp32. What compilation brings denoisers was fitted beside their casts
    (``COMPILED_DIFFUSION``).
    """
    framework = filling.framework
    made_fast = filling.workload.tuning == "tuned" and not framework.tuned
    else_held = profile is not None and (profile.embedding_parameters > 0 or profile.family == "diffusion")
    return made_fast and framework.library not in CAST_BEFOREHAND and not else_held


def _precision(filling: Filling, what: str, profile: ModelProfile | None) -> None:
    if what == kind.SERVING and profile is not None:
        weights.fill(filling, profile)
        return
    if what in (kind.PREPROCESSING, kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE):
        return
    framework = filling.framework
    in_half = filling.workload.method in kind.ADAPTED or trains_in_half(filling.workload.framework)
    chosen = {
        kind.HPC: ("fp64", "the usual precision for HPC"),
        kind.TOKEN_TRAINING: ("bf16" if in_half else "mixed", "16-bit computation"),
    }.get(what, ("mixed", "16-bit computation where the device and the software do it, else FP32"))
    if framework.precision is not None:
        why = f"the default of {framework.title} if the description of the network states no other"
        chosen = framework.precision, why
    elif what == kind.INFERENCE and _holds_half(filling, profile):
        chosen = HELD_IN, HELD_IN_HALF
    if what == kind.INFERENCE and profile is not None and profile.own_precision and filling.workload.tuning == "stock":
        chosen = (profile.own_precision, OWN_PRECISION)
    if filling.workload.precision in (None, "auto"):
        filling.put(precision=None)
        filling.take("precision", chosen[0], chosen[1])


def _shape(filling: Filling, what: str, profile: ModelProfile) -> ModelProfile:
    _image_size(filling, profile)
    if what == kind.SAMPLE_TRAINING:
        _short_texts(filling, profile)
    workload = filling.workload
    writes = what == kind.INFERENCE and profile.family == "encoder_decoder" and profile.generation is not None
    length = workload.sequence_length or (workload.input_tokens if writes else None)
    at_size = at_input(profile, workload.image_size, length, workload.steps)
    at_size = writing(at_size, workload.output_tokens) if writes else at_size
    shaped = for_task(at_size, workload.task == "training")
    reference = shaped.reference
    if what == kind.SERVING:
        return shaped
    if reference.image_size is not None:
        filling.take("image_size", reference.image_size, "the image size at which the model is usually measured")
        if reference.frames is not None:
            filling.note("image_size", reference.image_size, f"a sample is a clip of {reference.frames} such frames")
    elif reference.sequence_length is not None:
        usual = "the sequence length at which the model is usually measured"
        filling.take("sequence_length", reference.sequence_length, READ if length else usual)
    if writes and workload.output_tokens is None:
        filling.note("output_tokens", reference.sequence_length, WRITTEN)
    elif what == kind.INFERENCE and reference.image_size is not None and shaped.generation is not None:
        filling.note("output_tokens", round(shaped.generation.tokens), READ_OFF)
    if reference.steps is not None and what == kind.INFERENCE:
        filling.take("steps", reference.steps, "the usual number of denoising steps")
    return shaped


def _short_texts(filling: Filling, profile: ModelProfile) -> None:
    """Take the sequence length of texts far shorter than usual, by their bytes: padded to a power of two."""
    usual, held = profile.reference.sequence_length, data.tokens_held(filling.workload.dataset, filling.known, profile)
    if usual is None or profile.reference.image_size is not None or held is None or held > data.HALF * usual:
        return
    length = 2 ** ceil(log2(max(held, 1.0)))
    each = "one byte" if data.of_letters(profile) else "4.5 bytes"
    filling.take("sequence_length", length, f"samples by their size, at {each} per token, padded to a power of two")


def _read_images(filling: Filling, what: str, profile: ModelProfile) -> ModelProfile:
    """The profile with the image tokens of its samples or prompts alone, which a note states."""
    transformer = profile.transformer
    if transformer is None or not profile.reads_images:
        return profile
    if what == kind.SERVING:
        return requests.with_image(filling, profile)
    known = filling.known
    form = filling.workload.dataset.format or (known.format if known is not None else None)
    if form in NO_IMAGES:
        return replace(profile, image_patches=0.0)
    if what != kind.TOKEN_TRAINING or (form is None and profile.patches_if_stated):
        return profile
    profile = replace(profile, image_patches=profile.image_patches or profile.patches_if_stated)
    more = profile.seen_parameters / active_parameters_of(transformer)
    why = f"tokens of an image, whose frozen encoder adds {more:.0%} to the forward pass of each; text takes less"
    filling.note("sequence_length", profile.reference.sequence_length, why)
    return profile


def _image_size(filling: Filling, profile: ModelProfile) -> None:
    """Take the images of a small data set as they are, which convolutional networks do."""
    known = filling.known
    flat = profile.reference.image_size is not None and len(profile.reference.image_size) == 2
    if known is not None and known.image_size is not None and flat and profile.family == "cnn":
        filling.take("image_size", known.image_size, f"the images of {known.name} are of that size")


def _training(filling: Filling, what: str, profile: ModelProfile | None) -> None:
    if what not in kind.NEURAL_TRAINING or profile is None:
        return
    _optimizer(filling, profile)
    filling.take("method", "full", "all parameters are trained if you state no other method")
    if what == kind.TOKEN_TRAINING and own_script(filling.workload):
        filling.note("tuning", "stock", EAGER)
    by_sample = "used if the model, or a batch of more than one sample, does not fit otherwise"
    by_token = "used if the model does not fit without it, or is trained faster with it"
    spelled, again = filling.spelled, ("auto", by_sample if what == kind.SAMPLE_TRAINING else by_token)
    if spelled in frameworks.RECOMPUTES:
        again = "full", "this program recomputes activations unless told not to"
    elif filling.workload.method == "qlora" and filling.framework.name in frameworks.RECOMPUTES_4_BIT:
        again = "full", "PEFT turns on activation recomputation for 4-bit weights unless told not to"
    elif spelled in frameworks.NEVER_RECOMPUTES:
        again = "none", "this program has no setting to recompute activations"
    filling.take("activation_recomputation", *again)
    if spelled in frameworks.FSDP:
        filling.take("sharding", "zero3", "FSDP spreads weights, gradients and optimizer states over the devices")
    filling.take("sharding", "auto", "states are spread over the devices only if the model does not fit otherwise")
    if what == kind.SAMPLE_TRAINING and filling.workload.method != "full" and filling.workload.offload is None:
        filling.note("offload", "none", "frozen weights go to host memory only if the model does not fit otherwise")
    else:
        filling.take("offload", "none", "nothing is kept in host memory")
    if filling.workload.method in kind.ADAPTED:
        _adapters(filling, what)
    filling.take("experiments", 1, "one run")


def _adapters(filling: Filling, what: str) -> None:
    said = said_by(filling.workload.model)
    packed = what == kind.TOKEN_TRAINING and filling.workload.method == "qlora"
    if packed and said is not None and said.quantization == GPTQ:
        filling.take("quantization", GPTQ, "the model's name says so")
    filling.take("lora_rank", LORA_RANK, "a usual rank")
    if filling.spelled in frameworks.ADAPTS_ALL:
        filling.take("lora_targets", "all", "what this program does unless told otherwise")
    filling.take("lora_targets", LORA_TARGETS, "the attention matrices (Hu et al. 2021)")


def _optimizer(filling: Filling, profile: ModelProfile) -> None:
    convolutional = family_of(profile.family).convolutional and not profile.video_transformer
    usual = (
        (profile.adversarial, "adamw", "its authors train it with Adam, which keeps as much as AdamW"),
        (profile.name.startswith(TRAINED_WITH_ADAMW), "adamw", "the optimizer of the model's authors"),
        (profile.name in TRAINED_WITH_ADAGRAD, "adagrad", ADAGRAD),
        (profile.embedding_parameters > 0, "sgd", TABLES),
        (True, "sgd" if convolutional else "adamw", "the usual optimizer for this model family"),
    )
    filling.take("optimizer", *next((name, why) for holds, name, why in usual if holds))


def _usual_batch(filling: Filling, stated: Workload, what: str, profile: ModelProfile | None) -> float:
    """Samples of the usual step of a decoder whose weights are all trained, where no batch is stated; else 0.

    A set of the user's own decides nothing: its steps follow from the machine. Rule: global-batch.
    """
    batches = stated.batch_size is not None or stated.global_batch_size is not None
    own = any(amount is not None for amount in data.amounts_of(stated.dataset)) or not _corpus(filling)
    if what != kind.TOKEN_TRAINING or profile is None or filling.workload.method != "full" or batches or own:
        return 0.0
    published = isinstance(stated.model, str) and not profile.source.startswith("derived")
    few = stated.tokens is not None and stated.tokens <= data.LARGE_CORPUS_TOKENS
    tuned = published and stated.method == "full" and few and stated.dataset.name is None
    usual = batch_limits.usual_batch(profile, tuned, filling.coefficients.batch_limits)
    why = "published weights are tuned, in small steps" if tuned else "a step of the usual size for pre-training"
    filling.note("global_batch_size", round(usual), f"{why}; {ACCUMULATED}")
    return usual


def _corpus(filling: Filling) -> bool:
    """Whether the data are a corpus, or unnamed."""
    return filling.known is None or data.is_corpus(filling.known)


def _tabular(filling: Filling, what: str) -> None:
    if what not in (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE):
        return
    profile = profile_of(filling.workload, filling.coefficients)
    if profile is not None and profile.tree is not None and profile.family == "tree":  # a linear model has passes
        filling.take("trees", profile.tree.default_trees, "the usual number for this framework")
        if not _is_forest(profile):
            filling.take("depth", profile.tree.default_depth, "the usual depth for this framework")
    if what == kind.TABULAR_TRAINING and profile is not None and _is_forest(profile):
        tried = "a classifier, which tries the square root of the features at each split"
        filling.note("model", profile.name, f"{tried}; a regressor tries them all and takes longer accordingly")
    if what == kind.TABULAR_TRAINING:
        filling.take("experiments", 1, "one run")


def _grown(filling: Filling, what: str, profile: ModelProfile | None, flow: data.Flow) -> None:
    """Fill in the depth of a forest's trees, which the framework does not bound."""
    if profile is None or profile.tree is None or not _is_forest(profile):
        return
    rows = flow.feed.samples if what == kind.TABULAR_TRAINING and flow.feed is not None else FEW_ROWS
    why = "a row's mean depth in trees that grow until their leaves are pure, as by default"
    filling.take("depth", round(grown_depth(rows)), f"{why}; {GROWN:g} × log2 of {round(rows)} rows")


def _is_forest(profile: ModelProfile) -> bool:
    return profile.tree is not None and profile.tree.learner == "random-forest"


def _job(
    query: Query, filling: Filling, what: str, profile: ModelProfile | None, flow: data.Flow, serves: bool,
    usual_batch: float,
) -> Job:  # fmt: skip
    workload, framework = filling.workload, filling.framework
    named = isinstance(query.workload.model, str | None)
    known = named and profile is not None and not profile.source.startswith("derived")
    holding = HOLDING[framework.holding]
    in_memory = float(workload.dataset.format == "memory")
    converted = what == kind.PREPROCESSING  # data go through the process
    tabular = what in (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE)
    held = max(0.0 if converted else holding.required, in_memory, data.held_of_table(workload, profile, flow.feed))
    return Job(
        kind=what,
        serves=serves,
        query=changed(query, workload=workload),
        workload=workload,
        assumptions=tuple(filling.assumptions),
        assumed_targets=requests.TARGETS & {one.field for one in filling.assumptions},
        profile=_of_software(profile, workload, framework, filling.spelled),
        known_model=known,
        framework=framework,
        program=_program(filling, framework),
        narrows=filling.spelled in frameworks.NARROWS,
        keeps_copies=filling.spelled in frameworks.KEEPS_COPIES,
        streams_weights=filling.spelled in frameworks.STREAMS_WEIGHTS,
        detectors_trainer=filling.spelled in frameworks.TRAINERS_OF_DETECTORS,
        one_device=_on_one_device(filling, query, what),
        software_ended=ended(filling.spelled, workload),
        precision=workload.precision or "fp32",
        half_falls_back=query.workload.precision in (None, "auto"),
        weight_bits=weights.bits_of(query.workload.model, workload) if what == kind.SERVING else 0.0,
        tuned=workload.tuning == "tuned",
        software_factor=software_factor(framework, workload.framework_version),
        software_year=framework.year_of(workload.framework_version),
        optimizer=workload.optimizer or "sgd",
        method=workload.method or "full",
        samples=flow.samples,
        experiments=workload.experiments or 1,
        feed=flow.feed,
        answer_bytes=flow.answer_bytes,
        host_base_gib=framework.host_base_gib,
        host_bytes_per_data_byte=0.0 if tabular else held,
        batch_limit=_batch_limit(filling, what, profile),
        mapped_share=0.0 if tabular or converted else holding.mapped,
        coefficients=filling.coefficients,
        usual_batch=usual_batch,
    )


def _of_software(
    profile: ModelProfile | None, workload: Workload, framework: Framework, spelled: str
) -> ModelProfile | None:
    """The profile with its script's batch, the kernels of the stated release, and the tables that are not fused.

    On other data than the script's there is no script to follow; generators come without data: theirs takes the same
    batch on any.
    """
    if profile is None:
        return None
    if profile.tables and spelled == frameworks.TORCHREC:
        profile = changed(profile, tables=0)
    if profile.script_batch is not None and profile.default_dataset not in (None, workload.dataset.name):
        profile = changed(profile, script_batch=None)
    return of_its_release(profile, framework.year_of(workload.framework_version))


def _program(filling: Filling, framework: Framework) -> str:
    """The program that was named, such as Unsloth; else the framework."""
    return filling.coefficients.support.program_of(filling.spelled, framework.name) if framework.name else ""


def _on_one_device(filling: Filling, query: Query, what: str) -> bool:
    """Whether the program is set up for one device, or, of an HPC job, nothing says that it uses several."""
    if what != kind.HPC:
        return filling.spelled in frameworks.ON_ONE_DEVICE
    asked = query.constraints
    most = (asked.max_nodes, asked.max_accelerators, asked.max_total_accelerators)
    return asked.min_accelerators is None and not any(figure is not None and figure > 1 for figure in most)


def _batch_limit(filling: Filling, what: str, profile: ModelProfile | None) -> float:
    """Samples of the largest sensible global batch of a neural training; without one, and of other work, infinite.

    The name of the data tells whether they are a corpus, and no amount does: more data must not change how a machine
    runs the work.
    """
    if what not in kind.NEURAL_TRAINING or profile is None:
        return inf
    if (planned := data.planned_batch(filling, profile.reference)) is not None:
        return planned
    scratch = _corpus(filling) and (filling.known is not None or family_of(profile.family).language_model)
    tuned = family_of(profile.family).text_transformer and not scratch  # other networks say so by their method
    tuned = tuned or filling.workload.method in kind.ADAPTED
    return batch_limits.batch_limit(profile, tuned, filling.coefficients.batch_limits)
