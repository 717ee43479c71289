"""Fields of a workload that apply to each kind of work; other fields are refused, never ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..faults import Fault
from ..models.profile import ModelProfile
from ..workload import Dataset, Disk, SpeculativeDecoding, Workload
from .kind import (
    HPC,
    INFERENCE,
    INFERENCE_KINDS,
    JOB_KINDS,
    NEURAL_TRAINING,
    PREPROCESSING,
    SAMPLE_TRAINING,
    SERVING,
    TABULAR_INFERENCE,
    TABULAR_TRAINING,
    TOKEN_TRAINING,
    TRAINING_KINDS,
    has_end,
    loaded,
)

NEURAL = (*NEURAL_TRAINING, INFERENCE, SERVING)
ALL = (*JOB_KINDS, *INFERENCE_KINDS)

KINDS_OF_FIELD: dict[str, tuple[str, ...]] = {
    "task": ALL,
    "framework": (*TRAINING_KINDS, *INFERENCE_KINDS, PREPROCESSING),
    "framework_version": NEURAL,
    "tuning": (*NEURAL, PREPROCESSING),
    "model": (*TRAINING_KINDS, *INFERENCE_KINDS),
    "precision": (*NEURAL, HPC),
    "quantization": (SERVING, TOKEN_TRAINING),
    "batch_size": (*NEURAL_TRAINING, INFERENCE, SERVING, TABULAR_INFERENCE),
    "global_batch_size": NEURAL_TRAINING,
    "dataset": (*TRAINING_KINDS, INFERENCE, TABULAR_INFERENCE, PREPROCESSING),
    "epochs": (*TRAINING_KINDS,),
    "deadline_hours": ALL,
    "budget_usd": ALL,
    "disk": ALL,
    "image_size": (SAMPLE_TRAINING, INFERENCE, SERVING, PREPROCESSING),
    "sequence_length": (*NEURAL_TRAINING, INFERENCE),
    "steps": (INFERENCE,),
    "optimizer": NEURAL_TRAINING,
    "tokens": NEURAL,
    "method": NEURAL_TRAINING,
    "lora_rank": NEURAL_TRAINING,
    "lora_targets": NEURAL_TRAINING,
    "activation_recomputation": NEURAL_TRAINING,
    "sharding": NEURAL_TRAINING,
    "offload": NEURAL_TRAINING,
    "input_tokens": (SERVING,),
    "output_tokens": (SERVING,),
    "max_model_len": (SERVING,),
    "kv_cache_precision": (SERVING,),
    "concurrency": INFERENCE_KINDS,
    "requests_per_second": INFERENCE_KINDS,
    "requests_per_second_by_hour": INFERENCE_KINDS,
    "spare_replicas": INFERENCE_KINDS,
    "requests": INFERENCE_KINDS,
    "hours_of_audio": (INFERENCE,),
    "latency_ms": INFERENCE_KINDS,
    "prefix_cache_hit_rate": (SERVING,),
    "speculative_decoding": (SERVING,),
    "tpot_ms": (SERVING,),
    "end_to_end_ms": INFERENCE_KINDS,
    "experiments": TRAINING_KINDS,
    "flops": (HPC,),
    "bytes": (HPC,),
    "memory_gib": (HPC,),
    "trees": (TABULAR_TRAINING, TABULAR_INFERENCE),
    "depth": (TABULAR_TRAINING, TABULAR_INFERENCE),
    "features": (TABULAR_TRAINING, TABULAR_INFERENCE),
    "output_format": (PREPROCESSING,),
    "checkpoint_gib": JOB_KINDS,
    "checkpoint_interval_minutes": JOB_KINDS,
    "interruptions_per_hour": ALL,
    "measurements": ALL,
}

LENGTHS = ("input_tokens", "output_tokens")  # of a request: its prompt, or source, and its answer
NO_IMAGES = ("csv", "parquet", "text", "wav")

WORDS_OF_KIND = {
    SAMPLE_TRAINING: "training of this model",
    TOKEN_TRAINING: "training of a language model",
    TABULAR_TRAINING: "training of a tabular model",
    SERVING: "serving of a language model",
    INFERENCE: "inference of this model",
    TABULAR_INFERENCE: "inference of a tabular model",
    PREPROCESSING: "preprocessing",
    HPC: "an HPC job",
}

INSTEAD = {
    ("dataset", SERVING): (
        "; describe the requests with input_tokens, output_tokens and requests_per_second, or requests in all"
    ),
    ("epochs", PREPROCESSING): "; the data are read once",
    ("image_size", TOKEN_TRAINING): "; count an image's tokens in sequence_length",
    ("steps", SAMPLE_TRAINING): "; training learns one denoising step per sample",
    ("hours_of_audio", SAMPLE_TRAINING): "; state dataset.samples, how many clips there are",
    ("hours_of_audio", PREPROCESSING): "; state dataset.samples, how many clips there are",
}


# Values of omitted fields that are not ``None``.
UNSAID: dict[str, object] = {"dataset": Dataset(), "disk": Disk(), "speculative_decoding": SpeculativeDecoding()}


# Fields of a job, with the remedy for inference without an end.
OF_JOBS = {
    "deadline_hours": "; or state requests_per_second, at the rate that finishes in time",
    "budget_usd": "; or use constraints.max_usd_per_hour",
    "interruptions_per_hour": "",
}
AMOUNT_FIELDS = {
    SERVING: "requests or tokens",
    INFERENCE: "requests, dataset or hours_of_audio",
    TABULAR_INFERENCE: "requests or dataset",
}


def given_fields(workload: Workload) -> tuple[str, ...]:
    """Return the fields that the user set."""
    return tuple(name for name, value in vars(workload).items() if value is not None and value != UNSAID.get(name))


def pointer(field: str) -> str:
    """Return the JSON pointer of a workload field in the request body."""
    return f"/workload/{'deadline' if field == 'deadline_hours' else field}"


def meaningless(workload: Workload, kind: str, profile: ModelProfile | None) -> Iterator[Fault]:
    """Yield a fault for each stated field that does not apply."""
    for field in given_fields(workload):
        if not _of_kind(field, kind, profile):
            lengthy = field in LENGTHS and kind == INFERENCE and profile is not None and _scales_with_sequence(profile)
            hint = INSTEAD.get((field, kind), "") or ("; state sequence_length" if lengthy else "")
            yield _meaningless(field, f"{WORDS_OF_KIND[kind]}{hint}")
        elif profile is not None and field in PROFILE_CONDITIONS:
            holds, why = PROFILE_CONDITIONS[field]
            if not holds(profile):
                yield _meaningless(field, f"{profile.name}: {why}")
        if field in OF_JOBS and kind in AMOUNT_FIELDS and not has_end(workload, kind):
            endless = f"{WORDS_OF_KIND[kind]} without an end; state how much there is to do ({AMOUNT_FIELDS[kind]})"
            yield _meaningless(field, f"{endless}{OF_JOBS[field]}")
    if workload.dataset.region is not None and kind in INFERENCE_KINDS and not has_end(workload, kind):
        words = f"region does not apply to {WORDS_OF_KIND[kind]}: the requests bring their data"
        yield Fault("/workload/dataset/region", words)
    if kind == INFERENCE and workload.input_tokens is not None and workload.sequence_length is not None:
        yield Fault("/workload/input_tokens", "state sequence_length or input_tokens, not both")
    if kind == PREPROCESSING and workload.image_size is not None and workload.dataset.format in NO_IMAGES:
        yield _meaningless("image_size", f"{workload.dataset.format} data, which hold no images")
    if workload.dataset.sharded is not None and kind not in NEURAL_TRAINING:
        words = f"sharded does not apply to {WORDS_OF_KIND[kind]}: no machines share its data"
        yield Fault("/workload/dataset/sharded", words)


def applies(field: str, kind: str, profile: ModelProfile | None) -> bool:
    """Return whether a field applies to the kind of work and the model."""
    holds = PROFILE_CONDITIONS.get(field)
    return _of_kind(field, kind, profile) and (profile is None or holds is None or holds[0](profile))


def _of_kind(field: str, kind: str, profile: ModelProfile | None) -> bool:
    """Whether a field applies to the kind of work; of other models than served ones, some write text as well."""
    if field in LENGTHS and kind == INFERENCE and profile is not None and profile.family == "encoder_decoder":
        return profile.generation is not None
    return kind in KINDS_OF_FIELD[field]


def contradicting_loads(workload: Workload) -> Iterator[Fault]:
    """Yield the faults of inference with several amounts or loads, or with both."""
    amounts = [name for name in ("requests", "tokens", "hours_of_audio") if getattr(workload, name) is not None]
    if loaded(workload):
        text = "{} is the amount of a job; a service has a load. State one of them"
        yield from (Fault(pointer(name), text.format(name)) for name in amounts)
    if workload.dataset.samples is not None:
        amounts.append("dataset.samples")
    for name in amounts[1:]:
        yield Fault(pointer(name.replace(".", "/")), f"state one amount, not {amounts[0]} and {name}")
    if workload.spare_replicas and not loaded(workload):
        text = "spare_replicas requires a load: requests_per_second, requests_per_second_by_hour or concurrency"
        yield Fault("/workload/spare_replicas", text)
    yield from _day(workload)


def _day(workload: Workload) -> Iterator[Fault]:
    """Faults of a day's load beside another load, or without any."""
    at = "/workload/requests_per_second_by_hour"
    if workload.requests_per_second_by_hour is None:
        return
    for name in ("requests_per_second", "concurrency"):
        if getattr(workload, name) is not None:
            yield Fault(at, f"state {name} or requests_per_second_by_hour, not both")
    if not any(workload.requests_per_second_by_hour):
        yield Fault(at, "at least one hour must have a load above 0")


def _meaningless(field: str, what: str) -> Fault:
    at = pointer(field)
    return Fault(at, f"{at.rsplit('/', 1)[1]} does not apply to {what}")


def _scales_with_sequence(profile: ModelProfile) -> bool:
    return (profile.transformer is not None and profile.reference.image_size is None) or profile.scaling == "sequence"


PROFILE_CONDITIONS: dict[str, tuple[Callable[[ModelProfile], bool], str]] = {
    "image_size": (
        lambda profile: profile.reference.image_size is not None or profile.reads_images,
        "it reads no images of any size",
    ),
    "sequence_length": (_scales_with_sequence, "its input is not a sequence of tokens"),
    "tokens": (_scales_with_sequence, "its input is not a sequence of tokens"),
    "hours_of_audio": (
        lambda profile: profile.audio_seconds is not None,
        "no length of audio is known of its samples; state requests",
    ),
    "steps": (lambda profile: profile.reference.steps is not None, "it does not denoise in steps"),
    "trees": (lambda profile: profile.family == "tree", "it has no trees"),
    "depth": (lambda profile: profile.family == "tree", "it has no trees"),
    "epochs": (lambda profile: profile.family != "tree", "it makes one pass per tree; state trees"),
}
