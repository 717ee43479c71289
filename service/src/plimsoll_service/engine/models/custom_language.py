"""A text transformer from a few numbers: the nearest known model of its family, scaled to the given size."""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.models.builders import encoder_decoder_model, encoder_model, language_model
from plimsoll_service.engine.models.dimensions import active_parameters_of, parameters_of
from plimsoll_service.engine.models.family_relations import nearest, weights_per_layer
from plimsoll_service.engine.models.profile import MixtureOfExperts, ModelProfile, Transformer
from plimsoll_service.engine.workload import CustomModel

# Given parameters over what the family's plan makes of the given layers and width: beyond this they contradict.
LEAST_RATIO, MOST_RATIO = 0.2, 5.0
LEAST_RATIO_MOE, MOST_RATIO_MOE = 0.02, 50.0  # experts vary in number and size
_POINTER = "/workload/model"


def language_profile(model: CustomModel) -> ModelProfile:
    """The profile; its dimensions are the nearest known model's, scaled so that the parameters agree.

    Raises ``Refused`` where parameters, layers and width contradict each other.
    """
    family = model.family or "decoder"
    known = nearest(family, model.parameters or _planned(model, family), model.active_parameters)
    assert known.transformer is not None  # nearest only gives such
    transformer = _scaled(model, known.transformer, known.parameters)
    parameters = float(model.parameters or parameters_of(transformer))
    _check(model, family, known.transformer)
    transformer = _with_parameters(transformer, parameters)
    if transformer.moe is not None:
        transformer = _with_active(transformer, model.active_parameters)
    profile = _build(model.name, family, parameters, transformer, known)
    return _with_flops(model, profile)


def _planned(model: CustomModel, family: str) -> float:
    """Parameters that the family's smallest model's plan gives at the given layers and width."""
    example = nearest(family, 1.0).transformer
    assert example is not None  # nearest only gives such
    return weights_per_layer(example) * float(model.layers or 1) * float(model.hidden_size or 1) ** 2


def _scaled(model: CustomModel, known: Transformer, parameters: float) -> Transformer:
    """Layers and width by the cube root of the size, unless given; heads keep their size."""
    factor = (float(model.parameters) / parameters) ** (1 / 3) if model.parameters else 1.0
    head_size = known.head_size
    hidden = model.hidden_size or max(head_size, round(known.hidden_size * factor / head_size) * head_size)
    heads = max(1, round(known.heads * hidden / known.hidden_size))
    groups = max(1, round(known.heads / known.kv_heads))
    kv_heads = max(1, heads // groups)
    layers = model.layers or max(1, round(known.layers * factor))
    cross = max(1, round(known.cross_attention_layers / known.layers * layers)) if known.cross_attention_layers else 0
    ratio = hidden / known.hidden_size
    moe = known.moe
    if moe is not None:
        moe_layers = max(1, min(layers, layers - (known.layers - moe.moe_layers)))
        moe = replace(
            moe,
            moe_layers=moe_layers,
            feed_forward=max(1, round(moe.feed_forward * ratio)),
            shared_feed_forward=round(moe.shared_feed_forward * ratio),
        )
    return replace(
        known,
        layers=layers,
        hidden_size=hidden,
        heads=kv_heads * groups,
        kv_heads=kv_heads,
        feed_forward=max(1, round(known.feed_forward * ratio)),
        cross_attention_layers=min(cross, max(layers - 1, 1)),
        moe=moe,
    )


def _check(model: CustomModel, family: str, known: Transformer) -> None:
    if model.parameters is None or model.layers is None or model.hidden_size is None:
        return
    planned = weights_per_layer(known) * model.layers * model.hidden_size**2
    least, most = (LEAST_RATIO_MOE, MOST_RATIO_MOE) if family == "moe" else (LEAST_RATIO, MOST_RATIO)
    words = known.vocabulary * model.hidden_size * 2
    if not least * planned <= model.parameters <= most * (planned + words):
        detail = (
            f"{model.parameters:.3g} parameters contradict {model.layers} layers of width {model.hidden_size}, "
            f"which make about {planned:.3g}; leave one of them out"
        )
        raise Refused((Fault(f"{_POINTER}/parameters", detail),))


def _with_parameters(transformer: Transformer, parameters: float) -> Transformer:
    """The feed-forward width (of the experts, where there are any) that makes the parameters agree.

    A model too small for its relative's vocabulary gets a smaller one.
    """
    missing = parameters - parameters_of(transformer)
    per_unit = (3 if transformer.gated else 2) * transformer.hidden_size
    moe = transformer.moe
    if moe is not None:
        width = moe.feed_forward + round(missing / (per_unit * moe.moe_layers * moe.experts))
        fitted = replace(transformer, moe=replace(moe, feed_forward=max(1, width)))
    else:
        copies = 1 if transformer.shared_layers else transformer.layers
        width = transformer.feed_forward + round(missing / (per_unit * copies))
        fitted = replace(transformer, feed_forward=max(1, width))
    if width >= 1:
        return fitted
    tables = parameters_of(fitted) - parameters_of(replace(fitted, vocabulary=0))
    excess = parameters_of(fitted) - parameters
    return replace(fitted, vocabulary=max(1, round(fitted.vocabulary * (1 - excess / tables))))


def _with_active(transformer: Transformer, active: float | None) -> Transformer:
    """So many experts a token that the active parameters come nearest the given ones."""
    moe = transformer.moe
    if moe is None or active is None:
        return transformer

    def distance(count: int) -> float:
        trial: MixtureOfExperts = replace(moe, active=count)
        return abs(active_parameters_of(replace(transformer, moe=trial)) - active)

    return replace(transformer, moe=replace(moe, active=min(range(1, moe.experts + 1), key=distance)))


def _build(name: str, family: str, parameters: float, transformer: Transformer, known: ModelProfile) -> ModelProfile:
    source = f"derived: {known.name}, the nearest of its family, scaled to the given size"
    length = known.reference.sequence_length or transformer.context_length
    if family == "encoder":
        return encoder_model(name, parameters, transformer, source, length)
    if family == "encoder_decoder":
        return encoder_decoder_model(name, parameters, transformer, source, length)
    return language_model(name, parameters, transformer, source)


def _with_flops(model: CustomModel, profile: ModelProfile) -> ModelProfile:
    """The given operations in place of the dimensions' own."""
    length = float(profile.reference.sequence_length or 1)
    if model.active_parameters is not None:
        profile = replace(profile, active_parameters=float(model.active_parameters))
    stated = model.forward_flops_per_sample
    if model.forward_flops_per_token is not None:
        stated = model.forward_flops_per_token * length
    if stated is None:
        return profile
    return replace(profile, forward_flops=float(stated), stated_work=float(stated) / profile.forward_flops)
