"""The table of measurements is written from the project's own tables."""

from __future__ import annotations

from pathlib import Path

from plimsoll_service import cli
from plimsoll_service.evidence.build import build
from plimsoll_service.evidence.imports import figures


def test_the_projects_own_tables_are_written(tmp_path: Path) -> None:
    """A measurement can be added without the raw figures of other sources, whose files stay."""
    (tmp_path / "lambda.csv").write_text("kept")

    counts = build(tmp_path).rows

    assert counts.total() == len(figures.own_measurements())
    assert (tmp_path / "lambda.csv").read_text() == "kept"


def test_the_command_writes_them(tmp_path: Path) -> None:
    """The status is 0, and each source has its file."""
    assert cli.main(["evidence", "build", "--output", str(tmp_path)]) == 0
    assert {path.stem for path in tmp_path.iterdir()} == {row.source for row in figures.own_measurements()}
