"""Serving software whose makers ended its development: since when, and what they name instead."""

from __future__ import annotations

from collections.abc import Mapping

from ..models.stored import AWQ, GPTQ
from ..names import key
from ..workload import Workload

_TGI = "TGI takes only small fixes since 2025-12-11 and is archived since 2026-03-21; its makers name vLLM and SGLang"
_FASTER = "FasterTransformer is not developed any more; the estimate is for its successor, TensorRT-LLM"
# Spelling of a framework → since when, and what instead. Rule: unmaintained-software, which has the sources.
ENDED: Mapping[str, str] = {
    key("tgi"): _TGI,
    key("text-generation-inference"): _TGI,
    key("torchserve"): "TorchServe is archived since 2025-08-07: no fixes, not even of vulnerabilities",
    key("fastertransformer"): _FASTER,
}
BY_TRANSFORMERS = ("huggingface", "pytorch")  # which load such weights through a library of their own
ENDED_FORMATS: Mapping[str, str] = {
    AWQ: "AutoAWQ is deprecated since 2025-05; Transformers loads AWQ weights through GPT-QModel",
    GPTQ: "AutoGPTQ is archived since 2025-03; Transformers loads GPTQ weights through GPT-QModel",
}


def ended(spelled: str, workload: Workload) -> str | None:
    """Return what is known of the end of the software that a request names, or ``None``.

    ``spelled``: the key of the framework's name there; ``workload`` has the one that it was taken for.
    """
    by_name = ENDED.get(spelled)
    by_format = ENDED_FORMATS.get(workload.quantization or "") if workload.framework in BY_TRANSFORMERS else None
    return by_name or by_format
