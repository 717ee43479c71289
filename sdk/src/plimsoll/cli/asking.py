"""The client that the options choose, its errors in terms of the command line, and what it says meanwhile."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from plimsoll import Client, PlimsollError
from plimsoll.cli.failures import Place, failure_of, refused
from plimsoll.cli.profiles import PROFILE_VARIABLE, Profile, profile_of
from plimsoll.config import URL_VARIABLE, Timeouts


@dataclass(frozen=True)
class Service:
    """The service that the options choose; ``debug`` writes its calls to standard error."""

    url: str | None
    local: bool
    timeout: float | None
    api_key: str | None = None
    debug: bool = False


def service_of(options: dict[str, Any]) -> Service:
    """Remove the service's options from ``options`` and return the service."""
    url, local, timeout = options.pop("url", None), options.pop("local", False), options.pop("timeout", None)
    profile = _profile(options.pop("profile", None), url, local) or Profile("")
    timeout = profile.timeout if timeout is None else timeout
    return Service(url or profile.url or None, local, timeout, profile.api_key, options.pop("debug", False))


def _profile(name: str | None, url: str | None, local: bool) -> Profile | None:
    """Return the profile of the option, of the environment or of the file; a stated service needs none."""
    if name is not None and (url or local):
        raise refused("--profile excludes --url and --local")
    if url or local:
        return None
    name = name or os.environ.get(PROFILE_VARIABLE) or None
    return None if name is None and os.environ.get(URL_VARIABLE) else profile_of(name)


@contextmanager
def asking(service: Service, place: Place = str, *, quiet: bool = False) -> Iterator[Client]:
    """Open a client of the service; errors become failures, whose pointers ``place`` explains.

    With ``quiet``, the caller shows progress.
    """
    try:
        with _events(service.debug), client_of(service) as client, nullcontext() if quiet else _sign_of_life():
            yield client
    except PlimsollError as error:
        if service.debug:
            traceback.print_exc()
        raise failure_of(error, place) from error
    except UnicodeEncodeError as error:
        raise refused("the question has bytes that are not UTF-8") from error
    except RecursionError as error:
        raise refused("the question is nested too deeply") from error


def client_of(service: Service) -> Client:
    """Return a client of the service; raises ``click.ClickException``."""
    if service.local and service.url:
        raise refused("--local and --url exclude each other")
    try:
        client = Client.local() if service.local else Client(service.url, api_key=service.api_key)
    except ValueError as error:
        raise refused(str(error)) from error
    return client if service.timeout is None else client.with_options(timeout=_timeouts(service.timeout))


def _timeouts(seconds: float) -> Timeouts:
    try:
        return Timeouts(read_seconds=seconds)
    except ValueError as error:
        raise refused(f"--timeout: {error}") from error


@contextmanager
def _events(debug: bool) -> Iterator[None]:
    """Write the reasons why the client waits, such as a rate limit, to standard error; with ``debug``, every call."""
    said = logging.StreamHandler(sys.stderr)
    said.setFormatter(logging.Formatter("plimsoll: %(message)s"))
    logger = logging.getLogger("plimsoll")
    before = logger.level
    logger.addHandler(said)
    logger.setLevel(logging.DEBUG if debug else logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(said)
        logger.setLevel(before)


@contextmanager
def _sign_of_life() -> Iterator[None]:
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # slow to load, and used on terminals only

    with Console(stderr=True).status("asking"):
        yield
