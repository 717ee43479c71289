"""A profile of a model that is not in the table: from its configuration, or from a few numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite, log, sqrt
from statistics import median

from ..faults import Fault, Refused
from ..workload import CustomModel
from . import ModelTable, transformers
from .config import profile_of_config
from .families import MODEL_FAMILIES, Family, family_of
from .profile import MixtureOfExperts, ModelProfile, Transformer
from .recurrent import described_recurrent

Figure = Callable[[ModelProfile], float]
Models = tuple[ModelProfile, ...]
POINTER = "/workload/model"
KERNELS_PER_LAYER = 174 / 50  # ResNet-50's launches over its layers: convolution, norm, activation, sum
DENSE_LAYERS, KEPT_PER_UNIT = 3, 3.0  # of Keras's example on MNIST: layers, and elements kept a unit
MOST = 1e18  # parameters or FLOPs a sample: beyond any model
MOST_LAYERS = 2_000
MOST_WIDTH = 1_000_000
VOLUME_SIDES = 3
FEW = 3  # known models have no median; the one nearest in size stands for them
# The learner of trees that a framework brings; of the others, the first of the table stands for them.
LEARNERS = {"lightgbm": "lightgbm", "catboost": "catboost", "scikit-learn": "random-forest"}
_NUMBERS = ("parameters", "active_parameters", "forward_flops_per_sample", "forward_flops_per_token")


def from_custom(
    model: CustomModel, table: ModelTable, framework: str | None = None, sides: int | None = None
) -> ModelProfile:
    """The profile of a model given by its Hugging Face configuration, or by family and numbers.

    Known models of its family complete it; ``framework`` decides which learner grows trees; ``sides`` of the
    images, whether it takes volumes. Raises ``Refused`` with every fault, pointing into /workload/model, where the
    figures are too few, contradict each other, or are no sensible numbers.
    """
    known, faults = table.archetypes, _faults(model)
    if faults:
        raise Refused(tuple(faults))
    if model.config is not None:
        return profile_of_config(model.config, model.name, table.config_types)
    family = family_of(model.family or "")
    if not family.neural:
        members = _relatives(known, family.name)
        usual = next((one for one in members if one.name == LEARNERS.get(framework or "")), members[0])
        return replace(usual, name=model.name, aliases=(), source="derived: the family's usual learner")
    if family.text_transformer:
        return _language_profile(model, known)
    return _recurrent(model, known) if family.name == "rnn" else _by_medians(model, known, family, sides)


def _faults(model: CustomModel) -> list[Fault]:
    faults = _number_faults(model)
    if model.config is not None:
        given = [name for name in ("family", *_NUMBERS, "layers", "hidden_size") if getattr(model, name) is not None]
        return [*faults, *(_fault(name, f"{name} is already in config; give one of them") for name in given)]
    if model.family is None:
        return [
            *faults,
            _fault("family", f"give config, or family (one of {', '.join(MODEL_FAMILIES)}) with parameters"),
        ]
    if model.family not in MODEL_FAMILIES:
        return [*faults, _fault("family", f"family must be one of {', '.join(MODEL_FAMILIES)}")]
    return [*faults, *_family_faults(model, family_of(model.family))]


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
    shaped = family.text_transformer and model.layers is not None and model.hidden_size is not None
    if family.neural and model.parameters is None and not shaped:
        needed = "parameters, or layers and hidden_size," if family.text_transformer else "parameters"
        faults.append(_fault("parameters", f"a {family.name} model needs {needed} to be sized"))
    if model.forward_flops_per_token is not None and not family.tokens:
        text = f"a {family.name} model has no tokens; use forward_flops_per_sample"
        faults.append(_fault("forward_flops_per_token", text))
    if model.forward_flops_per_token is not None and model.forward_flops_per_sample is not None:
        faults.append(_fault("forward_flops_per_token", "give forward_flops_per_sample or _per_token, not both"))
    if model.active_parameters is not None and family.name != "moe":
        faults.append(_fault("active_parameters", "only a moe model uses a part of its parameters a token"))
    elif model.active_parameters and model.parameters and model.active_parameters > model.parameters:
        faults.append(_fault("active_parameters", "active_parameters cannot exceed parameters"))
    return faults


def _recurrent(model: CustomModel, known: Models) -> ModelProfile:
    """Cells, and tables of words where the parameters make them; the operations as given, where they are."""
    data = _typical(_relatives(known, "rnn")).default_dataset
    parameters = float(model.parameters or 0.0)
    made = described_recurrent(model.name, parameters, model.layers, model.hidden_size, data)
    return replace(made, parameters=parameters, forward_flops=_stated_flops(model, made) or made.forward_flops)


def _by_medians(model: CustomModel, known: Models, family: Family, sides: int | None) -> ModelProfile:
    """Work from the parameters, elements from the work, kernels from the layers: by the family's medians."""
    parameters = float(model.parameters or 0.0)
    members = _relatives(known, family.name, sides)
    if len(members) < FEW:
        members = (min(members, key=lambda member: abs(log(member.parameters / max(parameters, 1.0)))),)
    like = _typical(members)
    flops = _stated_flops(model, like) or parameters * _median_ratio(
        members, lambda m: m.forward_flops, lambda m: m.parameters
    )
    kernels = KERNELS_PER_LAYER * model.layers if model.layers and family.convolutional else like.kernels
    written, stored = (
        flops * _median_ratio(members, getter, lambda m: m.forward_flops)
        for getter in (lambda m: m.written_elements, lambda m: m.stored_elements)
    )
    if family.name == "mlp":  # each dense layer has about the square of its width in parameters
        layers = model.layers or DENSE_LAYERS
        written = layers * float(model.hidden_size or sqrt(parameters / layers))
        stored = KEPT_PER_UNIT * written
    embedded = parameters * _median_ratio(members, lambda m: m.embedding_parameters, lambda m: m.parameters)
    return replace(
        like, name=model.name, aliases=(), architecture="", parameters=parameters, forward_flops=flops,
        written_elements=written, stored_elements=stored, kernels=kernels, fp32_elements=0.0, mask_elements=0.0,
        embedding_parameters=embedded, active_parameters=None, frozen_parameters=0.0,
        source=f"derived: medians over the {len(members)} known {family.name} models",
    )  # fmt: skip


def _stated_flops(model: CustomModel, like: ModelProfile) -> float | None:
    """FLOPs that the user gave, of a sample at that model's input; ``None`` where none were given."""
    if model.forward_flops_per_sample is not None:
        return float(model.forward_flops_per_sample)
    if model.forward_flops_per_token is not None:
        return float(model.forward_flops_per_token) * float(like.reference.sequence_length or 1)
    return None


def _fault(field: str, detail: str) -> Fault:
    return Fault(f"{POINTER}/{field}", detail)


# A text transformer: the nearest known model of its family, scaled to the given size.

# Given parameters over what the family's plan makes of the given layers and width: beyond this they contradict.
LEAST_RATIO, MOST_RATIO = 0.2, 5.0
LEAST_RATIO_MOE, MOST_RATIO_MOE = 0.02, 50.0  # experts vary in number and size


def _language_profile(model: CustomModel, known: Models) -> ModelProfile:
    """The profile; its dimensions are the nearest known model's, scaled so that the parameters agree.

    Raises ``Refused`` where parameters, layers and width contradict each other.
    """
    family = model.family or "decoder"
    like = _nearest(known, family, model.parameters or _planned(model, known, family), model.active_parameters)
    assert like.transformer is not None  # nearest only gives such
    transformer = _scaled(model, like.transformer, like.parameters)
    parameters = float(model.parameters or transformers.parameters_of(transformer))
    _check(model, family, like.transformer)
    shaped = model.layers is not None and model.hidden_size is not None and transformer.moe is None
    if shaped:
        fewest = 1 if family == "encoder" else min(LEAST_WORDS, transformer.vocabulary)
        transformer = _with_words(transformer, parameters, MOST_WORDS if family == "encoder" else 0, fewest)
    transformer = _with_parameters(transformer, parameters)
    if transformer.moe is not None:
        transformer = _with_active(transformer, model.active_parameters)
    profile = _build(model.name, family, parameters, transformer, like)
    return _with_flops(model, profile)


def _planned(model: CustomModel, known: Models, family: str) -> float:
    """Parameters that the family's smallest model's plan gives at the given layers and width."""
    example = _nearest(known, family, 1.0).transformer
    assert example is not None  # nearest only gives such
    return _weights_per_layer(example) * float(model.layers or 1) * float(model.hidden_size or 1) ** 2


def _scaled(model: CustomModel, known: Transformer, parameters: float) -> Transformer:
    """Layers and width by the cube root of the size, unless given; heads keep their size."""
    factor, head_size = (float(model.parameters or parameters) / parameters) ** (1 / 3), known.head_size
    hidden = model.hidden_size or max(head_size, round(known.hidden_size * factor / head_size) * head_size)
    heads = max(1, round(known.heads * hidden / known.hidden_size))
    groups = max(1, round(known.heads / known.kv_heads))
    kv_heads, ratio, moe = max(1, heads // groups), hidden / known.hidden_size, known.moe
    layers = model.layers or max(1, round(known.layers * factor))
    cross = max(1, round(known.cross_attention_layers / known.layers * layers)) if known.cross_attention_layers else 0
    if moe is not None:
        moe = replace(
            moe,
            moe_layers=max(1, min(layers, layers - (known.layers - moe.moe_layers))),
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
        relative_positions=0,  # only names and configurations tell of them
        moe=moe,
    )


def _check(model: CustomModel, family: str, known: Transformer) -> None:
    if model.parameters is None or model.layers is None or model.hidden_size is None:
        return
    planned = _weights_per_layer(known) * model.layers * model.hidden_size**2
    least, most = (LEAST_RATIO_MOE, MOST_RATIO_MOE) if family == "moe" else (LEAST_RATIO, MOST_RATIO)
    words = known.vocabulary * model.hidden_size * 2
    if not least * planned <= model.parameters <= most * (planned + words):
        shape = f"{model.layers} layers of width {model.hidden_size}, which make about {planned:.3g}"
        detail = f"{model.parameters:.3g} parameters contradict {shape}; leave one of them out"
        raise Refused((_fault("parameters", detail),))


# Encoders of text have feed-forward blocks four times as wide as their layers, or gated ones of as many parameters, and
# vocabularies from 30,522 words (BERT) to 262,144 (google/embeddinggemma-300m, config.json): what parameters are beyond
# the stated layers and width is words, which take no work.
MOST_WORDS = 262_144
# Of a decoder, the fewest words that are taken unasked: those of Llama 2 (arXiv 2307.09288, section 2.2). Where layers
# of the stated number and width leave fewer, their blocks are narrower than the nearest model's.
LEAST_WORDS = 32_000


def _with_words(transformer: Transformer, parameters: float, most: int = 0, fewest: int = 1) -> Transformer:
    """The vocabulary of the parameters that layers of the stated number and width leave: smaller, or up to ``most``."""
    tables = transformers.parameters_of(transformer) - transformers.parameters_of(replace(transformer, vocabulary=0))
    excess = transformers.parameters_of(transformer) - parameters
    words = max(fewest, round(transformer.vocabulary * (1 - excess / tables)))
    if excess <= 0:
        words = max(transformer.vocabulary, min(words, most))
    return replace(transformer, vocabulary=words)


def _with_parameters(transformer: Transformer, parameters: float) -> Transformer:
    """The feed-forward width (of the experts, where there are any) that makes the parameters agree.

    A model too small for its relative's vocabulary gets a smaller one.
    """
    missing = parameters - transformers.parameters_of(transformer)
    per_unit = (3 if transformer.gated else 2) * transformer.hidden_size
    moe = transformer.moe
    if moe is not None:
        width = moe.feed_forward + round(missing / (per_unit * moe.moe_layers * moe.experts))
        fitted = replace(transformer, moe=replace(moe, feed_forward=max(1, width)))
    else:
        copies = 1 if transformer.shared_layers else transformer.layers
        width = transformer.feed_forward + round(missing / (per_unit * copies))
        fitted = replace(transformer, feed_forward=max(1, width))
    return fitted if width >= 1 else _with_words(fitted, parameters)


def _with_active(transformer: Transformer, active: float | None) -> Transformer:
    """So many experts a token that the active parameters come nearest the given ones."""
    moe = transformer.moe
    if moe is None or active is None:
        return transformer

    def distance(count: int) -> float:
        trial: MixtureOfExperts = replace(moe, active=count)
        return abs(transformers.active_parameters_of(replace(transformer, moe=trial)) - active)

    return replace(transformer, moe=replace(moe, active=min(range(1, moe.experts + 1), key=distance)))


def _build(name: str, family: str, parameters: float, transformer: Transformer, known: ModelProfile) -> ModelProfile:
    source = f"derived: {known.name}, the nearest of its family, scaled to the given size"
    length = known.reference.sequence_length or transformer.context_length
    if family == "encoder":
        return transformers.encoder_model(name, parameters, transformer, source, length)
    if family == "encoder_decoder":
        return transformers.encoder_decoder_model(name, parameters, transformer, source, length)
    return transformers.language_model(name, parameters, transformer, source)


def _with_flops(model: CustomModel, profile: ModelProfile) -> ModelProfile:
    """The given operations in place of the dimensions' own."""
    if model.active_parameters is not None:
        profile = replace(profile, active_parameters=float(model.active_parameters))
    stated = _stated_flops(model, profile)
    if stated is None:
        return profile
    return replace(profile, forward_flops=stated, stated_work=stated / profile.forward_flops)


# The known models of a family: their medians complete what is not given.


def _relatives(known: Models, family: str, sides: int | None = None) -> Models:
    """The known models of a family; tutorials' small ones count as no relatives of large ones.

    Of volumes, those that take volumes where the family has such; of images, those that do not.
    """
    members = tuple(model for model in known if model.family == family)
    volumes = tuple(one for one in members if len(one.reference.image_size or ()) == VOLUME_SIDES)
    members = (volumes or members) if sides == VOLUME_SIDES else tuple(one for one in members if one not in volumes)
    grown = tuple(model for model in members if model.architecture != "keras")
    return grown or members


def _nearest(known: Models, family: str, parameters: float, active: float | None = None) -> ModelProfile:
    """The known text transformer of the family whose size (and active part) is nearest, by ratio.

    Of the decoders only those of the present plan (gated feed-forward blocks); no layers that share their weights:
    their parameters say little of their work.
    """

    def distance(model: ModelProfile) -> float:
        used = abs(log((model.active_parameters or model.parameters) / active)) if active else 0.0
        return abs(log(model.parameters / parameters)) + used

    relatives = (
        model
        for model in _relatives(known, family)
        if model.transformer and model.transformer.vocabulary and not model.transformer.shared_layers
        if family != "decoder" or model.transformer.gated
    )
    return min(relatives, key=distance)


def _median_ratio(members: Models, above: Figure, below: Figure) -> float:
    """Median over the models of one figure divided by another."""
    return median(above(model) / below(model) for model in members if below(model) > 0)


def _typical(members: Models) -> ModelProfile:
    """The model of median work a sample: its input, traffic and memory class stand for the family."""
    ordered = sorted(members, key=lambda model: model.forward_flops)
    return ordered[len(ordered) // 2]


def _weights_per_layer(transformer: Transformer) -> float:
    """A layer's parameters in units of its width squared: 12 in the plain plan."""
    fixed, routed = transformers.decode_weights(transformer)
    head = transformer.vocabulary * (transformer.embedding_size or transformer.hidden_size)
    return (fixed - head + routed) / transformer.layers / transformer.hidden_size**2
