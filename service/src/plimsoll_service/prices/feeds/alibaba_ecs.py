"""Calls of Alibaba Cloud's ECS API, version 2014-05-26: signed, patient while throttled, refusals by their code."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from plimsoll_service.prices.feeds.alibaba_signature import Keys, Signed
from plimsoll_service.prices.feeds.feed import FeedError
from plimsoll_service.prices.feeds.http import StatusError, moved, request

VERSION = "2014-05-26"
BAD_REQUEST, NOT_FOUND = 400, 404
NO_CODE = "without a code"
# First words of the codes by which the API reference says that ...
NOT_SOLD = ("InvalidInstanceType", "InvalidParams.InstanceType", "InstanceType.Offline")  # ... a type is not sold here
CLOSED = ("RegionUnauthorized", "InvalidRegionId", "InvalidParams.RegionId")  # ... a region is not open to the account
DENIED = (  # ... no call of this account will do
    "InvalidAccessKey", "InvalidAccessKeyId", "SignatureDoesNotMatch", "IncompleteSignature", "InvalidTimeStamp",
    "InvalidSecurityToken", "MissingSecurityToken", "Forbidden", "Forbbiden", "Forbedden", "NoPermission",
    "InvalidUserType", "Abs.InvalidAccount", "InvalidAction", "InvalidVersion",
)  # fmt: skip


class Refusal(FeedError):
    """A call that the API refuses; its text names the code alone, since the API's messages repeat signed queries.

    ``not_sold``: here; ``closed``: the region, to this account; ``absent``: there is no API at this address;
    ``final``: no other call would do better.
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
    """The API as one account sees it."""

    http: httpx.Client
    keys: Keys
    base_url: str | None = None

    def ask(self, region: str, action: str, parameters: Mapping[str, str]) -> Mapping[str, Any]:
        """The answer of an action; raises ``Refusal`` and ``FeedError``."""
        url = moved(f"https://ecs.{region}.aliyuncs.com/", self.base_url)
        query = {"Action": action, "Version": VERSION, "RegionId": region, **parameters}
        where = f"{region}: {action}"
        try:
            response = request(self.http, "GET", url, params=query, auth=Signed(self.keys), throttled=_throttled)
        except StatusError as error:
            raise Refusal(where, error.status, _code(error.body)) from None  # its context may hold the message
        try:
            answer = json.loads(response.content)
        except ValueError as error:
            raise FeedError(f"alibaba: {where}: is not JSON: {error}") from error
        if not isinstance(answer, dict):
            raise FeedError(f"alibaba: {where}: is not a JSON object")
        return answer


def _throttled(response: httpx.Response) -> bool:
    return response.status_code == BAD_REQUEST and _code(response.content).startswith("Throttling")


def _code(body: bytes) -> str:
    """The error code of an answer, which is a word with points in it."""
    try:
        code = json.loads(body)["Code"]
    except (ValueError, KeyError, TypeError):
        return NO_CODE
    return code if isinstance(code, str) and re.fullmatch(r"[A-Za-z][\w.]{0,80}", code) else NO_CODE
