"""What the contract says of keys and limits."""

from __future__ import annotations

from typing import Any

from .gate import KEY_HEADER
from .keys import SCOPES
from .scopes import PUBLIC

BEARER, API_KEY = "bearer", "apiKey"
_SCOPES = "; ".join(f"`{scope}`: {what}" for scope, what in SCOPES.items())
SCHEMES: dict[str, dict[str, Any]] = {
    BEARER: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "plm_<id>_<secret>",
        "description": f"An API key, where the installation asks for one. Scopes: {_SCOPES}.",
    },
    API_KEY: {
        "type": "apiKey",
        "in": "header",
        "name": KEY_HEADER,
        "description": "The same where Authorization is taken, as by a proxy.",
    },
}
# What a guarded route may answer beside its own problems.
_STATUSES = (401, 403, 429)


def security_of(scope: str | None) -> list[dict[str, list[str]]]:
    """Who may call: everyone, or the holder of a key with the scope; and everyone where keys are off."""
    return [] if scope is PUBLIC else [{BEARER: [scope]}, {API_KEY: [scope]}, {}]


def statuses_of(scope: str | None) -> tuple[int, ...]:
    """The statuses of the problems that the guard answers with."""
    return () if scope is PUBLIC else _STATUSES
