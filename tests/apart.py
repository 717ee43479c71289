"""Processes of their own, without a start of Python for each."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

LOADED = ("plimsoll_service.bulk.command", "tests.service.prices.refreshing.refresher")


def started(target: Callable[..., object], *arguments: object) -> BaseProcess:
    """One that is forked from a process in which all that takes time to load is loaded."""
    apart = get_context("forkserver")
    apart.set_forkserver_preload(list(LOADED))
    process = apart.Process(target=target, args=arguments)
    process.start()
    return process
