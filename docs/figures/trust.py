"""The README's table of errors, out of docs/calibration.md.

Run it with ``make figures`` after a calibration; it replaces the table and the figures in the sentences below it.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELD_OUT = ("device", "model", "source")
HEAD = (
    "| median error | rows | device held out | model held out | source held out |",
    "| --- | ---: | ---: | ---: | ---: |",
)
ROW = re.compile(r"^\| (?P<kind>[^|]+) \| (?P<held>device|model|source) \| (?P<rows>\d+) \| (?P<rest>.+) \|$", re.M)
TABLE = re.compile(rf"{re.escape(HEAD[0])}\n(?:\|.*\n)+")
REGRET = re.compile(r"^\| all \| either \| \d+ \| (?P<mean>[\d.]+%)", re.M)
COVERAGE = re.compile(r"^(?P<share>\d+%) of held-out rows lie inside", re.M)


def main() -> None:
    """Write the README anew."""
    page = ROOT / "README.md"
    report = (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")
    page.write_text(updated(page.read_text(encoding="utf-8"), report), encoding="utf-8")


def updated(readme: str, report: str) -> str:
    """Return the README with the report's table, mean regret and coverage."""
    regret, inside = REGRET.search(report), COVERAGE.search(report)
    if regret is None or inside is None or not TABLE.search(readme):
        raise ValueError("the report or the README has lost a table")
    readme = TABLE.sub(lambda _: table(report), readme)
    readme = re.sub(r"costs on average [\d.]+% more", f"costs on average {regret['mean']} more", readme)
    return re.sub(
        r"\d+% of the held-out measurements lie", f"{inside['share']} of the held-out measurements lie", readme
    )


def table(report: str) -> str:
    """Return a row for each kind with a target: the mean of sources, and the median of rows in brackets."""
    targets = report.split("## Targets")[1].split("\n## ")[0]
    kinds: dict[str, dict[str, str]] = {}
    rows: dict[str, str] = {}
    for found in ROW.finditer(targets):
        _, of_sources, of_rows, *_ = found["rest"].split(" | ")
        kinds.setdefault(found["kind"], {})[found["held"]] = f"{of_sources} ({of_rows})"
        rows[found["kind"]] = found["rows"]
    lines = (
        f"| {kind} | {rows[kind]} | {' | '.join(errors[one] for one in HELD_OUT)} |" for kind, errors in kinds.items()
    )
    return "".join(f"{line}\n" for line in (*HEAD, *lines))


if __name__ == "__main__":
    main()
