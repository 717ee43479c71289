"""Which scope each route asks for; a route that nothing is said of cannot be called."""

from __future__ import annotations

from flask import Flask

from ..operation import operation_of
from .keys import METRICS, READ, SIZE

PUBLIC = None
"""The scope of what everyone may see: whether the service lives, its contract, and the page, which has to be loaded
before it can ask for a key."""

# By the tag of the contract.
_OF_TAGS = {"sizing": SIZE, "catalog": READ, "prices": READ, "knowledge": READ, "pages": PUBLIC}
_OF_OPERATIONS = {"/healthz": PUBLIC, "/readyz": PUBLIC, "/openapi.yaml": PUBLIC, "/metrics": METRICS}
_STATIC = ".static"  # how Flask names the files of a blueprint


class NoScope(LookupError):
    """A route without a scope: a fault of the service, which the table above mends."""


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


def scopes_of(app: Flask) -> dict[str, str | None]:
    """The scope of every endpoint; raises ``NoScope``."""
    return {rule.endpoint: scope_of(app, rule.endpoint) for rule in app.url_map.iter_rules()}
