"""A model given by its family and a few numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.models.custom import from_custom
from plimsoll_service.engine.models.families import MODEL_FAMILIES
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.transformers import parameters_of
from plimsoll_service.engine.workload import CustomModel
from plimsoll_service.evidence import models
from plimsoll_service.evidence.models import load


def pointers(**given_fields: object) -> set[str]:
    with pytest.raises(Refused) as refusal:
        from_custom(CustomModel(**given_fields), load())
    return {fault.pointer for fault in refusal.value.faults}


def build(**given_fields: object) -> ModelProfile:
    return from_custom(CustomModel(**given_fields), load())


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_family_and_parameters_are_enough(family: str) -> None:
    """Everything else is derived from the family's known models, and the profile says so."""
    model = build(family=family, parameters=1e9, name="ours")
    assert model.name == "ours"
    assert model.family == family
    assert model.source.startswith("derived")
    assert model.forward_flops > 0
    assert model.stored_elements > 0


@pytest.mark.parametrize("family", ["decoder", "encoder", "encoder_decoder", "moe"])
@pytest.mark.parametrize("parameters", [3e6, 1e8, 7e9, 1e11, 3e12])
def test_derived_dimensions_hold_the_given_parameters(family: str, parameters: float) -> None:
    """The dimensions that serving and memory use add up to what was given."""
    model = build(family=family, parameters=parameters)
    assert model.parameters == parameters
    assert model.transformer is not None
    assert parameters_of(model.transformer) == pytest.approx(parameters, rel=0.05)


def test_a_seven_billion_decoder_looks_like_one() -> None:
    """Some thirty layers of width 4,096, and two FLOPs a parameter and token."""
    model = build(family="decoder", parameters=7e9)
    assert model.transformer is not None
    assert 24 <= model.transformer.layers <= 40
    assert 3000 <= model.transformer.hidden_size <= 5000
    assert model.forward_flops / (model.reference.sequence_length or 1) == pytest.approx(14e9, rel=0.2)


def test_layers_and_width_give_the_parameters() -> None:
    """32 layers of 4,096 make about seven billion."""
    assert build(family="decoder", layers=32, hidden_size=4096).parameters == pytest.approx(7e9, rel=0.25)


def test_active_parameters_choose_the_experts() -> None:
    """A hundred billion with five active is computed like five."""
    model = build(family="moe", parameters=1e11, active_parameters=5e9)
    assert model.active_parameters == 5e9
    assert model.forward_flops / (model.reference.sequence_length or 1) == pytest.approx(10e9, rel=0.3)


def test_given_operations_are_taken() -> None:
    """Operations a sample or a token replace the family's median."""
    assert build(family="cnn", parameters=5e6, forward_flops_per_sample=1e9).forward_flops == 1e9
    language = build(family="decoder", parameters=1e9, forward_flops_per_token=3e9)
    assert language.forward_flops == 3e9 * (language.reference.sequence_length or 1)


def test_what_is_missing_is_said() -> None:
    """A missing description, an unknown family and a family without size are refused at their place."""
    assert pointers() == {"/workload/model/family"}
    assert pointers(family="robot") == {"/workload/model/family"}
    assert pointers(family="cnn") == {"/workload/model/parameters"}
    assert pointers(family="decoder", layers=12) == {"/workload/model/parameters"}


def test_contradictions_are_refused() -> None:
    """Figures that cannot hold together name the one to leave out."""
    assert pointers(family="decoder", parameters=7e9, layers=2, hidden_size=64) == {"/workload/model/parameters"}
    assert pointers(family="moe", parameters=1e9, active_parameters=2e9) == {"/workload/model/active_parameters"}
    assert pointers(family="decoder", parameters=1e9, active_parameters=1e8) == {"/workload/model/active_parameters"}
    assert pointers(family="cnn", parameters=1e9, forward_flops_per_token=1e9) == {
        "/workload/model/forward_flops_per_token"
    }
    assert pointers(config={"model_type": "gpt2"}, family="cnn") == {"/workload/model/family"}


def test_all_faults_come_at_once() -> None:
    """Two senseless numbers are two faults."""
    assert pointers(family="cnn", parameters=-1.0, layers=0) == {"/workload/model/parameters", "/workload/model/layers"}


def answered(model: CustomModel) -> ModelProfile | tuple[Fault, ...]:
    """The profile, or the faults of a refusal; any other error fails the test."""
    try:
        return from_custom(model, load())
    except Refused as refusal:
        return refusal.faults


NUMBERS = st.none() | st.floats() | st.floats(1.0, 1e13)
COUNTS = st.none() | st.integers(-5, 10**7)


@settings(deadline=None)
@given(
    family=st.sampled_from((None, "x", *MODEL_FAMILIES)), parameters=NUMBERS, active=NUMBERS, sample=NUMBERS,
    token=NUMBERS, layers=COUNTS, width=COUNTS,
)  # fmt: skip
def test_any_numbers_give_a_profile_or_a_refusal(
    family: str | None, parameters: float | None, active: float | None, sample: float | None, token: float | None,
    layers: int | None, width: int | None,
) -> None:  # fmt: skip
    """Any numbers give a profile or a refusal, and no other error."""
    model = CustomModel(
        family=family, parameters=parameters, active_parameters=active, forward_flops_per_sample=sample,
        forward_flops_per_token=token, layers=layers, hidden_size=width,
    )  # fmt: skip
    answer = answered(model)
    assert answer.forward_flops > 0 if isinstance(answer, ModelProfile) else answer


@pytest.mark.parametrize(
    ("framework", "learner"),
    [("scikit-learn", "random-forest"), ("lightgbm", "lightgbm"), ("catboost", "catboost"), (None, "xgboost")],
)
def test_trees_are_grown_by_the_frameworks_own_learner(framework: str | None, learner: str) -> None:
    """Scikit-learn's trees run on processors alone, and take a forest's memory."""
    tree = from_custom(CustomModel(name="rf", family="tree"), load(), framework).tree
    assert tree is not None
    assert learner == tree.learner


def test_an_own_network_takes_volumes_where_its_family_has_such_networks() -> None:
    """Work and elements are then after those of volumes; classifiers of images stay flat."""
    flat = from_custom(CustomModel(family="segmentation", parameters=3e7), load())
    solid = from_custom(CustomModel(family="segmentation", parameters=3e7), load(), sides=3)
    images = from_custom(CustomModel(family="cnn", parameters=3e7), load(), sides=3)
    sides = [len(one.reference.image_size or ()) for one in (flat, solid, images)]
    assert [2, 3, 2] == sides
    assert "128 x 128 x 128" in solid.sample
    assert ("segmentation", "volumes") == (flat.traffic, solid.traffic)


def test_of_few_known_models_the_nearest_in_size_stands_for_an_own_one() -> None:
    """Two networks have no median: a large one is not taken for half a tiny one."""
    large = from_custom(CustomModel(family="segmentation", parameters=3e7), load())
    known = models.find("unet")
    assert known is not None
    assert large.forward_flops / large.parameters == pytest.approx(known.forward_flops / known.parameters)


def test_stated_layers_and_width_are_worked_through() -> None:
    """Six layers of 512 have 18.9 of 20 million parameters: 12 a layer and width squared; words have what is left."""
    profile = from_custom(CustomModel(family="encoder", parameters=2e7, layers=6, hidden_size=512), load())
    tokens = float(profile.reference.sequence_length or 0)

    assert profile.transformer is not None
    assert profile.transformer.feed_forward == 4 * 512
    assert profile.transformer.vocabulary * 512 == pytest.approx(2e7 - 12 * 6 * 512**2, rel=0.5)
    assert 2 * 12 * 6 * 512**2 == pytest.approx(profile.forward_flops / tokens, rel=0.15)


@pytest.mark.parametrize("parameters", [5e6, 1.2e7, 1.8e7, 2.5e7])
def test_an_own_encoder_shares_no_layers(parameters: float) -> None:
    """Each parameter works once a token: layers of ALBERT, which share theirs, are no one's relatives."""
    profile = from_custom(CustomModel(family="encoder", parameters=parameters), load())
    tokens = float(profile.reference.sequence_length or 0)

    assert profile.forward_flops / tokens < 3 * parameters


@pytest.mark.parametrize(
    ("parameters", "layers", "width", "known"),
    [(118e6, 12, 384, "multilingual-e5-small"), (278e6, 12, 768, "xlm-roberta-base"), (110e6, 12, 768, "bert-base")],
)
def test_an_encoders_parameters_beyond_its_layers_are_words(
    parameters: float, layers: int, width: int, known: str
) -> None:
    """Tables of words take no work: by its dimensions an encoder works as much as the known one that has them."""
    own = build(family="encoder", parameters=parameters, layers=layers, hidden_size=width)
    of_name = models.find(known)
    assert of_name is not None
    lengths = [one.reference.sequence_length or 1 for one in (own, of_name)]
    assert own.forward_flops / lengths[0] == pytest.approx(of_name.forward_flops / lengths[1], rel=0.05)


@pytest.mark.parametrize(
    ("parameters", "layers", "width", "words"),
    [(220_000, 2, 128, 0), (1.1e6, 2, 256, 0), (100_000, 2, 128, 0), (220_000, None, None, 0),
     (19_760_000, 2, 650, 10_000), (66e6, 2, 1500, 10_000), (19_760_000, None, None, 10_000)],
)  # fmt: skip
def test_recurrent_cells_take_their_parameters_before_words_do(
    parameters: float, layers: int | None, width: int | None, words: int
) -> None:
    """Weights beyond the cells are tables only where these have as many rows as a language has words."""
    model = build(family="rnn", parameters=parameters, layers=layers, hidden_size=width)
    tables = 2 * model.embedding_parameters
    assert model.sequential
    assert bool(tables) == bool(words)
    cells = parameters - tables
    assert model.forward_flops == pytest.approx(2 * 35 * (cells + tables / 2), rel=0.01)
    found = int(model.source.split()[-2]) if words else 0
    assert found == pytest.approx(words, rel=0.001)


def test_stated_operations_of_a_recurrent_network_count() -> None:
    """Operations of a token are those of each of the reference's 35 steps."""
    model = build(family="rnn", parameters=220_000, forward_flops_per_token=1e6)
    assert model.forward_flops == 35e6
