"""The errors of calls, as one tree; ``except PlimsollError`` catches all of them.

PlimsollError
├── ApiError                 the service answered with a problem (RFC 9457)
│   ├── BadRequest           400: the body is not JSON
│   ├── Unauthorized         401: an API key is needed, or the given one is not valid
│   ├── Forbidden            403: the API key does not allow this
│   ├── NotFound             404: no such route, instance type, rule or price snapshot
│   ├── TooLarge             413: the body is larger than the service accepts
│   ├── ValidationError      422: ``errors`` names every field that is wrong
│   ├── RateLimited          429: ``retry_after`` says when to retry
│   └── ServerError          500 and above
│       └── Unavailable      503: ``retry_after`` says when to retry
├── ConnectionFailed         no connection, or it broke before the answer was complete
├── TimedOut                 the service did not connect or answer in time
├── BadAnswer                an answer that does not match the contract
├── NotInstalled             the call needs a package that is not installed; the text says which
└── UnreadableFile           a file or model is not one that the call can read; the text says what it expects
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault of the input: a JSON pointer into the request, and the correction."""

    pointer: str
    detail: str


@dataclass(frozen=True)
class Problem:
    """A problem document, with the response's request id and retry delay in seconds."""

    status: int
    type: str = "about:blank"
    title: str = ""
    detail: str | None = None
    instance: str | None = None
    errors: tuple[Fault, ...] = ()
    request_id: str | None = None
    retry_after: float | None = None


class PlimsollError(Exception):
    """The root of all errors of this package; ``request_id`` is the id under which the service logs the call."""

    request_id: str | None = None

    def __init__(self, text: str | Problem = "", request_id: str | None = None) -> None:
        # One positional argument keeps the error picklable, so that it survives process pools.
        super().__init__(text)
        self.request_id = request_id

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text} (request {self.request_id})" if self.request_id else text


class ApiError(PlimsollError):
    """The service refused or failed; the attributes are the problem document's members."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, problem.request_id)
        self.problem = problem

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def type(self) -> str:
        """The URI that names the kind of problem."""
        return self.problem.type

    @property
    def title(self) -> str:
        """The kind of problem in a few words."""
        return self.problem.title

    @property
    def detail(self) -> str | None:
        """Detail of this occurrence."""
        return self.problem.detail

    @property
    def instance(self) -> str | None:
        """Path of the request that failed."""
        return self.problem.instance

    @property
    def errors(self) -> tuple[Fault, ...]:
        """Every fault of the input; empty if the input was not the cause."""
        return self.problem.errors

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next attempt, as the service asked."""
        return self.problem.retry_after

    def __str__(self) -> str:
        head = f"{self.status} {self.title}".rstrip()
        if self.detail and not self.errors:  # it would repeat the faults, which follow on their own lines
            head += f": {self.detail}"
        if self.request_id:
            head += f" (request {self.request_id})"
        return "\n".join([head, *(f"  {fault.pointer}: {fault.detail}" for fault in self.errors)])


class BadRequest(ApiError):
    """400: the body is not JSON."""


class Unauthorized(ApiError):
    """401: an API key is needed, or the given one is not valid."""


class Forbidden(ApiError):
    """403: the API key does not allow this."""


class NotFound(ApiError):
    """404: no such route, instance type, rule or price snapshot."""


class TooLarge(ApiError):
    """413: the body is larger than the service accepts."""


class ValidationError(ApiError):
    """422: ``errors`` names every field that is wrong."""


class RateLimited(ApiError):
    """429: too many requests."""


class ServerError(ApiError):
    """500 and above: the service, or what stands before it, failed."""


class Unavailable(ServerError):
    """503: the service cannot answer just now."""


class ConnectionFailed(PlimsollError):
    """No connection, or it broke before the answer was complete."""


class TimedOut(PlimsollError):
    """The service did not connect or answer in time."""


class BadAnswer(PlimsollError):
    """An answer that does not match the contract; the text names the place."""


class NotInstalled(PlimsollError, ImportError):
    """The call needs a package that is not installed; the text says which."""


class UnreadableFile(PlimsollError):
    """A file or model is not one that the call can read; the text says what it expects."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    413: TooLarge,
    422: ValidationError,
    429: RateLimited,
    503: Unavailable,
}
_FIRST_SERVER_ERROR = 500


def api_error(problem: Problem) -> ApiError:
    """Return the error for the problem's status."""
    general = ServerError if problem.status >= _FIRST_SERVER_ERROR else ApiError
    return _BY_STATUS.get(problem.status, general)(problem)
