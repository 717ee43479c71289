"""The application that gunicorn's workers share: prepared before the fork, assembled again at a HUP."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

from flask import Flask

from ..api.recommendations import REQUEST
from ..api.service import service
from ..engine.faults import Refused
from ..engine.hardware import Catalog
from ..metrics import CATALOG_INFO

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
    """Let workers that are forked now share the memory of existing objects, as long as nobody writes to it."""
    with application.app_context():
        for workload in QUESTIONS:
            try:
                service().sizer.recommend(REQUEST.load({"workload": workload}))
            except Refused:  # by the operator's pricing agreements or catalog
                continue
    # Collecting writes to every object that it looks at: what is there now is never looked at again.
    gc.collect()
    gc.freeze()


def keep_one_heap() -> None:
    """Let all threads allocate from one heap, because each heap keeps the memory that one answer needs."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):  # other C libraries have one heap anyway
        library.mallopt(_ARENA_MAX, 1)


def reload(server: Any) -> None:
    """Assemble the application again; if a file is faulty, the log says so and the previous application stays."""
    before = server.app.callable
    server.app.callable = None
    gc.unfreeze()
    try:
        server.app.wsgi()
    except Exception as fault:  # whatever a file holds, a running service goes on
        server.log.error("nothing is reloaded: the catalog, the terms or the keys cannot be used: %s", fault)
        server.app.callable = before
    else:
        _forget(_catalog_of(before), _catalog_of(server.app.callable))
    prepare(server.app.callable)


def _forget(before: Catalog, now: Catalog) -> None:
    if before.version != now.version:
        CATALOG_INFO.labels(before.version, before.prices_as_of).set(0)


def _catalog_of(application: Flask) -> Catalog:
    with application.app_context():
        return service().catalog
