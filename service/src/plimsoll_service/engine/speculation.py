"""Speculative decoding: what is published of each method, and the tokens that a step yields (Leviathan et al. 2023)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Of a step's time with a draft, 42 to 95% is verification (specdecode-bench.github.io, arXiv 2601.11580, 2026-01: vLLM
# on H100, five methods, batch 1 to 128); the middle of that, with three drafted tokens.
VERIFICATION, DRAFTED = 0.685, 3
USUAL_SHARE = (1 / VERIFICATION - 1) / DRAFTED
BLOG = "vLLM blog, 2026-03-13"


# What drafts: a layer with a table of words (arXiv 2401.15077, 2503.01840; DeepSeek-V3 report), such a table for each
# token (Medusa, arXiv 2401.10774, section 2.1), a model whose step reads as much as its time says, or nothing.
LAYER, TABLES, MODEL, NOTHING = "layer", "tables", "model", ""


@dataclass(frozen=True)
class Method:
    """A way to draft tokens: how many at once, the chance that one is accepted, and what drafting one takes.

    ``share`` is of a plain step's time, for each drafted token. An unknown acceptance rate must be stated.
    """

    draft_tokens: int
    acceptance_rate: float | None
    share: float
    source: str
    made_of: str = LAYER  # what drafts


METHODS: Mapping[str, Method] = {
    # 2.65, 2.24 and 2.70 tokens a step with three drafted on HumanEval, SPEED-Bench and MT-Bench: 2.53, a rate of 0.70.
    # Of those, 2.03 times the plain speed is left for one user (EAGLE 3.1, vLLM blog, 2026-05-26).
    "eagle3": Method(DRAFTED, 0.70, (2.53 / 2.03 - 1) / DRAFTED, f"{BLOG}: 2.53 tokens a step with three drafted"),
    # The second token is accepted in 85 to 90%, for 1.8 times the speed: 1.875 tokens a step. Its low end is taken.
    "mtp": Method(1, 0.85, 1.875 / 1.8 - 1, "DeepSeek-V3 report, 2024-12: 85 to 90% for one drafted token"),
    "eagle": Method(DRAFTED, None, USUAL_SHARE, BLOG),
    "medusa": Method(DRAFTED, None, USUAL_SHARE, BLOG, TABLES),
    "draft_model": Method(DRAFTED, None, USUAL_SHARE, BLOG, MODEL),
    "ngram": Method(DRAFTED, None, 0.0, BLOG, NOTHING),  # tokens are looked up in the prompt; no model runs
}

# Heads that are trained beside a model, and tokens of input from which theirs count as long. EAGLE-3 of Qwen3-8B keeps
# 2.30 tokens a step at 2,000, 2.04 at 4,000, 1.69 at 8,000 and 1.09 at 16,000 (vllm-project/speculators pull request
# 684, 2026-07-02); one of 2,048 positions for Llama-3.3-70B is slower than none beyond (sgl-project/sglang issue 6783,
# 2025-05-30).
HEADS, HEADS_SEE = ("eagle", "eagle3"), 4096


@dataclass(frozen=True)
class Drafting:
    """Speculative decoding of a served model: tokens drafted for each step, the mean kept, and the cost of drafting."""

    tokens: float
    kept: float  # a step, with the one that the model itself adds
    share: float  # of a plain step, for each drafted token
    made_of: str


def drafting_of(method: str, draft_tokens: int, acceptance_rate: float) -> Drafting:
    """Return the drafting: (1 − a^(k + 1)) / (1 − a) tokens a step of k drafted ones, each accepted with chance a."""
    many = draft_tokens + 1
    kept = float(many) if acceptance_rate == 1 else (1 - acceptance_rate**many) / (1 - acceptance_rate)
    return Drafting(float(draft_tokens), kept, METHODS[method].share, METHODS[method].made_of)
