"""The README's table of errors says what the calibration report says."""

from pathlib import Path

from docs.figures.trust import table, updated

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPORT = (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")


def test_the_readme_is_of_the_report() -> None:
    assert updated(README, REPORT) == README, "run: make figures"


def test_each_target_is_one_row_with_what_was_held_out() -> None:
    report = (
        "## Targets\n\n"
        "| processors | device | 7 | 25% | 26% | 22% | 67% | missed |\n"
        "| processors | model | 7 | 25% | 24% | 23% | 66% | met |\n"
        "| processors | source | 7 | 25% | 40% | 21% | 69% | missed |\n"
        "\n## Errors by kind and source\n"
        "| processors | device | 9 | 1% | 1% | 1% | 1% | met |\n"
    )
    assert table(report).splitlines()[2:] == ["| processors | 7 | 26% (22%) | 24% (23%) | 40% (21%) |"]
