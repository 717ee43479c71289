"""Measurements from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plimsoll import UnreadableFile, load_measurements

ONE = {"on": {"accelerator": "T4", "count": 1}, "throughput": 412.0, "batch_size": 64}
OTHER = {"on": {"accelerator": "L4", "count": 1}, "ttft_ms": 90.0}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (ONE, [ONE]),
        ([ONE, OTHER], [ONE, OTHER]),
        ({"measurement": ONE, "spread": 0.01}, [ONE]),
        ({"measurements": [ONE, OTHER]}, [ONE, OTHER]),
        ([{"measurement": ONE}, OTHER], [ONE, OTHER]),
        ([], []),
    ],
)
def test_every_shape_of_a_file_gives_a_list(document: Any, expected: list[Any], tmp_path: Path) -> None:
    """A measurement, a list of them, and the file of `plimsoll.measure` are all read."""
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document))

    assert expected == load_measurements(file)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "is not JSON"),
        ('{"throughput": NaN}', "not a finite number"),
        ('{"throughput": 3}', "holds no measurement"),
        ("7", "holds no measurement"),
        ('{"measurement": 7}', "holds no measurement"),
    ],
)
def test_another_file_is_refused_by_name(text: str, part: str, tmp_path: Path) -> None:
    """The error names the file and its expected content."""
    file = tmp_path / "other.json"
    file.write_text(text)

    with pytest.raises(UnreadableFile, match=f"other.json: .*{part}"):
        load_measurements(file)


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    """An unreadable file raises the same error."""
    with pytest.raises(UnreadableFile, match=r"none.json: cannot be read: No such file"):
        load_measurements(tmp_path / "none.json")
