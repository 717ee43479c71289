"""The command fits, writes and checks, and names differences."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from calibration import command
from calibration.__main__ import main
from calibration.files import Written, fields_of, form_file
from calibration.results import Calibrated, Evidence
from tests.calibration.residuals import many
from tests.calibration.rows import row
from tests.service.engine.catalogs import bundled
from tests.service.fitted import FITTED

RESIDUALS = many(60)
EVIDENCE = Evidence(
    shipped=tuple(row(id=f"cnn_training-samples/s-{place}", value=100.0 + place) for place in range(60)),
    cloud=(),
    catalog=bundled(),
    committed=FITTED,
)


def problem(evidence: Evidence) -> Calibrated:
    """A problem that is already solved."""
    figures = {"form": [Written("speed", 0.5, 0.1, 0.4)]}
    files = {"form": form_file("A made-up form.", "form", fields_of(figures["form"]))}
    return Calibrated("made up", files, RESIDUALS, figures)


@pytest.fixture
def fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of the bundled one, and made-up evidence."""
    folder = tmp_path / "fitted"
    folder.mkdir()
    monkeypatch.setattr(command.coefficients, "folder", lambda: folder)
    monkeypatch.setattr(command, "predictions_path", lambda: tmp_path / "held_out.csv")
    monkeypatch.setattr(command, "evidence_of", lambda _cloud: EVIDENCE)
    return folder


def test_what_was_written_passes_the_check(fitted: Path, tmp_path: Path) -> None:
    """A refit of the same evidence agrees with the written coefficients and report."""
    said = command.calibrate((problem,), (), tmp_path / "docs")

    assert {"form.json", "spreads.json", "measured.json", "known.json"} == {path.name for path in fitted.iterdir()}
    assert str(tmp_path / "docs" / "calibration.md") in said
    assert str(tmp_path / "held_out.csv") in said
    assert "agree" in command.calibrate((problem,), (), tmp_path / "other", check=True)
    assert not (tmp_path / "other").exists()


def test_a_changed_value_is_refused_and_named(fitted: Path, tmp_path: Path) -> None:
    """Every difference is named, not only the first."""
    command.calibrate((problem,), (), tmp_path / "docs")
    (fitted / "form.json").write_text((fitted / "form.json").read_text().replace("0.5,", "0.6,"))
    (fitted / "spreads.json").write_text("{}")

    with pytest.raises(command.CalibrationError, match=r"form: .*speed: committed 0.6, refitted 0.5\nspreads"):
        command.calibrate((problem,), (), tmp_path / "docs", check=True)


def test_a_file_that_is_missing_is_refused(fitted: Path, tmp_path: Path) -> None:
    """A file that is not committed is a difference, too."""
    command.calibrate((problem,), (), tmp_path / "docs")
    (fitted / "form.json").unlink()
    with pytest.raises(command.CalibrationError, match=r"form: .*speed: 0.5 is not committed"):
        command.calibrate((problem,), (), tmp_path / "docs", check=True)


def test_the_report_is_the_same_bytes_again(fitted: Path, tmp_path: Path) -> None:
    """Page and plots depend only on the evidence."""
    for name in ("one", "two"):
        command.calibrate((problem,), (), tmp_path / name)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))

    assert len(files) >= 5
    assert all((tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes() for path in files)


def test_without_the_plotting_library_it_says_so(
    fitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the plotting library, the command is refused before anything is written."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "calibration.plots", raising=False)
    monkeypatch.setattr("calibration.command.PROBLEMS", (problem,))

    assert main(["--out", str(tmp_path / "docs")]) == 1
    assert "requirements/dev.txt" in capsys.readouterr().err
    assert [] == list(fitted.iterdir())
