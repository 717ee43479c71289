"""Contexts of later releases that keep a known model's plan, and see more tokens than the first."""

from __future__ import annotations

# Model cards and config.json of each, read on 2026-11-23.
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
