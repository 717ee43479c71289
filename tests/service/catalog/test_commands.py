"""Export of a catalog as CSV and a build from it; ``test_cli`` does so with the bundled one."""

from __future__ import annotations

from pathlib import Path

from plimsoll_service.catalog import commands
from plimsoll_service.catalog.build import build


def test_export_of_a_small_catalog_builds_to_the_same(input_dir: Path, tmp_path: Path) -> None:
    """A build from an export keeps the version, which is a hash of all content."""
    built = commands.build(input_dir, tmp_path / "catalog.npz")
    report = commands.export(tmp_path / "exported", tmp_path / "catalog.npz")
    rebuilt, rejected = build(tmp_path / "exported")

    assert rejected == []
    assert rebuilt.version == report.version == built.version
