"""The gate before every guarded route: API key, scope and rate limit."""

from __future__ import annotations

import ipaddress
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import NoReturn

from flask import Flask, Response, current_app, g, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, HTTPException, ServiceUnavailable, TooManyRequests, Unauthorized

from ...engine.faults import Fault, Refused
from ..operation import operation_of
from ..request_record import observation
from .key_file import WatchedKeys
from .keys import METRICS, READ, SIZE, ApiKey, claimed, holder
from .limits import Limiter, Quota

PUBLIC = None
"""The scope of routes without a key: health, contract, and the page, which asks for a key only after it is loaded."""

# Scopes by tag of the contract.
_OF_TAGS = {"sizing": SIZE, "catalog": READ, "prices": READ, "knowledge": READ, "pages": PUBLIC}
_OF_OPERATIONS = {"/healthz": PUBLIC, "/readyz": PUBLIC, "/openapi.yaml": PUBLIC, "/metrics": METRICS}
_STATIC = ".static"  # how Flask names the files of a blueprint


class NoScope(LookupError):
    """A route without a scope, which is a fault of the service: add it to the table above."""


def scope_of(app: Flask, endpoint: str) -> str | None:
    """The scope that callers of the endpoint need, or ``PUBLIC``; raises ``NoScope``."""
    if endpoint.endswith(_STATIC):
        return PUBLIC
    said = operation_of(app.view_functions[endpoint])
    if said and said.tag in _OF_TAGS:
        return _OF_TAGS[said.tag]
    rules = {rule.rule for rule in app.url_map.iter_rules(endpoint)}
    if said and rules <= set(_OF_OPERATIONS):
        scopes = {_OF_OPERATIONS[rule] for rule in rules}
        if len(scopes) == 1:
            return scopes.pop()
    raise NoScope(f"{endpoint} has no scope")


KEY_HEADER = "X-API-Key"
_BEARER = "bearer "
_LIMITER = "plimsoll.limiter"
_SAME_HOLDER_BITS = 64  # of an IPv6 address; one holder has all addresses with the same prefix
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d+)?|([0-9.]+):\d+", re.ASCII)  # some proxies forward the port, too
_NO_KEY = f"send an API key, as Authorization: Bearer plm_… or as {KEY_HEADER}: plm_…"
_KEYS_RETRY_SECONDS = 5
_WRONG_KEY = "there is no such API key; it may have been revoked"


def register(app: Flask, keys: WatchedKeys | None, limiter: Limiter | None) -> None:
    """Admit callers with these keys and within these limits; without keys and limits there is no gate."""
    if keys is None and limiter is None:
        return
    scopes = {rule.endpoint: scope_of(app, rule.endpoint) for rule in app.url_map.iter_rules()}

    def admit() -> None:
        endpoint = request.endpoint
        if endpoint is None or request.method == "OPTIONS":
            return  # no such route, or a browser's preflight, which has no key
        scope = scopes[endpoint] if endpoint in scopes else scope_of(app, endpoint)
        if scope is not PUBLIC:
            _admit(keys, limiter, scope)

    app.before_request(admit)
    if limiter is not None:
        app.extensions[_LIMITER] = limiter
        app.after_request(_tell_quota)
    if keys is not None:
        app.after_request(_keep_private)


def charge(units: int) -> None:
    """Charge the caller of this request for further units; raises ``TooManyRequests`` or ``Refused``."""
    limiter: Limiter | None = current_app.extensions.get(_LIMITER)
    if limiter is not None and units > 0:
        _charge(limiter, units)


def _admit(keys: WatchedKeys | None, limiter: Limiter | None, scope: str) -> None:
    if keys is not None:
        try:
            g.api_key = key = _holder(keys)
            if scope not in key.scopes:
                raise Forbidden(f"the API key {key.id} does not allow this: it lacks the scope {scope!r}")
        except HTTPException:
            if limiter is not None:
                _charge(limiter, 1)  # attempts with wrong keys count, too
            raise
    if limiter is not None and scope != METRICS:  # whoever watches the service must see it, above all when it is busy
        _charge(limiter, 1)


def _holder(keys: WatchedKeys) -> ApiKey:
    shown = _shown()
    if not shown:
        _challenge(_NO_KEY)
    known = keys.current()
    if known is None:
        raise ServiceUnavailable("the file of API keys cannot be read", retry_after=_KEYS_RETRY_SECONDS)
    key = holder(known, shown)
    if key is None:
        observation().key = claimed(shown)
        _challenge(_WRONG_KEY, error="invalid_token")
    observation().key = key.id
    if key.expired(datetime.now(UTC)):
        _challenge(f"the API key {key.id} has expired", error="invalid_token")
    return key


def _shown() -> str:
    """The key in the request; other kinds of authorization are a proxy's."""
    authorization = request.headers.get("Authorization", "")
    if authorization[: len(_BEARER)].lower() == _BEARER:
        return authorization[len(_BEARER) :].strip()
    return request.headers.get(KEY_HEADER, "")


def _challenge(why: str, **more: str) -> NoReturn:
    raise Unauthorized(why, www_authenticate=WWWAuthenticate("bearer", {"realm": "plimsoll", **more}))


def _charge(limiter: Limiter, units: int) -> None:
    key: ApiKey | None = g.get("api_key")
    rate = (key.rate if key else None) or limiter.default
    if rate is None:
        return
    if units >= rate.amount > 1:
        most = f"may hold at most {rate.amount:,} workloads: the rate limit of one {rate.unit}"
        raise Refused((Fault("/requests", most),))
    quota = g.quota = limiter.charge(f"key:{key.id}" if key else f"address:{_address()}", rate, units)
    if not quota.allowed:
        raise TooManyRequests(
            f"the rate limit of {rate} is exceeded; a batch counts as its workloads", retry_after=quota.reset_seconds
        )


def _address() -> str:
    """The caller's address, as the trusted proxies report it."""
    said = request.remote_addr or ""
    with_port = _WITH_PORT.fullmatch(said)
    try:
        address = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else said)
    except ValueError:
        return "local"  # a Unix socket has no address
    mapped = address if address.version == 4 else address.ipv4_mapped  # IPv4 on a socket of both versions
    if mapped is not None:
        return str(mapped)
    return str(ipaddress.ip_network((address, _SAME_HOLDER_BITS), strict=False).network_address)


def _tell_quota(response: Response) -> Response:
    """The headers of draft-ietf-httpapi-ratelimit-headers."""
    quota: Quota | None = g.get("quota")
    if quota is not None:
        rate = quota.rate
        response.headers["RateLimit-Policy"] = f'"requests";q={rate.amount};w={rate.seconds}'
        response.headers["RateLimit"] = f'"requests";r={quota.remaining};t={quota.reset_seconds}'
    return response


def _keep_private(response: Response) -> Response:
    """Keep answers to keys out of shared caches, which do not treat X-API-Key as a credential."""
    if "api_key" in g and not response.cache_control.no_store:
        response.cache_control.public = False
        response.cache_control.private = True
    elif response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        response.headers["Cache-Control"] = "no-store"
    return response
