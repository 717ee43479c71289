"""Decoders of 2025 and 2026, and those that followed a known plan under another name: one row each."""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.models.profile import LatentAttention, MixtureOfExperts, ModelProfile, Transformer
from plimsoll_service.engine.models.stored import FP8, Stored
from plimsoll_service.engine.models.transformers import Sizes, dimensions, experts, language_model, parameters_of

_LITGPT = "Lightning-AI/litgpt @26857050fe: litgpt/config.py, 2026-06-29"
_RECIPES = "vllm-project/recipes @8959cf6418, 2026-08-21: parameters, active parameters, context"
_CONFIG = "config.json of "
# Weights in FP8: the same copies and recipes, 2026-08-21; mlc-ai/mlc-llm, 2026-07-23.
_FP8 = Stored(FP8, "fp8")


def _row(
    name: str, transformer: Transformer, source: str, *aliases: str, billion: float | None = None, beside: float = 0.0,
    published: Stored | None = None,
) -> ModelProfile:  # fmt: skip
    """A model of those dimensions; ``billion``: its published size; ``beside``: billions held beside its layers."""
    parameters = parameters_of(transformer) if billion is None else billion * 1e9
    model = language_model(name, parameters, transformer, source, aliases, published=published)
    return replace(model, frozen_parameters=beside * 1e9)


def _latent(value: int, query: int, rank: int) -> LatentAttention:
    """The compressed cache of DeepSeek's plan, with heads of another size."""
    return LatentAttention(cache_elements=576, query_key_size=query, value_size=value, rotary_size=64, query_rank=rank)


def _falcon_3(layers: int, hidden: int, heads: int, inner: int, context: int = 32768) -> Transformer:
    return dimensions((layers, hidden, heads, 4, 256, inner), 131072, context)


def _granite(sizes: Sizes) -> Transformer:
    return dimensions(sizes, 49155, 131072, tied=True)


def _gemma_4(sizes: Sizes, **other: object) -> Transformer:
    """Five windowed layers to one that sees everything."""
    return dimensions(
        sizes, 262144, 262144, gated=True, tied=True, causal=True, sliding_window=1024, sliding_share=5 / 6, **other
    )


def _minimax(sizes: Sizes, context: int, count: int, active: int, inner: int, shared: int = 0) -> Transformer:
    """The first three layers of the one with a shared expert are dense."""
    moe = experts(count, active, inner, sizes[0] - (3 if shared else 0), shared)
    return dimensions(sizes, 200064, context, moe=moe)


def _deepseek_4(layers: int, hidden: int, heads: int, count: int, inner: int) -> Transformer:
    """Keys and values are one vector of 512 for all heads: counted as 256 each; one expert is shared."""
    moe = experts(count, 6, inner, layers, inner)
    sizes = (layers, hidden, heads, 1, 256, inner)
    return dimensions(sizes, 129280, 1_048_576, moe=moe, sliding_window=128, sliding_share=1 / 2)


def _glm_5(context: int, query: int) -> Transformer:
    moe = experts(256, 8, 2048, 75, 2048)
    return dimensions(
        (78, 6144, 64, 64, 256, 12288), 154880, context, latent=_latent(256, query, 2048), moe=moe,
    )  # fmt: skip


def _nemotron(
    sizes: Sizes, attention: int, mixing: float, context: int, moe: MixtureOfExperts | None = None
) -> Transformer:
    """So many layers of attention among layers with a state of fixed size, whose parameters are ``mixing``."""
    return dimensions(
        sizes, 131072, context, gated=False, moe=moe, attention_share=attention / sizes[0],
        linear_layer_parameters=mixing,
    )  # fmt: skip


def _qwen_hybrid(sizes: Sizes, key_heads: int, value_heads: int, **other: object) -> Transformer:
    """Three gated delta nets of heads of 128 to one layer of attention, as Qwen3.5 has them."""
    mixing = float(sizes[1]) * 128 * (2 * key_heads + 3 * value_heads)
    return dimensions(
        sizes, 248320, 262144, gated=True, tied=False, causal=True, attention_share=1 / 4, output_gate=True,
        linear_layer_parameters=mixing, **other,
    )  # fmt: skip


_GPT_BIGCODE = {"gated": False, "tied": True}

RECENT_DECODERS = (
    # Falcon, Granite, OLMo, Aya, Seed, StarCoder.
    _row("falcon3-1b", _falcon_3(18, 2048, 8, 8192, 4096), _LITGPT, "falcon-3-1b"),
    _row("falcon3-3b", _falcon_3(22, 3072, 12, 9216), _LITGPT, "falcon-3-3b"),
    _row("falcon3-7b", _falcon_3(28, 3072, 12, 23040), _LITGPT, "falcon-3-7b", "falcon3", "falcon-3"),
    _row("falcon3-10b", _falcon_3(40, 3072, 12, 23040), _LITGPT, "falcon-3-10b"),
    _row("granite-3-2b", _granite((40, 2048, 32, 8, 64, 8192)), _CONFIG + "ibm-granite/granite-3.2-2b-instruct",
         "granite-3.0-2b", "granite-3.1-2b", "granite-3.2-2b", "granite-3.3-2b"),
    _row("granite-3-8b", _granite((40, 4096, 32, 8, 128, 12800)), _CONFIG + "ibm-granite/granite-3.2-8b-instruct",
         "granite-3.0-8b", "granite-3.1-8b", "granite-3.2-8b", "granite-3.3-8b", "granite", "granite-3"),
    _row("olmo-1b", dimensions((16, 2048, 16, 16, 128, 8192), 50304, 2048, tied=True), _LITGPT, "olmo-1b-hf"),
    _row("olmo-7b", dimensions((32, 4096, 32, 32, 128, 11008), 50304, 2048), _LITGPT, "olmo-7b-hf", "olmo"),
    _row("olmo-2-32b", dimensions((64, 5120, 40, 8, 128, 27648), 100352, 4096), _CONFIG + "allenai/OLMo-2-0325-32B",
         "olmo-2-0325-32b", "olmo-3-32b"),
    _row("olmo-3-7b", dimensions((32, 4096, 32, 32, 128, 11008), 100352, 65536),
         "by family and dimensions: those of OLMo-2-1124-7B, 65,536 tokens", "olmo-3"),
    _row("aya-23-8b", dimensions((32, 4096, 32, 8, 128, 14336), 256000, 8192, tied=True),
         "mlc-ai/mlc-llm @79d603f085: model_preset.py, 2026-07-23", "aya-expanse-8b", "command-r7b", "aya"),
    _row("command-a-111b", dimensions((64, 12288, 96, 8, 128, 36864), 256000, 262144, tied=True),
         "by family and dimensions: those of Command R+, widened to 111 B", "command-a", "c4ai-command-a-03-2025",
         "command-a-03-2025", billion=111.0),
    _row("seed-oss-36b", dimensions((64, 5120, 80, 8, 128, 27648), 155136, 524288), _RECIPES + "; by dimensions",
         "seed-oss", billion=36.0),
    _row("starcoderbase-1b", dimensions((24, 2048, 16, 1, 128, 8192), 49152, 8192, **_GPT_BIGCODE), _LITGPT),
    _row("starcoderbase-3b", dimensions((36, 2816, 22, 1, 128, 11264), 49152, 8192, **_GPT_BIGCODE), _LITGPT),
    _row("starcoderbase-7b", dimensions((42, 4096, 32, 1, 128, 16384), 49152, 8192, **_GPT_BIGCODE), _LITGPT),
    _row("starcoder-15b", dimensions((40, 6144, 48, 1, 128, 24576), 49152, 8192, **_GPT_BIGCODE), _LITGPT, "starcoder",
         "starcoderbase", "starcoder-15.5b"),
    _row("starcoder2-3b", dimensions((30, 3072, 24, 2, 128, 12288), 49152, 16384, **_GPT_BIGCODE),
         "arXiv 2402.19173, table 6"),
    _row("starcoder2-7b", dimensions((32, 4608, 36, 4, 128, 18432), 49152, 16384, **_GPT_BIGCODE),
         _CONFIG + "bigcode/starcoder2-7b", "starcoder2"),
    _row("starcoder2-15b", dimensions((40, 6144, 48, 4, 128, 24576), 49152, 16384, **_GPT_BIGCODE),
         "arXiv 2402.19173, table 6"),
    # Gemma 3n and 4, Ministral 3, later Mistral models.
    _row("gemma-3n-e4b", dimensions((35, 2048, 8, 2, 256, 16384), 262400, 32768, tied=True, sliding_window=512,
                                    sliding_share=4 / 5), _CONFIG + "google/gemma-3n-E4B", "gemma-3n", beside=3.4),
    _row("gemma-4-31b", _gemma_4((60, 5376, 32, 16, 256, 21504)), _CONFIG + "nvidia/Gemma-4-31B-IT-NVFP4", "gemma-4"),
    _row("gemma-4-26b-a4b", _gemma_4((30, 2816, 16, 8, 256, 2112), moe=experts(128, 8, 704, 30, 2112)),
         _CONFIG + "google/gemma-4-26B-A4B", "gemma-4-26b"),
    _row("ministral-3-3b", dimensions((26, 3072, 32, 8, 128, 9216), 131072, 262144, tied=True),
         _CONFIG + "mistralai/Ministral-3-3B-Instruct-2512", "ministral-3b", published=_FP8),
    _row("ministral-3-8b", dimensions((34, 4096, 32, 8, 128, 14336), 131072, 262144),
         _RECIPES + "; by dimensions of Ministral 3, 8 B", billion=8.5, published=_FP8),
    _row("ministral-3-14b", dimensions((40, 5120, 32, 8, 128, 16384), 131072, 262144),
         _RECIPES + "; by dimensions of Ministral 3, 14 B", "ministral-3", "ministral-14b", published=_FP8),
    # GLM, MiniMax, MiMo, DeepSeek's fourth generation, Kimi K3.
    _row("glm-4.5-air", dimensions((46, 4096, 96, 8, 128, 10944), 151552, 131072, moe=experts(128, 8, 1408, 45, 1408)),
         _CONFIG + "zai-org/GLM-4.5-Air", "glm-4.5-air-106b", "glm-4.5v", "glm-4.6v", "glm-4-air"),
    _row("glm-4-9b", dimensions((40, 4096, 32, 2, 128, 13696), 151552, 131072), _CONFIG + "zai-org/glm-4-9b-hf",
         "glm-4-9b-chat", "glm-4-9b-0414", "glm-4", "chatglm3-6b"),
    _row("glm-4-32b", dimensions((61, 6144, 48, 2, 128, 23040), 151552, 32768), _CONFIG + "zai-org/GLM-4-32B-0414",
         "glm-4-32b-0414", "glm-z1-32b"),
    _row("glm-5", _glm_5(202_752, 256), _CONFIG + "zai-org/GLM-5", "glm-5-744b", "glm-5.1"),
    _row("glm-5.2", _glm_5(1_048_576, 256), _CONFIG + "zai-org/GLM-5.2", "glm-5.2-743b"),
    _row("minimax-m2", _minimax((62, 3072, 48, 8, 128, 1536), 196_608, 256, 8, 1536),
         _CONFIG + "MiniMaxAI/MiniMax-M2.5", "minimax-m2.1", "minimax-m2.5", "minimax-m2.7", "minimax", published=_FP8),
    _row("minimax-m3", _minimax((60, 6144, 64, 4, 128, 3072), 1_048_576, 128, 4, 3072, 3072),
         _CONFIG + "MiniMaxAI/MiniMax-M3", billion=427.0),
    _row("mimo-7b", dimensions((36, 4096, 32, 8, 128, 11008), 151680, 32768), _CONFIG + "XiaomiMiMo/MiMo-7B-Base",
         "mimo", "mimo-7b-rl", "mimo-7b-sft"),
    _row("mimo-v2-flash", dimensions((48, 4096, 64, 4, 192, 16384), 152576, 262144, moe=experts(256, 8, 2048, 47),
                                     sliding_window=128, sliding_share=5 / 6), _CONFIG + "XiaomiMiMo/MiMo-V2-Flash",
         "mimo-v2.5", billion=309.0, published=_FP8),
    _row("deepseek-v4-flash", _deepseek_4(43, 4096, 64, 256, 2048), _CONFIG + "deepseek-ai/DeepSeek-V4-Flash",
         "deepseek-v4-flash-284b", billion=284.0, published=_FP8),
    _row("deepseek-v4-pro", _deepseek_4(61, 7168, 128, 384, 3072), _CONFIG + "deepseek-ai/DeepSeek-V4-Pro",
         "deepseek-v4", "deepseek-v4-pro-1600b", billion=1600.0, published=_FP8),
    _row("step-3.7-flash", dimensions((45, 4096, 64, 8, 128, 11264), 128896, 65536, moe=experts(288, 8, 1280, 42, 1280),
                                      sliding_window=512, sliding_share=3 / 4),
         _CONFIG + "stepfun-ai/Step-3.7-Flash", "step-3.5-flash", billion=198.0),
    # Qwen's hybrids, and models tuned from Llama.
    _row("qwen3.5-122b-a10b", _qwen_hybrid((48, 3072, 32, 2, 256, 1024), 16, 64, moe=experts(256, 8, 1024, 48, 1024)),
         _CONFIG + "Qwen/Qwen3.5-122B-A10B", "qwen3.5-122b", billion=122.0),
    _row("llama-3.3-nemotron-super-49b", dimensions((80, 8192, 64, 8, 128, 18176), 128256, 131072),
         _CONFIG + "nvidia/Llama-3_3-Nemotron-Super-49B-v1; its blocks differ: their mean by the size of 49 B",
         "llama-3_3-nemotron-super-49b-v1", "llama-3.3-nemotron-super-49b-v1.5", "nemotron-super-49b", billion=49.9),
    _row("nemotron-nano-9b-v2", dimensions((56, 4480, 40, 8, 128, 15680), 131072, 131072, gated=False,
                                           attention_share=4 / 56), "arXiv 2508.14444; by dimensions",
         "nvidia-nemotron-nano-9b-v2", "nemotron-nano-9b"),
    _row("nemotron-h-56b", _nemotron((54, 8192, 64, 8, 128, 32768), 10, 537e6, 8192),
         _CONFIG + "nvidia/Nemotron-H-56B-Base-8K", "nemotron-h-56b-base-8k", billion=56.0),
    _row("nemotron-3-nano-30b-a3b", _nemotron((29, 2688, 32, 2, 128, 1), 6, 40e6, 262144,
                                              experts(128, 6, 1856, 23, 1856)),
         _CONFIG + "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "nvidia-nemotron-3-nano-30b-a3b", "nemotron-3-nano",
         "nvidia-nemotron-3.5-lightning-30b-a3b", "nemotron-3-nano-30b"),
    _row("nemotron-3-super-120b-a12b", _nemotron((48, 4096, 32, 2, 128, 1), 8, 125e6, 262144,
                                                 experts(512, 22, 672, 40, 672)),
         _CONFIG + "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16; experts at a quarter of the width",
         "nvidia-nemotron-3-super-120b-a12b", "nemotron-3-super", "nemotron-3-super-120b", billion=120.0),
    _row("internlm2.5-7b", dimensions((32, 4096, 32, 8, 128, 14336), 92544, 32768), _CONFIG + "internlm/internlm2_5-7b",
         "internlm2-7b", "internlm2_5-7b", "internlm2.5", "internlm3-8b"),
    _row("internlm2.5-20b", dimensions((48, 6144, 48, 8, 128, 16384), 92544, 32768),
         _CONFIG + "internlm/internlm2_5-20b", "internlm2-20b", "internlm2_5-20b"),
)  # fmt: skip
