"""Decoders, dense and of experts: one row each, by their published dimensions."""

from __future__ import annotations

from plimsoll_service.engine.models.profile import LatentAttention, MixtureOfExperts, Transformer
from plimsoll_service.engine.models.stored import FP8, MXFP4, Stored
from plimsoll_service.engine.models.transformers import (
    GPT_OSS_SPREAD,
    QWEN3_SPREAD,
    Sizes,
    dimensions,
    experts,
    language_model,
)


def _plain(layers: int, hidden: int, heads: int) -> Sizes:
    return layers, hidden, heads, heads, hidden // heads, 4 * hidden


def _gpt2(layers: int, hidden: int, heads: int) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), 50257, 1024, gated=False, tied=True, positions=1024)


def _opt(layers: int, hidden: int, heads: int, embedding_size: int | None = None) -> Transformer:
    plain = _plain(layers, hidden, heads)
    return dimensions(plain, 50272, 2048, gated=False, tied=True, positions=2050, embedding_size=embedding_size)


def _bloom(layers: int, hidden: int, heads: int) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), 250880, 2048, gated=False, tied=True)


def _mpt(layers: int, hidden: int, heads: int) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), 50368, 2048, gated=False, tied=True, positions=2048)


def _pythia(layers: int, hidden: int, heads: int, vocabulary: int = 50304) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), vocabulary, 2048, gated=False)


def _gpt_neo(layers: int, hidden: int, heads: int) -> Transformer:
    """Every second layer sees 256 tokens."""
    plain = _plain(layers, hidden, heads)
    return dimensions(
        plain, 50257, 2048, gated=False, tied=True, positions=2048, sliding_window=256, sliding_share=1 / 2
    )


def _gemma_2(sizes: Sizes) -> Transformer:
    return dimensions(sizes, 256000, 8192, tied=True, sliding_window=4096, sliding_share=1 / 2)


def _gemma_3(sizes: Sizes, vocabulary: int, context: int, *, window: int) -> Transformer:
    """Five windowed layers to one that sees everything."""
    return dimensions(sizes, vocabulary, context, tied=True, sliding_window=window, sliding_share=5 / 6)


def _llama_4(context: int, moe: MixtureOfExperts) -> Transformer:
    """Three chunked layers to one that sees everything."""
    sizes = (48, 5120, 40, 8, 128, 16384)
    return dimensions(sizes, 202048, context, moe=moe, sliding_window=8192, sliding_share=3 / 4)


def _qwen3_experts(count: int, active: int, size: int, layers: int) -> MixtureOfExperts:
    return experts(count, active, size, layers, spread=QWEN3_SPREAD)


def _gpt_oss(layers: int, count: int) -> Transformer:
    """Every second layer sees 128 tokens; ``count`` experts, of which four work on a token."""
    moe = experts(count, 4, 2880, layers, spread=GPT_OSS_SPREAD)
    sizes = (layers, 2880, 64, 8, 64, 2880)
    return dimensions(sizes, 201088, 131072, moe=moe, sliding_window=128, sliding_share=1 / 2)


def _qwen_linear(
    sizes: Sizes, vocabulary: int, key_heads: int, value_heads: int, moe: MixtureOfExperts | None = None
) -> Transformer:
    """Three gated delta nets (arXiv 2412.06464) to one layer of attention."""
    # Queries and keys, values, gate and output.
    mixing = float(sizes[1]) * _DELTA_HEAD_SIZE * (2 * key_heads + 3 * value_heads)
    return dimensions(
        sizes, vocabulary, 262144, moe=moe, attention_share=1 / 4, output_gate=True, linear_layer_parameters=mixing
    )


_GPT2 = "Radford et al. 2019; config.json of openai-community/gpt2"
_GPT3 = "arXiv 2005.14165, table 2.1"
_OPT = "arXiv 2205.01068, table 1; config.json of facebook/opt"
_BLOOM = "arXiv 2211.05100, table 3; config.json of bigscience/bloom"
_MPT = "llm-foundry's pre-training configurations (scripts/train/yamls/pretrain)"
_PYTHIA = "arXiv 2304.01373, table 1; config.json of EleutherAI/pythia"
_DELTA_HEAD_SIZE = 128
_TABLE = 151936  # rows of the token table; the larger models pad it to 152064
_PADDED = 152064
# Weights as published, where in fewer than 16 bits: copies of config.json and recipes of serving engines, 2026-08-21.
_FP8, _MXFP4, _INT4 = Stored(FP8, "fp8"), Stored(MXFP4, "fp4"), Stored("", "int4")
_FP8_SOURCE = "weights in fp8: config.json by ai-dynamo/aiconfigurator, 2026-08-21"
_MXFP4_SOURCE = "experts in mxfp4: config.json by ai-dynamo/aiconfigurator, 2026-08-21"
_INT4_SOURCE = "experts in int4: vllm-project/recipes, 2026-08-21"
_MLA = LatentAttention(cache_elements=576, query_key_size=192, value_size=128, rotary_size=64, query_rank=1536)
_MLA_LITE = LatentAttention(cache_elements=576, query_key_size=192, value_size=128, rotary_size=64)

DECODERS = (
    # GPT-2 and what followed its plan: plain feed-forward blocks of four times the width.
    language_model("gpt2", 124_439_808, _gpt2(12, 768, 12), _GPT2, ("gpt-2", "gpt2-small", "gpt2-124m"), "bert"),
    language_model("gpt2-medium", 354_823_168, _gpt2(24, 1024, 16), _GPT2, ("gpt2-355m",), "bert"),
    language_model("gpt2-large", 774_030_080, _gpt2(36, 1280, 20), _GPT2, ("gpt2-774m",), "bert"),
    language_model("gpt2-xl", 1_557_611_200, _gpt2(48, 1600, 25), _GPT2, ("gpt2-1.5b",), "bert"),
    language_model("distilgpt2", 81_912_576, _gpt2(6, 768, 12), "config.json of distilbert/distilgpt2", (), "bert"),
    language_model("gpt3-23b", 22_963_814_400, dimensions(_plain(28, 8192, 64), 50257, 2048, gated=False, tied=True),
                   _GPT3 + " (width 8192, 28 layers: Neuron's benchmark)", ("gpt-3-23b",)),
    language_model("gpt3-46b", 45_512_392_704, dimensions(_plain(56, 8192, 64), 50257, 2048, gated=False, tied=True),
                   _GPT3 + " (width 8192, 56 layers: Neuron's benchmark)", ("gpt-3-46b",)),
    language_model("gpt3-175b", 174_604_197_888,
                   dimensions(_plain(96, 12288, 96), 50257, 2048, gated=False, tied=True, positions=2048), _GPT3,
                   ("gpt-3", "gpt3")),
    language_model("gpt-neo-125m", 125_198_592, _gpt_neo(12, 768, 12), "config.json of EleutherAI/gpt-neo-125m"),
    language_model("gpt-neo-1.3b", 1_315_575_808, _gpt_neo(24, 2048, 16), "config.json of EleutherAI/gpt-neo-1.3B"),
    language_model("gpt-neo-2.7b", 2_651_307_520, _gpt_neo(32, 2560, 20), "config.json of EleutherAI/gpt-neo-2.7B"),
    language_model("gpt-j-6b", 6_050_882_784, dimensions(_plain(28, 4096, 16), 50400, 2048, gated=False),
                   "config.json of EleutherAI/gpt-j-6b", ("gpt-j", "gptj")),
    language_model("gpt-neox-20b", 20_554_567_680, dimensions(_plain(44, 6144, 64), 50432, 2048, gated=False),
                   "arXiv 2204.06745; config.json of EleutherAI/gpt-neox-20b", ("gpt-neox",)),
    language_model("pythia-70m", 70_426_624, _pythia(6, 512, 8), _PYTHIA),
    language_model("pythia-160m", 162_322_944, _pythia(12, 768, 12), _PYTHIA),
    language_model("pythia-410m", 405_334_016, _pythia(24, 1024, 16), _PYTHIA),
    language_model("pythia-1b", 1_011_781_632, _pythia(16, 2048, 8), _PYTHIA),
    language_model("pythia-1.4b", 1_414_647_808, _pythia(24, 2048, 16), _PYTHIA),
    language_model("pythia-2.8b", 2_775_208_960, _pythia(32, 2560, 32), _PYTHIA, ("redpajama-3b",)),
    language_model("pythia-6.9b", 6_857_302_016, _pythia(32, 4096, 32, 50432), _PYTHIA, ("dolly-v2-7b",)),
    language_model("pythia-12b", 11_846_072_320, _pythia(36, 5120, 40, 50688), _PYTHIA, ("dolly-v2-12b",)),
    language_model("stablelm-alpha-3b", 3_638_525_952, dimensions(_plain(16, 4096, 32), 50688, 4096, gated=False),
                   "config.json of stabilityai/stablelm-base-alpha-3b",
                   ("stablelm-base-alpha-3b", "stablelm-tuned-alpha-3b")),
    language_model("stablelm-3b", 2_795_443_200, dimensions((32, 2560, 32, 32, 80, 6912), 50304, 4096),
                   "config.json of stabilityai/stablelm-3b-4e1t", ("stablelm-3b-4e1t",)),
    language_model("opt-125m", 125_239_296, _opt(12, 768, 12), _OPT),
    language_model("opt-350m", 331_196_416, _opt(24, 1024, 16, embedding_size=512), _OPT),
    language_model("opt-1.3b", 1_315_758_080, _opt(24, 2048, 32), _OPT),
    language_model("opt-2.7b", 2_651_596_800, _opt(32, 2560, 32), _OPT),
    language_model("opt-6.7b", 6_658_473_984, _opt(32, 4096, 32), _OPT),
    language_model("opt-13b", 12_853_473_280, _opt(40, 5120, 40), _OPT),
    language_model("opt-30b", 29_974_540_288, _opt(48, 7168, 56), _OPT),
    language_model("opt-66b", 65_718_886_400, _opt(64, 9216, 72), _OPT),
    language_model("opt-175b", 174_604_197_888, _opt(96, 12288, 96), _OPT),
    language_model("bloom-560m", 559_214_592, _bloom(24, 1024, 16), _BLOOM),
    language_model("bloom-1b1", 1_065_314_304, _bloom(24, 1536, 16), _BLOOM, ("bloom-1.1b",)),
    language_model("bloom-1b7", 1_722_408_960, _bloom(24, 2048, 16), _BLOOM, ("bloom-1.7b",)),
    language_model("bloom-3b", 3_002_557_440, _bloom(30, 2560, 32), _BLOOM),
    language_model("bloom-7b1", 7_069_016_064, _bloom(30, 4096, 32), _BLOOM, ("bloom-7b", "bloom-7.1b")),
    language_model("bloom-176b", 176_247_271_424, _bloom(70, 14336, 112), _BLOOM),
    language_model("mpt-125m", 125_311_488, _mpt(12, 768, 12), _MPT),
    language_model("mpt-350m", 355_985_408, _mpt(24, 1024, 16), _MPT),
    language_model("mpt-760m", 760_470_528, _mpt(24, 1536, 12), _MPT),
    language_model("mpt-1b", 1_315_950_592, _mpt(24, 2048, 16), _MPT, ("mpt-1.3b",)),
    language_model("mpt-3b", 2_651_581_440, _mpt(32, 2560, 20), _MPT),
    language_model("mpt-7b", 6_658_859_008, _mpt(32, 4096, 32), _MPT),
    language_model("mpt-13b", 12_853_954_560, _mpt(40, 5120, 40), _MPT),
    language_model("mpt-30b", 29_975_214_080, _mpt(48, 7168, 56), _MPT),
    language_model("mpt-70b", 64_862_437_376, _mpt(80, 8192, 64), _MPT),
    language_model("falcon-7b", 6_921_720_704,
                   dimensions((32, 4544, 71, 1, 64, 18176), 65024, 2048, gated=False, tied=True),
                   "arXiv 2311.16867; config.json of tiiuae/falcon-7b"),
    language_model("falcon-40b", 41_303_293_952,
                   dimensions((60, 8192, 128, 8, 64, 32768), 65024, 2048, gated=False, tied=True),
                   "arXiv 2311.16867; config.json of tiiuae/falcon-40b"),
    language_model("falcon-180b", 178_557_214_720,
                   dimensions((80, 14848, 232, 8, 64, 59392), 65024, 2048, gated=False, tied=True),
                   "arXiv 2311.16867; config.json of tiiuae/falcon-180B"),
    # Llama and the models built alike: gated feed-forward, rotary positions, grouped queries.
    language_model("llama-7b", 6_738_415_616, dimensions((32, 4096, 32, 32, 128, 11008), 32000, 2048),
                   "arXiv 2302.13971, table 2", ("llama-1-7b", "alpaca-7b", "vicuna-7b-v1.3")),
    language_model("llama-13b", 13_015_864_320, dimensions((40, 5120, 40, 40, 128, 13824), 32000, 2048),
                   "arXiv 2302.13971, table 2", ("llama-1-13b",)),
    language_model("llama-30b", 32_528_943_616, dimensions((60, 6656, 52, 52, 128, 17920), 32000, 2048),
                   "arXiv 2302.13971, table 2", ("llama-33b", "llama-1-33b", "llama-1-30b")),
    language_model("llama-65b", 65_285_660_672, dimensions((80, 8192, 64, 64, 128, 22016), 32000, 2048),
                   "arXiv 2302.13971, table 2", ("llama-1-65b",)),
    language_model("llama-2-7b", 6_738_415_616, dimensions((32, 4096, 32, 32, 128, 11008), 32000, 4096),
                   "config.json of meta-llama/Llama-2-7b-hf", ("code-llama-7b", "vicuna-7b", "vicuna-7b-v1.5")),
    language_model("llama-2-13b", 13_015_864_320, dimensions((40, 5120, 40, 40, 128, 13824), 32000, 4096),
                   "config.json of meta-llama/Llama-2-13b-hf", ("code-llama-13b", "vicuna-13b", "vicuna-13b-v1.5")),
    language_model("llama-2-70b", 68_976_648_192, dimensions((80, 8192, 64, 8, 128, 28672), 32000, 4096),
                   "config.json of meta-llama/Llama-2-70b-hf", ("llama-70b", "code-llama-70b")),
    language_model("code-llama-34b", 33_743_970_304, dimensions((48, 8192, 64, 8, 128, 22016), 32000, 16384),
                   "config.json of codellama/CodeLlama-34b-hf", ("codellama-34b",)),
    language_model("llama-3-8b", 8_030_261_248, dimensions((32, 4096, 32, 8, 128, 14336), 128256, 8192),
                   "config.json of meta-llama/Meta-Llama-3-8B", ("meta-llama-3-8b",)),
    language_model("llama-3-70b", 70_553_706_496, dimensions((80, 8192, 64, 8, 128, 28672), 128256, 8192),
                   "config.json of meta-llama/Meta-Llama-3-70B", ("meta-llama-3-70b",)),
    language_model("llama-3.1-8b", 8_030_261_248, dimensions((32, 4096, 32, 8, 128, 14336), 128256, 131072),
                   "config.json of meta-llama/Llama-3.1-8B",
                   ("llama-8b", "meta-llama-3.1-8b", "deepseek-r1-distill-llama-8b")),
    language_model("llama-3.1-70b", 70_553_706_496, dimensions((80, 8192, 64, 8, 128, 28672), 128256, 131072),
                   "config.json of meta-llama/Llama-3.1-70B", ("meta-llama-3.1-70b", "nemotron-70b")),
    language_model("llama-3.1-405b", 405_853_388_800, dimensions((126, 16384, 128, 8, 128, 53248), 128256, 131072),
                   "config.json of meta-llama/Llama-3.1-405B", ("llama-405b", "llama-3-405b", "meta-llama-3.1-405b")),
    language_model("llama-3.2-1b", 1_235_814_400, dimensions((16, 2048, 32, 8, 64, 8192), 128256, 131072, tied=True),
                   "config.json of meta-llama/Llama-3.2-1B", ("llama-1b",)),
    language_model("llama-3.2-3b", 3_212_749_824, dimensions((28, 3072, 24, 8, 128, 8192), 128256, 131072, tied=True),
                   "config.json of meta-llama/Llama-3.2-3B", ("llama-3b",)),
    language_model("llama-3.3-70b", 70_553_706_496, dimensions((80, 8192, 64, 8, 128, 28672), 128256, 131072),
                   "config.json of meta-llama/Llama-3.3-70B-Instruct", ("deepseek-r1-distill-llama-70b",)),
    language_model("tinyllama-1.1b", 1_100_048_384, dimensions((22, 2048, 32, 4, 64, 5632), 32000, 2048),
                   "config.json of TinyLlama/TinyLlama-1.1B-Chat-v1.0", ("tinyllama", "tinyllama-1.1b-chat-v1.0")),
    language_model("yi-6b", 6_061_035_520, dimensions((32, 4096, 32, 4, 128, 11008), 64000, 4096),
                   "config.json of 01-ai/Yi-6B"),
    language_model("yi-34b", 34_388_917_248, dimensions((60, 7168, 56, 8, 128, 20480), 64000, 4096),
                   "config.json of 01-ai/Yi-34B"),
    language_model("smollm2-135m", 134_515_008, dimensions((30, 576, 9, 3, 64, 1536), 49152, 8192, tied=True),
                   "config.json of HuggingFaceTB/SmolLM2-135M", ("smollm-135m",)),
    language_model("smollm2-360m", 361_821_120, dimensions((32, 960, 15, 5, 64, 2560), 49152, 8192, tied=True),
                   "config.json of HuggingFaceTB/SmolLM2-360M", ("smollm-360m",)),
    language_model("smollm2-1.7b", 1_711_376_384, dimensions((24, 2048, 32, 32, 64, 8192), 49152, 8192, tied=True),
                   "config.json of HuggingFaceTB/SmolLM2-1.7B", ("smollm-1.7b",)),
    language_model("smollm3-3b", 3_075_098_624, dimensions((36, 2048, 16, 4, 128, 11008), 128256, 65536, tied=True),
                   "config.json of HuggingFaceTB/SmolLM3-3B"),
    language_model("olmo-2-7b", 7_298_617_344, dimensions((32, 4096, 32, 32, 128, 11008), 100352, 4096),
                   "config.json of allenai/OLMo-2-1124-7B", ("olmo-2-1124-7b",)),
    language_model("olmo-2-13b", 13_716_198_400, dimensions((40, 5120, 40, 40, 128, 13824), 100352, 4096),
                   "config.json of allenai/OLMo-2-1124-13B", ("olmo-2-1124-13b",)),
    language_model("deepseek-llm-7b", 6_910_365_696, dimensions((30, 4096, 32, 32, 128, 11008), 102400, 4096),
                   "config.json of deepseek-ai/deepseek-llm-7b-base", ("deepseek-7b",)),
    language_model("deepseek-llm-67b", 67_424_706_560, dimensions((95, 8192, 64, 8, 128, 22016), 102400, 4096),
                   "config.json of deepseek-ai/deepseek-llm-67b-base", ("deepseek-67b",)),
    # Mistral's dense models and Cohere's: Llama-like decoders of other laboratories.
    language_model("mistral-7b", 7_241_732_096, dimensions((32, 4096, 32, 8, 128, 14336), 32000, 32768),
                   "config.json of mistralai/Mistral-7B-v0.1 (v0.2 and later: no sliding window)",
                   ("zephyr-7b", "mistral-7b-v0.3")),
    language_model("ministral-8b", 8_019_808_256, dimensions((36, 4096, 32, 8, 128, 12288), 131072, 32768),
                   "config.json of mistralai/Ministral-8B-Instruct-2410"),
    language_model("mistral-nemo-12b", 12_247_782_400, dimensions((40, 5120, 32, 8, 128, 14336), 131072, 131072),
                   "config.json of mistralai/Mistral-Nemo-Base-2407", ("mistral-nemo",)),
    language_model("mistral-small-22b", 22_247_282_688, dimensions((56, 6144, 48, 8, 128, 16384), 32768, 32768),
                   "config.json of mistralai/Mistral-Small-Instruct-2409", ("codestral-22b", "codestral")),
    language_model("mistral-small-24b", 23_572_403_200, dimensions((40, 5120, 32, 8, 128, 32768), 131072, 32768),
                   "config.json of mistralai/Mistral-Small-24B-Instruct-2501",
                   ("mistral-small", "mistral-small-3", "mistral-small-3.1-24b", "mistral-small-3.2-24b")),
    language_model("mistral-large-123b", 122_610_069_504, dimensions((88, 12288, 96, 8, 128, 28672), 32768, 131072),
                   "config.json of mistralai/Mistral-Large-Instruct-2407", ("mistral-large", "mistral-large-2")),
    language_model("command-r-35b", 34_980_831_232,
                   dimensions((40, 8192, 64, 64, 128, 22528), 256000, 131072, tied=True),
                   "config.json of CohereForAI/c4ai-command-r-v01", ("c4ai-command-r-v01",)),
    language_model("command-r-plus-104b", 103_810_674_688,
                   dimensions((64, 12288, 96, 8, 128, 33792), 256000, 131072, tied=True),
                   "config.json of CohereForAI/c4ai-command-r-plus", ("command-r-plus", "c4ai-command-r-plus")),
    # Qwen's dense decoders, generations 1.5 to 3.
    language_model("qwen1.5-0.5b", 619_570_176, dimensions((24, 1024, 16, 16, 64, 2816), _TABLE, 32768),
                   "config.json of Qwen/Qwen1.5-0.5B"),
    language_model("qwen1.5-1.8b", 1_836_828_672, dimensions((24, 2048, 16, 16, 128, 5504), _TABLE, 32768),
                   "config.json of Qwen/Qwen1.5-1.8B"),
    language_model("qwen1.5-4b", 3_950_369_280, dimensions((40, 2560, 20, 20, 128, 6912), _TABLE, 32768),
                   "config.json of Qwen/Qwen1.5-4B"),
    language_model("qwen1.5-7b", 7_721_324_544, dimensions((32, 4096, 32, 32, 128, 11008), _TABLE, 32768),
                   "config.json of Qwen/Qwen1.5-7B", ("qwen-7b",)),
    language_model("qwen1.5-14b", 14_167_290_880, dimensions((40, 5120, 40, 40, 128, 13696), _PADDED, 32768),
                   "config.json of Qwen/Qwen1.5-14B", ("qwen-14b",)),
    language_model("qwen1.5-32b", 32_512_218_112, dimensions((64, 5120, 40, 8, 128, 27392), _PADDED, 32768),
                   "config.json of Qwen/Qwen1.5-32B"),
    language_model("qwen1.5-72b", 72_287_920_128, dimensions((80, 8192, 64, 64, 128, 24576), _PADDED, 32768),
                   "config.json of Qwen/Qwen1.5-72B", ("qwen-72b",)),
    language_model("qwen1.5-110b", 111_209_914_368, dimensions((80, 8192, 64, 8, 128, 49152), _PADDED, 32768),
                   "config.json of Qwen/Qwen1.5-110B"),
    language_model("qwen2-0.5b", 494_032_768, dimensions((24, 896, 14, 2, 64, 4864), _TABLE, 131072, tied=True),
                   "config.json of Qwen/Qwen2-0.5B"),
    language_model("qwen2-1.5b", 1_543_714_304, dimensions((28, 1536, 12, 2, 128, 8960), _TABLE, 131072, tied=True),
                   "config.json of Qwen/Qwen2-1.5B"),
    language_model("qwen2-7b", 7_615_616_512, dimensions((28, 3584, 28, 4, 128, 18944), _PADDED, 131072),
                   "config.json of Qwen/Qwen2-7B"),
    language_model("qwen2-72b", 72_706_203_648, dimensions((80, 8192, 64, 8, 128, 29568), _PADDED, 131072),
                   "config.json of Qwen/Qwen2-72B"),
    language_model("qwen2.5-0.5b", 494_032_768, dimensions((24, 896, 14, 2, 64, 4864), _TABLE, 32768, tied=True),
                   "config.json of Qwen/Qwen2.5-0.5B"),
    language_model("qwen2.5-1.5b", 1_543_714_304, dimensions((28, 1536, 12, 2, 128, 8960), _TABLE, 131072, tied=True),
                   "config.json of Qwen/Qwen2.5-1.5B", ("deepseek-r1-distill-qwen-1.5b",)),
    language_model("qwen2.5-3b", 3_085_938_688, dimensions((36, 2048, 16, 2, 128, 11008), _TABLE, 32768, tied=True),
                   "config.json of Qwen/Qwen2.5-3B"),
    language_model("qwen2.5-7b", 7_615_616_512, dimensions((28, 3584, 28, 4, 128, 18944), _PADDED, 131072),
                   "config.json of Qwen/Qwen2.5-7B", ("deepseek-r1-distill-qwen-7b",)),
    language_model("qwen2.5-14b", 14_770_033_664, dimensions((48, 5120, 40, 8, 128, 13824), _PADDED, 131072),
                   "config.json of Qwen/Qwen2.5-14B", ("deepseek-r1-distill-qwen-14b",)),
    language_model("qwen2.5-32b", 32_763_876_352, dimensions((64, 5120, 40, 8, 128, 27648), _PADDED, 131072),
                   "config.json of Qwen/Qwen2.5-32B", ("qwq-32b", "deepseek-r1-distill-qwen-32b", "qwen2.5-coder-32b")),
    language_model("qwen2.5-72b", 72_706_203_648, dimensions((80, 8192, 64, 8, 128, 29568), _PADDED, 131072),
                   "config.json of Qwen/Qwen2.5-72B"),
    language_model("qwen3-0.6b", 596_049_920, dimensions((28, 1024, 16, 8, 128, 3072), _TABLE, 40960, tied=True),
                   "config.json of Qwen/Qwen3-0.6B"),
    language_model("qwen3-1.7b", 1_720_574_976, dimensions((28, 2048, 16, 8, 128, 6144), _TABLE, 40960, tied=True),
                   "config.json of Qwen/Qwen3-1.7B"),
    language_model("qwen3-4b", 4_022_468_096, dimensions((36, 2560, 32, 8, 128, 9728), _TABLE, 40960, tied=True),
                   "config.json of Qwen/Qwen3-4B"),
    language_model("qwen3-8b", 8_190_735_360, dimensions((36, 4096, 32, 8, 128, 12288), _TABLE, 40960),
                   "config.json of Qwen/Qwen3-8B"),
    language_model("qwen3-14b", 14_768_307_200, dimensions((40, 5120, 40, 8, 128, 17408), _TABLE, 40960),
                   "config.json of Qwen/Qwen3-14B"),
    language_model("qwen3-32b", 32_762_123_264, dimensions((64, 5120, 64, 8, 128, 25600), _TABLE, 40960),
                   "config.json of Qwen/Qwen3-32B"),
    language_model("qwen3.5-27b", 26.9e9, _qwen_linear((64, 5120, 24, 4, 256, 17408), 248320, 16, 48),
                   "text part; config.json of Qwen/Qwen3.5-27B"),
    # Gemma (tied tables, wide heads, sliding windows from the second generation) and Phi.
    language_model("gemma-2b", 2_506_172_416, dimensions((18, 2048, 8, 1, 256, 16384), 256000, 8192, tied=True),
                   "config.json of google/gemma-2b", ("gemma-1-2b", "gemma-1.1-2b")),
    language_model("gemma-7b", 8_537_680_896, dimensions((28, 3072, 16, 16, 256, 24576), 256000, 8192, tied=True),
                   "config.json of google/gemma-7b", ("gemma-1-7b", "gemma-1.1-7b")),
    language_model("gemma-2-2b", 2_614_341_888, _gemma_2((26, 2304, 8, 4, 256, 9216)),
                   "config.json of google/gemma-2-2b"),
    language_model("gemma-2-9b", 9_241_705_984, _gemma_2((42, 3584, 16, 8, 256, 14336)),
                   "config.json of google/gemma-2-9b"),
    language_model("gemma-2-27b", 27_227_128_320, _gemma_2((46, 4608, 32, 16, 128, 36864)),
                   "config.json of google/gemma-2-27b"),
    language_model("gemma-3-1b", 999_885_952, _gemma_3((26, 1152, 4, 1, 256, 6912), 262144, 32768, window=512),
                   "config.json of google/gemma-3-1b-pt"),
    language_model("gemma-3-4b", 3_880_263_168, _gemma_3((34, 2560, 8, 4, 256, 10240), 262208, 131072, window=1024),
                   "text part; config.json of google/gemma-3-4b-pt"),
    language_model("gemma-3-12b", 11_766_034_176, _gemma_3((48, 3840, 16, 8, 256, 15360), 262208, 131072, window=1024),
                   "text part; config.json of google/gemma-3-12b-pt"),
    language_model("gemma-3-27b", 27_009_346_304, _gemma_3((62, 5376, 32, 16, 128, 21504), 262208, 131072, window=1024),
                   "text part; config.json of google/gemma-3-27b-pt"),
    language_model("phi-1.5", 1_418_270_720, dimensions((24, 2048, 32, 32, 64, 8192), 51200, 2048, gated=False),
                   "config.json of microsoft/phi-1_5", ("phi-1.5-1.3b", "phi-1")),
    language_model("phi-2", 2_779_683_840, dimensions((32, 2560, 32, 32, 80, 10240), 51200, 2048, gated=False),
                   "config.json of microsoft/phi-2", ("phi-2-2.7b",)),
    language_model("phi-3-mini", 3_821_079_552, dimensions((32, 3072, 32, 32, 96, 8192), 32064, 4096),
                   "config.json of microsoft/Phi-3-mini-4k-instruct",
                   ("phi-3-mini-4k", "phi-3-mini-128k", "phi-3.5-mini", "phi-3-3.8b")),
    language_model("phi-3-medium", 13_960_238_080, dimensions((40, 5120, 40, 10, 128, 17920), 32064, 4096),
                   "config.json of microsoft/Phi-3-medium-4k-instruct",
                   ("phi-3-medium-4k", "phi-3-medium-128k", "phi-3-14b")),
    language_model("phi-4", 14_659_507_200, dimensions((40, 5120, 40, 10, 128, 17920), 100352, 16384),
                   "config.json of microsoft/phi-4", ("phi-4-14b", "phi-4-reasoning")),
    language_model("phi-4-mini", 3_836_021_760, dimensions((32, 3072, 24, 8, 128, 8192), 200064, 131072, tied=True),
                   "config.json of microsoft/Phi-4-mini-instruct", ("phi-4-mini-3.8b",)),
    # Mixtures of experts: a router sends each token to a few of many feed-forward blocks.
    language_model("mixtral-8x7b", 46_702_792_704,
                   dimensions((32, 4096, 32, 8, 128, 14336), 32000, 32768, moe=experts(8, 2, 14336, 32)),
                   "config.json of mistralai/Mixtral-8x7B-v0.1"),
    language_model("mixtral-8x22b", 140_630_071_296,
                   dimensions((56, 6144, 48, 8, 128, 16384), 32768, 65536, moe=experts(8, 2, 16384, 56)),
                   "config.json of mistralai/Mixtral-8x22B-v0.1"),
    language_model("llama-4-scout", 107_769_640_960, _llama_4(10_485_760, experts(16, 1, 8192, 48, shared=8192)),
                   "text part; config.json of meta-llama/Llama-4-Scout-17B-16E",
                   ("llama-4-scout-17b-16e", "llama-4-scout-109b")),
    language_model("llama-4-maverick", 400_711_680_000, _llama_4(1_048_576, experts(128, 1, 8192, 24, shared=8192)),
                   "text part; config.json of meta-llama/Llama-4-Maverick-17B-128E",
                   ("llama-4-maverick-17b-128e", "llama-4-maverick-400b")),
    language_model("qwen1.5-moe-a2.7b", 14_315_784_192,
                   dimensions((24, 2048, 16, 16, 128, 5632), 151936, 8192, moe=experts(60, 4, 1408, 24, shared=5632)),
                   "config.json of Qwen/Qwen1.5-MoE-A2.7B"),
    language_model("qwen2-57b-a14b", 57_409_011_200,
                   dimensions((28, 3584, 28, 4, 128, 18944), 151936, 131072,
                              moe=experts(64, 8, 2560, 28, shared=20480)), "config.json of Qwen/Qwen2-57B-A14B"),
    language_model("qwen3-30b-a3b", 30_532_122_624,
                   dimensions((48, 2048, 32, 4, 128, 6144), 151936, 40960, moe=_qwen3_experts(128, 8, 768, 48)),
                   "config.json of Qwen/Qwen3-30B-A3B", ("qwen3-30b", "qwen3-coder-30b-a3b")),
    language_model("qwen3-235b-a22b", 235_093_634_560,
                   dimensions((94, 4096, 64, 4, 128, 12288), 151936, 40960, moe=_qwen3_experts(128, 8, 1536, 94)),
                   "config.json of Qwen/Qwen3-235B-A22B", ("qwen3-235b",)),
    language_model("qwen3-coder-480b-a35b", 480_154_875_392,
                   dimensions((62, 6144, 96, 8, 128, 8192), 151936, 262144, moe=_qwen3_experts(160, 8, 2560, 62)),
                   "config.json of Qwen/Qwen3-Coder-480B-A35B-Instruct", ("qwen3-coder-480b", "qwen3-coder")),
    language_model("qwen3-next-80b-a3b", 79_674_391_296,
                   _qwen_linear((48, 2048, 16, 2, 256, 5120), 151936, 16, 32,
                                moe=experts(512, 10, 512, 48, shared=512)),
                   "config.json of Qwen/Qwen3-Next-80B-A3B-Instruct", ("qwen3-next", "qwen3-next-80b")),
    language_model("qwen3.5-35b-a3b", 34.7e9,
                   _qwen_linear((40, 2048, 16, 2, 256, 512), 248320, 16, 32, moe=experts(256, 8, 512, 40, shared=512)),
                   "text part; config.json of Qwen/Qwen3.5-35B-A3B", ("qwen3.5-35b",)),
    language_model("qwen3.5-397b-a17b", 397.0e9,
                   _qwen_linear((60, 4096, 32, 2, 256, 1024), 248320, 16, 64,
                                moe=experts(512, 10, 1024, 60, shared=1024)),
                   "text part; config.json of Qwen/Qwen3.5-397B-A17B", ("qwen3.5-397b",)),
    language_model("glm-4.5", 352_797_829_120,
                   dimensions((92, 5120, 96, 8, 128, 12288), 151552, 131072,
                              moe=experts(160, 8, 1536, 89, shared=1536)),
                   "config.json of zai-org/GLM-4.5, without the extra prediction layer", ("glm-4.5-355b", "glm-4.6")),
    language_model("grok-1", 314.0e9,
                   dimensions((64, 6144, 48, 8, 128, 32768), 131072, 8192, tied=True, moe=experts(8, 2, 32768, 64)),
                   "github.com/xai-org/grok-1: run.py", ("grok-1-314b", "grok")),
    language_model("gpt-oss-20b", 20_914_757_184, _gpt_oss(24, 32),
                   f"config.json of openai/gpt-oss-20b; {_MXFP4_SOURCE}", published=_MXFP4),
    language_model("gpt-oss-120b", 116_829_156_672, _gpt_oss(36, 128),
                   f"config.json of openai/gpt-oss-120b; {_MXFP4_SOURCE}", published=_MXFP4),
    language_model("dbrx", 131_596_523_520,
                   dimensions((40, 6144, 48, 8, 128, 10752), 100352, 32768, moe=experts(16, 4, 10752, 40)),
                   "config.json of databricks/dbrx-base", ("dbrx-132b",)),
    language_model("phi-3.5-moe", 41_873_153_344,
                   dimensions((32, 4096, 32, 8, 128, 6400), 32064, 131072, moe=experts(16, 2, 6400, 32)),
                   "config.json of microsoft/Phi-3.5-MoE-instruct"),
    # Mixtures of experts with multi-head latent attention: DeepSeek from its second generation, Kimi K2.
    language_model("deepseek-v2-lite", 15_706_484_224,
                   dimensions((27, 2048, 16, 16, 128, 10944), 102400, 163840, latent=_MLA_LITE,
                              moe=experts(64, 6, 1408, 26, shared=2816)),
                   "config.json of deepseek-ai/DeepSeek-V2-Lite", ("deepseek-v2-lite-16b", "deepseek-coder-v2-lite")),
    language_model("deepseek-v2", 235_741_434_880,
                   dimensions((60, 5120, 128, 128, 128, 12288), 102400, 163840, latent=_MLA,
                              moe=experts(160, 6, 1536, 59, shared=3072)),
                   "config.json of deepseek-ai/DeepSeek-V2",
                   ("deepseek-v2-236b", "deepseek-v2.5", "deepseek-coder-v2")),
    language_model("deepseek-v3", 671_026_419_200,
                   dimensions((61, 7168, 128, 128, 128, 18432), 129280, 163840, latent=_MLA,
                              moe=experts(256, 8, 2048, 58, shared=2048)),
                   f"arXiv 2412.19437; config.json of deepseek-ai/DeepSeek-V3; {_FP8_SOURCE}",
                   ("deepseek-v3-671b", "deepseek-v3.1", "deepseek-v3-0324"), published=_FP8),
    language_model("deepseek-r1", 671_026_419_200,
                   dimensions((61, 7168, 128, 128, 128, 18432), 129280, 163840, latent=_MLA,
                              moe=experts(256, 8, 2048, 58, shared=2048)),
                   f"config.json of deepseek-ai/DeepSeek-R1; {_FP8_SOURCE}",
                   ("deepseek-r1-671b", "deepseek-r1-0528", "r1"), published=_FP8),
    language_model("kimi-k2", 1_026_408_232_448,
                   dimensions((61, 7168, 64, 64, 128, 18432), 163840, 262144, latent=_MLA,
                              moe=experts(384, 8, 2048, 60, shared=2048)),
                   f"config.json of moonshotai/Kimi-K2-Instruct; {_FP8_SOURCE}", ("kimi-k2-1t",), published=_FP8),
    language_model("kimi-k2.5", 1_026_408_232_448,
                   dimensions((61, 7168, 64, 64, 128, 18432), 163840, 262144, latent=_MLA,
                              moe=experts(384, 8, 2048, 60, shared=2048)),
                   f"config.json of moonshotai/Kimi-K2.5, text part; {_INT4_SOURCE}",
                   ("kimi-k2-thinking",), published=_INT4),
)  # fmt: skip
