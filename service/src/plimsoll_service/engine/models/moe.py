"""Mixtures of experts: a router sends each token to a few of many feed-forward blocks."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, experts, language_model

_THREE_OF_FOUR = 3 / 4  # Llama 4: three chunked layers to one that sees everything; Qwen: three linear ones
_ONE_OF_FOUR = 1 / 4


def _delta_net(hidden: int, key_heads: int, value_heads: int, head_size: int = 128) -> float:
    """Parameters of a gated delta net: queries and keys, values, gate and output (arXiv 2412.06464)."""
    return float(hidden) * head_size * (2 * key_heads + 3 * value_heads)


MOE = (
    language_model(
        "mixtral-8x7b",
        46_702_792_704,
        dimensions((32, 4096, 32, 8, 128, 14336), 32000, 32768, moe=experts(8, 2, 14336, 32)),
        "config.json of mistralai/Mixtral-8x7B-v0.1",
    ),
    language_model(
        "mixtral-8x22b",
        140_630_071_296,
        dimensions((56, 6144, 48, 8, 128, 16384), 32768, 65536, moe=experts(8, 2, 16384, 56)),
        "config.json of mistralai/Mixtral-8x22B-v0.1",
    ),
    language_model(
        "llama-4-scout",
        107_769_640_960,
        dimensions(
            (48, 5120, 40, 8, 128, 16384),
            202048,
            10_485_760,
            moe=experts(16, 1, 8192, 48, shared=8192),
            sliding_window=8192,
            sliding_share=_THREE_OF_FOUR,
        ),
        "text part; config.json of meta-llama/Llama-4-Scout-17B-16E",
        ("llama-4-scout-17b-16e", "llama-4-scout-109b"),
    ),
    language_model(
        "llama-4-maverick",
        400_711_680_000,
        dimensions(
            (48, 5120, 40, 8, 128, 16384),
            202048,
            1_048_576,
            moe=experts(128, 1, 8192, 24, shared=8192),
            sliding_window=8192,
            sliding_share=_THREE_OF_FOUR,
        ),
        "text part; config.json of meta-llama/Llama-4-Maverick-17B-128E",
        ("llama-4-maverick-17b-128e", "llama-4-maverick-400b"),
    ),
    language_model(
        "qwen1.5-moe-a2.7b",
        14_315_784_192,
        dimensions((24, 2048, 16, 16, 128, 5632), 151936, 8192, moe=experts(60, 4, 1408, 24, shared=5632)),
        "config.json of Qwen/Qwen1.5-MoE-A2.7B",
    ),
    language_model(
        "qwen2-57b-a14b",
        57_409_011_200,
        dimensions((28, 3584, 28, 4, 128, 18944), 151936, 131072, moe=experts(64, 8, 2560, 28, shared=20480)),
        "config.json of Qwen/Qwen2-57B-A14B",
    ),
    language_model(
        "qwen3-30b-a3b",
        30_532_122_624,
        dimensions((48, 2048, 32, 4, 128, 6144), 151936, 40960, moe=experts(128, 8, 768, 48)),
        "config.json of Qwen/Qwen3-30B-A3B",
        ("qwen3-30b", "qwen3-coder-30b-a3b"),
    ),
    language_model(
        "qwen3-235b-a22b",
        235_093_634_560,
        dimensions((94, 4096, 64, 4, 128, 12288), 151936, 40960, moe=experts(128, 8, 1536, 94)),
        "config.json of Qwen/Qwen3-235B-A22B",
        ("qwen3-235b",),
    ),
    language_model(
        "qwen3-coder-480b-a35b",
        480_154_875_392,
        dimensions((62, 6144, 96, 8, 128, 8192), 151936, 262144, moe=experts(160, 8, 2560, 62)),
        "config.json of Qwen/Qwen3-Coder-480B-A35B-Instruct",
        ("qwen3-coder-480b", "qwen3-coder"),
    ),
    language_model(
        "qwen3-next-80b-a3b",
        79_674_391_296,
        dimensions(
            (48, 2048, 16, 2, 256, 5120),
            151936,
            262144,
            moe=experts(512, 10, 512, 48, shared=512),
            attention_share=_ONE_OF_FOUR,
            output_gate=True,
            linear_layer_parameters=_delta_net(2048, 16, 32),
        ),
        "config.json of Qwen/Qwen3-Next-80B-A3B-Instruct",
        ("qwen3-next", "qwen3-next-80b"),
    ),
    language_model(
        "qwen3.5-35b-a3b",
        34.7e9,
        dimensions(
            (40, 2048, 16, 2, 256, 512),
            248320,
            262144,
            moe=experts(256, 8, 512, 40, shared=512),
            attention_share=_ONE_OF_FOUR,
            output_gate=True,
            linear_layer_parameters=_delta_net(2048, 16, 32),
        ),
        "text part; config.json of Qwen/Qwen3.5-35B-A3B",
        ("qwen3.5-35b",),
    ),
    language_model(
        "qwen3.5-397b-a17b",
        397.0e9,
        dimensions(
            (60, 4096, 32, 2, 256, 1024),
            248320,
            262144,
            moe=experts(512, 10, 1024, 60, shared=1024),
            attention_share=_ONE_OF_FOUR,
            output_gate=True,
            linear_layer_parameters=_delta_net(4096, 16, 64),
        ),
        "text part; config.json of Qwen/Qwen3.5-397B-A17B",
        ("qwen3.5-397b",),
    ),
    language_model(
        "glm-4.5",
        352_797_829_120,
        dimensions((92, 5120, 96, 8, 128, 12288), 151552, 131072, moe=experts(160, 8, 1536, 89, shared=1536)),
        "config.json of zai-org/GLM-4.5, without the extra prediction layer",
        ("glm-4.5-355b", "glm-4.6"),
    ),
    language_model(
        "grok-1",
        314.0e9,
        dimensions((64, 6144, 48, 8, 128, 32768), 131072, 8192, tied=True, moe=experts(8, 2, 32768, 64)),
        "github.com/xai-org/grok-1: run.py",
        ("grok-1-314b", "grok"),
    ),
    language_model(
        "gpt-oss-20b",
        20_914_757_184,
        dimensions(
            (24, 2880, 64, 8, 64, 2880),
            201088,
            131072,
            moe=experts(32, 4, 2880, 24),
            sliding_window=128,
            sliding_share=0.5,
        ),
        "config.json of openai/gpt-oss-20b",
    ),
    language_model(
        "gpt-oss-120b",
        116_829_156_672,
        dimensions(
            (36, 2880, 64, 8, 64, 2880),
            201088,
            131072,
            moe=experts(128, 4, 2880, 36),
            sliding_window=128,
            sliding_share=0.5,
        ),
        "config.json of openai/gpt-oss-120b",
    ),
    language_model(
        "dbrx",
        131_596_523_520,
        dimensions((40, 6144, 48, 8, 128, 10752), 100352, 32768, moe=experts(16, 4, 10752, 40)),
        "config.json of databricks/dbrx-base",
        ("dbrx-132b",),
    ),
    language_model(
        "phi-3.5-moe",
        41_873_153_344,
        dimensions((32, 4096, 32, 8, 128, 6400), 32064, 131072, moe=experts(16, 2, 6400, 32)),
        "config.json of microsoft/Phi-3.5-MoE-instruct",
    ),
)
