"""Directories that workers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from plimsoll_service.server import directories


@pytest.mark.parametrize("before", [{}, {"SOME_DIRECTORY": ""}], ids=["unset", "empty"])
def test_a_directory_is_made_where_none_is_named_and_goes_in_the_end(before: dict[str, str]) -> None:
    """Without a name, a directory is made and removed in the end."""
    environment = dict(before)
    directories.share(environment, "SOME_DIRECTORY")
    made = Path(environment["SOME_DIRECTORY"])
    there = made.is_dir()
    directories.remove()

    assert there
    assert not made.exists()


def test_a_directory_that_is_named_is_left_alone(tmp_path: Path) -> None:
    """A named directory is neither replaced nor removed."""
    environment = {"SOME_DIRECTORY": str(tmp_path)}
    directories.share(environment, "SOME_DIRECTORY")
    directories.remove()

    assert environment == {"SOME_DIRECTORY": str(tmp_path)}
    assert tmp_path.is_dir()


def test_a_named_directory_that_is_missing_is_made_and_stays(tmp_path: Path) -> None:
    """A missing named directory is made and stays, because it is the operator's."""
    environment = {"SOME_DIRECTORY": str(tmp_path / "two" / "levels")}
    directories.share(environment, "SOME_DIRECTORY")
    directories.remove()

    assert (tmp_path / "two" / "levels").is_dir()


def test_what_cannot_be_a_directory_is_said_in_a_line(tmp_path: Path) -> None:
    """A path that cannot be a directory is an error with its variable."""
    file = tmp_path / "file"
    file.touch()

    with pytest.raises(SystemExit, match=rf"^plimsoll-service: SOME_DIRECTORY={file}: File exists$"):
        directories.share({"SOME_DIRECTORY": str(file)}, "SOME_DIRECTORY")
