"""Writes what the service's image is made of as a CycloneDX 1.6 document: `make sbom`, and into wheels of the service.

Read from the locks alone and without a clock, so that the same locks give the same bytes anywhere. The packages of the
base image are not in it: those its distribution lists. In a wheel the document lies where scanners look (PEP 770).
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import tomllib
import uuid
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
RUN, BUILD, PAGE = "requirements/run.txt", "requirements/build.txt", "portal/package-lock.json"
_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_NPM_HASH = "sha512-"
_MODULES = "node_modules/"
_NAME = "plimsoll-service.cdx.json"
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def document(root: Path) -> dict[str, Any]:
    """The document of the locks below the folder."""
    running, building = _of_lock(root / RUN, "required"), _of_lock(root / BUILD, "excluded")
    known = {part["purl"] for part in running}
    parts = [*running, *(part for part in building if part["purl"] not in known), *_of_page(root / PAGE)]
    project = tomllib.loads((root / "service/pyproject.toml").read_text(encoding="utf-8"))["project"]
    service = {
        "type": "application",
        "bom-ref": "plimsoll-service",
        "name": project["name"],
        "version": project["version"],
        "licenses": [{"license": {"id": project["license"]}}],
    }
    content = hashlib.sha256(json.dumps([service, parts]).encode()).digest()
    needed = [part["bom-ref"] for part in parts if part["scope"] == "required"]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=content[:16], version=5)}",
        "version": 1,
        "metadata": {"component": service, "lifecycles": [{"phase": "build"}]},
        "components": parts,
        "dependencies": [{"ref": "plimsoll-service", "dependsOn": needed}],
    }


def _of_lock(path: Path, scope: str) -> list[dict[str, Any]]:
    """The packages that a lock of Python packages pins; of each, the files that may be installed."""
    text = path.read_text(encoding="utf-8")
    pins = list(_PIN.finditer(text))
    ends = [pin.start() for pin in pins[1:]] + [len(text)]
    found = []
    for pin, end in zip(pins, ends, strict=True):
        hashes = _HASH.findall(text, pin.end(), end)
        part = _part(f"pkg:pypi/{pin[1]}@{quote(pin[2])}", pin[1], pin[2], scope)
        files = [{"alg": "SHA-256", "content": each} for each in sorted(hashes)]
        found.append(part | {"hashes": files})
    return sorted(found, key=lambda part: str(part["purl"]))


def _of_page(path: Path) -> list[dict[str, Any]]:
    """The packages that build the page, as npm locked them."""
    found = {}
    for place, entry in json.loads(path.read_text(encoding="utf-8"))["packages"].items():
        if not place or entry.get("dev"):
            continue
        name = entry.get("name") or place.rpartition(_MODULES)[2]
        purl = f"pkg:npm/{quote(name)}@{quote(entry['version'])}"
        part = _part(purl, name, entry["version"], "excluded")
        if entry.get("integrity", "").startswith(_NPM_HASH):
            digest = base64.b64decode(entry["integrity"].removeprefix(_NPM_HASH)).hex()
            part["hashes"] = [{"alg": "SHA-512", "content": digest}]
        found[purl] = part
    return [found[purl] for purl in sorted(found)]


def _part(purl: str, name: str, version: str, scope: str) -> dict[str, Any]:
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "scope": scope, "purl": purl}


def put_into(wheel: Path, content: bytes) -> None:
    """Add the document to a wheel that lacks it, and to the wheel's own list of files."""
    with zipfile.ZipFile(wheel) as archive:
        files = {entry: archive.read(entry) for entry in archive.infolist()}
    (record,) = (entry for entry in files if entry.filename.endswith(".dist-info/RECORD"))
    place = record.filename.replace("RECORD", f"sboms/{_NAME}")
    if any(entry.filename == place for entry in files):
        return
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    files[record] = f"{place},sha256={digest},{len(content)}\n".encode() + files[record]
    added = zipfile.ZipInfo(place, _ZIP_EPOCH)
    added.external_attr = record.external_attr
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, text in {added: content, **files}.items():
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)


def main() -> None:
    """Write the document."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder with the locks; left out: the project's")
    parser.add_argument("--output", type=Path, help="the document by itself")
    parser.add_argument("--wheel", type=Path, nargs="+", default=(), help="wheels of the service to put it into")
    call = parser.parse_args()
    content = (json.dumps(document(call.root), indent=1) + "\n").encode()
    if call.output:
        call.output.parent.mkdir(parents=True, exist_ok=True)
        call.output.write_bytes(content)
    for wheel in call.wheel:
        put_into(wheel, content)


if __name__ == "__main__":
    main()
