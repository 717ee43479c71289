"""The real service on a socket, and the interpreters with the frameworks of the examples."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.serving import served

from plimsoll import Client
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
# `make examples` builds an environment for each framework here: they do not agree with each other on versions.
ENVIRONMENTS = Path(os.environ.get("PLIMSOLL_EXAMPLE_ENVIRONMENTS", ROOT / ".venv" / "examples"))
LONGEST_RUN_SECONDS = 300

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def serve() -> Callable[[Any], AbstractContextManager[str]]:
    """``served``, for tests."""
    return served


@pytest.fixture(scope="session")
def application() -> Any:
    """The service's own application."""
    return create_app(Settings(log_level="critical"))


@pytest.fixture(scope="session")
def service_url(application: Any) -> Iterator[str]:
    """The address of the service."""
    with served(application) as url:
        yield url


@pytest.fixture
def client(service_url: str) -> Iterator[Client]:
    """A client of the service, for the values that the examples should find."""
    with Client(service_url) as client:
        yield client


@pytest.fixture
def run(service_url: str, tmp_path: Path) -> Run:
    """Run a command in an empty folder, with the service's address in its environment."""

    def start(*command: str | Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        # Nothing of the caller's own settings but where programs are found.
        said = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PLIMSOLL_URL": service_url, "PYTHONUTF8": "1"}
        return subprocess.run(
            list(map(str, command)),
            cwd=tmp_path,
            env=said | {"PYTHONPATH": str(ROOT / "sdk" / "src"), "PYTHONDONTWRITEBYTECODE": "1"} | dict(env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN_SECONDS,
            check=False,
        )

    return start


def interpreter(environment: str, module: str) -> Path:
    """The Python that has the framework."""
    python = ENVIRONMENTS / environment / "bin" / "python"
    if python.exists():
        return python
    if find_spec(module.partition(".")[0]) and find_spec(module):
        return Path(sys.executable)
    return pytest.fail(f"{module} is not installed: `make examples` runs this test with it", pytrace=False)


@pytest.fixture
def environment() -> Callable[[str, str], Path]:
    """``interpreter``, for tests."""
    return interpreter
