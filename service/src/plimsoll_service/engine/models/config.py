"""A profile from a Hugging Face configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite

from ..faults import Refused
from .config_reader import PLACEHOLDER, ConfigReader
from .profile import LatentAttention, MixtureOfExperts, ModelProfile, Transformer
from .speech import whisper_profile
from .stored import AWQ, BITSANDBYTES, FP8, GPTQ, MXFP4, Stored
from .transformers import encoder_decoder_model, encoder_model, language_model, parameters_of
from .vision_transformers import vision_encoder

PAIR, IMAGE, DECODER = "pair", "image", "decoder"


@dataclass(frozen=True)
class ConfigType:
    """Defaults of a configuration's ``model_type`` where its keys do not say: a row of evidence/config_types.csv."""

    name: str = ""
    kind: str = DECODER  # encoder, PAIR of encoder and decoder, IMAGE
    gated: bool = True
    tied: bool = True  # else it keeps a separate output head
    learned_positions: bool = False
    pooler: bool = False
    windowed_share: float = 1.0  # of the layers, that see only the window, where the configuration does not list them
    bf16_only: bool = False  # serving refuses it in FP16, where it overflows
    spread: float = 1.0
    sinks: bool = False
    relative_positions: int = 0
    source: str = ""


EIGHT_BITS = 8

# Bounds no published model comes near: what lies beyond is a slip of the keyboard.
MOST_LAYERS = 2_000
MOST_WIDTH = 1_000_000
MOST_HEADS = 10_000
MOST_WORDS = 100_000_000
MOST_EXPERTS = 100_000
MOST_CONTEXT = 1_000_000_000

LLAMA4_WINDOWED = 0.75  # three layers of four are chunked
OUTPUT_GATED = ("qwen3_next", "qwen3_5")
AUDIO_POSITIONS = 1500  # Whisper's encoder, 30 s
DEFAULT_CONTEXT = 2048
DEFAULT_EXPANSION = 4  # feed-forward over width, where the type leaves it out
SPARSE_STEP_KEYS = ("decoder_sparse_step", "interleave_moe_layer_step")


def transformer_of(reader: ConfigReader, kind: ConfigType, vocabulary_needed: bool = True) -> Transformer:
    """Dimensions of the text model; faults are left in the reader."""
    hidden = reader.required("hidden_size", "n_embd", "d_model", "dim", most=MOST_WIDTH)
    layers, cross = _layers(reader, kind)
    of_heads = ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")
    heads = reader.required(*of_heads, most=MOST_HEADS)
    latent = _latent(reader)
    head_size = _head_size(reader, hidden, heads, latent is not None)
    words = reader.required("vocab_size", most=MOST_WORDS) if vocabulary_needed else 0
    context = _context(reader)
    window, share = _window(reader, kind)
    return Transformer(
        layers=layers,
        hidden_size=hidden,
        heads=heads,
        kv_heads=_kv_heads(reader, kind.name, heads),
        head_size=head_size,
        feed_forward=_feed_forward(reader, hidden),
        vocabulary=words,
        gated=_gated(reader, kind),
        tied_embeddings=reader.flag("tie_word_embeddings", kind.tied),
        causal=kind.kind == DECODER,
        context_length=context,
        moe=_experts(reader, kind, layers, hidden),
        latent=latent,
        sliding_window=window,
        sliding_share=share,
        chunked=reader.has("attention_chunk_size"),
        attention_share=_attention_share(reader),
        cross_attention_layers=cross,
        positions=_positions(reader, kind, context),
        embedding_size=_embedding_size(reader, kind.name, hidden),
        pooler=kind.pooler,
        shared_layers=kind.name == "albert",
        output_gate=reader.flag("attn_output_gate", kind.name.startswith(OUTPUT_GATED)),
        linear_layer_parameters=_linear_layer(reader, hidden),
        sinks=kind.sinks,
        relative_positions=kind.relative_positions if reader.flag("relative_attention", True) else 0,
    )


def _layers(reader: ConfigReader, kind: ConfigType) -> tuple[int, int]:
    """All layers, and how many of them are a decoder's with cross-attention."""
    if kind.kind != PAIR:
        keys = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
        return reader.required(*keys, most=MOST_LAYERS), 0
    encoder = reader.required("encoder_layers", "num_layers", "num_hidden_layers", most=MOST_LAYERS)
    decoder = reader.whole("decoder_layers", "num_decoder_layers", most=MOST_LAYERS, default=encoder)
    return encoder + decoder, decoder


def _kv_heads(reader: ConfigReader, kind: str, heads: int) -> int:
    grouped = reader.flag("new_decoder_architecture", kind not in ("falcon", "refinedwebmodel"))
    shared = reader.flag("multi_query", kind == "gpt_bigcode")
    if shared and (kind == "gpt_bigcode" or not grouped):
        return 1
    nested = reader.part("attn_config").whole("kv_n_heads", most=MOST_HEADS, default=heads)
    found = reader.whole("num_key_value_heads", "num_kv_heads", "n_head_kv", most=MOST_HEADS, default=nested)
    if found > heads or heads % found:
        reader.fault("num_key_value_heads", f"{heads} attention heads cannot share {found} key-value heads evenly")
    return found


def _head_size(reader: ConfigReader, hidden: int, heads: int, latent: bool) -> int:
    if not reader.has("head_dim", "d_kv") and hidden < heads and not latent:
        reader.fault("num_attention_heads", f"{heads} heads do not fit into a width of {hidden}")
    keys = ("v_head_dim",) if latent else ("head_dim", "d_kv")
    return reader.whole(*keys, most=MOST_WIDTH, default=max(1, hidden // heads))


def _feed_forward(reader: ConfigReader, hidden: int) -> int:
    expansion = reader.whole("expansion_ratio", most=100, default=DEFAULT_EXPANSION)
    default = reader.part("ffn_config").whole("ffn_hidden_size", most=MOST_WIDTH, default=expansion * hidden)
    keys = (
        "intermediate_size_mlp", "intermediate_size", "ffn_dim", "n_inner", "d_ff", "ffn_hidden_size",
        "encoder_ffn_dim", "hidden_dim", "moe_intermediate_size",
    )  # fmt: skip
    return reader.whole(*keys, most=10 * MOST_WIDTH, default=default)


def _gated(reader: ConfigReader, kind: ConfigType) -> bool:
    """By type where it is known, else by the activation: SiLU stands for a gated block."""
    projection = reader.word("feed_forward_proj")
    if projection:
        return projection.startswith("gated")
    if not kind.gated:
        return False
    activation = reader.word("hidden_act") or reader.word("activation_function") or reader.word("hidden_activation")
    return activation in ("", "silu", "swish", "swiglu", "geglu", "gelu_pytorch_tanh") or kind.name == "modernbert"


def _context(reader: ConfigReader) -> int:
    keys = (
        "max_position_embeddings", "n_positions", "max_seq_len", "n_ctx", "max_sequence_length", "seq_length",
        "max_target_positions",
    )  # fmt: skip
    return reader.whole(*keys, most=MOST_CONTEXT, default=DEFAULT_CONTEXT)


def _positions(reader: ConfigReader, kind: ConfigType, context: int) -> int:
    """Rows of learned position tables; Whisper has one for its audio besides."""
    audio = kind.name == "whisper"
    extra = reader.whole("max_source_positions", most=MOST_CONTEXT, default=AUDIO_POSITIONS) if audio else 0
    return context + extra if kind.learned_positions else 0


def _embedding_size(reader: ConfigReader, kind: str, hidden: int) -> int | None:
    keys = ("embedding_size",) if kind in ("albert", "electra") else ("word_embed_proj_dim",)
    width = reader.whole(*keys, most=MOST_WIDTH, default=hidden)
    return None if width == hidden else width


def _window(reader: ConfigReader, kind: ConfigType) -> tuple[int | None, float]:
    """The sliding window and the share of layers under it."""
    keys = ("sliding_window", "attention_chunk_size", *(("window_size",) if kind.name == "gpt_neo" else ()))
    window = reader.whole(*keys, most=MOST_CONTEXT, default=0, least=0)
    layers = reader.words("layer_types")
    if not window or not reader.flag("use_sliding_window", True):
        return None, 0.0
    if layers:
        windowed = sum(item in ("sliding_attention", "chunked_attention") for item in layers)
        return (window, windowed / len(layers)) if windowed else (None, 0.0)
    if kind.name.startswith("qwen") and not reader.has("use_sliding_window"):
        return None, 0.0
    return window, LLAMA4_WINDOWED if kind.name.startswith("llama4") else kind.windowed_share


def _attention_share(reader: ConfigReader) -> float:
    """Share of the layers with a KV cache: the others mix by a recurrence of fixed size."""
    layers = reader.words("layer_types")
    if layers:
        return max(1, sum(item != "linear_attention" for item in layers)) / len(layers)
    return 1 / reader.whole("full_attention_interval", most=MOST_LAYERS, default=1)


def _linear_layer(reader: ConfigReader, hidden: int) -> float:
    """Mixing parameters of a gated delta net: queries, keys, values, gate and output."""
    keys, values = (
        reader.whole(f"linear_num_{what}_heads", most=MOST_HEADS, default=0)
        * reader.whole(f"linear_{what}_head_dim", most=MOST_WIDTH, default=0)
        for what in ("key", "value")
    )
    return float(hidden) * (2 * keys + 3 * values)


def _latent(reader: ConfigReader) -> LatentAttention | None:
    if not reader.has("kv_lora_rank"):
        return None
    rotary = reader.required("qk_rope_head_dim", most=MOST_WIDTH)
    plain = reader.required("qk_nope_head_dim", most=MOST_WIDTH)
    return LatentAttention(
        cache_elements=reader.required("kv_lora_rank", most=MOST_WIDTH) + rotary,
        query_key_size=plain + rotary,
        value_size=reader.required("v_head_dim", most=MOST_WIDTH),
        rotary_size=rotary,
        query_rank=reader.whole("q_lora_rank", most=MOST_WIDTH, default=0) or None,
    )


def _experts(reader: ConfigReader, kind: ConfigType, layers: int, hidden: int) -> MixtureOfExperts | None:
    nested = reader.part("ffn_config")
    count = reader.whole("num_local_experts", "num_experts", "n_routed_experts", most=MOST_EXPERTS, default=0, least=0)
    count = count or nested.whole("moe_num_experts", most=MOST_EXPERTS, default=0, least=0)
    if count < 2:
        return None
    active = reader.whole(
        "num_experts_per_tok", "num_experts_per_token", "moe_topk",
        most=MOST_EXPERTS, default=nested.whole("moe_top_k", most=MOST_EXPERTS, default=1),
    )  # fmt: skip
    if active > count:
        reader.fault("num_experts_per_tok", f"{active} experts a token of {count} experts")
    size = reader.whole("moe_intermediate_size", most=10 * MOST_WIDTH, default=0)
    size = size or reader.whole("intermediate_size", most=10 * MOST_WIDTH, default=_feed_forward(reader, hidden))
    return MixtureOfExperts(
        count, min(active, count), size, _moe_layers(reader, layers), _shared(reader, size), kind.spread
    )


def _moe_layers(reader: ConfigReader, layers: int) -> int:
    dense = reader.whole("first_k_dense_replace", most=MOST_LAYERS, default=0, least=0)
    step = reader.whole(*SPARSE_STEP_KEYS, most=MOST_LAYERS, default=1)
    if dense >= layers or step > layers:
        reader.fault("first_k_dense_replace", f"none of the {layers} layers is left for the experts")
        return PLACEHOLDER
    return (layers - dense) // step


def _shared(reader: ConfigReader, size: int) -> int:
    """Inner size of the experts that every token passes; Llama 4 has one, as wide as a routed one."""
    own = reader.whole("shared_expert_intermediate_size", most=10 * MOST_WIDTH, default=0, least=0)
    count = reader.whole("n_shared_experts", "num_shared_experts", most=MOST_EXPERTS, default=0, least=0)
    llama4 = reader.word("model_type").startswith("llama4")
    return own or size * (count or int(llama4))


SOURCE = "derived from the given configuration"
TEXT_PARTS = ("text_config", "llm_config", "language_config")
MOST_PARAMETERS = 1e16  # a hundred times the largest thinkable today
ENCODER_LENGTH = 384
PAIR_LENGTH = 512


def profile_of_config(config: Mapping[str, object], name: str, types: Mapping[str, ConfigType]) -> ModelProfile:
    """The profile of the model that the configuration describes.

    Raises ``Refused`` with every fault of the configuration, each pointing into /workload/model/config.
    """
    reader = _text_reader(ConfigReader({str(key): value for key, value in config.items()}))
    word = reader.word("model_type")
    kind = types.get(word) or ConfigType(word)
    profile = _vision(reader, kind, name) if kind.kind == IMAGE else _text(reader, kind, name)
    if not reader.faults and not (isfinite(profile.parameters) and 0 < profile.parameters <= MOST_PARAMETERS):
        reader.fault("hidden_size", f"these dimensions give {profile.parameters:.3g} parameters")
    if reader.faults:
        raise Refused(tuple(dict.fromkeys(reader.faults)))
    return profile


def _text_reader(outer: ConfigReader) -> ConfigReader:
    """The reader of the text part where the configuration nests one, with the outer keys behind it."""
    for key in TEXT_PARTS:
        if isinstance(outer.config.get(key), Mapping):
            inner = outer.part(key)
            inner.config = {**{name: outer.config[name] for name in _SHARED if name in outer.config}, **inner.config}
            return inner
    return outer


_SHARED = ("tie_word_embeddings", "vocab_size", "torch_dtype", "quantization_config")


def _vision(reader: ConfigReader, kind: ConfigType, name: str) -> ModelProfile:
    transformer = transformer_of(reader, kind, vocabulary_needed=False)
    side = reader.whole("image_size", most=MOST_WIDTH, default=224)
    patch = reader.whole("patch_size", most=MOST_WIDTH, default=16)
    colours = reader.whole("num_channels", most=1000, default=3)
    if patch > side:
        reader.fault("patch_size", f"patches of {patch} pixels do not fit into images of {side}")
        patch = side
    return vision_encoder(name, transformer, side, patch, SOURCE, colours=colours)


def _text(reader: ConfigReader, kind: ConfigType, name: str) -> ModelProfile:
    transformer = transformer_of(reader, kind)
    parameters = parameters_of(transformer)
    if kind.name == "whisper":
        return whisper_profile(name, parameters, transformer, SOURCE)
    if kind.kind == PAIR:
        return encoder_decoder_model(name, parameters, transformer, SOURCE, PAIR_LENGTH)
    if kind.kind != DECODER:
        return encoder_model(name, parameters, transformer, SOURCE, min(ENCODER_LENGTH, transformer.context_length))
    profile = language_model(name, parameters, transformer, SOURCE, published=_published(reader))
    return replace(profile, bf16_only=kind.bf16_only)


def _published(reader: ConfigReader) -> Stored | None:
    """How the weights are stored, by the configuration's own word."""
    how = reader.part("quantization_config")
    method, bits = how.word("quant_method"), how.whole("bits", most=16, default=4)
    eight = bits == EIGHT_BITS or how.flag("load_in_8bit", default=False)
    found = {
        "fp8": Stored(FP8, "fp8"),
        "mxfp4": Stored(MXFP4, "fp4"),
        "awq": Stored(AWQ, "int4"),
        "gptq": Stored(GPTQ, "int8" if eight else "int4"),
        "bitsandbytes": Stored(BITSANDBYTES, "int8" if eight else "int4"),
    }
    return found.get(method)
