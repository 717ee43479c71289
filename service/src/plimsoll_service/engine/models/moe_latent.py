"""Mixtures of experts with multi-head latent attention: DeepSeek from its second generation, Kimi K2."""

from __future__ import annotations

from plimsoll_service.engine.models.builders import dimensions, experts, language_model
from plimsoll_service.engine.models.profile import LatentAttention

_MLA = LatentAttention(cache_elements=576, query_key_size=192, value_size=128, rotary_size=64, query_rank=1536)
_MLA_LITE = LatentAttention(cache_elements=576, query_key_size=192, value_size=128, rotary_size=64)

MOE_LATENT = (
    language_model(
        "deepseek-v2-lite",
        15_706_484_224,
        dimensions(
            (27, 2048, 16, 16, 128, 10944), 102400, 163840, latent=_MLA_LITE, moe=experts(64, 6, 1408, 26, shared=2816)
        ),
        "config.json of deepseek-ai/DeepSeek-V2-Lite",
        ("deepseek-v2-lite-16b", "deepseek-coder-v2-lite"),
    ),
    language_model(
        "deepseek-v2",
        235_741_434_880,
        dimensions(
            (60, 5120, 128, 128, 128, 12288), 102400, 163840, latent=_MLA, moe=experts(160, 6, 1536, 59, shared=3072)
        ),
        "config.json of deepseek-ai/DeepSeek-V2",
        ("deepseek-v2-236b", "deepseek-v2.5", "deepseek-coder-v2"),
    ),
    language_model(
        "deepseek-v3",
        671_026_419_200,
        dimensions(
            (61, 7168, 128, 128, 128, 18432), 129280, 163840, latent=_MLA, moe=experts(256, 8, 2048, 58, shared=2048)
        ),
        "arXiv 2412.19437; config.json of deepseek-ai/DeepSeek-V3",
        ("deepseek-v3-671b", "deepseek-v3.1", "deepseek-v3-0324"),
    ),
    language_model(
        "deepseek-r1",
        671_026_419_200,
        dimensions(
            (61, 7168, 128, 128, 128, 18432), 129280, 163840, latent=_MLA, moe=experts(256, 8, 2048, 58, shared=2048)
        ),
        "config.json of deepseek-ai/DeepSeek-R1",
        ("deepseek-r1-671b", "r1"),
    ),
    language_model(
        "kimi-k2",
        1_026_408_232_448,
        dimensions(
            (61, 7168, 64, 64, 128, 18432), 163840, 262144, latent=_MLA, moe=experts(384, 8, 2048, 60, shared=2048)
        ),
        "config.json of moonshotai/Kimi-K2-Instruct and Kimi-K2.5",
        ("kimi-k2.5", "kimi-k2-1t"),
    ),
)
