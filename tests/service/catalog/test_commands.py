"""Exporting a catalog as CSV and building it again; ``test_cli`` does so with the bundled one."""

from __future__ import annotations

from pathlib import Path

from plimsoll_service.catalog import commands
from plimsoll_service.catalog.build import build


def test_export_of_a_small_catalog_builds_to_the_same(input_dir: Path, tmp_path: Path) -> None:
    """Export and build are each other's inverse: the version, a hash of all content, stays."""
    built = commands.build(input_dir, tmp_path / "catalog.npz")
    report = commands.export(tmp_path / "exported", tmp_path / "catalog.npz")
    rebuilt, rejected = build(tmp_path / "exported")

    assert rejected == []
    assert rebuilt.version == report.version == built.version


def test_spreads_are_printed(input_dir: Path, tmp_path: Path) -> None:
    """The figures behind the ranges of prices in doubt; NaN where a catalog has nothing to compute them from."""
    commands.build(input_dir, tmp_path / "small.npz")

    own, small = commands.price_spreads(), commands.price_spreads(tmp_path / "small.npz")

    assert [line.rpartition(": ")[2] for line in own.splitlines()] == ["0.520", "0.238", "-0.522", "0.281"]
    assert [line.rpartition(": ")[2] for line in small.splitlines()] == ["nan"] * 4
