"""A profile for another input."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.models.shape import at_input, for_task, over_beams, writing
from plimsoll_service.evidence.models import find, load

FIGURES = ("forward_flops", "written_elements", "stored_elements", "kernels", "fp32_elements", "mask_elements")


def profile(name: str) -> ModelProfile:
    found = find(name)
    assert found is not None
    return found


def test_the_reference_input_changes_nothing() -> None:
    """The reference input gives the same profile."""
    for model in load().models:
        reference = model.reference
        assert at_input(model, reference.image_size, reference.sequence_length, reference.steps) == model, model.name


def test_images_scale_with_their_area() -> None:
    """Twice the side is four times the work and the elements; parameters and kernels stay."""
    small, large = profile("resnet50"), at_input(profile("resnet50"), image_size=(448,))
    assert large.reference.image_size == (448, 448)
    assert large.forward_flops == pytest.approx(4 * small.forward_flops)
    assert large.stored_elements == pytest.approx(4 * small.stored_elements)
    assert (large.parameters, large.kernels) == (small.parameters, small.kernels)


def test_volumes_scale_with_all_three_sides() -> None:
    """One number stands for every side of a volume."""
    assert at_input(profile("unet-3d"), image_size=(64,)).forward_flops == pytest.approx(
        profile("unet-3d").forward_flops / 8
    )


def test_sequences_scale_linearly_and_quadratically() -> None:
    """BERT-large at 128 tokens, by the formula L((8 + 16) s h² + 4 s² h)."""
    expected = 24 * (24 * 128 * 1024**2 + 4 * 128**2 * 1024)
    assert at_input(profile("bert-large"), sequence_length=128).forward_flops == pytest.approx(expected)


def test_a_patch_transformer_scales_by_its_patches() -> None:
    """ViT-B/16 at 384 pixels is known to take 55.5 G multiply-adds."""
    assert at_input(profile("vit-base"), image_size=(384, 384)).forward_flops / 2e9 == pytest.approx(55.5, rel=0.02)


def test_recurrent_steps_launch_one_after_another() -> None:
    """Twice the length launches twice the kernels."""
    model = profile("lstm")
    assert at_input(model, sequence_length=70).kernels == pytest.approx(2 * model.kernels)


def test_beams_repeat_the_work_of_the_decoder_over_the_same_weights() -> None:
    """The encoder's products stay: of NLLB's 600 M each further beam adds those of the decoder and of the head."""
    one = profile("nllb-200-600m")
    two, five = over_beams(one, 2), over_beams(one, 5)
    decoder = 2 * 32 * (12 * (8 * 1024**2 + 8 * 1024**2) + 256_206 * 1024)
    assert one.generation is not None
    assert two.generation is not None
    assert two.forward_flops - one.forward_flops == pytest.approx(decoder, rel=0.02)
    assert five.forward_flops - one.forward_flops == pytest.approx(4 * (two.forward_flops - one.forward_flops))
    assert (two.parameters, two.generation.parameters) == (one.parameters, one.generation.parameters)
    assert two.generation.cache_elements == 2 * one.generation.cache_elements


@pytest.mark.parametrize(("model", "read", "written"), [("nllb-200-600m", 32, 32), ("whisper-large-v3", 1500, 100)])
def test_beams_hold_what_was_read_once_each_or_once_together(model: str, read: int, written: int) -> None:
    """Transformers expands the encoder's output for each beam (generation/utils.py); CTranslate2 does not."""
    one = profile(model)
    each, together = over_beams(one, 5), over_beams(one, 5, shared=True)
    held = [other.generation.cache_elements for other in (one, each, together) if other.generation is not None]

    assert held[1] / held[0] == pytest.approx(5)
    assert held[2] / held[0] == pytest.approx((read + 5 * written) / (read + written))


def test_denoising_steps_multiply_work_but_not_memory() -> None:
    """Half the steps: half the work and launches; what one pass keeps is the same."""
    full, half = profile("sdxl"), at_input(profile("sdxl"), steps=15)
    assert half.forward_flops == pytest.approx(full.forward_flops / 2)
    assert half.kernels == pytest.approx(full.kernels / 2)
    assert half.stored_elements == pytest.approx(full.stored_elements)


def test_training_a_denoiser_is_one_pass() -> None:
    """Fifty guided steps are a hundred passes; a training sample is one."""
    model = profile("stable-diffusion-1.5")
    assert for_task(model, training=True).forward_flops == pytest.approx(model.forward_flops / 100)
    assert for_task(model, training=False) == model


def test_generated_text_launches_the_decoder_at_each_token() -> None:
    """Training sees all tokens at once; T5-base writing 512 tokens launches its twelve decoder layers 512 times."""
    model = profile("t5-base")
    written = for_task(model, training=False)
    assert for_task(model, training=True) == model
    assert written.sequential
    assert written.kernels == 23 * 12 + 512 * 30 * 12
    assert for_task(at_input(model, sequence_length=1024), training=False).kernels == pytest.approx(2 * written.kernels)


def test_a_window_bounds_the_attention() -> None:
    """With all layers full the same lengths would cost more than with Gemma 3's windows."""
    windowed = profile("gemma-3-27b")
    assert windowed.transformer is not None
    ratio = (
        at_input(windowed, sequence_length=32768).forward_flops
        / at_input(windowed, sequence_length=16384).forward_flops
    )
    plain = profile("llama-3.1-8b")
    plain_ratio = (
        at_input(plain, sequence_length=32768).forward_flops / at_input(plain, sequence_length=16384).forward_flops
    )
    assert 2 < ratio < plain_ratio


def test_what_does_not_apply_is_left_alone() -> None:
    """A field without a meaning changes nothing: a table learner has no image."""
    assert at_input(profile("xgboost"), image_size=(512,), sequence_length=9, steps=3) == profile("xgboost")


@settings(deadline=None)
@given(model=st.sampled_from(load().models), low=st.integers(32, 2000), more=st.integers(1, 2000))
def test_a_larger_input_never_costs_less(model: ModelProfile, low: int, more: int) -> None:
    """Work, elements and launches grow with the input, for every model."""
    small = at_input(model, (low,), low, low)
    large = at_input(model, (low + more,), low + more, low + more)
    for name in FIGURES:
        assert getattr(large, name) >= getattr(small, name) * (1 - 1e-9)


def test_a_short_translation_takes_its_own_steps() -> None:
    """A tenth of the tokens are written: the encoder works as before, the decoder a tenth as often."""
    model = profile("t5-large")
    whole, short = (for_task(writing(at_input(model, sequence_length=500), tokens), False) for tokens in (None, 50))
    assert whole.generation is not None
    assert short.generation is not None

    assert writing(at_input(model, sequence_length=500), 500) == at_input(model, sequence_length=500)
    assert whole.generation.tokens == 10 * short.generation.tokens
    assert 0.4 < short.forward_flops / whole.forward_flops < 0.5
    assert short.kernels < 0.12 * whole.kernels


@pytest.mark.parametrize(
    ("name", "size", "petaflop"),
    [
        # Wan2.1's 14 B at 720 x 1280: 75,600 tokens, 40 layers of 5,120, 100 passes, by hand.
        ("wan2.1-14b", (720, 1280), 684),
        # FLUX.1 at 2,048: 57 blocks of 3,072, 16,384 places and 512 of the prompt, which do not grow, 28 passes.
        ("flux.1-dev", (2048, 2048), 11.7),
    ],
)
def test_attention_of_denoisers_grows_with_the_square_of_the_places(
    name: str, size: tuple[int, int], petaflop: float
) -> None:
    model = find(name)
    assert model is not None
    at_once = at_input(model, image_size=size)
    in_turn = at_input(at_input(model, image_size=(600, 600)), image_size=size)

    assert at_once.forward_flops / 1e15 == pytest.approx(petaflop, rel=0.01)
    assert in_turn.forward_flops == pytest.approx(at_once.forward_flops)
