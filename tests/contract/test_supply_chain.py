"""The service's dependencies are listed in full, listed the same each time, and checked against advisories."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.contract.test_project import ROOT, pins

AUDIT, SBOM = ROOT / "requirements/audit.py", ROOT / "requirements/sbom.py"
FLAW = "PYSEC-0000-1"


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The list of parts, as `make sbom` writes it."""
    path = tmp_path_factory.mktemp("parts") / "made/sbom.json"
    subprocess.run([sys.executable, str(SBOM), "--output", str(path)], check=True)
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_the_list_of_parts_is_valid(listed: dict[str, Any]) -> None:
    """The list of parts is valid by CycloneDX's own schema."""
    # Loaded here: it takes seconds, which every process of the tests would spend.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(listed)) is None


def test_the_list_has_every_locked_package(listed: dict[str, Any]) -> None:
    """Packages that run are required, those that only build are not; each has the hashes that installing checks."""
    parts = {(part["purl"].split("/")[0], part["name"]): part for part in listed["components"]}
    running = pins(ROOT / "requirements/run.txt")
    page = json.loads((ROOT / "portal/package-lock.json").read_text())["packages"]

    assert {name: parts["pkg:pypi", name]["version"] for name in running} == running
    assert {parts["pkg:pypi", name]["scope"] for name in running} == {"required"}
    assert parts["pkg:npm", "vite"]["version"] == page["node_modules/vite"]["version"]
    assert parts["pkg:pypi", "flit-core"]["scope"] == "excluded"
    assert [part["name"] for part in parts.values() if not part.get("hashes")] == []


def test_a_wheel_takes_the_list_with_it(listed: dict[str, Any], tmp_path: Path) -> None:
    """A wheel has the list where scanners look, once, and names it in its own list of files.

    Its bytes are the same wherever and whenever it is written.
    """
    made = [tmp_path / name / "plimsoll_service-0.1.0-py3-none-any.whl" for name in ("a", "b")]
    for wheel in made:
        wheel.parent.mkdir()
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(zipfile.ZipInfo("plimsoll_service-0.1.0.dist-info/RECORD"), "plimsoll_service/app.py,,\n")
    for _ in range(2):
        subprocess.run([sys.executable, str(SBOM), "--wheel", *map(str, made)], check=True, cwd=tmp_path)
    place = "plimsoll_service-0.1.0.dist-info/sboms/plimsoll-service.cdx.json"
    with zipfile.ZipFile(made[0]) as archive:
        content = archive.read(place)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record = archive.read("plimsoll_service-0.1.0.dist-info/RECORD").decode()

    assert json.loads(content) == listed
    assert record == f"{place},sha256={digest},{len(content)}\nplimsoll_service/app.py,,\n"
    assert made[0].read_bytes() == made[1].read_bytes()


def test_the_image_has_the_list() -> None:
    """The image's wheel has the list, from the files of the build; wheels of `make wheel` have it too."""
    image, makefile = (ROOT / "Dockerfile").read_text(), (ROOT / "Makefile").read_text()
    given = (ROOT / ".dockerignore").read_text()

    assert "/requirements/sbom.py --wheel /wheels/*.whl" in image
    assert "requirements/sbom.py --wheel dist/plimsoll_service-*.whl" in makefile
    assert re.findall(r"^!requirements/sbom\.py$", given, re.MULTILINE)


class Advisories(BaseHTTPRequestHandler):
    """Advisory services of both kinds, which know the ``flaws`` and ``page_flaws``."""

    flaws: ClassVar[dict[str, str]] = {}
    page_flaws: ClassVar[dict[str, str]] = {}

    def do_POST(self) -> None:
        """Answer with the known advisories about the packages that the body names."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}") if not self._packed() else {}
        if "package" in asked:
            answer: dict[str, Any] = self._of_python(asked["package"]["name"])
        else:
            flaw = {"id": 1, "title": FLAW, "severity": "high", "vulnerable_versions": "*", "url": "", "name": "vite"}
            answer = {name: [flaw | {"name": name}] for name in self.page_flaws}
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def _packed(self) -> bool:
        if self.headers.get("Content-Encoding") == "gzip":
            self.rfile.read(int(self.headers["Content-Length"]))
            return True
        return False

    def _of_python(self, name: str) -> dict[str, Any]:
        if name not in self.flaws:
            return {}
        affected = {"package": {"name": name, "ecosystem": "PyPI"}, "ranges": [], "versions": [self.flaws[name]]}
        return {"vulns": [{"id": FLAW, "summary": "a flaw", "details": "", "affected": [affected], "aliases": []}]}


@pytest.fixture
def advisories() -> Iterator[str]:
    """A running advisory service without advisories."""
    Advisories.flaws, Advisories.page_flaws = {}, {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Advisories)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def audited(url: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Result of the audit with the advisory service at this address."""
    environment = os.environ | {"npm_config_registry": url, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    where = ["--vulnerability-service", "osv", "--osv-url", f"{url}/v1/query"]
    command = [sys.executable, str(AUDIT), *where, *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_what_nothing_is_known_against_passes(advisories: str) -> None:
    """Packages without an advisory pass, and the audit says that it asked about all."""
    found = audited(advisories, "--strict")

    assert (found.returncode, found.stdout) == (0, "Nothing is known against any locked package.\n")


@pytest.mark.parametrize("kind", ["python", "page"])
def test_a_known_flaw_fails_the_audit(advisories: str, kind: str) -> None:
    """A known flaw fails the audit, with the package and the flaw by name."""
    version = pins(ROOT / "requirements/dev.txt")["flask"]
    Advisories.flaws, Advisories.page_flaws = ({"flask": version}, {}) if kind == "python" else ({}, {"vite": "*"})
    found = audited(advisories)

    assert found.returncode == 1
    assert {"python": f"VULNERABLE  flask {version}: {FLAW}", "page": "VULNERABLE  vite "}[kind] in found.stdout
    assert FLAW in found.stdout


def test_without_an_advisory_service_it_says_so(tmp_path: Path) -> None:
    """A missing advisory service fails the audit only with --strict, because it is no flaw of the packages."""
    plain, strict = audited("http://127.0.0.1:9"), audited("http://127.0.0.1:9", "--strict")

    assert (plain.returncode, strict.returncode) == (0, 3)
    assert [line.split("  ")[0] for line in plain.stdout.splitlines()] == ["NOT AUDITED"] * 2
    assert "Nothing is known" not in plain.stdout
