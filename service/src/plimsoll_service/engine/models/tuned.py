"""Names of models that were tuned from another, or follow its plan unchanged: its dimensions are theirs."""

from __future__ import annotations

# The known model → the names that stand for models of its dimensions.
_NAMES = {
    # config.json of ProsusAI/finbert and of facebook/bart-large-cnn; the others are tuned from the same.
    "bart-large": ("bart-large-cnn", "bart-large-xsum", "bart-large-mnli"),
    "bert-base": ("finbert", "bert-base-ner", "biobert", "clinicalbert", "legal-bert"),
    "code-llama-34b": ("codellama-34b-python", "phind-codellama-34b"),
    "deepseek-v3": ("deepseek-v3.2", "deepseek-v3.2-exp", "deepseek-v3.2-speciale", "deepseek-v3.1-terminus"),
    "flux.1-dev": (
        "flux.1-krea-dev", "flux.1-kontext-dev", "flux-kontext", "flux.1-fill-dev", "flux.1-canny-dev",
        "flux.1-depth-dev", "flux.1-pro",
    ),
    "gemma-2-27b": ("translategemma-27b",),
    "gemma-2b": ("codegemma-2b",),
    "gemma-3-27b": ("medgemma-27b",),
    "gemma-3-4b": ("medgemma-4b", "translategemma-4b"),
    "gemma-7b": ("codegemma-7b",),
    "glm-4.5": ("glm-4.7",),
    "gpt-oss-120b": ("gpt-oss-safeguard-120b",),
    "gpt-oss-20b": ("gpt-oss-safeguard-20b",),
    "kimi-k2.5": ("kimi-k2.6", "kimi-k2.7-code"),
    "llama-2-13b": ("codellama-13b-python", "wizardlm-13b", "nous-hermes-13b"),
    "llama-2-70b": ("codellama-70b-python", "xwin-lm-70b"),
    "llama-2-7b": ("codellama-7b-python",),
    "llama-3.1-405b": ("hermes-3-llama-3.1-405b", "tulu-3-405b"),
    "llama-3.1-70b": (
        "llama-3.1-nemotron-70b", "hermes-3-llama-3.1-70b", "llama-3.1-tulu-3-70b", "tulu-3-70b", "athene-70b",
    ),
    "llama-3.1-8b": (
        "hermes-3-llama-3.1-8b", "llama-3.1-tulu-3-8b", "tulu-3-8b", "llama-guard-3-8b", "dolphin-llama3.1-8b",
        "deepseek-r1-8b",
        "llama-3.1-nemotron-nano-8b-v1",
    ),
    "llama-3-8b": ("dolphin-2.9-llama3-8b", "hermes-2-pro-llama-3-8b", "llama-guard-2-8b"),
    "llama-3.2-1b": ("llama-guard-3-1b",),
    "mistral-7b": (
        "mathstral-7b", "openhermes-2.5-mistral-7b", "openchat-3.5", "zephyr-7b-beta", "dolphin-mistral-7b",
        "nous-hermes-2-mistral-7b", "biomistral-7b",
    ),
    "mistral-small-24b": ("magistral-small", "magistral-small-2506", "devstral-small", "devstral-small-2505",
                          "mistral-small-3.1", "mistral-small-3.2", "mistral-small-24b-instruct-2501"),
    "mistral-large-123b": ("mistral-large-2411", "mistral-large-instruct-2411"),
    "mixtral-8x7b": ("nous-hermes-2-mixtral-8x7b", "dolphin-mixtral-8x7b"),
    "phi-4": ("phi-4-reasoning-plus",),
    "phi-4-mini": ("phi-4-mini-reasoning",),
    "qwen2-7b": ("qwen2-math-7b", "dolphin-2.9-qwen2-7b"),
    "qwen2-72b": ("qwen2-math-72b",),
    "llama-3.3-70b": ("deepseek-r1-70b",),
    "qwen2.5-0.5b": ("qwen2.5-coder-0.5b",),
    "qwen2.5-1.5b": ("qwen2.5-coder-1.5b", "qwen2.5-math-1.5b", "deepseek-r1-1.5b"),
    "qwen2.5-14b": ("qwen2.5-coder-14b", "qwen2.5-14b-instruct-1m", "deepseek-r1-14b"),
    "qwen2.5-32b": ("qwq", "qwq-32b-preview", "deepseek-r1-32b", "openthinker-32b", "s1-32b", "skyt1-32b"),
    "qwen2.5-3b": ("qwen2.5-coder-3b",),
    "qwen2.5-72b": ("qwen2.5-math-72b", "athene-v2-72b"),
    "qwen2.5-7b": ("qwen2.5-coder-7b", "qwen2.5-math-7b", "qwen2.5-7b-instruct-1m", "openthinker-7b",
                   "deepseek-r1-7b"),
    "qwen3-0.6b": ("qwen3guard-gen-0.6b",),
    "qwen3-4b": ("qwen3guard-gen-4b",),
    "qwen3-8b": ("qwen3guard-gen-8b", "deepseek-r1-0528-qwen3-8b"),
    "qwen3.5-27b": ("qwen3.6-27b",),
    "qwen3.5-35b-a3b": ("qwen3.6-35b-a3b", "qwen3.6-35b"),
    "sdxl": (
        "sdxl-base", "sdxl-base-1.0", "playground-v2.5",
        "playground-v2.5-1024px-aesthetic",
        "juggernaut-xl", "animagine-xl", "realvisxl", "pony-diffusion-v6-xl",
    ),
    "stable-diffusion-1.5": ("dreamshaper", "realistic-vision", "sd-v1-5"),
    "tinyllama-1.1b": ("tinyllama-1.1b-intermediate-step-1431k-3t",),
    "yi-34b": ("yi-1.5-34b", "nous-hermes-2-yi-34b"),
    "yi-6b": ("yi-1.5-6b",),
}  # fmt: skip

TUNED_FROM = {name: known for known, names in _NAMES.items() for name in names}

# Contexts of later releases that keep a known plan and see more tokens than the first: model cards and config.json of
# each, read on 2026-11-23.
_QWEN, _PHI, _GLM = 262_144, 131_072, 202_752
CONTEXTS = {
    "qwen3-4b-instruct-2507": _QWEN,
    "qwen3-4b-thinking-2507": _QWEN,
    "qwen3-4b-2507": _QWEN,
    "qwen3-30b-a3b-instruct-2507": _QWEN,
    "qwen3-30b-a3b-thinking-2507": _QWEN,
    "qwen3-30b-a3b-2507": _QWEN,
    "qwen3-235b-a22b-instruct-2507": _QWEN,
    "qwen3-235b-a22b-thinking-2507": _QWEN,
    "qwen3-235b-a22b-2507": _QWEN,
    "qwen3-coder-30b-a3b": _QWEN,
    "phi-3-mini-128k": _PHI,
    "glm-4.6": _GLM,
}
