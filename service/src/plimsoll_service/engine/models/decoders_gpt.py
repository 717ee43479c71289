"""GPT-2 and what followed its plan: plain feed-forward blocks of four times the width."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import Sizes, dimensions, language_model
from plimsoll_service.engine.models.profile import Transformer


def _plain(layers: int, hidden: int, heads: int) -> Sizes:
    return layers, hidden, heads, heads, hidden // heads, 4 * hidden


def _gpt2(layers: int, hidden: int, heads: int) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), 50257, 1024, gated=False, tied=True, positions=1024)


def _opt(layers: int, hidden: int, heads: int, embedding_size: int | None = None) -> Transformer:
    return dimensions(
        _plain(layers, hidden, heads),
        50272,
        2048,
        gated=False,
        tied=True,
        positions=2050,
        embedding_size=embedding_size,
    )


def _bloom(layers: int, hidden: int, heads: int) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), 250880, 2048, gated=False, tied=True)


def _mpt(layers: int, hidden: int, heads: int) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), 50368, 2048, gated=False, tied=True, positions=2048)


def _pythia(layers: int, hidden: int, heads: int, vocabulary: int = 50304) -> Transformer:
    return dimensions(_plain(layers, hidden, heads), vocabulary, 2048, gated=False)


_GPT2 = "Radford et al. 2019; config.json of openai-community/gpt2"
_GPT3 = "arXiv 2005.14165, table 2.1"
_OPT = "arXiv 2205.01068, table 1; config.json of facebook/opt"
_BLOOM = "arXiv 2211.05100, table 3; config.json of bigscience/bloom"
_MPT = "llm-foundry's pre-training configurations (scripts/train/yamls/pretrain)"
_PYTHIA = "arXiv 2304.01373, table 1; config.json of EleutherAI/pythia"

GPT2 = (
    language_model("gpt2", 124_439_808, _gpt2(12, 768, 12), _GPT2, ("gpt-2", "gpt2-small", "gpt2-124m"), "bert"),
    language_model("gpt2-medium", 354_823_168, _gpt2(24, 1024, 16), _GPT2, ("gpt2-355m",), "bert"),
    language_model("gpt2-large", 774_030_080, _gpt2(36, 1280, 20), _GPT2, ("gpt2-774m",), "bert"),
    language_model("gpt2-xl", 1_557_611_200, _gpt2(48, 1600, 25), _GPT2, ("gpt2-1.5b",), "bert"),
    language_model("distilgpt2", 81_912_576, _gpt2(6, 768, 12), "config.json of distilbert/distilgpt2", (), "bert"),
    language_model(
        "gpt3-23b",
        22_963_814_400,
        dimensions(_plain(28, 8192, 64), 50257, 2048, gated=False, tied=True),
        _GPT3 + " (width 8192, 28 layers: Neuron's benchmark)",
        ("gpt-3-23b",),
    ),
    language_model(
        "gpt3-46b",
        45_512_392_704,
        dimensions(_plain(56, 8192, 64), 50257, 2048, gated=False, tied=True),
        _GPT3 + " (width 8192, 56 layers: Neuron's benchmark)",
        ("gpt-3-46b",),
    ),
    language_model(
        "gpt3-175b",
        174_604_197_888,
        dimensions(_plain(96, 12288, 96), 50257, 2048, gated=False, tied=True, positions=2048),
        _GPT3,
        ("gpt-3", "gpt3"),
    ),
)

NEOX = (
    language_model(
        "gpt-neo-125m",
        125_198_592,
        dimensions(
            _plain(12, 768, 12),
            50257,
            2048,
            gated=False,
            tied=True,
            positions=2048,
            sliding_window=256,
            sliding_share=0.5,
        ),
        "config.json of EleutherAI/gpt-neo-125m",
    ),
    language_model(
        "gpt-neo-1.3b",
        1_315_575_808,
        dimensions(
            _plain(24, 2048, 16),
            50257,
            2048,
            gated=False,
            tied=True,
            positions=2048,
            sliding_window=256,
            sliding_share=0.5,
        ),
        "config.json of EleutherAI/gpt-neo-1.3B",
    ),
    language_model(
        "gpt-neo-2.7b",
        2_651_307_520,
        dimensions(
            _plain(32, 2560, 20),
            50257,
            2048,
            gated=False,
            tied=True,
            positions=2048,
            sliding_window=256,
            sliding_share=0.5,
        ),
        "config.json of EleutherAI/gpt-neo-2.7B",
    ),
    language_model(
        "gpt-j-6b",
        6_050_882_784,
        dimensions(_plain(28, 4096, 16), 50400, 2048, gated=False),
        "config.json of EleutherAI/gpt-j-6b",
        ("gpt-j", "gptj"),
    ),
    language_model(
        "gpt-neox-20b",
        20_554_567_680,
        dimensions(_plain(44, 6144, 64), 50432, 2048, gated=False),
        "arXiv 2204.06745; config.json of EleutherAI/gpt-neox-20b",
        ("gpt-neox",),
    ),
    language_model("pythia-70m", 70_426_624, _pythia(6, 512, 8), _PYTHIA),
    language_model("pythia-160m", 162_322_944, _pythia(12, 768, 12), _PYTHIA),
    language_model("pythia-410m", 405_334_016, _pythia(24, 1024, 16), _PYTHIA),
    language_model("pythia-1b", 1_011_781_632, _pythia(16, 2048, 8), _PYTHIA),
    language_model("pythia-1.4b", 1_414_647_808, _pythia(24, 2048, 16), _PYTHIA),
    language_model("pythia-2.8b", 2_775_208_960, _pythia(32, 2560, 32), _PYTHIA, ("redpajama-3b",)),
    language_model("pythia-6.9b", 6_857_302_016, _pythia(32, 4096, 32, 50432), _PYTHIA, ("dolly-v2-7b",)),
    language_model("pythia-12b", 11_846_072_320, _pythia(36, 5120, 40, 50688), _PYTHIA, ("dolly-v2-12b",)),
    language_model(
        "stablelm-alpha-3b",
        3_638_525_952,
        dimensions(_plain(16, 4096, 32), 50688, 4096, gated=False),
        "config.json of stabilityai/stablelm-base-alpha-3b",
        ("stablelm-base-alpha-3b", "stablelm-tuned-alpha-3b"),
    ),
    language_model(
        "stablelm-3b",
        2_795_443_200,
        dimensions((32, 2560, 32, 32, 80, 6912), 50304, 4096),
        "config.json of stabilityai/stablelm-3b-4e1t",
        ("stablelm-3b-4e1t",),
    ),
)

OPT = (
    language_model("opt-125m", 125_239_296, _opt(12, 768, 12), _OPT),
    language_model("opt-350m", 331_196_416, _opt(24, 1024, 16, embedding_size=512), _OPT),
    language_model("opt-1.3b", 1_315_758_080, _opt(24, 2048, 32), _OPT),
    language_model("opt-2.7b", 2_651_596_800, _opt(32, 2560, 32), _OPT),
    language_model("opt-6.7b", 6_658_473_984, _opt(32, 4096, 32), _OPT),
    language_model("opt-13b", 12_853_473_280, _opt(40, 5120, 40), _OPT),
    language_model("opt-30b", 29_974_540_288, _opt(48, 7168, 56), _OPT),
    language_model("opt-66b", 65_718_886_400, _opt(64, 9216, 72), _OPT),
    language_model("opt-175b", 174_604_197_888, _opt(96, 12288, 96), _OPT),
)

BLOOM = (
    language_model("bloom-560m", 559_214_592, _bloom(24, 1024, 16), _BLOOM),
    language_model("bloom-1b1", 1_065_314_304, _bloom(24, 1536, 16), _BLOOM, ("bloom-1.1b",)),
    language_model("bloom-1b7", 1_722_408_960, _bloom(24, 2048, 16), _BLOOM, ("bloom-1.7b",)),
    language_model("bloom-3b", 3_002_557_440, _bloom(30, 2560, 32), _BLOOM),
    language_model("bloom-7b1", 7_069_016_064, _bloom(30, 4096, 32), _BLOOM, ("bloom-7b", "bloom-7.1b")),
    language_model("bloom-176b", 176_247_271_424, _bloom(70, 14336, 112), _BLOOM),
)

MPT = (
    language_model("mpt-125m", 125_311_488, _mpt(12, 768, 12), _MPT),
    language_model("mpt-350m", 355_985_408, _mpt(24, 1024, 16), _MPT),
    language_model("mpt-760m", 760_470_528, _mpt(24, 1536, 12), _MPT),
    language_model("mpt-1b", 1_315_950_592, _mpt(24, 2048, 16), _MPT, ("mpt-1.3b",)),
    language_model("mpt-3b", 2_651_581_440, _mpt(32, 2560, 20), _MPT),
    language_model("mpt-7b", 6_658_859_008, _mpt(32, 4096, 32), _MPT),
    language_model("mpt-13b", 12_853_954_560, _mpt(40, 5120, 40), _MPT),
    language_model("mpt-30b", 29_975_214_080, _mpt(48, 7168, 56), _MPT),
    language_model("mpt-70b", 64_862_437_376, _mpt(80, 8192, 64), _MPT),
)

FALCON = (
    language_model(
        "falcon-7b",
        6_921_720_704,
        dimensions((32, 4544, 71, 1, 64, 18176), 65024, 2048, gated=False, tied=True),
        "arXiv 2311.16867; config.json of tiiuae/falcon-7b",
    ),
    language_model(
        "falcon-40b",
        41_303_293_952,
        dimensions((60, 8192, 128, 8, 64, 32768), 65024, 2048, gated=False, tied=True),
        "arXiv 2311.16867; config.json of tiiuae/falcon-40b",
    ),
    language_model(
        "falcon-180b",
        178_557_214_720,
        dimensions((80, 14848, 232, 8, 64, 59392), 65024, 2048, gated=False, tied=True),
        "arXiv 2311.16867; config.json of tiiuae/falcon-180B",
    ),
)
