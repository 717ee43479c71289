"""The README's Python blocks run as written, against the real application on loopback."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.serving import served

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

README = Path(__file__).resolve().parents[2] / "sdk" / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


@pytest.fixture(scope="module")
def service_url() -> Iterator[str]:
    """Address of the running application."""
    with served(create_app(Settings(log_level="critical"))) as url:
        yield url


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_readme_runs(
    block: str, service_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every block runs by itself, and the printed answers have a machine."""
    monkeypatch.setenv("PLIMSOLL_URL", service_url)

    (tmp_path / "block.py").write_text(block)
    runpy.run_path(str(tmp_path / "block.py"))

    printed = capsys.readouterr().out.strip()
    assert bool(printed) == ("print(" in block)
    assert printed != "None"
