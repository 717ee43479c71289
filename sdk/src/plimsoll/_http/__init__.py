"""The wire: connections, timeouts, retries, and errors in this package's own words. Nothing else imports httpx."""

from plimsoll._http.local import in_process, in_process_async
from plimsoll._http.retrying import AsyncRetryingTransport, AsyncTransport, RetryingTransport, Transport
from plimsoll._http.senders import AsyncSender, Sender

__all__ = [
    "AsyncRetryingTransport",
    "AsyncSender",
    "AsyncTransport",
    "RetryingTransport",
    "Sender",
    "Transport",
    "in_process",
    "in_process_async",
]
