"""gunicorn's settings that depend on the machine."""

from __future__ import annotations

import resource
import runpy
from pathlib import Path

import pytest

import plimsoll_service

CONFIGURATION = Path(plimsoll_service.__file__).parent / "gunicorn.conf.py"


@pytest.mark.parametrize(("files", "connections"), [(200, 72), (20_000, 1000), (resource.RLIM_INFINITY, 1000)])
def test_a_worker_takes_no_more_connections_than_it_may_open_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: int, connections: int
) -> None:
    """A worker accepts no more connections than it may open files, because one more would end it."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    for variable in ("PROMETHEUS_MULTIPROC_DIR", "PLIMSOLL_LAST_PRICES"):
        monkeypatch.setenv(variable, str(tmp_path))

    assert runpy.run_path(str(CONFIGURATION))["worker_connections"] == connections
