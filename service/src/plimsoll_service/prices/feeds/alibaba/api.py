"""Calls of Alibaba Cloud's ECS API, version 2014-05-26: signed, retried while throttled, with errors by code.

The RPC signature 1.0 is HMAC-SHA1 over the sorted query, see the ECS API reference.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx

from ..feed import FeedError
from ..http import StatusError, get_json, moved

KEY_ID, KEY_SECRET = "ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"
SECURITY_TOKEN = "ALIBABA_CLOUD_SECURITY_TOKEN"
TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
VERSION = "2014-05-26"
BAD_REQUEST, NOT_FOUND = 400, 404
NO_CODE = "without a code"
# Prefixes of codes in the API reference: a type is not sold here, a region is closed to the account, no call will do.
NOT_SOLD = ("InvalidInstanceType", "InvalidParams.InstanceType", "InstanceType.Offline")
CLOSED = ("RegionUnauthorized", "InvalidRegionId", "InvalidParams.RegionId")
DENIED = (
    "InvalidAccessKey", "InvalidAccessKeyId", "SignatureDoesNotMatch", "IncompleteSignature", "InvalidTimeStamp",
    "InvalidSecurityToken", "MissingSecurityToken", "Forbidden", "Forbbiden", "Forbedden", "NoPermission",
    "InvalidUserType", "Abs.InvalidAccount", "InvalidAction", "InvalidVersion",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keys:
    """An access key; temporary ones have a ``security_token``. Its text holds no secret."""

    access_key_id: str = field(repr=False)
    access_key_secret: str = field(repr=False)
    security_token: str | None = field(default=None, repr=False)


def keys_in(environment: Mapping[str, str]) -> Keys | None:
    """The access key in the environment, if any; raises ``FeedError`` for half of one."""
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
    """A signature for every attempt, since a nonce is accepted only once."""

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


class Refusal(FeedError):
    """A call that the API refuses; its text holds the code alone, since the API's messages repeat signed queries.

    ``not_sold``: the type, here; ``closed``: the region, to this account; ``absent``: there is no API at this address;
    ``final``: other calls would fail as well.
    """

    def __init__(self, where: str, status: int, code: str) -> None:
        super().__init__(f"alibaba: {where}: answers {status} {code}")
        self.code = code
        self.not_sold = code.startswith(NOT_SOLD)
        self.closed = code.startswith(CLOSED)
        self.absent = status == NOT_FOUND and code == NO_CODE
        self.final = code == NO_CODE or code.startswith(DENIED)


@dataclass(frozen=True)
class Ecs:
    """The API for one account."""

    http: httpx.Client
    keys: Keys
    base_url: str | None = None

    def ask(self, region: str, action: str, parameters: Mapping[str, str]) -> Mapping[str, Any]:
        """The answer of an action; raises ``Refusal`` and ``FeedError``."""
        url = moved(f"https://ecs.{region}.aliyuncs.com/", self.base_url)
        query = {"Action": action, "Version": VERSION, "RegionId": region, **parameters}
        where = f"{region}: {action}"
        try:
            answer = get_json(self.http, url, params=query, auth=Signed(self.keys), throttled=_throttled)
        except StatusError as error:
            raise Refusal(where, error.status, _code(error.body)) from None  # the context may hold the message
        except FeedError as error:
            raise FeedError(f"alibaba: {where}: {error}") from error
        if not isinstance(answer, dict):
            raise FeedError(f"alibaba: {where}: is not a JSON object")
        return answer


def _throttled(response: httpx.Response) -> bool:
    return response.status_code == BAD_REQUEST and _code(response.content).startswith("Throttling")


def _code(body: bytes) -> str:
    """The error code of an answer: a word that may contain points."""
    try:
        code = json.loads(body)["Code"]
    except (ValueError, KeyError, TypeError):
        return NO_CODE
    return code if isinstance(code, str) and re.fullmatch(r"[A-Za-z][\w.]{0,80}", code) else NO_CODE
