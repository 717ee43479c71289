"""Guarded applications and their keys."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from plimsoll_service.api.guard.key_file import changing
from plimsoll_service.api.guard.keys import ApiKey, minted
from plimsoll_service.api.guard.limits import Counts
from plimsoll_service.api.service import Service
from plimsoll_service.app import assemble
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.quotes import Lookups
from plimsoll_service.settings import Settings

Issue = Callable[..., str]
Guarded = Callable[..., Flask]


@pytest.fixture
def key_path(tmp_path: Path) -> Path:
    """An empty file of keys."""
    path = tmp_path / "keys.jsonl"
    path.touch()
    return path


@pytest.fixture
def issue(key_path: Path) -> Issue:
    """Put a key with these scopes into the file and return it."""

    def issued(*scopes: str, **more: Any) -> str:
        text, key = minted("test", frozenset(scopes))
        kept: ApiKey = replace(key, **more)
        with changing(key_path) as keys:
            keys[kept.id] = kept
        return text

    return issued


@pytest.fixture
def guarded(catalog: Catalog, bundled_prices: LivePrices, sizer: Any) -> Guarded:
    """Make the application that the settings guard."""

    def made(shared: Counts | None = None, **settings: Any) -> Flask:
        service = Service(catalog, copy(bundled_prices), Lookups(), sizer)
        return assemble(Settings(**settings), service, shared)

    return made


def bearer(key: str) -> dict[str, str]:
    """Headers of a caller with the key."""
    return {"Authorization": f"Bearer {key}"}
