"""Llama and the models built alike: gated feed-forward, rotary positions, grouped queries."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, language_model

LLAMA = (
    language_model(
        "llama-7b",
        6_738_415_616,
        dimensions((32, 4096, 32, 32, 128, 11008), 32000, 2048),
        "arXiv 2302.13971, table 2",
        ("llama-1-7b", "alpaca-7b", "vicuna-7b-v1.3"),
    ),
    language_model(
        "llama-13b",
        13_015_864_320,
        dimensions((40, 5120, 40, 40, 128, 13824), 32000, 2048),
        "arXiv 2302.13971, table 2",
        ("llama-1-13b",),
    ),
    language_model(
        "llama-30b",
        32_528_943_616,
        dimensions((60, 6656, 52, 52, 128, 17920), 32000, 2048),
        "arXiv 2302.13971, table 2",
        ("llama-33b", "llama-1-33b", "llama-1-30b"),
    ),
    language_model(
        "llama-65b",
        65_285_660_672,
        dimensions((80, 8192, 64, 64, 128, 22016), 32000, 2048),
        "arXiv 2302.13971, table 2",
        ("llama-1-65b",),
    ),
    language_model(
        "llama-2-7b",
        6_738_415_616,
        dimensions((32, 4096, 32, 32, 128, 11008), 32000, 4096),
        "config.json of meta-llama/Llama-2-7b-hf",
        ("code-llama-7b", "vicuna-7b", "vicuna-7b-v1.5"),
    ),
    language_model(
        "llama-2-13b",
        13_015_864_320,
        dimensions((40, 5120, 40, 40, 128, 13824), 32000, 4096),
        "config.json of meta-llama/Llama-2-13b-hf",
        ("code-llama-13b", "vicuna-13b", "vicuna-13b-v1.5"),
    ),
    language_model(
        "llama-2-70b",
        68_976_648_192,
        dimensions((80, 8192, 64, 8, 128, 28672), 32000, 4096),
        "config.json of meta-llama/Llama-2-70b-hf",
        ("llama-70b", "code-llama-70b"),
    ),
    language_model(
        "code-llama-34b",
        33_743_970_304,
        dimensions((48, 8192, 64, 8, 128, 22016), 32000, 16384),
        "config.json of codellama/CodeLlama-34b-hf",
        ("codellama-34b",),
    ),
    language_model(
        "llama-3-8b",
        8_030_261_248,
        dimensions((32, 4096, 32, 8, 128, 14336), 128256, 8192),
        "config.json of meta-llama/Meta-Llama-3-8B",
        ("meta-llama-3-8b",),
    ),
    language_model(
        "llama-3-70b",
        70_553_706_496,
        dimensions((80, 8192, 64, 8, 128, 28672), 128256, 8192),
        "config.json of meta-llama/Meta-Llama-3-70B",
        ("meta-llama-3-70b",),
    ),
    language_model(
        "llama-3.1-8b",
        8_030_261_248,
        dimensions((32, 4096, 32, 8, 128, 14336), 128256, 131072),
        "config.json of meta-llama/Llama-3.1-8B",
        ("llama-8b", "meta-llama-3.1-8b", "deepseek-r1-distill-llama-8b"),
    ),
    language_model(
        "llama-3.1-70b",
        70_553_706_496,
        dimensions((80, 8192, 64, 8, 128, 28672), 128256, 131072),
        "config.json of meta-llama/Llama-3.1-70B",
        ("meta-llama-3.1-70b", "nemotron-70b"),
    ),
    language_model(
        "llama-3.1-405b",
        405_853_388_800,
        dimensions((126, 16384, 128, 8, 128, 53248), 128256, 131072),
        "config.json of meta-llama/Llama-3.1-405B",
        ("llama-405b", "llama-3-405b", "meta-llama-3.1-405b"),
    ),
    language_model(
        "llama-3.2-1b",
        1_235_814_400,
        dimensions((16, 2048, 32, 8, 64, 8192), 128256, 131072, tied=True),
        "config.json of meta-llama/Llama-3.2-1B",
        ("llama-1b",),
    ),
    language_model(
        "llama-3.2-3b",
        3_212_749_824,
        dimensions((28, 3072, 24, 8, 128, 8192), 128256, 131072, tied=True),
        "config.json of meta-llama/Llama-3.2-3B",
        ("llama-3b",),
    ),
    language_model(
        "llama-3.3-70b",
        70_553_706_496,
        dimensions((80, 8192, 64, 8, 128, 28672), 128256, 131072),
        "config.json of meta-llama/Llama-3.3-70B-Instruct",
        ("deepseek-r1-distill-llama-70b",),
    ),
    language_model(
        "tinyllama-1.1b",
        1_100_048_384,
        dimensions((22, 2048, 32, 4, 64, 5632), 32000, 2048),
        "config.json of TinyLlama/TinyLlama-1.1B-Chat-v1.0",
        ("tinyllama", "tinyllama-1.1b-chat-v1.0"),
    ),
    language_model(
        "yi-6b", 6_061_035_520, dimensions((32, 4096, 32, 4, 128, 11008), 64000, 4096), "config.json of 01-ai/Yi-6B"
    ),
    language_model(
        "yi-34b", 34_388_917_248, dimensions((60, 7168, 56, 8, 128, 20480), 64000, 4096), "config.json of 01-ai/Yi-34B"
    ),
    language_model(
        "smollm2-135m",
        134_515_008,
        dimensions((30, 576, 9, 3, 64, 1536), 49152, 8192, tied=True),
        "config.json of HuggingFaceTB/SmolLM2-135M",
        ("smollm-135m",),
    ),
    language_model(
        "smollm2-360m",
        361_821_120,
        dimensions((32, 960, 15, 5, 64, 2560), 49152, 8192, tied=True),
        "config.json of HuggingFaceTB/SmolLM2-360M",
        ("smollm-360m",),
    ),
    language_model(
        "smollm2-1.7b",
        1_711_376_384,
        dimensions((24, 2048, 32, 32, 64, 8192), 49152, 8192, tied=True),
        "config.json of HuggingFaceTB/SmolLM2-1.7B",
        ("smollm-1.7b",),
    ),
    language_model(
        "smollm3-3b",
        3_075_098_624,
        dimensions((36, 2048, 16, 4, 128, 11008), 128256, 65536, tied=True),
        "config.json of HuggingFaceTB/SmolLM3-3B",
    ),
    language_model(
        "olmo-2-7b",
        7_298_617_344,
        dimensions((32, 4096, 32, 32, 128, 11008), 100352, 4096),
        "config.json of allenai/OLMo-2-1124-7B",
        ("olmo-2-1124-7b",),
    ),
    language_model(
        "olmo-2-13b",
        13_716_198_400,
        dimensions((40, 5120, 40, 40, 128, 13824), 100352, 4096),
        "config.json of allenai/OLMo-2-1124-13B",
        ("olmo-2-1124-13b",),
    ),
    language_model(
        "deepseek-llm-7b",
        6_910_365_696,
        dimensions((30, 4096, 32, 32, 128, 11008), 102400, 4096),
        "config.json of deepseek-ai/deepseek-llm-7b-base",
        ("deepseek-7b",),
    ),
    language_model(
        "deepseek-llm-67b",
        67_424_706_560,
        dimensions((95, 8192, 64, 8, 128, 22016), 102400, 4096),
        "config.json of deepseek-ai/deepseek-llm-67b-base",
        ("deepseek-67b",),
    ),
)
