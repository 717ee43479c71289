"""The client that the options choose, its errors in terms of the command line, and a progress sign."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from plimsoll import Client, PlimsollError
from plimsoll.cli.failures import Place, failure_of, refused
from plimsoll.config import Timeouts


@dataclass(frozen=True)
class Service:
    """The service that the options choose."""

    url: str | None
    local: bool
    timeout: float | None


def service_of(options: dict[str, Any]) -> Service:
    """Remove the service's options from ``options`` and return the service."""
    return Service(options.pop("url"), options.pop("local"), options.pop("timeout"))


@contextmanager
def asking(service: Service, place: Place = str, *, quiet: bool = False) -> Iterator[Client]:
    """Open a client of the service; errors become failures, whose pointers ``place`` explains.

    With ``quiet``, the caller shows progress.
    """
    try:
        with _client(service) as client, nullcontext() if quiet else _sign_of_life():
            yield client
    except PlimsollError as error:
        raise failure_of(error, place) from error
    except UnicodeEncodeError as error:
        raise refused("the question has bytes that are not UTF-8") from error
    except RecursionError as error:
        raise refused("the question is nested too deeply") from error


def _client(service: Service) -> Client:
    if service.local and service.url:
        raise refused("--local and --url exclude each other")
    try:
        client = Client.local() if service.local else Client(service.url)
    except ValueError as error:
        raise refused(str(error)) from error
    return client if service.timeout is None else client.with_options(timeout=_timeouts(service.timeout))


def _timeouts(seconds: float) -> Timeouts:
    try:
        return Timeouts(read_seconds=seconds)
    except ValueError as error:
        raise refused(f"--timeout: {error}") from error


@contextmanager
def _sign_of_life() -> Iterator[None]:
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # slow to load, and used on terminals only

    with Console(stderr=True).status("asking"):
        yield
