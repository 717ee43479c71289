"""What gunicorn's workers share: the memory of their master, for as long as nobody writes to it."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

from flask import Flask

from ..api.observation import CURRENT, begun
from ..engine.faults import Refused
from ..metrics import hand_in
from .tidying import trim

ROUTE = "/v1/recommendations"
# Of each kind of work one with the framework that is mostly named and one without, so that what a first answer makes
# for those that follow is made once, before the fork. What is asked last is kept the longest: the commonest kinds.
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"task": "preprocessing", "dataset": {"name": "imagenet-1k", "format": "jpeg"}},
    {"task": "hpc", "precision": "fp64", "flops": 1e19},
    {"task": "training", "framework": "xgboost", "model": "xgboost", "dataset": {"size": "100GB"}, "features": 100},
    {"task": "training", "model": "resnet50", "deadline": "48h"},
    {"task": "training", "framework": "pytorch", "model": "resnet50", "dataset": {"name": "imagenet-1k"}},
    {"task": "training", "model": "llama-3-8b", "method": "lora", "tokens": 50_000_000},
    {"task": "training", "framework": "pytorch", "model": "llama-3-8b", "method": "lora", "tokens": 50_000_000},
    {"task": "inference", "model": "llama-3-8b", "requests_per_second": 20},
    {"task": "inference", "framework": "vllm", "model": "llama-3-8b", "requests_per_second": 20},
)
_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h


def prepare(application: Flask) -> None:
    """Call before the first fork, and again when the master has another application."""
    _answer_some(application)
    hand_in()  # else each worker would count it once more
    # Collecting writes to every object that it looks at: what is there now is never looked at again.
    gc.collect()
    gc.freeze()
    trim()


def keep_one_heap() -> None:
    """Have all threads allocate from one heap: as many heaps as threads keep as many times what one answer needs."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):  # other C libraries have one heap anyway
        library.mallopt(_ARENA_MAX, 1)


def _answer_some(application: Flask) -> None:
    """By the view alone: what Flask does before it judges callers, and begins to follow prices, as only workers may."""
    for workload in QUESTIONS:
        with application.test_request_context(ROUTE, method="POST", json={"workload": workload}) as context:
            current = CURRENT.set(begun(context.request.environ))
            try:
                answer = application.make_response(application.dispatch_request())
                answer(context.request.environ, _heard_by_nobody)
            except Refused:  # by the operator's own terms or an own catalog
                continue
            finally:
                CURRENT.reset(current)


def _heard_by_nobody(*_: Any) -> None:
    """Take the head of an answer."""
