"""Figures that follow from a transformer's dimensions."""

from dataclasses import replace

import pytest

from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.models.transformers import (
    active_parameters_of,
    decode_weights,
    forward_flops,
    kv_elements_per_token,
    parameters_of,
    score_flops,
    stored_elements,
    written_elements,
)
from plimsoll_service.evidence.models import find, load

TEXT_MODELS = [model for model in load().models if model.transformer and model.transformer.vocabulary]


def dimensions(name: str) -> Transformer:
    found = find(name)
    assert found is not None
    assert found.transformer is not None
    return found.transformer


def test_dimensions_give_the_published_parameters() -> None:
    """Layers, widths, heads and vocabulary add up to the published count within 2%."""
    for model in TEXT_MODELS:
        assert model.transformer is not None, model.name
        assert model.parameters == pytest.approx(parameters_of(model.transformer), rel=0.02), model.name


@pytest.mark.parametrize(
    ("name", "billion"),
    [("mixtral-8x7b", 12.9), ("deepseek-v3", 37.5), ("deepseek-v2", 21.4), ("deepseek-v2-lite", 2.66),
     ("qwen3-235b-a22b", 22.2), ("qwen3-30b-a3b", 3.35), ("kimi-k2", 32.9), ("gpt-oss-120b", 5.7),
     ("gpt-oss-20b", 4.2), ("llama-4-scout", 17.2), ("llama-4-maverick", 17.2), ("qwen3.5-397b-a17b", 17.4)],
)  # fmt: skip
def test_active_parameters_are_the_published_ones(name: str, billion: float) -> None:
    """A token uses the shared part and the few experts that it is sent to."""
    assert billion == pytest.approx(active_parameters_of(dimensions(name)) / 1e9, rel=0.03)


@pytest.mark.parametrize(
    ("name", "elements"),
    [("llama-2-7b", 2 * 32 * 4096), ("llama-3-8b", 2 * 32 * 1024), ("llama-3.1-405b", 2 * 126 * 1024),
     ("deepseek-v3", 61 * 576), ("falcon-7b", 2 * 32 * 64), ("qwen3-next-80b-a3b", 2 * 12 * 512)],
)  # fmt: skip
def test_kv_cache_per_token(name: str, elements: float) -> None:
    """Grouped queries, one latent and layers without cache are all counted."""
    assert elements == kv_elements_per_token(dimensions(name))


def test_decoding_reads_all_but_the_input_table() -> None:
    """An untied input table is looked up; a tied one is read once, as the output head."""
    untied, tied = dimensions("llama-3-8b"), dimensions("llama-3.2-1b")
    assert decode_weights(untied) == (parameters_of(untied) - untied.vocabulary * untied.hidden_size, 0.0)
    assert decode_weights(tied) == (parameters_of(tied), 0.0)


def test_decoding_tells_routed_experts_from_the_rest() -> None:
    """Mixtral's experts are 45.1 of 46.7 billion parameters."""
    fixed, routed = decode_weights(dimensions("mixtral-8x7b"))
    assert routed == 32 * 8 * 3 * 4096 * 14336
    assert fixed == pytest.approx(1.48e9, rel=0.02)


def test_bert_has_the_work_of_the_formula() -> None:
    """BERT-large at 384 tokens: 246 GFLOP, 302 M written, 264 M kept elements."""
    model = find("bert-large")
    assert model is not None
    assert model.forward_flops / 1e9 == pytest.approx(246.4, rel=0.001)
    assert model.written_elements / 1e6 == pytest.approx(302.0, rel=0.001)


def test_bert_base_keeps_what_the_memory_study_says() -> None:
    """99 M elements and 28 M dropout masks at 384 tokens."""
    model = find("bert-base")
    assert model is not None
    assert model.stored_elements / 1e6 == pytest.approx(99.1, rel=0.001)
    assert model.mask_elements / 1e6 == pytest.approx(28.3, rel=0.001)


def test_a_language_model_needs_two_flops_a_parameter_and_token() -> None:
    """Kaplan et al. 2020: 2 N a token, and a little attention."""
    model = find("llama-2-7b")
    assert model is not None
    per_token = model.forward_flops / (model.reference.sequence_length or 1)
    assert 2 * model.parameters < per_token < 2.2 * model.parameters


def test_disentangled_attention_scores_distances_beside_words() -> None:
    """A layer makes two more products with 512 distances, keeps both and the rows, and writes nine elements a pair."""
    model = dimensions("deberta-v3-large")
    plain = replace(model, relative_positions=0)
    length, heads, width = 256, model.heads, model.hidden_size
    kept = 2 * 512 * (heads * length + width) * model.layers
    expected = (2 * 2 * 512 * width * length * model.layers, kept + 9 * heads * length**2 * model.layers, kept)
    actual = (
        forward_flops(model, length) - forward_flops(plain, length),
        written_elements(model, length, True) - written_elements(plain, length, True),
        stored_elements(model, length, True) - stored_elements(plain, length, True),
    )
    assert expected == actual


def test_first_disentangled_attention_looks_no_further_than_the_sequence() -> None:
    """Of its 1,024 distances DeBERTa's first release takes twice the length."""
    model = dimensions("deberta-large")
    added = [
        score_flops(model, length) - score_flops(replace(model, relative_positions=0), length) for length in (256, 512)
    ]
    expected = [4 * rows * model.hidden_size * length * model.layers for rows, length in ((512, 256), (1024, 512))]
    assert expected == added
