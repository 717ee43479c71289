"""A model given by its Hugging Face configuration."""

from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.models.custom import from_custom
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import CustomModel
from plimsoll_service.evidence.models import find, load

Config = dict[str, object]

LLAMA: Config = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072,
    "tie_word_embeddings": False, "hidden_act": "silu",
}  # fmt: skip
GEMMA_3: Config = {
    "hidden_size": 5376, "intermediate_size": 21504, "model_type": "gemma3_text", "num_attention_heads": 32,
    "num_hidden_layers": 62, "num_key_value_heads": 16, "head_dim": 128, "sliding_window": 1024, "vocab_size": 262208,
    "max_position_embeddings": 131072,
}  # fmt: skip
LLAMA_4: Config = {
    "model_type": "llama4_text", "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
    "num_hidden_layers": 48, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 202048,
    "num_local_experts": 128, "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "attention_chunk_size": 8192,
}  # fmt: skip
CONFIGS: dict[str, Config] = {
    "llama-3.1-8b": LLAMA,
    "mistral-7b": {
        "model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "sliding_window": None,
    },
    "mixtral-8x7b": {
        "model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8,
        "num_experts_per_tok": 2, "tie_word_embeddings": False,
    },
    "qwen2.5-7b": {
        "model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
        "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064, "tie_word_embeddings": False,
        "sliding_window": 131072, "use_sliding_window": False,
    },
    "qwen3-4b": {
        "model_type": "qwen3", "hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, "head_dim": 128,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 151936, "tie_word_embeddings": True,
    },
    "qwen3-30b-a3b": {
        "model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 48,
        "head_dim": 128, "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 151936, "num_experts": 128,
        "num_experts_per_tok": 8, "moe_intermediate_size": 768, "decoder_sparse_step": 1, "mlp_only_layers": [],
    },
    "qwen2-57b-a14b": {
        "model_type": "qwen2_moe", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
        "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 151936, "num_experts": 64,
        "num_experts_per_tok": 8, "moe_intermediate_size": 2560, "shared_expert_intermediate_size": 20480,
    },
    "qwen3-next-80b-a3b": {
        "model_type": "qwen3_next", "hidden_size": 2048, "intermediate_size": 5120, "num_hidden_layers": 48,
        "head_dim": 256, "num_attention_heads": 16, "num_key_value_heads": 2, "vocab_size": 151936, "num_experts": 512,
        "num_experts_per_tok": 10, "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512,
        "full_attention_interval": 4, "linear_num_key_heads": 16, "linear_key_head_dim": 128,
        "linear_num_value_heads": 32, "linear_value_head_dim": 128, "tie_word_embeddings": False,
    },
    "gemma-2-9b": {
        "model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42,
        "head_dim": 256, "num_attention_heads": 16, "num_key_value_heads": 8, "vocab_size": 256000,
        "sliding_window": 4096, "hidden_activation": "gelu_pytorch_tanh",
    },
    "gemma-3-27b": {"model_type": "gemma3", "text_config": GEMMA_3, "vision_config": {"hidden_size": 1152}},
    "phi-3-mini": {
        "model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32064, "sliding_window": 2047,
        "tie_word_embeddings": False,
    },
    "gpt2": {
        "model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257,
    },
    "gpt-neo-1.3b": {
        "model_type": "gpt_neo", "hidden_size": 2048, "num_layers": 24, "num_heads": 16, "vocab_size": 50257,
        "max_position_embeddings": 2048, "intermediate_size": None, "window_size": 256,
    },
    "pythia-1b": {
        "model_type": "gpt_neox", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
        "num_attention_heads": 8, "vocab_size": 50304, "tie_word_embeddings": False,
    },
    "falcon-7b": {
        "model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71,
        "multi_query": True, "new_decoder_architecture": False, "vocab_size": 65024,
    },
    "falcon-40b": {
        "model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128,
        "num_kv_heads": 8, "new_decoder_architecture": True, "vocab_size": 65024,
    },
    "mpt-7b": {
        "model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32, "expansion_ratio": 4, "vocab_size": 50432,
        "max_seq_len": 2048, "attn_config": {"alibi": True, "attn_type": "multihead_attention"},
    },
    "opt-350m": {
        "model_type": "opt", "hidden_size": 1024, "ffn_dim": 4096, "num_hidden_layers": 24, "num_attention_heads": 16,
        "vocab_size": 50272, "max_position_embeddings": 2048, "word_embed_proj_dim": 512,
    },
    "bloom-3b": {"model_type": "bloom", "hidden_size": 2560, "n_layer": 30, "n_head": 32, "vocab_size": 250880},
    "dbrx": {
        "model_type": "dbrx", "d_model": 6144, "n_layers": 40, "n_heads": 48, "vocab_size": 100352,
        "max_seq_len": 32768, "attn_config": {"kv_n_heads": 8},
        "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
        "tie_word_embeddings": False,
    },
    "deepseek-v2-lite": {
        "model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
        "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "n_shared_experts": 2,
        "n_routed_experts": 64, "num_experts_per_tok": 6, "kv_lora_rank": 512, "q_lora_rank": None,
        "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "first_k_dense_replace": 1,
        "moe_layer_freq": 1, "vocab_size": 102400, "tie_word_embeddings": False,
    },
    "deepseek-v3": {
        "model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048,
        "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "n_shared_experts": 1,
        "n_routed_experts": 256, "num_experts_per_tok": 8, "kv_lora_rank": 512, "q_lora_rank": 1536,
        "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "first_k_dense_replace": 3,
        "vocab_size": 129280, "tie_word_embeddings": False,
    },
    "gpt-oss-20b": {
        "model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 24,
        "head_dim": 64, "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 201088,
        "num_local_experts": 32, "num_experts_per_tok": 4, "experts_per_token": 4, "sliding_window": 128,
        "layer_types": ["sliding_attention", "full_attention"] * 12, "tie_word_embeddings": False,
    },
    "llama-4-maverick": {"model_type": "llama4", "text_config": LLAMA_4, "tie_word_embeddings": False},
    "bert-base": {
        "model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
        "num_attention_heads": 12, "vocab_size": 30522, "max_position_embeddings": 512, "hidden_act": "gelu",
    },
    "roberta-large": {
        "model_type": "roberta", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24,
        "num_attention_heads": 16, "vocab_size": 50265, "max_position_embeddings": 514,
    },
    "albert-base": {
        "model_type": "albert", "hidden_size": 768, "embedding_size": 128, "intermediate_size": 3072,
        "num_hidden_layers": 12, "num_attention_heads": 12, "vocab_size": 30000, "max_position_embeddings": 512,
    },
    "distilbert-base": {
        "model_type": "distilbert", "dim": 768, "hidden_dim": 3072, "n_layers": 6, "n_heads": 12, "vocab_size": 30522,
        "max_position_embeddings": 512, "activation": "gelu",
    },
    "t5-base": {
        "model_type": "t5", "d_model": 768, "d_ff": 3072, "d_kv": 64, "num_layers": 12, "num_heads": 12,
        "vocab_size": 32128, "n_positions": 512,
    },
    "flan-t5-xl": {
        "model_type": "t5", "d_model": 2048, "d_ff": 5120, "d_kv": 64, "num_layers": 24, "num_decoder_layers": 24,
        "num_heads": 32, "vocab_size": 32128, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False,
    },
    "bart-large": {
        "model_type": "bart", "d_model": 1024, "encoder_layers": 12, "decoder_layers": 12, "encoder_ffn_dim": 4096,
        "decoder_ffn_dim": 4096, "encoder_attention_heads": 16, "vocab_size": 50265, "max_position_embeddings": 1024,
    },
    "whisper-small": {
        "model_type": "whisper", "d_model": 768, "encoder_layers": 12, "decoder_layers": 12, "encoder_ffn_dim": 3072,
        "encoder_attention_heads": 12, "vocab_size": 51865, "max_target_positions": 448, "max_source_positions": 1500,
    },
    "vit-large": {
        "model_type": "vit", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24,
        "num_attention_heads": 16, "image_size": 224, "patch_size": 16,
    },
}  # fmt: skip


def built(config: Config) -> ModelProfile:
    return from_custom(CustomModel(config=config), load())


def faults(config: Config) -> dict[str, str]:
    with pytest.raises(Refused) as refusal:
        built(config)
    return {fault.pointer: fault.detail for fault in refusal.value.faults}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_configuration_gives_the_model_of_the_table(name: str) -> None:
    """Parameters, active parameters and operations agree with the known model of that configuration within 1%."""
    known, custom = find(name), built(CONFIGS[name])
    assert known is not None
    assert custom.family == known.family
    assert custom.parameters == pytest.approx(known.parameters, rel=0.01)
    assert (custom.active_parameters or 0) == pytest.approx(known.active_parameters or 0, rel=0.01)
    assert custom.forward_flops == pytest.approx(known.forward_flops, rel=0.01)
    assert "derived" in custom.source


@pytest.mark.parametrize(
    "name", ["gemma-2-9b", "gemma-3-27b", "gpt-oss-20b", "llama-4-maverick", "deepseek-v3", "falcon-7b"]
)
def test_cache_dimensions_come_out_alike(name: str) -> None:
    """Windows, latent attention and shared key-value heads are read."""
    known, custom = find(name), built(CONFIGS[name])
    assert known is not None
    assert known.transformer is not None
    assert custom.transformer is not None
    for field in ("kv_heads", "head_size", "latent", "sliding_window", "sliding_share", "moe"):
        assert getattr(custom.transformer, field) == getattr(known.transformer, field)


def test_every_missing_key_is_named_at_once() -> None:
    """An empty configuration lists all that is needed, each at its place."""
    assert set(faults({})) == {
        f"/workload/model/config/{key}"
        for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
    }


def test_nested_faults_point_into_the_nested_part() -> None:
    """A fault of the text part says so."""
    assert list(faults({"model_type": "gemma3", "text_config": {**GEMMA_3, "vocab_size": "many"}})) == [
        "/workload/model/config/text_config/vocab_size"
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [("hidden_size", "4096"), ("hidden_size", -1), ("hidden_size", 0), ("hidden_size", 10**12), ("vocab_size", 1.5),
     ("num_hidden_layers", True), ("num_hidden_layers", [32]), ("num_key_value_heads", 5), ("num_key_value_heads", 64),
     ("model_type", 7), ("hidden_size", float("nan")), ("hidden_size", float("inf")), ("hidden_size", 16),
     ("tie_word_embeddings", "no"), ("layer_types", "full"), ("num_experts", 1e9), ("head_dim", "wide")],
)  # fmt: skip
def test_a_senseless_value_is_a_fault(key: str, value: object) -> None:
    """Wrong types, absurd sizes and heads that do not divide are refused with a reason."""
    assert all(detail for detail in faults({**LLAMA, key: value}).values())


def test_more_active_experts_than_experts_is_a_contradiction() -> None:
    """A token cannot pass more experts than there are."""
    assert faults({**CONFIGS["mixtral-8x7b"], "num_experts_per_tok": 9}) == {
        "/workload/model/config/num_experts_per_tok": "9 experts a token of 8 experts"
    }


KEYS = sorted({key for config in CONFIGS.values() for key in config} | {"text_config", "layer_types", "num_experts"})
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.integers(1, 200)
OBJECTS = st.dictionaries(st.sampled_from(KEYS), LEAVES, max_size=6)
VALUES = st.recursive(LEAVES | OBJECTS, lambda inner: st.lists(inner, max_size=3))


def answered(config: Config) -> ModelProfile | tuple[Fault, ...]:
    """The profile, or the faults of a refusal; any other error fails the test."""
    try:
        return built(config)
    except Refused as refusal:
        return refusal.faults


def check(answer: ModelProfile | tuple[Fault, ...]) -> None:
    if isinstance(answer, ModelProfile):
        assert isfinite(answer.forward_flops)
        assert answer.forward_flops > 0
        assert answer.parameters > 0
    else:
        assert answer
        assert all(fault.pointer.startswith("/workload/model/config") for fault in answer)


@settings(max_examples=300, deadline=None)
@given(base=st.sampled_from(sorted(CONFIGS)), changes=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
def test_any_configuration_gives_a_profile_or_a_refusal(base: str, changes: Config) -> None:
    """Any change of a configuration gives a profile or a refusal, and no other error."""
    check(answered({**CONFIGS[base], **changes}))


@settings(deadline=None)
@given(config=st.dictionaries(st.text(max_size=12) | st.sampled_from(KEYS), VALUES, max_size=12))
def test_any_object_gives_a_profile_or_a_refusal(config: Config) -> None:
    """An arbitrary JSON object is answered too."""
    check(answered(config))
