"""The client that the options name, its errors in the command line's words, and a sign of life while it asks."""

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
    """Whom to ask, as the options say."""

    url: str | None
    local: bool
    timeout: float | None


def service_of(options: dict[str, Any]) -> Service:
    """The service that the options name, which are taken out of them."""
    return Service(options.pop("url"), options.pop("local"), options.pop("timeout"))


@contextmanager
def asking(service: Service, place: Place = str, *, quiet: bool = False) -> Iterator[Client]:
    """A client of the service; errors become failures, whose pointers ``place`` explains.

    ``quiet`` leaves the sign of life to the caller.
    """
    try:
        with _client(service) as client, nullcontext() if quiet else _sign_of_life():
            yield client
    except PlimsollError as error:
        raise failure_of(error, place) from error
    except UnicodeEncodeError as error:
        raise refused("the question holds bytes that are no text in UTF-8") from error
    except RecursionError as error:
        raise refused("the question is nested too deeply") from error


def _client(service: Service) -> Client:
    if service.local and service.url:
        raise refused("--local and --url exclude each other")
    try:
        client = Client.local() if service.local else Client(service.url)
    except ValueError as error:
        raise refused(str(error)) from error
    return client if service.timeout is None else client.with_options(timeouts=_timeouts(service.timeout))


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
    from rich.console import Console  # slow to load, and for terminals alone

    with Console(stderr=True).status("asking"):
        yield
