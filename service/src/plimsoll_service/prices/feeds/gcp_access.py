"""Leave to read Google's price list: an API key, or application default credentials, never in an address."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import google.auth
import google.auth.exceptions
import google.auth.transport
import httpx

from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest
from plimsoll_service.prices.feeds.http import client

API_KEY = "GOOGLE_API_KEY"
CREDENTIALS_FILE = "GOOGLE_APPLICATION_CREDENTIALS"
SCOPES = ("https://www.googleapis.com/auth/cloud-billing.readonly",)
NEEDED = f"Google's price list needs credentials: set {API_KEY}, or {CREDENTIALS_FILE} to a credentials file"


class _Answer(google.auth.transport.Response):
    """An answer as google-auth reads it."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    @property
    def status(self) -> int:
        """The status code."""
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        return self._response.headers

    @property
    def data(self) -> bytes:
        """The body."""
        return self._response.content


class _Asks(google.auth.transport.Request):
    """How google-auth asks for tokens: over httpx, as everything here."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **_: Any,
    ) -> google.auth.transport.Response:
        """Send one request; raises google-auth's ``TransportError``."""
        limit = httpx.USE_CLIENT_DEFAULT if timeout is None else timeout
        try:
            return _Answer(self._http.request(method, url, content=body, headers=headers, timeout=limit))
        except httpx.HTTPError as error:
            raise google.auth.exceptions.TransportError(type(error).__name__) from error  # type: ignore[no-untyped-call]


def access(request: FeedRequest) -> dict[str, str]:
    """The headers that carry the credentials; none for another address where the environment names none.

    Raises ``FeedError`` where credentials are missing or refused.
    """
    if key := request.environment.get(API_KEY):
        return {"x-goog-api-key": key}
    file = request.environment.get(CREDENTIALS_FILE)
    if file is None and request.base_url is not None:
        return {}
    try:
        with client() as http:
            return _bearer(file, _Asks(http))
    except google.auth.exceptions.DefaultCredentialsError as error:
        raise FeedError(f"{NEEDED} ({error})") from error
    except google.auth.exceptions.GoogleAuthError as error:
        # Google's answer is left out: what it repeats of the question is not ours to log.
        raise FeedError(f"Google refused the credentials or could not be asked: {type(error).__name__}") from error


def _bearer(file: str | None, asks: _Asks) -> dict[str, str]:
    """A token, and the project that pays for the question where the credentials name one."""
    credentials: Any = _from_file(file, asks) if file else google.auth.default(scopes=SCOPES, request=asks)[0]
    headers: dict[str, str] = {}
    credentials.refresh(asks)
    credentials.apply(headers)
    return headers


def _from_file(file: str, asks: _Asks) -> Any:
    load: Any = google.auth.load_credentials_from_file
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it warns of strangers' files: this is the operator's own
        return load(file, scopes=SCOPES, request=asks)[0]
