"""Gemma (tied tables, wide heads, sliding windows from the second generation) and Phi."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, language_model

_FIVE_OF_SIX = 5 / 6  # Gemma 3: five windowed layers to one that sees everything

GEMMA = (
    language_model(
        "gemma-2b",
        2_506_172_416,
        dimensions((18, 2048, 8, 1, 256, 16384), 256000, 8192, tied=True),
        "config.json of google/gemma-2b",
        ("gemma-1-2b", "gemma-1.1-2b"),
    ),
    language_model(
        "gemma-7b",
        8_537_680_896,
        dimensions((28, 3072, 16, 16, 256, 24576), 256000, 8192, tied=True),
        "config.json of google/gemma-7b",
        ("gemma-1-7b", "gemma-1.1-7b"),
    ),
    language_model(
        "gemma-2-2b",
        2_614_341_888,
        dimensions((26, 2304, 8, 4, 256, 9216), 256000, 8192, tied=True, sliding_window=4096, sliding_share=0.5),
        "config.json of google/gemma-2-2b",
    ),
    language_model(
        "gemma-2-9b",
        9_241_705_984,
        dimensions((42, 3584, 16, 8, 256, 14336), 256000, 8192, tied=True, sliding_window=4096, sliding_share=0.5),
        "config.json of google/gemma-2-9b",
    ),
    language_model(
        "gemma-2-27b",
        27_227_128_320,
        dimensions((46, 4608, 32, 16, 128, 36864), 256000, 8192, tied=True, sliding_window=4096, sliding_share=0.5),
        "config.json of google/gemma-2-27b",
    ),
    language_model(
        "gemma-3-1b",
        999_885_952,
        dimensions(
            (26, 1152, 4, 1, 256, 6912), 262144, 32768, tied=True, sliding_window=512, sliding_share=_FIVE_OF_SIX
        ),
        "config.json of google/gemma-3-1b-pt",
    ),
    language_model(
        "gemma-3-4b",
        3_880_263_168,
        dimensions(
            (34, 2560, 8, 4, 256, 10240), 262208, 131072, tied=True, sliding_window=1024, sliding_share=_FIVE_OF_SIX
        ),
        "text part; config.json of google/gemma-3-4b-pt",
    ),
    language_model(
        "gemma-3-12b",
        11_766_034_176,
        dimensions(
            (48, 3840, 16, 8, 256, 15360), 262208, 131072, tied=True, sliding_window=1024, sliding_share=_FIVE_OF_SIX
        ),
        "text part; config.json of google/gemma-3-12b-pt",
    ),
    language_model(
        "gemma-3-27b",
        27_009_346_304,
        dimensions(
            (62, 5376, 32, 16, 128, 21504), 262208, 131072, tied=True, sliding_window=1024, sliding_share=_FIVE_OF_SIX
        ),
        "text part; config.json of google/gemma-3-27b-pt",
    ),
)

PHI = (
    language_model(
        "phi-1.5",
        1_418_270_720,
        dimensions((24, 2048, 32, 32, 64, 8192), 51200, 2048, gated=False),
        "config.json of microsoft/phi-1_5",
        ("phi-1.5-1.3b", "phi-1"),
    ),
    language_model(
        "phi-2",
        2_779_683_840,
        dimensions((32, 2560, 32, 32, 80, 10240), 51200, 2048, gated=False),
        "config.json of microsoft/phi-2",
        ("phi-2-2.7b",),
    ),
    language_model(
        "phi-3-mini",
        3_821_079_552,
        dimensions((32, 3072, 32, 32, 96, 8192), 32064, 4096),
        "config.json of microsoft/Phi-3-mini-4k-instruct",
        ("phi-3-mini-4k", "phi-3-mini-128k", "phi-3.5-mini", "phi-3-3.8b"),
    ),
    language_model(
        "phi-3-medium",
        13_960_238_080,
        dimensions((40, 5120, 40, 10, 128, 17920), 32064, 4096),
        "config.json of microsoft/Phi-3-medium-4k-instruct",
        ("phi-3-medium-4k", "phi-3-medium-128k", "phi-3-14b"),
    ),
    language_model(
        "phi-4",
        14_659_507_200,
        dimensions((40, 5120, 40, 10, 128, 17920), 100352, 16384),
        "config.json of microsoft/phi-4",
        ("phi-4-14b", "phi-4-reasoning"),
    ),
    language_model(
        "phi-4-mini",
        3_836_021_760,
        dimensions((32, 3072, 24, 8, 128, 8192), 200064, 131072, tied=True),
        "config.json of microsoft/Phi-4-mini-instruct",
        ("phi-4-mini-3.8b",),
    ),
)
