"""The model that a workload asks for: by its name, in the version of its framework, or by its description."""

from __future__ import annotations

from dataclasses import replace

from ..coefficients import Coefficients
from ..models.by_size import Resolved, resolve
from ..models.custom import from_custom
from ..models.profile import ModelProfile
from ..models.shape import at_input
from ..names import key
from ..workload import CustomModel, Workload
from . import kind

DEFAULT_MODEL = "resnet50"
# Networks whose table of words follows from their data: those of a program's own example for a data set.
_OF_DATA = {(key("wikitext-2"), "lstm"): "lstm-word-language-model"}
_EXAMPLE = "the network of PyTorch's example for this data set, with all of its words"


def profile_of(workload: Workload, known: Coefficients) -> ModelProfile | None:
    """Return the model's profile at its reference input; ``None`` if the task has no model or the name is unknown."""
    if workload.task in (kind.PREPROCESSING, kind.HPC):
        return None
    if isinstance(workload.model, CustomModel):
        return _described(workload, workload.model, known)
    resolved = resolved_model(known, workload)
    return None if resolved is None else resolved.profile


def _described(workload: Workload, model: CustomModel, known: Coefficients) -> ModelProfile:
    """The profile of a described model; operations of a sample are those of the image or sequence that is stated."""
    named, sides = known.frameworks.of(workload.framework).name or None, len(workload.image_size or ())
    profile = from_custom(model, known.models, named, sides)
    if model.forward_flops_per_sample is None:
        return profile
    growth = at_input(profile, workload.image_size, workload.sequence_length).forward_flops / profile.forward_flops
    if growth == 1:
        return profile
    scaled = replace(model, forward_flops_per_sample=model.forward_flops_per_sample / growth)
    return from_custom(scaled, known.models, named, sides)


def resolved_model(known: Coefficients, workload: Workload) -> Resolved | None:
    """Return the model that the workload names, as its framework (in any spelling) and its data set have it."""
    name = workload.model if isinstance(workload.model, str) else DEFAULT_MODEL
    found = resolve(known.models, name, known.frameworks.of(workload.framework).name or None)
    own = found and _OF_DATA.get((key(workload.dataset.name or ""), found.profile.name))
    profile = known.models.find(own) if own else None
    return found if profile is None else Resolved(profile, _EXAMPLE)
