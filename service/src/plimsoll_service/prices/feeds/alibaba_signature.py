"""Alibaba Cloud's RPC signature 1.0: HMAC-SHA1 over the sorted query, as the ECS API reference describes it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote

import httpx

from plimsoll_service.prices.feeds.feed import FeedError

KEY_ID, KEY_SECRET = "ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"
SECURITY_TOKEN = "ALIBABA_CLOUD_SECURITY_TOKEN"
TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Keys:
    """An access key; ``security_token`` belongs to a temporary one. What is secret is not in its text."""

    access_key_id: str = field(repr=False)
    access_key_secret: str = field(repr=False)
    security_token: str | None = field(default=None, repr=False)


def keys_in(environment: Mapping[str, str]) -> Keys | None:
    """The access key of the environment, if there is one; raises ``FeedError`` for half of one."""
    key_id, secret = environment.get(KEY_ID), environment.get(KEY_SECRET)
    if not key_id and not secret:
        return None
    if not key_id or not secret:
        raise FeedError(f"alibaba: {KEY_SECRET if key_id else KEY_ID} is missing: an access key has both parts")
    return Keys(key_id, secret, environment.get(SECURITY_TOKEN) or None)


def signature(method: str, parameters: Mapping[str, str], access_key_secret: str) -> str:
    """The value of ``Signature`` for a request with these parameters, in base64."""
    query = "&".join(f"{_encoded(name)}={_encoded(value)}" for name, value in sorted(parameters.items()))
    text = f"{method}&{_encoded('/')}&{_encoded(query)}"
    return base64.b64encode(hmac.new(f"{access_key_secret}&".encode(), text.encode(), hashlib.sha1).digest()).decode()


class Signed(httpx.Auth):
    """Signs every attempt anew, since a nonce is taken only once."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the common parameters and the signature to the query."""
        parameters = dict(request.url.params) | self._common()
        parameters["Signature"] = signature(request.method, parameters, self._keys.access_key_secret)
        request.url = request.url.copy_with(params=parameters)
        yield request

    def _common(self) -> dict[str, str]:
        common = {
            "Format": "JSON",
            "AccessKeyId": self._keys.access_key_id,
            "SignatureMethod": "HMAC-SHA1",
            "SignatureVersion": "1.0",
            "SignatureNonce": str(uuid.uuid4()),
            "Timestamp": datetime.now(UTC).strftime(TIME_FORMAT),
        }
        return common if self._keys.security_token is None else common | {"SecurityToken": self._keys.security_token}


def _encoded(text: str) -> str:
    return quote(text, safe="~")
