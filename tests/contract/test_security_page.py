"""docs/security.md agrees with the code."""

from __future__ import annotations

import re

import pytest
from tests.contract.test_project import ROOT

from plimsoll_service.api.guard.gate import PUBLIC, scope_of
from plimsoll_service.api.guard.keys import SCOPES
from plimsoll_service.app import contract
from plimsoll_service.settings import DEFAULT_BATCH_SECONDS, DEFAULT_MAX_BODY_BYTES, variables

PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (?:`(\w+)`|none needed) \| (`/.*) \|$", PAGE, re.MULTILINE))


@pytest.mark.parametrize("scope", [*SCOPES, PUBLIC])
def test_the_page_names_what_a_scope_opens(scope: str | None) -> None:
    """The page lists each route of a scope, or a path above it, and none of another scope."""
    app = contract()
    routes = {scope_of(app, rule.endpoint): set() for rule in app.url_map.iter_rules()}
    for rule in app.url_map.iter_rules():
        routes[scope_of(app, rule.endpoint)].add(rule.rule)
    named = re.findall(r"`(/[^`]*)`", ROWS[scope or ""])
    unnamed = [route for route in routes[scope] if route not in named and not route.startswith(tuple(below(named)))]
    others = set().union(*(found for other, found in routes.items() if other != scope))

    assert [route for route in unnamed if not route.startswith("/portal/")] == []
    assert others & set(named) == set()


def below(paths: list[str]) -> list[str]:
    """The beginnings of the paths that are below others."""
    return [path.rstrip("…").rstrip("/") + "/" for path in paths if path != "/"]


def test_the_page_names_the_settings_and_their_defaults() -> None:
    """The page names the guard's settings and their defaults."""
    guard = ("api_keys_path", "open", "rate_limit", "trusted_proxies", "cors_origins", "hsts_seconds", "batch_seconds")
    names = variables()

    assert names.keys() >= set(guard)
    assert [names[field] for field in guard if names[field] not in PAGE] == []
    assert f"`PLIMSOLL_BATCH_SECONDS`, {DEFAULT_BATCH_SECONDS} |" in PAGE
    assert f"`PLIMSOLL_MAX_BODY_BYTES`, {DEFAULT_MAX_BODY_BYTES // 2**20} MiB |" in PAGE
