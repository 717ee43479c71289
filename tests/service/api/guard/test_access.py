"""Scopes of keys and the routes that they open: every route of the application, from its own map of them."""

from __future__ import annotations

import ast
import inspect
import itertools
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from tests.service.api.guard.conftest import Guarded, Issue, bearer

from plimsoll_service.api.guard import keys
from plimsoll_service.api.guard.gate import NoScope, scope_of
from plimsoll_service.app import contract

PUBLIC = None
EXAMPLES = Path(__file__).parents[3] / "examples"
# What everyone may see, and the scope of everything else. A route that is not here fails the tests below.
TABLE: dict[str, str | None] = {
    "/": PUBLIC,
    "/machines": PUBLIC,
    "/accelerators": PUBLIC,
    "/accelerators/<name>": PUBLIC,
    "/docs": PUBLIC,
    "/embed": PUBLIC,
    "/healthz": PUBLIC,
    "/machines/<cloud>/<name>": PUBLIC,
    "/metrics": "metrics",
    "/openapi.yaml": PUBLIC,
    "/portal/<path:filename>": PUBLIC,
    "/problems/<slug>": PUBLIC,
    "/readyz": PUBLIC,
    "/v1/accelerators": "read",
    "/v1/comparisons": "size",
    "/v1/disks": "read",
    "/v1/estimates": "size",
    "/v1/evidence": "read",
    "/v1/frameworks": "read",
    "/v1/instance-types": "read",
    "/v1/instance-types/<cloud>/<name>": "read",
    "/v1/models": "read",
    "/v1/prices": "read",
    "/v1/prices/changes": "read",
    "/v1/prices/snapshots": "read",
    "/v1/recommendations": "size",
    "/v1/recommendations/batch": "size",
    "/v1/regions": "read",
    "/v1/rules": "read",
    "/v1/rules/<id>": "read",
}
FILLED = {
    "<cloud>/<name>": "aws/p3.2xlarge",
    "/accelerators/<name>": "/accelerators/A10G",
    "<id>": "vcpus-per-accelerator",
    "<slug>": "not-found",
    "/portal/<path:filename>": "/portal/main.js",
}
SCOPES = tuple(keys.SCOPES)
ROUTES = sorted(
    (rule.rule, method)
    for rule in contract().url_map.iter_rules()
    for method in sorted((rule.methods or set()) - {"OPTIONS"})
)
GUARDED = [(rule, method) for rule, method in ROUTES if TABLE.get(rule, "new") is not PUBLIC]
OPEN = [(rule, method) for rule, method in ROUTES if TABLE.get(rule, "new") is PUBLIC]


@pytest.fixture
def application(guarded: Guarded, key_path: Path) -> Flask:
    """An application that asks for keys."""
    return guarded(api_keys_path=key_path, log_level="critical")


def ask(client: FlaskClient, rule: str, method: str, headers: dict[str, str]) -> Any:
    """Answer of a route, with a body if the route takes one."""
    path = rule
    for name, value in FILLED.items():
        path = path.replace(name, value)
    body = json.loads((EXAMPLES / "a_resnet50_imagenet.json").read_text()) if method == "POST" else None
    return client.open(path, method=method, json=body, headers=headers)


def test_every_route_is_in_the_table() -> None:
    """Every route is in the table that says who may call it."""
    assert set(TABLE) == {rule for rule, _ in ROUTES}


@pytest.mark.parametrize(("rule", "method"), GUARDED)
def test_without_a_key_a_guarded_route_is_closed(application: Flask, rule: str, method: str) -> None:
    """A guarded route without a key gives 401, and how to get access."""
    answer = ask(application.test_client(), rule, method, {})

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("rule", "method"), GUARDED)
def test_a_wrong_key_opens_nothing(application: Flask, issue: Issue, rule: str, method: str) -> None:
    """An unknown key, a known id with a wrong secret, and garbage give no access."""
    known, unknown = issue(*SCOPES), keys.minted("nobody", frozenset(SCOPES))[0]
    forged = known[:-64] + unknown[-64:]
    client = application.test_client()

    for wrong in (unknown, forged, known[:-1], known + "0", known.upper(), "plm_", "é", known.split("_")[2]):
        assert ask(client, rule, method, bearer(wrong)).status_code == 401
        assert ask(client, rule, method, {"X-API-Key": wrong}).status_code == 401


@pytest.mark.parametrize(("rule", "method"), GUARDED)
def test_a_key_of_other_scopes_is_not_enough(
    guarded: Guarded, key_path: Path, issue: Issue, rule: str, method: str
) -> None:
    """A key without the scope gives 403, which names the scope."""
    others = issue(*(scope for scope in SCOPES if scope != TABLE[rule]))
    answer = ask(guarded(api_keys_path=key_path).test_client(), rule, method, bearer(others))

    assert answer.status_code == 403
    assert method == "HEAD" or repr(TABLE[rule]) in answer.json["detail"]


@pytest.mark.parametrize(("rule", "method"), GUARDED)
def test_a_key_of_the_scope_is_enough(guarded: Guarded, key_path: Path, issue: Issue, rule: str, method: str) -> None:
    """A key with the scope gives access by either header; the rest is the route's own answer."""
    key = issue(str(TABLE[rule]))
    client = guarded(api_keys_path=key_path).test_client()

    for headers in (bearer(key), {"X-API-Key": key}, {"X-API-Key": key, "Authorization": "Basic Og=="}):
        assert ask(client, rule, method, headers).status_code in (200, 422)


@pytest.mark.parametrize(("rule", "method"), OPEN)
def test_public_routes_ask_for_no_key(application: Flask, rule: str, method: str) -> None:
    """Probes, the contract and the page with its files need no key, even with a wrong one."""
    assert ask(application.test_client(), rule, method, {}).status_code == 200
    assert ask(application.test_client(), rule, method, bearer("plm_wrong")).status_code == 200


@pytest.mark.parametrize(("rule", "method"), ROUTES)
def test_without_a_file_of_keys_everything_is_open(guarded: Guarded, rule: str, method: str) -> None:
    """Without a file of keys, everything is open: the default, which listens only on this machine."""
    assert ask(guarded().test_client(), rule, method, {}).status_code in (200, 422)


def test_what_is_not_there_needs_no_key(application: Flask) -> None:
    """A missing route needs no key, because the public contract shows the same."""
    assert application.test_client().get("/v2").status_code == 404


def test_an_expired_key_is_told_so(guarded: Guarded, key_path: Path, issue: Issue) -> None:
    """Only the holder of an expired key learns that it has expired."""
    key = issue("read", expires=datetime.now(UTC) - timedelta(seconds=1))
    answer = guarded(api_keys_path=key_path).test_client().get("/v1/rules", headers=bearer(key))

    assert answer.status_code == 401
    assert "has expired" in answer.json["detail"]


def test_answers_to_keys_stay_out_of_shared_caches(guarded: Guarded, key_path: Path, issue: Issue) -> None:
    """Answers to keys are private, because a cache that ignores X-API-Key would give them to strangers."""
    key = issue("read")
    client = guarded(api_keys_path=key_path).test_client()
    answer = client.get("/v1/rules", headers={"X-API-Key": key})

    assert answer.cache_control.private or answer.cache_control.no_store


def test_without_keys_and_limits_nothing_stands_before_the_routes(guarded: Guarded, key_path: Path) -> None:
    """Keys and limits that are switched off add no hook to the routes."""
    hooks = [len(guarded(**settings).before_request_funcs[None]) for settings in ({}, {"api_keys_path": key_path})]

    assert hooks[1] == hooks[0] + 1


def test_a_route_of_no_scope_cannot_be_called(application: Flask) -> None:
    """A new route without a scope is closed, not open."""
    application.add_url_rule("/v1/new", "new", lambda: "secret")

    with pytest.raises(NoScope):
        scope_of(application, "new")
    assert application.test_client().get("/v1/new").status_code == 500


def test_secrets_are_compared_in_constant_time_and_by_nothing_else() -> None:
    """Secrets are compared only by hmac, for unknown keys as for known ones."""
    tree = ast.parse(inspect.getsource(keys.holder))
    called = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    compared = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)

    assert called.count("hmac.compare_digest") == 1
    assert compared == []
    # Straight down: no branch or early return before the comparison.
    assert [type(step) for step in function.body] == [ast.Expr, ast.Assign, ast.Assign, ast.Assign, ast.Return]


def test_every_kind_of_caller_costs_one_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """The right key, a wrong secret, an unknown id and garbage cost one comparison of the same length."""
    compared: list[tuple[int, int]] = []
    real = keys.hmac.compare_digest

    def counting(one: str, other: str) -> bool:
        compared.append((len(one), len(other)))
        return real(one, other)

    text, key = keys.minted("test", frozenset({"read"}))
    monkeypatch.setattr(keys.hmac, "compare_digest", counting)
    shown = [text, text[:-1] + ("0" if text[-1] != "0" else "1"), keys.minted("x", frozenset())[0], "garbage", ""]
    found = [keys.holder({key.id: key}, each) for each in shown]

    assert found == [key, None, None, None, None]
    assert compared == list(itertools.repeat((64, 64), len(shown)))
