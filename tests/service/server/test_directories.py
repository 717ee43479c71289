"""Directories in common."""

from __future__ import annotations

from pathlib import Path

from plimsoll_service.server import directories


def test_a_directory_is_made_where_none_is_named_and_goes_in_the_end() -> None:
    """It is there until it is removed."""
    environment: dict[str, str] = {}
    directories.share(environment, "SOME_DIRECTORY")
    made = Path(environment["SOME_DIRECTORY"])
    there = made.is_dir()
    directories.remove()

    assert there
    assert not made.exists()


def test_a_directory_that_is_named_is_left_alone(tmp_path: Path) -> None:
    """It is neither replaced nor removed."""
    environment = {"SOME_DIRECTORY": str(tmp_path)}
    directories.share(environment, "SOME_DIRECTORY")
    directories.remove()

    assert environment == {"SOME_DIRECTORY": str(tmp_path)}
    assert tmp_path.is_dir()
