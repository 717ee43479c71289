"""Qwen's dense decoders, generations 1.5 to 3."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, language_model

_TABLE = 151936  # rows of the token table; the larger models pad it to 152064
_PADDED = 152064

QWEN = (
    language_model(
        "qwen1.5-0.5b",
        619_570_176,
        dimensions((24, 1024, 16, 16, 64, 2816), _TABLE, 32768),
        "config.json of Qwen/Qwen1.5-0.5B",
    ),
    language_model(
        "qwen1.5-1.8b",
        1_836_828_672,
        dimensions((24, 2048, 16, 16, 128, 5504), _TABLE, 32768),
        "config.json of Qwen/Qwen1.5-1.8B",
    ),
    language_model(
        "qwen1.5-4b",
        3_950_369_280,
        dimensions((40, 2560, 20, 20, 128, 6912), _TABLE, 32768),
        "config.json of Qwen/Qwen1.5-4B",
    ),
    language_model(
        "qwen1.5-7b",
        7_721_324_544,
        dimensions((32, 4096, 32, 32, 128, 11008), _TABLE, 32768),
        "config.json of Qwen/Qwen1.5-7B",
        ("qwen-7b",),
    ),
    language_model(
        "qwen1.5-14b",
        14_167_290_880,
        dimensions((40, 5120, 40, 40, 128, 13696), _PADDED, 32768),
        "config.json of Qwen/Qwen1.5-14B",
        ("qwen-14b",),
    ),
    language_model(
        "qwen1.5-32b",
        32_512_218_112,
        dimensions((64, 5120, 40, 8, 128, 27392), _PADDED, 32768),
        "config.json of Qwen/Qwen1.5-32B",
    ),
    language_model(
        "qwen1.5-72b",
        72_287_920_128,
        dimensions((80, 8192, 64, 64, 128, 24576), _PADDED, 32768),
        "config.json of Qwen/Qwen1.5-72B",
        ("qwen-72b",),
    ),
    language_model(
        "qwen1.5-110b",
        111_209_914_368,
        dimensions((80, 8192, 64, 8, 128, 49152), _PADDED, 32768),
        "config.json of Qwen/Qwen1.5-110B",
    ),
    language_model(
        "qwen2-0.5b",
        494_032_768,
        dimensions((24, 896, 14, 2, 64, 4864), _TABLE, 131072, tied=True),
        "config.json of Qwen/Qwen2-0.5B",
    ),
    language_model(
        "qwen2-1.5b",
        1_543_714_304,
        dimensions((28, 1536, 12, 2, 128, 8960), _TABLE, 131072, tied=True),
        "config.json of Qwen/Qwen2-1.5B",
    ),
    language_model(
        "qwen2-7b",
        7_615_616_512,
        dimensions((28, 3584, 28, 4, 128, 18944), _PADDED, 131072),
        "config.json of Qwen/Qwen2-7B",
    ),
    language_model(
        "qwen2-72b",
        72_706_203_648,
        dimensions((80, 8192, 64, 8, 128, 29568), _PADDED, 131072),
        "config.json of Qwen/Qwen2-72B",
    ),
    language_model(
        "qwen2.5-0.5b",
        494_032_768,
        dimensions((24, 896, 14, 2, 64, 4864), _TABLE, 32768, tied=True),
        "config.json of Qwen/Qwen2.5-0.5B",
    ),
    language_model(
        "qwen2.5-1.5b",
        1_543_714_304,
        dimensions((28, 1536, 12, 2, 128, 8960), _TABLE, 131072, tied=True),
        "config.json of Qwen/Qwen2.5-1.5B",
        ("deepseek-r1-distill-qwen-1.5b",),
    ),
    language_model(
        "qwen2.5-3b",
        3_085_938_688,
        dimensions((36, 2048, 16, 2, 128, 11008), _TABLE, 32768, tied=True),
        "config.json of Qwen/Qwen2.5-3B",
    ),
    language_model(
        "qwen2.5-7b",
        7_615_616_512,
        dimensions((28, 3584, 28, 4, 128, 18944), _PADDED, 131072),
        "config.json of Qwen/Qwen2.5-7B",
        ("deepseek-r1-distill-qwen-7b",),
    ),
    language_model(
        "qwen2.5-14b",
        14_770_033_664,
        dimensions((48, 5120, 40, 8, 128, 13824), _PADDED, 131072),
        "config.json of Qwen/Qwen2.5-14B",
        ("deepseek-r1-distill-qwen-14b",),
    ),
    language_model(
        "qwen2.5-32b",
        32_763_876_352,
        dimensions((64, 5120, 40, 8, 128, 27648), _PADDED, 131072),
        "config.json of Qwen/Qwen2.5-32B",
        ("qwq-32b", "deepseek-r1-distill-qwen-32b", "qwen2.5-coder-32b"),
    ),
    language_model(
        "qwen2.5-72b",
        72_706_203_648,
        dimensions((80, 8192, 64, 8, 128, 29568), _PADDED, 131072),
        "config.json of Qwen/Qwen2.5-72B",
    ),
    language_model(
        "qwen3-0.6b",
        596_049_920,
        dimensions((28, 1024, 16, 8, 128, 3072), _TABLE, 40960, tied=True),
        "config.json of Qwen/Qwen3-0.6B",
    ),
    language_model(
        "qwen3-1.7b",
        1_720_574_976,
        dimensions((28, 2048, 16, 8, 128, 6144), _TABLE, 40960, tied=True),
        "config.json of Qwen/Qwen3-1.7B",
    ),
    language_model(
        "qwen3-4b",
        4_022_468_096,
        dimensions((36, 2560, 32, 8, 128, 9728), _TABLE, 40960, tied=True),
        "config.json of Qwen/Qwen3-4B",
    ),
    language_model(
        "qwen3-8b",
        8_190_735_360,
        dimensions((36, 4096, 32, 8, 128, 12288), _TABLE, 40960),
        "config.json of Qwen/Qwen3-8B",
    ),
    language_model(
        "qwen3-14b",
        14_768_307_200,
        dimensions((40, 5120, 40, 8, 128, 17408), _TABLE, 40960),
        "config.json of Qwen/Qwen3-14B",
    ),
    language_model(
        "qwen3-32b",
        32_762_123_264,
        dimensions((64, 5120, 64, 8, 128, 25600), _TABLE, 40960),
        "config.json of Qwen/Qwen3-32B",
    ),
    language_model(
        "qwen3.5-27b",
        26.9e9,
        dimensions(
            (64, 5120, 24, 4, 256, 17408),
            248320,
            262144,
            attention_share=1 / 4,
            output_gate=True,
            linear_layer_parameters=5120.0 * 128 * (2 * 16 + 3 * 48),
        ),
        "text part; config.json of Qwen/Qwen3.5-27B",
    ),
)
