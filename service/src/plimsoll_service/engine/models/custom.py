"""A profile of a model that is not in the table: from its configuration, or from a few numbers."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.models.custom_config import profile_of_config
from plimsoll_service.engine.models.custom_language import language_profile
from plimsoll_service.engine.models.families import MODEL_FAMILIES, Family, family_of
from plimsoll_service.engine.models.family_relations import median_ratio, of_family, typical
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import CustomModel

POINTER = "/workload/model"
KERNELS_PER_LAYER = 174 / 50  # ResNet-50's launches over its layers: convolution, norm, activation, sum
MOST = 1e18  # parameters or FLOPs a sample: beyond any model
MOST_LAYERS = 2_000
MOST_WIDTH = 1_000_000
_NUMBERS = ("parameters", "active_parameters", "forward_flops_per_sample", "forward_flops_per_token")


def from_custom(model: CustomModel) -> ModelProfile:
    """The profile of a model given by its Hugging Face configuration, or by family and numbers.

    Raises ``Refused`` with every fault, pointing into /workload/model, where the figures are too few,
    contradict each other, or are no sensible numbers.
    """
    faults = _faults(model)
    if faults:
        raise Refused(tuple(faults))
    if model.config is not None:
        return profile_of_config(model.config, model.name)
    family = family_of(model.family or "")
    if not family.neural:
        return replace(typical(family.name), name=model.name, aliases=(), source="derived: the family's usual learner")
    return language_profile(model) if family.text_transformer else _by_medians(model, family)


def _faults(model: CustomModel) -> list[Fault]:
    faults = [*_number_faults(model)]
    if model.config is not None:
        given = [name for name in ("family", *_NUMBERS, "layers", "hidden_size") if getattr(model, name) is not None]
        faults += [_fault(name, f"{name} is already in config; give one of them") for name in given]
        return faults
    if model.family is None:
        faults.append(_fault("family", f"give config, or family (one of {', '.join(MODEL_FAMILIES)}) with parameters"))
    elif model.family not in MODEL_FAMILIES:
        faults.append(_fault("family", f"family must be one of {', '.join(MODEL_FAMILIES)}"))
    else:
        faults += _family_faults(model, family_of(model.family))
    return faults


def _number_faults(model: CustomModel) -> list[Fault]:
    faults = []
    for name in _NUMBERS:
        value = getattr(model, name)
        if value is not None and not (isfinite(value) and 0 < value <= MOST):
            faults.append(_fault(name, f"{name} must be above 0 and at most {MOST:.0e}"))
    for name, most in (("layers", MOST_LAYERS), ("hidden_size", MOST_WIDTH)):
        value = getattr(model, name)
        if value is not None and not 1 <= value <= most:
            faults.append(_fault(name, f"{name} must be from 1 to {most:,}"))
    return faults


def _family_faults(model: CustomModel, family: Family) -> list[Fault]:
    faults = []
    if family.neural and not _sized(model, family):
        needed = "parameters, or layers and hidden_size," if family.text_transformer else "parameters"
        faults.append(_fault("parameters", f"a {family.name} model needs {needed} to be sized"))
    if model.forward_flops_per_token is not None and not family.tokens:
        faults.append(
            _fault("forward_flops_per_token", f"a {family.name} model has no tokens; use forward_flops_per_sample")
        )
    if model.forward_flops_per_token is not None and model.forward_flops_per_sample is not None:
        faults.append(_fault("forward_flops_per_token", "give forward_flops_per_sample or _per_token, not both"))
    if model.active_parameters is not None and family.name != "moe":
        faults.append(_fault("active_parameters", "only a moe model uses a part of its parameters a token"))
    elif model.active_parameters and model.parameters and model.active_parameters > model.parameters:
        faults.append(_fault("active_parameters", "active_parameters cannot exceed parameters"))
    return faults


def _sized(model: CustomModel, family: Family) -> bool:
    if model.parameters is not None:
        return True
    return family.text_transformer and model.layers is not None and model.hidden_size is not None


def _by_medians(model: CustomModel, family: Family) -> ModelProfile:
    """Work from the parameters, elements from the work, kernels from the layers: by the family's medians."""
    like = typical(family.name)
    parameters = float(model.parameters or 0.0)
    flops = _flops(model, family.name, like, parameters)
    kernels = KERNELS_PER_LAYER * model.layers if model.layers and family.convolutional else like.kernels
    return replace(
        like,
        name=model.name,
        aliases=(),
        kin="",
        parameters=parameters,
        forward_flops=flops,
        written_elements=flops * median_ratio(family.name, lambda m: m.written_elements, lambda m: m.forward_flops),
        stored_elements=flops * median_ratio(family.name, lambda m: m.stored_elements, lambda m: m.forward_flops),
        kernels=kernels,
        fp32_elements=0.0,
        mask_elements=0.0,
        embedding_parameters=parameters
        * median_ratio(family.name, lambda m: m.embedding_parameters, lambda m: m.parameters),
        active_parameters=None,
        frozen_parameters=0.0,
        source=f"derived: medians over the {len(of_family(family.name))} known {family.name} models",
    )


def _flops(model: CustomModel, family: str, like: ModelProfile, parameters: float) -> float:
    """FLOPs of a sample at the typical model's input: as given, else by the family's median per parameter."""
    if model.forward_flops_per_sample is not None:
        return float(model.forward_flops_per_sample)
    if model.forward_flops_per_token is not None:
        return float(model.forward_flops_per_token) * float(like.reference.sequence_length or 1)
    return parameters * median_ratio(family, lambda m: m.forward_flops, lambda m: m.parameters)


def _fault(field: str, detail: str) -> Fault:
    return Fault(f"{POINTER}/{field}", detail)
