"""The table of models holds together."""

from math import isfinite

import pytest

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.models.families import MODEL_FAMILIES
from plimsoll_service.engine.models.profile import ARCHITECTURES
from plimsoll_service.evidence import coefficients
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.models import find, load


def test_every_entry_is_complete() -> None:
    """Every figure is a positive number of a known class, with a source."""
    for model in load().models:
        kept = model.stored_elements + model.fp32_elements
        figures = (model.parameters, model.forward_flops, model.written_elements, kept, model.kernels)
        assert all(isfinite(figure) and figure > 0 for figure in figures), model.name
        assert model.family in MODEL_FAMILIES, model.name
        assert model.traffic in starting().traffic, model.name
        assert hasattr(TRAINING_MEMORY, f"kappa_{model.memory}"), model.name
        assert model.architecture in ARCHITECTURES, model.name
        assert model.sample, model.name
        assert model.source, model.name
        assert 0 <= model.embedding_parameters <= model.parameters, model.name
        assert (model.tree is not None) == (model.family in ("tree", "linear")), model.name
        assert (model.active_parameters is not None) == (model.family == "moe"), model.name


def test_every_family_has_models() -> None:
    """Each family of the contract is represented."""
    assert set(MODEL_FAMILIES) == {model.family for model in load().models}


def test_customary_data_sets_are_known() -> None:
    """The data set that is assumed for a model is in the data sets' table."""
    known = coefficients.load().datasets
    assert [m.name for m in load().models if m.default_dataset and known.find(m.default_dataset) is None] == []


def test_ambiguous_names_lead_to_models() -> None:
    """Each common variant is an entry."""
    assert [name for name, taken in load().names.usual.items() if getattr(find(taken), "name", None) != taken] == []


def test_scaling_has_what_it_scales_by() -> None:
    """An area needs a reference image, a sequence a length, steps a number of steps."""
    for model in load().models:
        reference = model.reference
        assert model.scaling not in ("area", "steps") or reference.image_size
        assert model.scaling != "sequence" or reference.sequence_length
        assert model.scaling != "steps" or reference.steps
        assert model.scaling != "transformer" or model.transformer


@pytest.mark.parametrize("name", ["sdxl-turbo", "stabilityai/sd-turbo", "sdxl-lightning", "sd3.5-large-turbo"])
def test_models_distilled_to_few_steps_make_few(name: str) -> None:
    """They are not the network that they were distilled from, with its thirty steps and guidance."""
    model = find(name)

    assert model is not None
    assert (4, 1) == (model.reference.steps, model.guidance_passes)


@pytest.mark.parametrize(("size", "million"), [("small", 13), ("medium", 30), ("large", 121)])
def test_a_conformers_blocks_hold_its_parameters(size: str, million: float) -> None:
    """Two feed-forward parts, attention with positions and a convolution: 8 + 8 + 5 + 3 a layer and width squared."""
    network = find(f"conformer-{size}")
    layers, hidden = {"small": (16, 176), "medium": (18, 256), "large": (18, 512)}[size]
    blocks = 24 * layers * hidden**2 + 9 * hidden**2 + 20 * hidden**2

    assert network is not None
    assert network.parameters == million * 1e6
    assert blocks == pytest.approx(network.parameters, rel=0.1)


def test_a_conformer_sees_twice_the_frames_of_its_fast_successor() -> None:
    """A quarter of the frames is left, not an eighth, after convolutions as wide as the blocks: thrice the work."""
    conformer, fast = find("conformer-large"), find("parakeet-110m")

    assert conformer is not None
    assert fast is not None
    assert 2.5 < conformer.forward_flops / fast.forward_flops < 3.5
