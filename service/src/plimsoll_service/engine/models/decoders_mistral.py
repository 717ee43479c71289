"""Mistral's dense models and Cohere's: Llama-like decoders of other laboratories."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, language_model

MISTRAL = (
    language_model(
        "mistral-7b",
        7_241_732_096,
        dimensions((32, 4096, 32, 8, 128, 14336), 32000, 32768),
        "config.json of mistralai/Mistral-7B-v0.1 (v0.2 and later: no sliding window)",
        ("zephyr-7b", "mistral-7b-v0.3"),
    ),
    language_model(
        "ministral-8b",
        8_019_808_256,
        dimensions((36, 4096, 32, 8, 128, 12288), 131072, 32768),
        "config.json of mistralai/Ministral-8B-Instruct-2410",
    ),
    language_model(
        "mistral-nemo-12b",
        12_247_782_400,
        dimensions((40, 5120, 32, 8, 128, 14336), 131072, 131072),
        "config.json of mistralai/Mistral-Nemo-Base-2407",
        ("mistral-nemo",),
    ),
    language_model(
        "mistral-small-22b",
        22_247_282_688,
        dimensions((56, 6144, 48, 8, 128, 16384), 32768, 32768),
        "config.json of mistralai/Mistral-Small-Instruct-2409",
        ("codestral-22b", "codestral"),
    ),
    language_model(
        "mistral-small-24b",
        23_572_403_200,
        dimensions((40, 5120, 32, 8, 128, 32768), 131072, 32768),
        "config.json of mistralai/Mistral-Small-24B-Instruct-2501",
        ("mistral-small", "mistral-small-3", "mistral-small-3.1-24b", "mistral-small-3.2-24b"),
    ),
    language_model(
        "mistral-large-123b",
        122_610_069_504,
        dimensions((88, 12288, 96, 8, 128, 28672), 32768, 131072),
        "config.json of mistralai/Mistral-Large-Instruct-2407",
        ("mistral-large", "mistral-large-2"),
    ),
    language_model(
        "command-r-35b",
        34_980_831_232,
        dimensions((40, 8192, 64, 64, 128, 22528), 256000, 131072, tied=True),
        "config.json of CohereForAI/c4ai-command-r-v01",
        ("c4ai-command-r-v01",),
    ),
    language_model(
        "command-r-plus-104b",
        103_810_674_688,
        dimensions((64, 12288, 96, 8, 128, 33792), 256000, 131072, tied=True),
        "config.json of CohereForAI/c4ai-command-r-plus",
        ("command-r-plus", "c4ai-command-r-plus"),
    ),
)
