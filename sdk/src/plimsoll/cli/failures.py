"""Failures of commands: a text for people and an exit status."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import IO, Any

import click

from plimsoll.cli.exit_status import REFUSED, UNREACHABLE
from plimsoll.config import API_KEY_VARIABLE
from plimsoll.errors import (
    ApiError,
    BadAnswer,
    ConnectionFailed,
    PlimsollError,
    RateLimited,
    ServerError,
    TimedOut,
    Unauthorized,
)

Place = Callable[[str], str]


class Failure(click.ClickException):
    """A command that cannot be understood: a reason on standard error, and an exit status."""

    exit_code = REFUSED

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the reason."""
        click.secho("plimsoll: ", file=file, err=file is None, fg="red", nl=False)
        click.echo(self.message, file=file, err=file is None)


class Unreachable(Failure):
    """A command without a service that answers."""

    exit_code = UNREACHABLE


def refused(reason: str) -> Failure:
    """Return the failure of a command that cannot be understood."""
    return Failure(reason)


def guess(name: object, known: Iterable[str]) -> str:
    """Return the known name that a misspelt one may mean, as the end of a sentence."""
    close = difflib.get_close_matches(str(name), known, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def problem_of(error: ApiError) -> dict[str, Any]:
    """Return a refusal as the answer to a batch has it."""
    faults = [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.errors]
    return {"status": error.status, "title": error.title, "detail": error.detail, "errors": faults}


def failure_of(error: PlimsollError, place: Place) -> Failure:
    """Return the failure for an error of the client; ``place`` translates a JSON pointer to an option."""
    if isinstance(error, ApiError):
        kind = Unreachable if isinstance(error, RateLimited | ServerError) else Failure
        return kind(words_of(error, place))
    if isinstance(error, ConnectionFailed | TimedOut):
        return Unreachable(f"the service cannot be reached: {error}; set its address with --url")
    if isinstance(error, BadAnswer):
        return Unreachable(f"the answer is not from a Plimsoll service, or is from another version of it: {error}")
    return Failure(str(error))


def words_of(error: ApiError, place: Place) -> str:
    """Return the text of a refusal, with each fault on its own line."""
    if not error.errors:
        return _whole(error)
    count = len(error.errors)
    lines = [f"the question has {count} fault{'s' if count > 1 else ''}:"]
    return "\n".join([*lines, *(f"  {place(fault.pointer)}: {fault.detail}" for fault in error.errors)])


def _whole(error: ApiError) -> str:
    said = error.detail or f"the service answered {error.status} {error.title}".rstrip()
    key = f"; the key is taken from {API_KEY_VARIABLE}" if isinstance(error, Unauthorized) else ""
    wait = f"; retry in {error.retry_after:.0f} s" if error.retry_after is not None else ""
    request = f" (request {error.request_id})" if error.request_id and isinstance(error, ServerError) else ""
    return said + key + wait + request


def check_format(output: str, formats: tuple[str, ...]) -> None:
    """Refuse a format that the command does not write."""
    if output not in formats:
        raise refused(f"--output: unknown format '{output}' (one of {', '.join(formats)})")
