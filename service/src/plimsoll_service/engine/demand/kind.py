"""Which kind of work a workload is; each kind has its own estimate and its own fields."""

from __future__ import annotations

from ..models.families import family_of
from ..models.profile import ModelProfile
from ..workload import Workload

SAMPLE_TRAINING = "sample_training"
TOKEN_TRAINING = "token_training"
TABULAR_TRAINING = "tabular_training"
SERVING = "serving"
INFERENCE = "inference"
TABULAR_INFERENCE = "tabular_inference"
PREPROCESSING = "preprocessing"
HPC = "hpc"

NEURAL_TRAINING = (SAMPLE_TRAINING, TOKEN_TRAINING)
TRAINING_KINDS = (*NEURAL_TRAINING, TABULAR_TRAINING)
INFERENCE_KINDS = (SERVING, INFERENCE, TABULAR_INFERENCE)
JOB_KINDS = (*TRAINING_KINDS, PREPROCESSING, HPC)
ADAPTED = ("lora", "qlora")  # methods that train adapters, and start from published weights


def has_end(workload: Workload, what: str) -> bool:
    """Whether inference has an end: an amount of requests, tokens, audio or samples makes it a job.

    With a rate or concurrency, data only describe what the requests of a service read. The same holds for a name or a
    size alone, unless a deadline or a budget says that the work ends.
    """
    if what not in INFERENCE_KINDS:
        return False
    if any(amount is not None for amount in (workload.requests, workload.tokens, workload.hours_of_audio)):
        return True
    if what == SERVING or loaded(workload):
        return False
    data, limited = workload.dataset, workload.deadline_hours is not None or workload.budget_usd is not None
    return data.samples is not None or (limited and (data.name is not None or data.size_bytes is not None))


def loaded(workload: Workload) -> bool:
    """Whether the load of a service is given: a rate, one for each hour of a day, or requests at once."""
    loads = (workload.requests_per_second, workload.requests_per_second_by_hour, workload.concurrency)
    return any(load is not None for load in loads)


def kind_of(workload: Workload, profile: ModelProfile | None) -> str:
    """The kind of work; a language model is trained by tokens and served, a tabular learner is its own kind."""
    if workload.task in (PREPROCESSING, HPC) or profile is None:
        return HPC if workload.task == HPC else PREPROCESSING
    training = workload.task == "training"
    family = family_of(profile.family)
    if not family.neural:
        return TABULAR_TRAINING if training else TABULAR_INFERENCE
    if family.language_model and profile.transformer is not None:
        return TOKEN_TRAINING if training else SERVING
    return SAMPLE_TRAINING if training else INFERENCE
