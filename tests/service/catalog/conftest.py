"""A small input directory that builds, for tests that then break one part of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.hardware import Catalog

FILES = {
    "regions.csv": "cloud,name,location\nown,rack-1,Basement\n",
    "instance_types.csv": (
        "cloud,instance_type,vcpus,memory_gib,accelerator,accelerator_count,cpu_vendor\n"
        "own,box,32,128,,,AMD\n"
        "own,gpu-box,64,256,V100 16GB SXM2,4,Intel\n"
        "own,half-a-card,8,32,L4,0.5,\n"
    ),
    "offers.csv": (
        "cloud,instance_type,region,purchase,usd_per_hour,as_of,source\n"
        "own,gpu-box,rack-1,on_demand,3.5,2026-05-01,accounting\n"
        "own,box,rack-1,on_demand,0.25,,accounting\n"
        "own,box,rack-1,spot,0.125,2026-04-01,accounting\n"
    ),
}


@pytest.fixture
def input_dir(tmp_path: Path) -> Path:
    """A directory with three instance types of an own cloud, and their prices."""
    directory = tmp_path / "input"
    directory.mkdir()
    for name, text in FILES.items():
        (directory / name).write_text(text)
    return directory


@pytest.fixture
def add_line(input_dir: Path) -> Callable[[str, str], int]:
    """Append a line to a file of the input directory, and return its number."""

    def append(name: str, line: str) -> int:
        path = input_dir / name
        path.write_text(f"{path.read_text()}{line}\n")
        return len(path.read_text().splitlines())

    return append


@pytest.fixture(scope="session")
def bundled() -> Catalog:
    """The bundled snapshot."""
    return snapshot.load()
