"""The builder reads a figures folder and writes one file for each source."""

from __future__ import annotations

from pathlib import Path

import pytest
from gathered.measurements import figures
from gathered.measurements.__main__ import main
from gathered.measurements.build import build
from gathered.measurements.read import gathered_measurements
from tests.gathered.measurements.figures import figures_folder, raw

from plimsoll_service.evidence import measurement
from plimsoll_service.evidence.measurement import EvidenceError

TIME = {"source": "jcjohnson", "framework": "Torch7", "metric": "ms_per_batch", "precision": "fp32"}


def test_a_folder_becomes_a_table(tmp_path: Path) -> None:
    """Each source has a numbered file in the project's words, beside the project's own tables."""
    rows = [raw(), raw(value="3000", device_count="2"), raw(**TIME, device="GTX 1080", value="128")]

    counts = build(tmp_path / "table", gathered_measurements(figures_folder(tmp_path / "figures", rows))).rows

    assert counts["lambda"] == 2
    assert counts["jcjohnson"] == 1
    assert counts.total() == 3 + len(figures.own_measurements())
    with (tmp_path / "table" / "lambda.csv").open(encoding="utf-8") as file:
        first, second = measurement.read(file, "lambda.csv")
    assert (first.id, first.model, first.precision, first.accelerator) == (
        "lambda-0001", "resnet50", "mixed", "A100-80GB",
    )  # fmt: skip
    assert (second.value, second.device_count) == (3000.0, 2)


def test_a_time_a_batch_becomes_a_rate(tmp_path: Path) -> None:
    """256 images in 128 ms are 2,000 a second; the printed figure stays beside it."""
    (row,) = gathered_measurements(figures_folder(tmp_path, [raw(**TIME, device="GTX 1080", value="128")]))

    assert (row.metric, row.value) == ("samples/s", pytest.approx(2000.0))
    assert (row.printed_value, row.printed_unit) == ("128", "ms_per_batch")


def test_the_projects_own_tables_are_written(tmp_path: Path) -> None:
    """A measurement can be added without the raw figures of other sources, whose files stay."""
    (tmp_path / "lambda.csv").write_text("kept")

    assert main(["--output", str(tmp_path)]) == 0
    assert {path.stem for path in tmp_path.iterdir()} == {"lambda", *(row.source for row in figures.own_measurements())}
    assert (tmp_path / "lambda.csv").read_text() == "kept"


def test_the_same_folder_gives_the_same_files(tmp_path: Path) -> None:
    """The same folder gives the same bytes."""
    folder = figures_folder(tmp_path / "figures", [raw(), raw(value="1")])
    for output in ("a", "b"):
        build(tmp_path / output, gathered_measurements(folder))

    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "b").iterdir())
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in files)


@pytest.mark.parametrize(
    ("columns_", "words"),
    [({"source": "nobody"}, "unknown source 'nobody'"), ({"value": "fast"}, "lambda-0001")],
)
def test_a_row_that_cannot_be_read_stops_the_build(columns_: dict[str, str], words: str, tmp_path: Path) -> None:
    """The fault names the row."""
    folder = figures_folder(tmp_path / "figures", [raw(**({"value": "x"} | columns_))])

    with pytest.raises(EvidenceError, match=words):
        gathered_measurements(folder)


def test_a_folder_without_figures_is_refused(tmp_path: Path) -> None:
    """A folder without figures is refused, and so is a file without a column, or another file."""
    with pytest.raises(EvidenceError, match="has none of"):
        gathered_measurements(tmp_path)
    without = raw()
    del without["metric"]
    with pytest.raises(EvidenceError, match="lacks the columns metric"):
        gathered_measurements(figures_folder(tmp_path / "a", [without]))
    (tmp_path / "training_cnn.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(EvidenceError, match="training_cnn"):
        gathered_measurements(tmp_path)


def test_the_command_builds_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The status is 0 with the counts, and 1 with the reason."""
    folder = figures_folder(tmp_path / "figures", [raw()])

    assert main([str(folder), "--output", str(tmp_path / "table")]) == 0
    assert "lambda" in capsys.readouterr().out
    assert main([str(tmp_path / "table")]) == 1
    assert "has none of" in capsys.readouterr().err
