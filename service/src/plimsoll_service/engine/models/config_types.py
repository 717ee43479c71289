"""What a configuration's ``model_type`` says beyond its keys: the library's defaults by architecture."""

from __future__ import annotations

PLAIN_TYPES = frozenset(
    {
        "gpt2", "gpt_neo", "gpt_neox", "gptj", "opt", "bloom", "falcon", "refinedweb", "refinedwebmodel", "mpt", "phi",
        "gpt_bigcode", "starcoder2", "codegen", "bert", "roberta", "xlm-roberta", "camembert", "distilbert", "albert",
        "electra", "mpnet", "deberta", "deberta-v2", "bart", "mbart", "pegasus", "marian", "m2m_100", "whisper", "vit",
        "deit", "nemotron",
    }
)  # fmt: skip
ENCODER_TYPES = frozenset(
    {
        "bert", "roberta", "xlm-roberta", "camembert", "distilbert", "albert", "electra", "mpnet", "deberta",
        "deberta-v2", "modernbert", "vit", "deit",
    }
)  # fmt: skip
PAIR_TYPES = frozenset({"t5", "mt5", "umt5", "bart", "mbart", "pegasus", "marian", "m2m_100", "whisper"})
# The library's default where config.json does not say: these keep a separate output head.
UNTIED_TYPES = frozenset(
    {
        "llama", "llama4", "llama4_text", "mistral", "mistral3", "mixtral", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
        "phi", "phi3", "phimoe", "deepseek_v2", "deepseek_v3", "kimi_k2", "gpt_oss", "gpt_neox", "gptj", "olmo",
        "olmo2", "stablelm", "dbrx", "internlm2", "baichuan", "nemotron", "glm4_moe",
    }
)  # fmt: skip
LEARNED_POSITIONS = frozenset(
    {
        "gpt2", "gpt_neo", "gpt_bigcode", "opt", "bert", "roberta", "xlm-roberta", "camembert", "distilbert", "albert",
        "electra", "mpnet", "bart", "mbart", "whisper", "vit", "deit",
    }
)  # fmt: skip
POOLED = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "albert", "mpnet"})
# Share of the layers that see only the window, by type, where the configuration does not list its layers.
WINDOWED_SHARE = {
    "gemma2": 1 / 2,
    "gemma3": 5 / 6,
    "gemma3_text": 5 / 6,
    "cohere2": 3 / 4,
    "gpt_oss": 1 / 2,
    "gpt_neo": 1 / 2,
}
